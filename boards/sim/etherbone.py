# SPDX-License-Identifier: Apache-2.0
"""LiteEth's Etherbone, with what stores its datagrams (boards/ethernet.py), in migen's simulator: asked as
loader/etherbone.c asks, at the rate of gigabit Ethernet, for what it does and answers. The datagrams are those of
loader/test/test_etherbone.c, and the longest ones. Prints TAP.

    PYTHONPATH=build/fpga:boards python3 boards/sim/etherbone.py
"""
import sys
from types import SimpleNamespace

try:
    from ethernet import UDP_PORT, Stores, etherbone_at
    from liteeth.common import eth_udp_user_description
    from litex.gen import LiteXModule
    from litex.soc.interconnect import stream
    from migen import passive, run_simulation
except ModuleNotFoundError:
    print("1..1\nok 1 - Etherbone of LiteEth # SKIP it is not there: make deps-fpga")
    sys.exit()

HEAD, GLOBAL, SUM_AT, SUM = "4e6f104400000000", 0x40000000, 0x400, 0x12345678
PATIENCE = 30000  # cycles of the PHY's clock
NANOSECONDS = {"sys": 40, "eth_rx": 8}
WORD_CYCLES = 4  # of the PHY's clock
WORDS = [0x01020304 * (i + 1) & 0xffffffff for i in range(128)]


def words(*numbers):
    """Big-endian words, as they are sent."""
    return b"".join(number.to_bytes(4, "big") for number in numbers)


def write(adr, *data):
    """A datagram that writes words."""
    return bytes.fromhex(HEAD) + words(0x000f0000 | len(data) << 8, adr, *data)


def read(number, adr, count):
    """One that reads them."""
    return bytes.fromhex(HEAD) + words(0x000f0000 | count, number, *range(adr, adr + 4 * count, 4))


def answer(number, *data):
    """What comes back then."""
    return bytes.fromhex(HEAD) + words(0x000f0000 | len(data) << 8, number, *data)


TALK = [
    ("a write, and a word", [write(GLOBAL + 16, 0x01020304, 0xfffefdfc), read(0x00102004, SUM_AT, 1)],
     answer(0x00102004, SUM)),
    ("what was written", [read(0x00102008, GLOBAL + 16, 2)], answer(0x00102008, 0x01020304, 0xfffefdfc)),
    ("the longest write, and a word", [write(GLOBAL + 256, *WORDS), read(0x0010200c, SUM_AT, 1)],
     answer(0x0010200c, SUM)),
    ("the longest read", [read(0x00102010, GLOBAL + 256, len(WORDS))], answer(0x00102010, *WORDS)),
]


class Peer(LiteXModule):
    """Etherbone at the end of the PHY's port."""

    def __init__(self):
        self.port = SimpleNamespace(**{name: stream.Endpoint(eth_udp_user_description(32))
                                       for name in ("sink", "source")})
        self.stores = Stores(self.port)
        self.etherbone = etherbone_at(self.stores.port)


@passive
def memory(bus):
    """A slave of its bus."""
    held = {SUM_AT: SUM}
    while True:
        if (yield bus.cyc) and (yield bus.stb):
            adr = 4 * (yield bus.adr)
            if (yield bus.we):
                held[adr] = yield bus.dat_w
            else:
                yield bus.dat_r.eq(held.get(adr, 0))
            yield bus.ack.eq(1)
            yield
            yield bus.ack.eq(0)
        yield


def send(source, datagram):
    """To the peer, which must take each word when it comes: how many it did not."""
    lost = 0
    for at in range(0, len(datagram), 4):
        last = at + 4 == len(datagram)
        yield source.valid.eq(1)
        yield source.length.eq(len(datagram))
        yield source.data.eq(int.from_bytes(datagram[at:at + 4], "little"))
        yield source.last.eq(last)
        yield source.last_be.eq(8 if last else 0)
        yield
        lost += not (yield source.ready)
        yield source.valid.eq(0)
        for _ in range(WORD_CYCLES - 1):
            yield
    return lost


def receive(sink):
    """From the peer: a datagram for our port, and how many of its words did not come in time."""
    datagram, gaps = b"", 0
    for _ in range(PATIENCE):
        yield sink.ready.eq(1)
        yield
        yield sink.ready.eq(0)
        if (yield sink.valid):
            datagram += (yield sink.data).to_bytes(4, "little")
            if (yield sink.last):
                right = (yield sink.length) == len(datagram) and (yield sink.dst_port) == UDP_PORT
                yield
                return datagram if right else b"another length or port", gaps
        else:
            gaps += datagram != b""
        for _ in range(WORD_CYCLES - 1):
            yield
    return datagram, gaps


def talk(port, failed):
    """All of TALK, one after the other."""
    for number, (what, requests, wanted) in enumerate(TALK, 1):
        lost = 0
        for request in requests:
            lost += yield from send(port.source, request)
        found, gaps = yield from receive(port.sink)
        right = found == wanted and lost == gaps == 0
        failed += [what] * (not right)
        print(f"{'ok' if right else 'not ok'} {number} - Etherbone of LiteEth: {what}", flush=True)
        if not right:
            print(f"# {lost} words lost, {gaps} late: {found.hex()}, not {wanted.hex()}")
    print(f"1..{len(TALK)}")


def main():
    """Exit code 1: an answer is another one."""
    failed, peer = [], Peer()
    run_simulation(peer, {"eth_rx": [talk(peer.port, failed)], "sys": [memory(peer.etherbone.wishbone.bus)]},
                   clocks=NANOSECONDS)
    sys.exit(len(failed) > 0)


main()

# SPDX-License-Identifier: Apache-2.0
"""LiteEth's Etherbone in migen's simulator, asked as loader/etherbone.c asks, for what it does and answers: the
datagrams of loader/test/test_etherbone.c, and the longest ones. Prints TAP.

    PYTHONPATH=build/fpga python3 boards/sim/etherbone.py
"""
import sys
from types import SimpleNamespace

try:
    from liteeth.common import eth_udp_user_description
    from liteeth.frontend.etherbone import LiteEthEtherbone
    from litex.gen import LiteXModule
    from litex.soc.interconnect import stream
    from migen import passive, run_simulation
except ModuleNotFoundError:
    print("1..1\nok 1 - Etherbone of LiteEth # SKIP it is not there: make deps-fpga")
    sys.exit()

PORT, HEAD, GLOBAL, SUM_AT, SUM = 1234, "4e6f104400000000", 0x40000000, 0x400, 0x12345678
SILENCE, PATIENCE = 40, 3000  # cycles without an answer, where none is wanted, and where one is
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
    ("a write is not answered", write(GLOBAL + 16, 0x01020304, 0xfffefdfc), b""),
    ("a word", read(0x00102004, SUM_AT, 1), answer(0x00102004, SUM)),
    ("what was written", read(0x00102008, GLOBAL + 16, 2), answer(0x00102008, 0x01020304, 0xfffefdfc)),
    ("the longest write", write(GLOBAL + 256, *WORDS), b""),
    ("a word behind it", read(0x0010200c, SUM_AT, 1), answer(0x0010200c, SUM)),
    ("the longest read", read(0x00102010, GLOBAL + 256, len(WORDS)), answer(0x00102010, *WORDS)),
]


class Peer(LiteXModule):
    """Etherbone at the end of a UDP port, with buffers as boards/target.py has them."""

    def __init__(self):
        self.port = SimpleNamespace(**{name: stream.Endpoint(eth_udp_user_description(32))
                                       for name in ("sink", "source")})
        udp = SimpleNamespace(crossbar=SimpleNamespace(dw=8, get_port=lambda *_, **__: self.port))
        self.etherbone = LiteEthEtherbone(udp, PORT, buffer_depth=256, cd="sys")


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
    """To the peer."""
    yield source.valid.eq(1)
    yield source.length.eq(len(datagram))
    for at in range(0, len(datagram), 4):
        last = at + 4 == len(datagram)
        yield source.data.eq(int.from_bytes(datagram[at:at + 4], "little"))
        yield source.last.eq(last)
        yield source.last_be.eq(8 if last else 0)
        yield
        while not (yield source.ready):
            yield
    yield source.valid.eq(0)


def receive(sink, cycles):
    """From the peer: what is for our port, or nothing."""
    datagram = b""
    yield sink.ready.eq(1)
    for _ in range(cycles):
        yield
        if (yield sink.valid) and (yield sink.ready):
            datagram += (yield sink.data).to_bytes(4, "little")
            if (yield sink.last):
                right = (yield sink.length) == len(datagram) and (yield sink.dst_port) == PORT
                yield sink.ready.eq(0)
                return datagram if right else b"another length or port"
    return datagram


def talk(port, failed):
    """All of TALK, one after the other."""
    for number, (what, request, wanted) in enumerate(TALK, 1):
        yield from send(port.source, request)
        found = yield from receive(port.sink, PATIENCE if wanted else SILENCE)
        failed += [what] * (found != wanted)
        print(f"{'ok' if found == wanted else 'not ok'} {number} - Etherbone of LiteEth: {what}", flush=True)
        if found != wanted:
            print(f"# {found.hex()}, not {wanted.hex()}")
    print(f"1..{len(TALK)}")


def main():
    """Exit code 1: an answer is another one."""
    failed, peer = [], Peer()
    run_simulation(peer, [talk(peer.port, failed), memory(peer.etherbone.wishbone.bus)])
    sys.exit(len(failed) > 0)


main()

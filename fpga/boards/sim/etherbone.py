# SPDX-License-Identifier: Apache-2.0
"""A board's Ethernet (fpga/boards/ethernet.py) behind its PHY, in migen's simulator: asked by frames as
loader/etherbone.c asks, at the rate of gigabit Ethernet, for what it does and answers. The datagrams are those of
loader/test/test_etherbone.c, and the longest ones. Prints TAP.

    PYTHONPATH=build/fpga:fpga/boards python3 fpga/boards/sim/etherbone.py
"""
import sys
import zlib

try:
    from ethernet import IP_ADDRESS, MAC_ADDRESS, UDP_PORT, Etherbone
    from liteeth.common import eth_phy_description
    from litex.gen import LiteXModule
    from litex.soc.interconnect import stream
    from migen import passive, run_simulation
except ModuleNotFoundError:
    print("1..1\nok 1 - Etherbone of LiteEth # SKIP it is not there: make deps-fpga")
    sys.exit()

HEAD, GLOBAL, SUM_AT, SUM = "4e6f104400000000", 0x40000000, 0x400, 0x12345678
PATIENCE = 12000  # cycles of the PHY's clock
NANOSECONDS = {"sys": 20, "eth_rx": 8, "eth_tx": 8}
HZ = 50_000_000
WORDS = [0x01020304 * (i + 1) & 0xffffffff for i in range(128)]

PREAMBLE = b"\x55" * 7 + b"\xd5"
GAP = 12  # bytes between frames
BOARD_MAC, BOARD_IP = MAC_ADDRESS.to_bytes(6, "big"), bytes(map(int, IP_ADDRESS.split(".")))
OUR_MAC, OUR_IP = bytes.fromhex("0200c0a80164"), bytes((192, 168, 1, 100))
PORTS = 2 * UDP_PORT.to_bytes(2, "big")  # its answers go to the port of the requests
IP, ARP, ASKS, ANSWERS = b"\x08\x00", b"\x08\x06", 1, 2
IP_HEAD, UDP_HEAD, OF_UDP = bytes.fromhex("4500"), 8, 17


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


def frame(to, kind, payload):
    """A frame of ours, whole."""
    body = (to + OUR_MAC + kind + payload).ljust(60, b"\0")
    return PREAMBLE + body + zlib.crc32(body).to_bytes(4, "little")


def arp(operation, to):
    """A frame that asks for the board's address, or tells ours."""
    known = bytes(6) if operation == ASKS else to
    kind = bytes.fromhex("000108000604") + operation.to_bytes(2, "big")
    return frame(to, ARP, kind + OUR_MAC + OUR_IP + known + BOARD_IP)


def ip_checksum(head):
    """Of a head in which it is zero."""
    total = sum(int.from_bytes(head[at:at + 2], "big") for at in range(0, len(head), 2))
    return (~(total % 0xffff or 0xffff) & 0xffff).to_bytes(2, "big")


def udp(datagram):
    """A frame with a datagram for the board."""
    head = IP_HEAD + (20 + UDP_HEAD + len(datagram)).to_bytes(2, "big") + bytes.fromhex("000040004011")
    addresses = OUR_IP + BOARD_IP
    head += ip_checksum(head + addresses) + addresses
    return frame(BOARD_MAC, IP, head + PORTS + (UDP_HEAD + len(datagram)).to_bytes(2, "big") + bytes(2) + datagram)


def body_of(sent):
    """What a frame of the board has between preamble and checksum, or nothing where either is wrong."""
    body = sent[len(PREAMBLE):-4]
    right = sent[:len(PREAMBLE)] == PREAMBLE and sent[-4:] == zlib.crc32(body).to_bytes(4, "little")
    return body if right and len(body) >= 60 else b""


def datagram_of(body):
    """The datagram in a frame, or nothing where that is not one of the board for us."""
    head, ports, length = body[14:34], body[34:38], int.from_bytes(body[38:40], "big")
    right = (body[:14] == OUR_MAC + BOARD_MAC + IP and head[:2] == IP_HEAD and head[9:10] == bytes((OF_UDP,))
             and int.from_bytes(head[2:4], "big") == 20 + length and head[12:] == BOARD_IP + OUR_IP
             and ip_checksum(head[:10] + head[12:]) == head[10:12] and ports == PORTS)
    return body[42:34 + length] if right else b""


class Phy(LiteXModule):
    """A PHY's side of the board."""
    dw = 8

    def __init__(self):
        self.sink, self.source = (stream.Endpoint(eth_phy_description(self.dw)) for _ in range(2))
        self.comb += self.sink.ready.eq(1)


class Peer(LiteXModule):
    """Etherbone behind a PHY."""

    def __init__(self):
        self.phy = Phy()
        self.behind = Etherbone(self.phy, HZ)


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


@passive
def listen(sink, frames):
    """What the board sends: a frame is what comes without a gap."""
    sent = b""
    while True:
        if (yield sink.valid):
            sent += bytes([(yield sink.data)])
        elif sent:
            frames.append(sent)
            sent = b""
        yield


def send(source, sent):
    """A frame to the board, which must take each byte when it comes: how many it did not."""
    lost = 0
    for at, byte in enumerate(sent):
        yield source.valid.eq(1)
        yield source.data.eq(byte)
        yield source.last.eq(at + 1 == len(sent))
        yield
        lost += not (yield source.ready)
    yield source.valid.eq(0)
    for _ in range(GAP):
        yield
    return lost


def hear(source, frames):
    """The next frame of the board, but for its questions of who we are, which are answered; and what that lost."""
    lost = 0
    for _ in range(PATIENCE):
        if frames:
            body = body_of(frames.pop(0))
            if body[12:14] != ARP or body[20:22] != ASKS.to_bytes(2, "big"):
                return body, lost
            lost += yield from send(source, arp(ANSWERS, BOARD_MAC))
        yield
    return b"", lost


def ask(phy, frames, requests):
    """Sends frames: the next one of the board, and how many bytes it did not take."""
    lost = 0
    for request in requests:
        lost += yield from send(phy.source, request)
    body, more = yield from hear(phy.source, frames)
    return body, lost + more


def talk(phy, frames, failed):
    """Who the board is, then all of TALK, one after the other."""
    def verdict(number, what, found, wanted, lost):
        right = found == wanted and lost == 0
        failed.extend([what] * (not right))
        print(f"{'ok' if right else 'not ok'} {number} - Etherbone of LiteEth: {what}", flush=True)
        if not right:
            print(f"# {lost} bytes lost: {found.hex()}, not {wanted.hex()}")

    print(f"1..{1 + len(TALK)}")
    body, lost = yield from ask(phy, frames, [arp(ASKS, b"\xff" * 6)])
    verdict(1, "its address", body[20:32], b"\0\2" + BOARD_MAC + BOARD_IP, lost)
    for number, (what, requests, wanted) in enumerate(TALK, 2):
        body, lost = yield from ask(phy, frames, map(udp, requests))
        verdict(number, what, datagram_of(body), wanted, lost)


def main():
    """Exit code 1: an answer is another one."""
    failed, frames, peer = [], [], Peer()
    run_simulation(peer, {"eth_rx": [talk(peer.phy, frames, failed)], "eth_tx": [listen(peer.phy.sink, frames)],
                          "sys": [memory(peer.behind.wishbone)]}, clocks=NANOSECONDS)
    sys.exit(len(failed) > 0)


main()

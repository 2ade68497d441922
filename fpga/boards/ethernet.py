# SPDX-License-Identifier: Apache-2.0
"""A board's Ethernet: LiteEth's Etherbone, a master of the bus by datagrams (loader/etherbone.h), at RGMII pads.

A gigabit a second is a byte in each of 125 million cycles of the PHY's clock, which waits for nobody, neither in what
it receives nor within what it sends. Preamble, checksum and padding are made in that clock; all else is in the
machine's, four bytes a cycle, which must be more: at 50 MHz all was simulated. Datagrams are stored as a whole on the
way in and out: between two of their words Etherbone waits for the bus.
"""
from types import SimpleNamespace

from liteeth.common import eth_udp_user_description
from liteeth.core import LiteEthUDPIPCore
from liteeth.frontend.etherbone import LiteEthEtherbone
from liteeth.phy.ecp5rgmii import LiteEthPHYRGMII
from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from litex.soc.interconnect.packet import PacketFIFO

IP_ADDRESS, UDP_PORT, MAC_ADDRESS = "192.168.1.50", 1234, 0x10e2d5000000  # as in other designs of LiteX
LEAST_HZ = 50_000_000
RECORD_WORDS = 256  # longest of Etherbone; loader/etherbone.h has none as long
STORED_WORDS, STORED_DATAGRAMS = 512, 4


class Stores(LiteXModule):
    """Between a UDP port of words and `port`, the same for Etherbone."""

    def __init__(self, udp_port):
        layout = eth_udp_user_description(32)
        self.port = port = SimpleNamespace(sink=stream.Endpoint(layout), source=stream.Endpoint(layout))
        self.received = PacketFIFO(layout, STORED_WORDS, STORED_DATAGRAMS, buffered=True)
        self.to_send = PacketFIFO(layout, STORED_WORDS, STORED_DATAGRAMS, buffered=True)
        self.comb += [
            udp_port.source.connect(self.received.sink), self.received.source.connect(port.source),
            port.sink.connect(self.to_send.sink), self.to_send.source.connect(udp_port.sink),
        ]


def etherbone_at(port):
    """Etherbone at this port."""
    udp = SimpleNamespace(crossbar=SimpleNamespace(dw=8, get_port=lambda *_, **__: port))
    return LiteEthEtherbone(udp, UDP_PORT, buffer_depth=RECORD_WORDS)


class Etherbone(LiteXModule):
    """All behind a PHY, at a clock of so many hertz: `wishbone` is its master of the bus."""

    def __init__(self, phy, hz):
        self.network = LiteEthUDPIPCore(phy, MAC_ADDRESS, IP_ADDRESS, hz, dw=32)
        self.stores = Stores(self.network.udp.crossbar.get_port(UDP_PORT, dw=32))
        self.etherbone = etherbone_at(self.stores.port)
        self.wishbone = self.etherbone.wishbone.bus


class Ethernet(LiteXModule):
    """The whole, at pads of whose clock the platform knows the rate."""

    def __init__(self, pads, clock_pads, hz):
        if hz < LEAST_HZ:
            raise ValueError(f"Ethernet takes a clock of {LEAST_HZ / 1e6:g} MHz or more")
        self.phy = LiteEthPHYRGMII(clock_pads, pads)
        self.behind = Etherbone(self.phy, hz)
        self.wishbone = self.behind.wishbone

# SPDX-License-Identifier: Apache-2.0
"""A board's Ethernet: LiteEth's Etherbone, a master of the bus by datagrams (loader/etherbone.h), at RGMII pads.

A gigabit a second is a byte in each of 125 million cycles of the PHY's clock, which waits for nobody, neither in what
it receives nor within what it sends. The machine's clock is slower than what four bytes a cycle would take. So
datagrams are stored as a whole, in the PHY's clock, on the way in and out.
"""
from types import SimpleNamespace

from liteeth.common import eth_udp_user_description
from liteeth.core import LiteEthUDPIPCore
from liteeth.frontend.etherbone import LiteEthEtherbone
from liteeth.phy.ecp5rgmii import LiteEthPHYRGMII
from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from litex.soc.interconnect.packet import PacketFIFO
from migen import ClockDomainsRenamer

IP_ADDRESS, UDP_PORT, MAC_ADDRESS = "192.168.1.50", 1234, 0x10e2d5000000  # as in other designs of LiteX
PHY_HZ = 125_000_000
RECORD_WORDS = 256  # longest of Etherbone; loader/etherbone.h has none as long
STORED_WORDS, STORED_DATAGRAMS = 512, 4


class Stores(LiteXModule):
    """Between a UDP port of words in the PHY's clock, and `port`, one in that of the bus."""

    def __init__(self, phy_port):
        layout = eth_udp_user_description(32)
        self.port = port = SimpleNamespace(sink=stream.Endpoint(layout), source=stream.Endpoint(layout))
        store = ClockDomainsRenamer("eth_rx")
        self.received = store(PacketFIFO(layout, STORED_WORDS, STORED_DATAGRAMS, buffered=True))
        self.to_send = store(PacketFIFO(layout, STORED_WORDS, STORED_DATAGRAMS, buffered=True))
        self.to_bus = stream.ClockDomainCrossing(layout, cd_from="eth_rx", cd_to="sys")
        self.to_phy = stream.ClockDomainCrossing(layout, cd_from="sys", cd_to="eth_rx")
        self.comb += [
            phy_port.source.connect(self.received.sink), self.received.source.connect(self.to_bus.sink),
            self.to_bus.source.connect(port.source),
            port.sink.connect(self.to_phy.sink), self.to_phy.source.connect(self.to_send.sink),
            self.to_send.source.connect(phy_port.sink),
        ]


def etherbone_at(port):
    """Etherbone at this port."""
    udp = SimpleNamespace(crossbar=SimpleNamespace(dw=8, get_port=lambda *_, **__: port))
    return LiteEthEtherbone(udp, UDP_PORT, buffer_depth=RECORD_WORDS)


class Ethernet(LiteXModule):
    """The whole, at pads of whose clock the platform knows the rate: `wishbone` is its master of the bus."""

    def __init__(self, pads, clock_pads):
        self.phy = LiteEthPHYRGMII(clock_pads, pads)
        network = LiteEthUDPIPCore(self.phy, MAC_ADDRESS, IP_ADDRESS, PHY_HZ)
        phy_port = network.udp.crossbar.get_port(UDP_PORT, dw=32)
        self.network = ClockDomainsRenamer({"eth_tx": "eth_tx", "eth_rx": "eth_rx", "sys": "eth_rx"})(network)
        self.stores = Stores(phy_port)
        self.etherbone = etherbone_at(self.stores.port)
        self.wishbone = self.etherbone.wishbone.bus

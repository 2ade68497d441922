# SPDX-License-Identifier: Apache-2.0
"""The LiteX design around the machine: clock, bridge from a serial line to Wishbone, identity.

    python3 boards/target.py BOARD IDENTITY.hex DIRECTORY

BOARD is a line of boards/boards.tsv, IDENTITY.hex has the first contents of the identity, a word a line. Writes
DIRECTORY/BOARD.v without the machine (boards/gpu_board.vhd), and where it is no simulation BOARD.lpf and "device", the
options of nextpnr.
"""
import importlib
import os
import sys

from migen import C, Cat, ClockDomain, ClockSignal, Instance, ResetSignal
from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.cores.clock import ECP5PLL
from litex.soc.cores.uart import RS232PHY, RS232PHYModel, UARTBone
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import wishbone

MACHINE = (0x00000000, 0x80000000)  # origin and size on the bus: docs/host.md
IDENTITY = (0x80000000, 2048)
CSR = 0xf0000000
SIM_HZ = 5e5  # what the bridge takes for its clock when simulated: it forgets a command after a tenth of that

SIM_PADS = [
    ("sys_clk", 0, Pins(1)),
    ("sys_rst", 0, Pins(1)),
    ("serial", 0, *(Subsignal(f"{side}_{part}", Pins(bits)) for side in ("source", "sink")
                    for part, bits in (("valid", 1), ("ready", 1), ("data", 8)))),
]


def read_board(name):
    """The fields of a board's line."""
    with open(os.path.join(os.path.dirname(__file__), "boards.tsv"), encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if fields[0] == name:
                return fields
    sys.exit(f"boards/boards.tsv: error: no board '{name}'")


def make_platform(description):
    """The platform of litex_boards, or a simulated one."""
    module, *options = description.split()
    if module == "sim":
        return SimPlatform("SIM", SIM_PADS)
    platform = importlib.import_module("litex_boards.platforms." + module).Platform
    return platform(toolchain="trellis", **dict(option.split("=") for option in options))


class Clock(LiteXModule):
    """The clock of everything, from the board's oscillator, and a reset until it is steady."""

    def __init__(self, platform, hz):
        self.cd_sys = ClockDomain()
        if isinstance(platform, SimPlatform):
            self.comb += self.cd_sys.clk.eq(platform.request("sys_clk"))
            self.comb += self.cd_sys.rst.eq(platform.request("sys_rst"))
            return
        self.pll = pll = ECP5PLL()
        pll.register_clkin(platform.request(platform.default_clk_name), 1e9 / platform.default_clk_period)
        pll.create_clkout(self.cd_sys, hz, margin=1e-3)


class Machine(LiteXModule):
    """gpu_board: a slave of the bus, and what it sees of the bridge."""

    def __init__(self, bridge):
        self.bus = bus = wishbone.Interface(data_width=32, address_width=32, addressing="byte")
        self.specials += Instance(
            "gpu_board",
            i_clk=ClockSignal(), i_rst=ResetSignal(),
            i_wb_adr_i=bus.adr, i_wb_dat_i=bus.dat_w, i_wb_we_i=bus.we, i_wb_cyc_i=bus.cyc, i_wb_stb_i=bus.stb,
            o_wb_dat_o=bus.dat_r, o_wb_ack_o=bus.ack,
            i_bridge_ack_i=bridge.ack, i_bridge_we_i=bridge.we, i_bridge_adr_i=Cat(C(0, 2), bridge.adr),
            i_bridge_wdat_i=bridge.dat_w, i_bridge_rdat_i=bridge.dat_r)


class Board(SoCMini):
    """Bridge, machine and identity on one bus."""

    def __init__(self, platform, hz, baud, identity):
        SoCMini.__init__(self, platform, hz)
        self.mem_map["csr"] = CSR
        self.crg = Clock(platform, hz)
        pads = platform.request("serial")
        simulated = isinstance(platform, SimPlatform)
        phy = RS232PHYModel(pads) if simulated else RS232PHY(pads, hz, baud)
        self.add_module("bridge_phy", phy)
        self.bridge = UARTBone(phy=phy, clk_freq=SIM_HZ if simulated else hz)
        self.bus.add_master("bridge", self.bridge.wishbone)
        self.machine = Machine(self.bridge.wishbone)
        self.bus.add_slave("machine", self.machine.bus, SoCRegion(*MACHINE, cached=False))
        self.add_rom("identity", IDENTITY[0], IDENTITY[1], contents=identity)


def main():
    """Writes the files."""
    name, identity, directory = sys.argv[1:]
    _, description, mhz, baud, _, _ = read_board(name)
    with open(identity, encoding="ascii") as words:
        contents = [int(word, 16) for word in words]
    platform = make_platform(description)
    board = Board(platform, int(float(mhz) * 1e6), int(baud), contents)
    if isinstance(platform, SimPlatform):
        platform.finalize(board)
        os.makedirs(directory, exist_ok=True)
        os.chdir(directory)
        platform.get_verilog(board, name=name).write(name + ".v")
        return
    builder = Builder(board, gateware_dir=directory, output_dir=directory, compile_software=False)
    builder.build(build_name=name, run=False)
    family, size, speed, package = platform.toolchain.nextpnr_ecp5_parse_device(platform.device)
    with open(os.path.join(directory, "device"), "w", encoding="ascii") as device:
        architecture = platform.toolchain.nextpnr_ecp5_architectures[f"{family}-{size}"]
        device.write(f"--{architecture} --package {package} --speed {speed}\n")


main()

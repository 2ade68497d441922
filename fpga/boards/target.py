# SPDX-License-Identifier: Apache-2.0
"""The LiteX design around the machine: clock, bridges from a serial line and Ethernet to Wishbone, identity, SDRAM.

    python3 fpga/boards/target.py BOARD IDENTITY.hex DIRECTORY

BOARD is a line of fpga/boards/boards.tsv, IDENTITY.hex has the first contents of the identity, a word a line. Writes
DIRECTORY/BOARD.v without the machine (fpga/boards/gpu_board.vhd), and where it is no simulation BOARD.lpf and "device",
the options of nextpnr.
"""
import importlib
import os
import sys

from litedram import modules
from litedram.core import LiteDRAMCore
from litedram.frontend.axi import LiteDRAMAXI2Native, LiteDRAMAXIPort
from litedram.init import get_sdram_phy_init_sequence
from litedram.phy import ECP5DDRPHY, HalfRateGENSDRPHY
from litedram.phy.model import SDRAMPHYModel
from migen import C, Cat, ClockDomain, ClockSignal, Instance, ResetSignal, Signal
from migen.genlib.resetsync import AsyncResetSynchronizer
from litex.build.generic_platform import Pins, Subsignal
from litex.build.io import DDROutput
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.cores.clock import ECP5PLL
from litex.soc.cores.uart import RS232PHY, RS232PHYModel, UARTBone
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import wishbone

MACHINE = (0x00000000, 0x80000000)  # origin and size on the bus: docs/evidence/host.md
IDENTITY = (0x80000000, 2048)
SETUP = (0x80001000, 512)           # spec/board.def: set-up of SDRAM
CSR = 0xf0000000
SIM_HZ = 5e5  # the bridge's clock rate in simulation: it drops a command after a tenth of a second

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
    fail(f"no board '{name}'")


def fail(why):
    """The end, as a board's line cannot be built."""
    sys.exit("fpga/boards/boards.tsv: error: " + why)


def make_platform(description):
    """The platform of litex_boards, or a simulated one."""
    module, *options = description.split()
    if module == "sim":
        return SimPlatform("SIM", SIM_PADS)
    platform = importlib.import_module("litex_boards.platforms." + module).Platform
    return platform(toolchain="trellis", **dict(option.split("=") for option in options))


class Clock(LiteXModule):
    """The clock of everything, from the board's oscillator, and a reset until it is steady. SDRAM has twice that."""

    def __init__(self, platform, hz, memory):
        self.cd_sys = ClockDomain()
        if isinstance(platform, SimPlatform):
            self.comb += self.cd_sys.clk.eq(platform.request("sys_clk"))
            self.comb += self.cd_sys.rst.eq(platform.request("sys_rst"))
            return
        self.pll = pll = ECP5PLL()
        pll.register_clkin(platform.request(platform.default_clk_name), 1e9 / platform.default_clk_period)
        if memory == "ddr3":
            self.make_ddr3_clocks(pll, hz)
            return
        pll.create_clkout(self.cd_sys, hz, margin=1e-3)
        if memory == "sdr":
            self.cd_sys2x = ClockDomain()
            self.cd_sys2x_ps = ClockDomain()
            pll.create_clkout(self.cd_sys2x, 2 * hz, margin=1e-3)
            pll.create_clkout(self.cd_sys2x_ps, 2 * hz, phase=180, margin=1e-3)
            self.specials += DDROutput(1, 0, platform.request("sdram_clock"), ClockSignal("sys2x_ps"))

    def make_ddr3_clocks(self, pll, hz):
        """The machine's clock is half of the one that the PHY stops and starts again: see ECP5DDRPHY."""
        self.cd_init = ClockDomain()
        self.cd_sys2x_i = ClockDomain()
        self.cd_sys2x = ClockDomain()
        pll.create_clkout(self.cd_sys2x_i, 2 * hz, margin=1e-3)
        pll.create_clkout(self.cd_init, 25e6)
        self.stop = Signal()
        self.reset = Signal()
        self.specials += [
            Instance("ECLKSYNCB", i_ECLKI=self.cd_sys2x_i.clk, i_STOP=self.stop, o_ECLKO=self.cd_sys2x.clk),
            Instance("CLKDIVF", p_DIV="2.0", i_ALIGNWD=0, i_CLKI=self.cd_sys2x.clk, i_RST=self.reset,
                     o_CDIVX=self.cd_sys.clk),
            AsyncResetSynchronizer(self.cd_sys, ~pll.locked | self.reset),
        ]


class Machine(LiteXModule):
    """gpu_board: a slave of the bus, what it sees of the bridge, and a master of its memory."""

    def __init__(self, bridge, axi):
        self.bus = bus = wishbone.Interface(data_width=32, address_width=32, addressing="byte")
        self.specials += Instance(
            "gpu_board",
            i_clk=ClockSignal(), i_rst=ResetSignal(),
            i_wb_adr_i=bus.adr, i_wb_dat_i=bus.dat_w, i_wb_we_i=bus.we, i_wb_cyc_i=bus.cyc, i_wb_stb_i=bus.stb,
            o_wb_dat_o=bus.dat_r, o_wb_ack_o=bus.ack,
            i_bridge_ack_i=bridge.ack, i_bridge_we_i=bridge.we, i_bridge_adr_i=Cat(C(0, 2), bridge.adr),
            i_bridge_wdat_i=bridge.dat_w, i_bridge_rdat_i=bridge.dat_r,
            **{f"{'o' if out else 'i'}_axi_{channel}{field}_{'o' if out else 'i'}": signal
               for channel, field, signal, out in axi_signals(axi)})


AXI_FIELDS = {"ar": "addr len size burst", "aw": "addr len size burst", "w": "data strb", "r": "data resp", "b": "resp"}


def axi_signals(axi):
    """The signals of an AXI port that the machine has: channel, field, signal, whether the machine drives it."""
    for channel in "ar", "aw", "w", "r", "b":
        stream = getattr(axi, channel)
        asks = channel not in ("r", "b")
        for field in AXI_FIELDS[channel].split():
            yield channel, field, getattr(stream, field), asks
        yield channel, "valid", stream.valid, asks
        yield channel, "ready", stream.ready, not asks
    yield "w", "last", axi.w.last, True


class Setup:
    """What warp-load has to write before SDRAM can be used: the words of BOARD_SETUP."""

    READS = ("dly_sel", "rdly_dq_rst", "rdly_dq_inc", "rdly_dq_bitslip_rst", "rdly_dq_bitslip")
    CONTROL = {"DFII_CONTROL_CKE": 2, "DFII_CONTROL_ODT": 4, "DFII_CONTROL_RESET_N": 8}
    COMMAND = {"DFII_COMMAND_CS": 1, "DFII_COMMAND_WE": 2, "DFII_COMMAND_CAS": 4, "DFII_COMMAND_RAS": 8}
    SOFTWARE_MICROSECONDS = 200  # in reset, without a clock enable: the requirement of DDR3 at power-on

    def __init__(self, soc, phy, timing, hz):
        self.registers = {}
        for module, region in soc.csr_regions.items():
            address = region.origin
            for csr in region.obj:
                self.registers[module, csr.name] = address
                address += 4 * -(-csr.size // 32)
        self.steps = []
        self.step("control", 0, self.SOFTWARE_MICROSECONDS)
        for _, address, bank, command, cycles in get_sdram_phy_init_sequence(phy, timing)[0]:
            microseconds = -int(-cycles * 1e6 // hz)
            self.step("pi0_address", address)
            self.step("pi0_baddress", bank)
            if command.startswith("DFII_CONTROL"):
                self.step("control", sum(self.CONTROL[bit] for bit in command.split("|")), microseconds)
            else:
                self.step("pi0_command", sum(self.COMMAND[bit] for bit in command.split("|")))
                self.step("pi0_command_issue", 1, microseconds)
        self.step("control", 1)
        self.reads = [0] * (3 + len(self.READS))
        if phy.read_leveling:
            self.reads = [phy.databits // 8, phy.delays, phy.bitslips,
                          *(self.registers["ddrphy", name] for name in self.READS)]

    def step(self, register, value, microseconds=0):
        """The next thing to be done."""
        self.steps.append((self.registers["sdram", "dfii_" + register], value, microseconds))

    def words(self):
        """As in spec/board.def."""
        return [len(self.steps), self.registers["ctrl", "scratch"], *self.reads,
                *(word for step in self.steps for word in step)]


class Board(SoCMini):
    """Bridge, machine and identity on one bus, and the machine's memory on another."""

    def __init__(self, platform, hz, baud, identity, memory, sizes):
        SoCMini.__init__(self, platform, hz)
        self.mem_map["csr"] = CSR
        kind, *chip = memory.split()
        if len(chip) != {"bram": 0, "sdr": 1, "ddr3": 1}.get(kind):
            fail(f"memory '{memory}' is none of bram, sdr MODULE, ddr3 MODULE")
        if chip and not hasattr(modules, chip[0]):
            fail(f"litedram has no module '{chip[0]}'")
        self.crg = Clock(platform, hz, kind)
        pads = platform.request("serial")
        simulated = isinstance(platform, SimPlatform)
        other_processor = platform.request("wifi_gpio0", loose=True)
        if other_processor is not None:  # that of ulx3s resets the FPGA otherwise
            self.comb += other_processor.eq(1)
        phy = RS232PHYModel(pads) if simulated else RS232PHY(pads, hz, baud)
        self.add_module("bridge_phy", phy)
        self.bridge = UARTBone(phy=phy, clk_freq=SIM_HZ if simulated else hz)
        bridge = self.add_ethernet_beside(self.bridge.wishbone, hz)
        self.bus.add_master("bridge", bridge)
        axi = LiteDRAMAXIPort(data_width=32 * sizes.get("BUS_WORDS", 1), address_width=32, id_width=1)
        if kind != "bram":
            self.add_sdram_behind(axi, hz, kind, *chip, sizes["GLOBAL_BYTES"])
        self.machine = Machine(bridge, axi)
        self.bus.add_slave("machine", self.machine.bus, SoCRegion(*MACHINE, cached=False))
        self.add_rom("identity", IDENTITY[0], IDENTITY[1], contents=identity)

    def add_ethernet_beside(self, serial, hz):
        """Of a board with Ethernet both bridges are one master, so that the same sums are over both; else the one."""
        pads = None if isinstance(self.platform, SimPlatform) else self.platform.request("eth", loose=True)
        if pads is None:
            return serial
        try:
            ethernet = importlib.import_module("ethernet")
        except ModuleNotFoundError:
            sys.exit("liteeth is not there: rm build/fpga/installed; make deps-fpga")
        try:
            self.ethernet = ethernet.Ethernet(pads, self.platform.request("eth_clocks"), hz)
        except ValueError as why:
            fail(str(why))
        both = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        self.bridges = wishbone.Arbiter([serial, self.ethernet.wishbone], both)
        return both

    def add_sdram_behind(self, axi, hz, kind, chip, global_bytes):
        """SDRAM at the end of the machine's bus, for whose controller there are registers and how to set it up."""
        ratio = "1:1" if isinstance(self.platform, SimPlatform) else "1:2"
        module = getattr(modules, chip)(hz, ratio)
        if isinstance(self.platform, SimPlatform):
            phy = SDRAMPHYModel(module, data_width=axi.data_width, clk_freq=hz)
        elif kind == "sdr":
            phy = HalfRateGENSDRPHY(self.platform.request("sdram"), hz)
        else:
            phy = ECP5DDRPHY(self.platform.request("ddram"), sys_clk_freq=hz)
            self.comb += self.crg.stop.eq(phy.init.stop)
            self.comb += self.crg.reset.eq(phy.init.reset)
        self.add_module("ddrphy", phy)
        self.sdram = LiteDRAMCore(phy=phy, geom_settings=module.geom_settings, timing_settings=module.timing_settings,
                                  clk_freq=hz)
        port = self.sdram.crossbar.get_port()
        if port.data_width != axi.data_width:
            fail(f"{chip} moves {port.data_width // 32} words in a cycle: BUS_WORDS")
        if global_bytes > (port.data_width // 8) << port.address_width:
            fail(f"{chip} has {(port.data_width // 8) << port.address_width} bytes: GLOBAL_BYTES")
        self.memory_port = LiteDRAMAXI2Native(axi, port, w_buffer_depth=32, r_buffer_depth=32)
        self.add_rom("setup", SETUP[0], SETUP[1], contents=[])

    def finish(self, hz):
        """Finalizes the design, whose registers then have addresses."""
        self.finalize()
        if hasattr(self, "sdram"):
            controller = self.sdram.controller.settings
            self.init_rom("setup", Setup(self, controller.phy, controller.timing, hz).words(), auto_size=False)


def main():
    """Writes the files."""
    name, identity, directory = sys.argv[1:]
    _, description, mhz, baud, sizes, generics, memory = read_board(name)
    with open(identity, encoding="ascii") as words:
        contents = [int(word, 16) for word in words]
    platform = make_platform(description)
    hz = int(float(mhz) * 1e6)
    numbers = {generic: int(value) for generic, value in (field.split("=") for field in f"{sizes} {generics}".split())
               if value.isdigit()}
    board = Board(platform, hz, int(baud), contents, memory, numbers)
    board.finish(hz)
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

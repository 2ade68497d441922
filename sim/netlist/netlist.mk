# SPDX-License-Identifier: Apache-2.0
# The program that all Verilog of ghdl passes, and one that reads VHDL. They have no part of the library: that one
# changes more often, and what is made with the first takes long.
NETLIST_TOOL := build/sim/netlist/netlist
VHDL_TOOL    := build/sim/netlist/vhdl_tool

# SPDX-License-Identifier: Apache-2.0
# The program that all Verilog of ghdl passes. It has no part of the library: that one changes more often, and what is
# made with this program takes long.

NETLIST_TOOL := build/sim/netlist/netlist
$(NETLIST_TOOL): $(patsubst %.c,build/%.o,$(wildcard sim/netlist/*.c))
ALONE += $(NETLIST_TOOL)
needs_netlist   := $(NETLIST_TOOL)
needs_toolchain := $(NETLIST_TOOL)

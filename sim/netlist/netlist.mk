# SPDX-License-Identifier: Apache-2.0
# The program that all Verilog of ghdl passes, and one that reads VHDL. They have no part of the library: that one
# changes more often, and what is made with the first takes long.

NETLIST_TOOL := build/sim/netlist/netlist
VHDL_TOOL    := build/sim/netlist/vhdl
VHDL_OBJ     := $(addprefix build/sim/netlist/,vhdl_lexer.o vhdl.o lexer.o tree.o pool.o text.o)
$(NETLIST_TOOL): $(patsubst %.c,build/%.o,$(filter-out %/vhdl_tool.c %/vhdl_others.c,$(wildcard sim/netlist/*.c)))
$(VHDL_TOOL): $(VHDL_OBJ) $(addprefix build/sim/netlist/,vhdl_tool.o vhdl_others.o)
ALONE += $(NETLIST_TOOL) $(VHDL_TOOL)
needs_netlist   := $(NETLIST_TOOL) $(VHDL_TOOL)
needs_toolchain := $(VERILOG_PARTS) $(VHDL_TOOL)

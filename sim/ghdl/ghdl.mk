# SPDX-License-Identifier: Apache-2.0
# VHDL: the RTL's files, its Verilog, its simulation and benches under GHDL.
# Looked for until it is there: `deps` may install it.
GHDL = $(or $(GHDL_THERE),$(eval GHDL_THERE := \
	$(notdir $(firstword $(shell command -v ghdl-llvm ghdl-mcode ghdl))))$(GHDL_THERE))
RTL := $(addprefix rtl/,$(shell grep -v '^\#' rtl/files.f))
# Around it, on a bus and on a board.
BUS_SRC := $(addprefix testbench/memory/,bus_memory.vhd gpu_and_memory.vhd gpu_on_bus.vhd)
BOARD_VHDL := $(addprefix fpga/boards/,board_pkg.vhd transfer_sum.vhd bus_gate.vhd hash_pkg.vhd hash_row.vhd \
	warp_sums.vhd retire_capture.vhd retire_hash.vhd board.vhd gpu_board.vhd)
# What one GHDL has analysed is old for another: this file changes only when its name does.
GHDL_NAME := build/ghdl-name
$(GHDL_NAME): $$(call forced,$$@,$$(GHDL)) | $(FIRST)
	$(call holds,$(GHDL))
# LLVM optimises for four fifths of the time that analysis takes, and saves a third of the time to simulate. That pays
# for the machine, which runs long; benches, and what is only analysed, have -O0. A library knows files that have moved.
GHDL_OPT    ?= -O2
ghdl_analyse = rm -f $(@D)/*.cf && $(GHDL) -a --std=08 $(or $(1),-O0) --workdir=$(@D)

# Every Verilog of the RTL is build/verilog/ENTITY[-NAME].v: what ghdl writes, made safe by passes of NETLIST_TOOL. NAME
# is a machine's, which spec/machine.def explains: the generic MACHINE of what is simulated, measured or built; else
# generics_ENTITY-NAME are its generics. gpu_flat with a bus is gpu_on_bus, with the memory there; `bare` is gpu_flat
# without assertions and that memory. Entities that are not of the RTL have a file of their own.
NETLIST_TOOL  := build/sim/netlist/netlist
VHDL_TOOL     := build/sim/netlist/vhdl_tool
IN_PLACE      := build/sim/libghdl-in-place.so
VERILOG_PARTS := sim/ghdl/verilog.sh $(IN_PLACE) $(NETLIST_TOOL)
part_of    = $(patsubst $(1)%,%,$(filter $(1)%,$(subst -, ,$(2))))
cores_of   = $(call part_of,C,$(1))
sms_of     = $(call part_of,S,$(1))
top_of     = $(if $(call part_of,B,$(1)),gpu_on_bus,gpu_flat)
entity_of  = $(firstword $(subst -, ,$(1)))
machine_in = $(patsubst $(entity_of)-%,%,$(filter $(entity_of)-C%,$(1)))
rtl_of     = $(RTL) $(BUS_SRC) $(BOARD_VHDL) $(wildcard $(addsuffix /$(entity_of).vhd,testbench/float \
	testbench/decode fpga/area))
top_bare  := gpu_flat
synth_top  = $(or $(top_$(entity_of)),$(if $(filter gpu_flat,$(entity_of)),$(call top_of,$(1)),$(entity_of)))
synth_with = $(if $(filter %_flat,$(entity_of)),,--no-formal) $(or $(generics_$(1)),$(call with_$(entity_of),$(1)),\
	$(patsubst %,-gMACHINE=%,$(machine_in)))
synth      = $(call step,SYNTH,mkdir -p $@.work && sim/ghdl/verilog.sh $(if $(filter gpu_flat-%,$(1)),-p unknown) \
	$(GHDL) --no-assert-cover --workdir=$@.work $(synth_with) $(2) -e $(synth_top) \
	> $@ 2> $@.log || { cat $@.log; exit 1; })
# What is made of a text that says the same as before stays as it is: FILE.new is as old as what it comes of, FILE.v as
# old as what it says.
keep_text  = $(Q)cmp -s $@ $(@:.new=.v) || cp $@ $(@:.new=.v)
lost_text  = $(if $(wildcard $(1).v),,force)
# Tools find the machine that is simulated by the one name that machine_name gives it.
build/verilog/%.new: $$(call rtl_of,$$*) rtl/files.f $(VERILOG_PARTS) $$(call lost_text,build/verilog/$$*) \
		| $(FIRST) $(GEN)
	$(if $(filter gpu_flat-C%,$*),$(Q)$(GEN) check_machine $(call machine_in,$*))
	$(call synth,$*,$(filter %.vhd,$^))
	$(keep_text)
build/verilog/%.v: build/verilog/%.new ; +

# The simulation. GHDL takes generics at run time, so one build serves all machines. mcode opens the pins' library while
# it analyses; LLVM links it by its bare name, hence the cd.
PINS_SRC := $(addprefix checker/,port/pins.c port/host.c port/host_plan.c port/written.c port/machine_build.c \
	record/unpack.c) spec/machine_name.c
SHARED   += build/sim/libwarpstep-ghdl-pins.so build/sim/libsim-ghdl.so $(IN_PLACE)
build/sim/libwarpstep-ghdl-pins.so: $(patsubst %.c,build/%.o,sim/ghdl/ghdl_pins.c sim/ghdl/link.c $(PINS_SRC))
build/sim/libsim-ghdl.so: $(addprefix build/hidden/,sim/ghdl/sim_ghdl.o sim/ghdl/link.o \
	checker/port/host_plan.o checker/port/machine_build.o spec/machine_name.o)
$(IN_PLACE): build/sim/ghdl/in_place.o
GHDL_TB := $(BUS_SRC) sim/ghdl/pins_pkg.vhd sim/ghdl/gpu_tb.vhd
ifneq ($(wildcard build/sim/ghdl/*.o),)
build/sim/ghdl/built: build/sim/ghdl/gpu_tb # LLVM's executable: who has lost it gets it again
build/sim/ghdl/gpu_tb: ;
endif
build/sim/ghdl/built: $(RTL) rtl/files.f $(GHDL_TB) build/sim/libwarpstep-ghdl-pins.so $(GHDL_NAME)
	$(Q)rm -rf $(@D)
	$(call step,GHDL,export LD_LIBRARY_PATH=$(CURDIR)/build/sim && $(call ghdl_analyse,$(GHDL_OPT)) $(RTL) $(GHDL_TB) && \
		cd build/sim && $(GHDL) -e --std=08 --workdir=ghdl -o ghdl/gpu_tb gpu_tb && touch ghdl/built)
BENCH_VHDL := $(RTL) $(BUS_SRC) $(BOARD_VHDL) testbench/unit/bench_pkg.vhd $(wildcard testbench/unit/*_tb.vhd)
build/unit/analysed: $(BENCH_VHDL) rtl/files.f $(GHDL_NAME) | $(FIRST)
	$(call step,GHDL,$(ghdl_analyse) $(BENCH_VHDL) && touch $@)

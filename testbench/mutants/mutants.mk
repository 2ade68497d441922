# SPDX-License-Identifier: Apache-2.0
# Faults put into the RTL and the model on purpose, each of which a test must find; testbench/mutants/run.sh says how.
# How many are drawn, and by which seed; FAULTS: stuck bits for the self-test of kernels/bringup.

MUTANTS         ?= 1050
MUTANTS_BENCH   ?= 160
MUTANTS_MODEL   ?= 320
MUTANTS_FLOAT   ?= 400
MUTANTS_SEED    ?= 1
FAULTS          ?= 200
MUTANTS_DIR     := build/mutants
SELFTEST_DIR    := $(MUTANTS_DIR)/selftest
FLOAT_MUTANTS   := $(MUTANTS_DIR)/float
MUTANTS_DRAW    := build/testbench/mutants/draw
MUTANTS_SOURCE  := build/testbench/mutants/source
MUTANTS_PARTS   := $(addprefix testbench/mutants/,pins.v netlist.sh) $(NETLIST_TOOL) $(MUTANTS_DRAW)
$(MUTANTS_SOURCE): $(addprefix build/sim/netlist/,vhdl_lexer.o lexer.o pool.o text.o)
$(MUTANTS_DRAW): $(addprefix build/sim/netlist/,mutant_name.o tree.o pool.o text.o)
ALONE += $(MUTANTS_SOURCE) $(MUTANTS_DRAW)

# Mutants of a netlist are all in one simulation, which is told the number of the one that acts. Those of 8 cores are
# drawn; survivors are tried at 32, too, by mutants like them. A small global memory is cleared and read faster. For the
# self-test the netlist is that of a board: without assertions.
MUTANTS_MEMORY := 16384
MUTANTS_8      := C8-S1-G$(MUTANTS_MEMORY)
MUTANTS_32     := C32-S1-G$(MUTANTS_MEMORY)
$(MUTANTS_DIR)/gpu_flat.v: build/verilog/gpu_flat-$(MUTANTS_8).v
$(MUTANTS_DIR)/32/gpu_flat.v: build/verilog/gpu_flat-$(MUTANTS_32).v
$(FLOAT_MUTANTS)/gpu_flat.v: $(FLOAT_DIR)/float_flat.v
$(addsuffix /gpu_flat.v,$(MUTANTS_DIR) $(MUTANTS_DIR)/32 $(FLOAT_MUTANTS)):
	$(call step,COPY,cp $< $@)
$(SELFTEST_DIR)/gpu_flat.v: $(RTL) rtl/files.f $(VERILOG_PARTS)
	$(call synth,gpu_flat,$(RTL),--no-formal -gMACHINE=$(MUTANTS_8),unknown)
how_$(MUTANTS_DIR)    := draw $(MUTANTS) $(MUTANTS_SEED)
how_$(MUTANTS_DIR)/32 := like $(MUTANTS_DIR)
how_$(SELFTEST_DIR)   := stuck $(FAULTS) $(MUTANTS_SEED)
how_$(FLOAT_MUTANTS)   = draw $(MUTANTS_FLOAT) $(MUTANTS_SEED) \
	$(notdir $(basename $(filter rtl/float/% %/shift_factor.vhd,$(RTL))))
# Drawn again where their number or the seed is another one.
$(SELFTEST_DIR)/draw: $$(call forced,$$@,$$(FAULTS) $$(MUTANTS_SEED)) | $(FIRST)
	$(call holds,$(FAULTS) $(MUTANTS_SEED))
$(MUTANTS_DIR)/32/netlist.v: $(MUTANTS_DIR)/netlist.v
$(SELFTEST_DIR)/netlist.v: $(SELFTEST_DIR)/draw testbench/mutants/units.tsv
$(addsuffix /netlist.v,$(MUTANTS_DIR) $(MUTANTS_DIR)/32 $(SELFTEST_DIR) $(FLOAT_MUTANTS)): %/netlist.v: %/gpu_flat.v \
		$(MUTANTS_PARTS)
	$(call step,MUTATE,testbench/mutants/netlist.sh $(@D) $(how_$(@D)))
MUTANTS_SIMS := $(addprefix build/sim/,$(MUTANTS_8)-mutants $(MUTANTS_32)-mutants $(MUTANTS_8)-stuck)
build/sim/$(MUTANTS_8)-mutants/gpu_flat.v: $(MUTANTS_DIR)/netlist.v build/verilog/gpu_flat-$(MUTANTS_8).v
build/sim/$(MUTANTS_32)-mutants/gpu_flat.v: $(MUTANTS_DIR)/32/netlist.v build/verilog/gpu_flat-$(MUTANTS_32).v
build/sim/$(MUTANTS_8)-stuck/gpu_flat.v: $(SELFTEST_DIR)/netlist.v build/verilog/gpu_flat-$(MUTANTS_8).v
$(MUTANTS_SIMS:%=%/gpu_flat.v):
	$(call step,COPY,cp $< $@)
$(MUTANTS_SIMS:build/sim/%=build/sim/libsim-verilator-%.so): $(MUTANTS_DIR)/pins.o build/sim/runtime/verilated_dpi.o
$(MUTANTS_DIR)/libsim-mutants.so: build/sim/libsim-verilator-$(MUTANTS_8)-mutants.so
$(MUTANTS_DIR)/32/libsim-mutants.so: build/sim/libsim-verilator-$(MUTANTS_32)-mutants.so
$(SELFTEST_DIR)/libsim-mutants.so: build/sim/libsim-verilator-$(MUTANTS_8)-stuck.so
PROGRAMS += testbench/mutants/judge
$(MUTANTS_DIR)/judge $(SELFTEST_DIR)/judge: build/testbench/mutants/judge
$(MUTANTS_DIR)/libsim-mutants.so $(MUTANTS_DIR)/32/libsim-mutants.so $(SELFTEST_DIR)/libsim-mutants.so \
		$(MUTANTS_DIR)/judge $(SELFTEST_DIR)/judge:
	$(call step,COPY,cp $< $@)
$(MUTANTS_DIR)/pins.o: testbench/mutants/pins.cpp
	$(call step,CXX,$(CXX) -std=c++17 -fPIC -fvisibility=hidden -O2 -Wall -Wextra -Werror -MMD -MP -c $< -o $@)

# The model's tests and tools with the library as a shared object, which a mutant replaces; those that run a tool by its
# path would not see it. The test of too little memory has the library's calls to allocate, too.
MUTANTS_TESTS   := bin/warp-run bin/warp-lockstep $(filter-out %_isa_doc %_warp_run %_warp_lockstep %_example,\
	$(filter cmodel/% checker/%,$(TEST_PATHS)))
MEMORY_TEST     := testbench/robust/test/test_out_of_memory
MUTANTS_DYNAMIC := $(addprefix $(MUTANTS_DIR)/dynamic/,short_of_memory $(notdir $(MUTANTS_TESTS)))
dynamic_path     = $(if $(filter short_of_memory,$(1)),$(MEMORY_TEST),$(filter %/$(1),$(MUTANTS_TESTS)))
link_short_of_memory = $(link_test_out_of_memory) -rdynamic
$(MUTANTS_DYNAMIC): $(LIB_SO) $$(call objects_of,build,$$(call dynamic_path,$$(@F)))
	$(call step,LD,$(CC) -o $@ $(filter %.o,$^) -Lbuild -lwarpstep $(LDLIBS) $(TESTLIBS) $(link_$(@F)))

# Mutants of sources: of the model, but for what reads, prints and draws, and the checker's comparison; of each entity
# that a VHDL bench has in it, but for those in which it looks at one thing alone: faults, idle. The benches of gpu_flat
# and warp_table are younger than the draws of docs/evidence/mutants.md.
MUTANTS_NOT := $(addprefix cmodel/run/,$(addsuffix .c,launch results argument trace json_string operands perfetto \
	progress state_report timeline trap_report end_report)) cmodel/debug/% cmodel/run/%.h
list_model  := $(filter-out $(MUTANTS_NOT),$(filter cmodel/%.c cmodel/%.h,$(LIB_SRC) $(LIB_HDR))) \
	$(addprefix checker/,record/compare.c record/field.c verdict/drive.c verdict/finish.c verdict/race.c)
list_bench  := $(foreach e,$(filter-out lane_files gpu ram_1r1w lane_execute lane_operand execute \
	operand gpu_flat warp_table global_bus bus_memory,$(patsubst work.%,%,$(shell grep -ho 'entity work\.[a-z0-9_]*' \
	$(BENCH_SRC) | cut -d ' ' -f 2 | sort -u))),$(filter %/$e.vhd,$(RTL)))
count_model := $(MUTANTS_MODEL)
count_bench := $(MUTANTS_BENCH)
$(MUTANTS_DIR)/model.list $(MUTANTS_DIR)/bench.list: $(MUTANTS_DIR)/%.list: $$(list_$$*) $(MUTANTS_SOURCE) \
		$(MUTANTS_DRAW)
	$(call step,DRAW,$(MUTANTS_SOURCE) $(list_$*) > $@.all && \
		$(MUTANTS_DRAW) choose $(count_$*) $(MUTANTS_SEED) $@.all > $@)

.PHONY: mutants selftest-coverage mutants-float
mutants: $(TOOLS) $(LAUNCH_TOOL) $(MUTANTS_SOURCE) $(MUTANTS_DRAW) $(MUTANTS_DYNAMIC) build/unit/analysed \
	$(addprefix $(MUTANTS_DIR)/,libsim-mutants.so judge bench.list model.list 32/libsim-mutants.so)
mutants: #+ faults put in on purpose, each of which a test must find: hours, may be interrupted
	$(Q)LIB_OBJ='$(LIB_SRC:%.c=build/%.o)' CC='$(CC)' WRAP='$(link_test_out_of_memory)' \
		testbench/mutants/run.sh $(MUTANTS_DIR) $(MUTANTS_MEMORY)
selftest-coverage: $(TOOLS) $(LAUNCH_TOOL) $(addprefix $(SELFTEST_DIR)/,libsim-mutants.so judge)
selftest-coverage: #+ stuck bits that the self-test of boards finds: FAULTS=200, MUTANTS_SEED=1; half an hour
	$(Q)testbench/mutants/selftest.sh $(SELFTEST_DIR) $(MUTANTS_MEMORY)
	$(Q)cp $(SELFTEST_DIR)/report.md docs/evidence/selftest.md

$(FLOAT_MUTANTS)/verilated/libfloat.a: $(FLOAT_MUTANTS)/netlist.v
	$(call verilate_logic,float_flat,--x-assign unique --noassert)
$(FLOAT_MUTANTS)/unit.o: testbench/float/unit.cpp $(FLOAT_MUTANTS)/verilated/libfloat.a
	$(call logic_object,$(FLOAT_MUTANTS)/verilated)
$(FLOAT_MUTANTS)/unit_bench: build/testbench/float/unit_bench.o $(UNIT_SRC:%.c=build/%.o) \
	$(addprefix $(FLOAT_MUTANTS)/,unit.o verilated/libfloat.a) $(MUTANTS_DIR)/pins.o $(LIB)
	$(call step,LD,$(CC) -o $@ $^ $(LDLIBS) $(link_logic))
mutants-float: $(FLOAT_MUTANTS)/unit_bench #+ faults in the units of floating point, each tried by their bench
	$(Q)testbench/mutants/float.sh $(FLOAT_MUTANTS)

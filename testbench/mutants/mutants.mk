# SPDX-License-Identifier: Apache-2.0
# Faults put into the RTL and the model on purpose, each of which a test must find; testbench/mutants/run.sh says how.
# How many are drawn, and by which seed; FAULTS: stuck bits for the self-test of kernels/bringup.
MUTANTS         ?= 1050
MUTANTS_BENCH   ?= 160
MUTANTS_MODEL   ?= 320
MUTANTS_FLOAT   ?= 400
MUTANTS_SEED    ?= 1
FAULTS          ?= 200
M               := build/mutants
MUTANTS_DRAW    := build/testbench/mutants/draw
MUTANTS_SOURCE  := build/testbench/mutants/source
# Mutants of a netlist are all in one simulation, which is told the number of the one that acts. Those of 8 cores are
# drawn; survivors are tried at 32, too, by mutants like them. A small global memory is cleared and read faster. For the
# self-test the netlist is that of a board: without assertions.
MUTANTS_MEMORY := 16384
MUTANTS_8      := C8-S1-G$(MUTANTS_MEMORY)
MUTANTS_32     := C32-S1-G$(MUTANTS_MEMORY)
MUTANTS_DIRS   := $(M) $(M)/32 $(M)/float $(M)/selftest
how_$(M)          := draw $(MUTANTS) $(MUTANTS_SEED)
how_$(M)/32       := like $(M)
how_$(M)/selftest := stuck $(FAULTS) $(MUTANTS_SEED)
how_$(M)/float     = draw $(MUTANTS_FLOAT) $(MUTANTS_SEED) \
	$(notdir $(basename $(filter rtl/float/% %/shift_factor.vhd,$(RTL))))
$(M)/gpu_flat.v: build/verilog/gpu_flat-$(MUTANTS_8).v
$(M)/32/gpu_flat.v: build/verilog/gpu_flat-$(MUTANTS_32).v
$(M)/float/gpu_flat.v: build/verilog/float_flat.v
$(M)/selftest/gpu_flat.v: build/verilog/bare-$(MUTANTS_8).v
# Drawn again where their number or the seed is another one.
$(M)/32/netlist.v: $(M)/netlist.v
$(M)/selftest/netlist.v: testbench/mutants/units.tsv
$(MUTANTS_DIRS:%=%/how): $$(call forced,$$@,$$(how_$$(@D)))
	$(call holds,$(how_$(@D)))
$(MUTANTS_DIRS:%=%/netlist.v): %/netlist.v: %/gpu_flat.v %/how $(addprefix testbench/mutants/,pins.v netlist.sh) \
		$(NETLIST_TOOL) $(MUTANTS_DRAW)
	$(call step,MUTATE,testbench/mutants/netlist.sh $(@D) $(how_$(@D)))
sim_of = build/sim/libsim-verilator-$(1).so
build/sim/$(MUTANTS_8)-mutants/gpu_flat.v: $(M)/netlist.v
build/sim/$(MUTANTS_32)-mutants/gpu_flat.v: $(M)/32/netlist.v
build/sim/$(MUTANTS_8)-stuck/gpu_flat.v: $(M)/selftest/netlist.v
$(M)/libsim-mutants.so: $(call sim_of,$(MUTANTS_8)-mutants)
$(M)/32/libsim-mutants.so: $(call sim_of,$(MUTANTS_32)-mutants)
$(M)/selftest/libsim-mutants.so: $(call sim_of,$(MUTANTS_8)-stuck)
$(M)/judge $(M)/selftest/judge: build/testbench/mutants/judge
$(MUTANTS_DIRS:%=%/gpu_flat.v) $(M)/judge $(M)/selftest/judge \
		$(addsuffix /libsim-mutants.so,$(M) $(M)/32 $(M)/selftest) \
		$(patsubst %,build/sim/%/gpu_flat.v,$(MUTANTS_8)-mutants $(MUTANTS_32)-mutants $(MUTANTS_8)-stuck):
	$(call step,COPY,$(if $(filter %/bare-%,$<),$(NETLIST_TOOL) $< unknown > $@,cp $< $@))
$(M)/pins.o: testbench/mutants/pins.cpp
	$(call step,CXX,$(CXX) -std=c++17 -fPIC -fvisibility=hidden $(CXX_STRICT) -c $< -o $@)
# The model's tests and tools with the library as a shared object, which a mutant replaces; those that run a tool by its
# path would not see it. The test of too little memory has the library's calls to allocate, too.
MUTANTS_TESTS   := bin/warp-run bin/warp-lockstep $(filter-out %_isa_doc %_warp_run %_warp_lockstep %_example,\
	$(filter cmodel/% checker/%,$(TEST_PATHS)))
MEMORY_TEST     := testbench/robust/test/test_out_of_memory
MUTANTS_DYNAMIC := $(addprefix $(M)/dynamic/,short_of_memory $(notdir $(MUTANTS_TESTS)))
dynamic_path     = $(if $(filter short_of_memory,$(1)),$(MEMORY_TEST),$(filter %/$(1),$(MUTANTS_TESTS)))
$(MUTANTS_DYNAMIC): build/$$(call main_of,$$(call dynamic_path,$$(@F))).o build/libparts.a $(LIB_SO)
	$(call step,LD,$(CC) -rdynamic -o $@ $(filter %.o %.a,$^) -Lbuild -lwarpstep $(LDLIBS) $(TESTLIBS) \
		$(call linked_of,$(<:build/%.o=%.c)))
# Mutants of sources: of the model, but for what reads, prints and draws, and the checker's comparison; of each entity
# that a VHDL bench has in it, but for those in which it looks at one thing alone: faults, idle. The benches of gpu_flat
# and warp_table are younger than the draws of docs/evidence/mutants.md.
MUTANTS_NOT := $(addprefix cmodel/run/,$(addsuffix .c,launch results argument trace json_string operands perfetto \
	progress state_report timeline trap_report end_report)) cmodel/debug/% cmodel/run/%.h
list_model  := $(filter-out $(MUTANTS_NOT),$(filter cmodel/%.c cmodel/%.h,$(LIB_SRC) $(LIB_HDR))) \
	$(addprefix checker/,record/compare.c record/field.c verdict/drive.c verdict/finish.c verdict/race.c)
list_bench  := $(foreach e,$(filter-out lane_files gpu ram_1r1w lane_execute lane_operand execute \
	operand gpu_flat warp_table global_bus bus_memory,$(patsubst work.%,%,$(shell grep -ho 'entity work\.[a-z0-9_]*' \
	$(filter testbench/unit/%,$(BENCH_VHDL)) | cut -d ' ' -f 2 | sort -u))),$(filter %/$e.vhd,$(RTL)))
count_model := $(MUTANTS_MODEL)
count_bench := $(MUTANTS_BENCH)
$(M)/model.list $(M)/bench.list: $(M)/%.list: $$(list_$$*) $(MUTANTS_SOURCE) $(MUTANTS_DRAW)
	$(call step,DRAW,$(MUTANTS_SOURCE) $(list_$*) > $@.all && \
		$(MUTANTS_DRAW) choose $(count_$*) $(MUTANTS_SEED) $@.all > $@)
mutants: all $(MUTANTS_DYNAMIC) $(addprefix $(M)/,libsim-mutants.so judge bench.list model.list 32/libsim-mutants.so)
mutants: #+ faults put in on purpose, each of which a test must find: hours, may be interrupted
	$(Q)LIB_OBJ='$(LIB_SRC:%.c=build/%.o)' CC='$(CC)' WRAP='$(call linked_of,$(MEMORY_TEST).c)' \
		testbench/mutants/run.sh $(M) $(MUTANTS_MEMORY)
selftest-coverage: all $(addprefix $(M)/selftest/,libsim-mutants.so judge)
selftest-coverage: #+ stuck bits that the self-test of boards finds: FAULTS=200, MUTANTS_SEED=1; half an hour
	$(Q)testbench/mutants/selftest.sh $(M)/selftest $(MUTANTS_MEMORY)
	$(Q)cp $(M)/selftest/report.md docs/evidence/selftest.md
verilog_mutants := $(M)/float/netlist.v
module_mutants  := float_flat
cxx_mutants     := testbench/float/unit.cpp
$(M)/float/unit_bench: build/testbench/float/unit_bench.o $(call logic,mutants) $(M)/pins.o build/libparts.a $(LIB)
	$(call step,LD,$(CC) -o $@ $^ $(LDLIBS) $(TESTLIBS) $(call linked_of,$(<:build/%.o=%.c)))
mutants-float: $(M)/float/unit_bench #+ faults in the units of floating point, each tried by their bench
	$(Q)testbench/mutants/float.sh $(M)/float

# SPDX-License-Identifier: Apache-2.0
# Faults put into the RTL and the model on purpose, each of which a test must find; testbench/mutants/run.sh says how.
# How many are drawn, and by which seed:

MUTANTS         ?= 1050
MUTANTS_BENCH   ?= 160
MUTANTS_MODEL   ?= 320
MUTANTS_SEED    ?= 1
MUTANTS_DIR     := build/mutants
# Stuck bits for the self-test of kernels/bringup. They are drawn again where their number or the seed is another one.
FAULTS          ?= 200
SELFTEST_DIR    := $(MUTANTS_DIR)/selftest
$(SELFTEST_DIR)/draw: force | $(FIRST)
	$(Q)mkdir -p $(@D) && echo '$(FAULTS) $(MUTANTS_SEED)' | { cmp -s - $@ || echo '$(FAULTS) $(MUTANTS_SEED)' > $@; }

# Those of the netlist are all in one simulation, which is told the number of the one that acts. Those of 8 cores are
# drawn; what survives is tried at 32, too, by mutants like them in a netlist of their own. They have little global
# memory: clearing and reading it takes more time than most kernels.
MUTANTS_MEMORY := 16384
MUTANTS_DRAW   := build/testbench/mutants/draw
MUTANTS_SOURCE := build/testbench/mutants/source
MUTANTS_PARTS  := $(addprefix testbench/mutants/,pins.v netlist.sh) $(NETLIST_TOOL) $(MUTANTS_DRAW)
$(MUTANTS_SOURCE): $(addprefix build/sim/netlist/,vhdl_lexer.o lexer.o pool.o text.o)
$(MUTANTS_DRAW): $(addprefix build/sim/netlist/,mutant_name.o tree.o pool.o text.o)
$(MUTANTS_SOURCE) $(MUTANTS_DRAW): build/%: build/%.o
	$(call step,LD,$(CC) $(LDFLAGS) -o $@ $^ -lm)
define mutants_sim # DIRECTORY, MACHINE, HOW netlist.sh DRAWS, KIND
$(1)/netlist.v: $(1)/gpu_flat.v $(MUTANTS_PARTS)
	$$(call step,MUTATE,testbench/mutants/netlist.sh $(1) $(3))
build/sim/$(2)-$(4)/gpu_flat.v: $(1)/netlist.v build/verilog/gpu_flat-$(2).v
	$$(call step,COPY,cp $$< $$@)
build/sim/libsim-verilator-$(2)-$(4).so: $(MUTANTS_DIR)/pins.o build/sim/runtime/verilated_dpi.o
$(1)/libsim-mutants.so: build/sim/libsim-verilator-$(2)-$(4).so
	$$(call step,COPY,cp $$< $$@)
endef
$(MUTANTS_DIR)/gpu_flat.v: build/verilog/gpu_flat-C8-S1-G$(MUTANTS_MEMORY).v
	$(call step,COPY,cp $< $@)
$(MUTANTS_DIR)/32/gpu_flat.v: build/verilog/gpu_flat-C32-S1-G$(MUTANTS_MEMORY).v
	$(call step,COPY,cp $< $@)
# As it is on a board: without assertions.
$(SELFTEST_DIR)/gpu_flat.v: $(RTL) rtl/files.f $(VERILOG_PARTS)
	$(call synth,gpu_flat,$(RTL),--no-formal -gCORES=8 -gGLOBAL_BYTES=$(MUTANTS_MEMORY),unknown)
$(eval $(call mutants_sim,$(MUTANTS_DIR),C8-S1-G$(MUTANTS_MEMORY),draw $(MUTANTS) $(MUTANTS_SEED),mutants))
$(eval $(call mutants_sim,$(MUTANTS_DIR)/32,C32-S1-G$(MUTANTS_MEMORY),like $(MUTANTS_DIR),mutants))
$(MUTANTS_DIR)/32/netlist.v: $(MUTANTS_DIR)/netlist.v
$(eval $(call mutants_sim,$(SELFTEST_DIR),C8-S1-G$(MUTANTS_MEMORY),stuck $(FAULTS) $(MUTANTS_SEED),stuck))
$(SELFTEST_DIR)/netlist.v: $(SELFTEST_DIR)/draw testbench/mutants/units.tsv
$(MUTANTS_DIR)/pins.o: testbench/mutants/pins.cpp
	$(call step,CXX,$(CXX) -std=c++17 -fPIC -fvisibility=hidden -O2 -Wall -Wextra -Werror -MMD -MP -c $< -o $@)

# The model's tests and tools with the library as a shared object, which a mutant replaces; those that run a tool by its
# path would not see it. The test of too little memory has the library's calls to allocate, too, of which the judge
# makes a build for it.
MUTANTS_TESTS   := $(filter-out %_isa_doc %_warp_run %_warp_lockstep %_example,\
	$(filter cmodel/% checker/%,$(TEST_SRC:%.c=%)))
MUTANTS_DYNAMIC := $(addprefix $(MUTANTS_DIR)/dynamic/,warp-run warp-lockstep short_of_memory \
	$(notdir $(MUTANTS_TESTS)))
dynamic = $(eval $(MUTANTS_DIR)/dynamic/$(1): $(patsubst %.c,build/%.o,$(2)))
$(foreach t,warp-run warp-lockstep,$(call dynamic,$t,$(call tool_src,$t) $(PROMPT_SRC)))
$(addprefix $(MUTANTS_DIR)/dynamic/,warp-run warp-lockstep): TESTLIBS += -ledit
$(foreach t,$(MUTANTS_TESTS),$(call dynamic,$(notdir $t),$(call test_src,$t)))
$(call dynamic,short_of_memory,$(call test_src,testbench/robust/test/test_out_of_memory))
$(MUTANTS_DIR)/dynamic/short_of_memory: TESTLIBS += $(link_test_out_of_memory) -rdynamic
$(MUTANTS_DYNAMIC): $(LIB_SO)
	$(call step,LD,$(CC) -o $@ $(filter %.o,$^) -Lbuild -lwarpstep $(LDLIBS) $(TESTLIBS))

# What reads, prints and draws is not the model.
MUTANTS_NOT := $(addsuffix .c,launch results argument trace json_string operands perfetto progress state_report \
	timeline trap_report end_report)
# Mutants of sources: of the model and the checker's comparison; of each entity that a VHDL bench has in it, but for
# those in which it looks at one thing alone: faults, idle. gpu_flat and warp_table are left out, too: their benches are
# younger than the draws of docs/evidence/mutants.md.
define mutants_list # WHAT, SOURCES, COUNT
$(MUTANTS_DIR)/$(1).list: $(2) $(MUTANTS_SOURCE) $(MUTANTS_DRAW)
	$$(call step,DRAW,$(MUTANTS_SOURCE) $(2) > $$@.all && $(MUTANTS_DRAW) choose $(3) $(MUTANTS_SEED) $$@.all > $$@)
endef
$(eval $(call mutants_list,model,$(filter-out cmodel/debug/% $(MUTANTS_NOT:%=cmodel/run/%) cmodel/run/%.h,\
	$(filter cmodel/%.c cmodel/%.h,$(LIB_SRC) $(LIB_HDR))) \
	$(addprefix checker/,record/compare.c record/field.c verdict/drive.c verdict/finish.c verdict/race.c),\
	$(MUTANTS_MODEL)))
$(eval $(call mutants_list,bench,$(foreach e,$(filter-out lane_files gpu ram_1r1w lane_execute lane_operand execute \
	operand gpu_flat warp_table global_bus bus_memory,$(patsubst work.%,%,$(shell cat $(BENCH_SRC) \
	| grep -o 'entity work\.[a-z0-9_]*' | cut -d ' ' -f 2 | sort -u))),$(filter %/$e.vhd,$(RTL))),$(MUTANTS_BENCH)))

$(call programs,plain,testbench/mutants/judge,testbench/mutants/judge.c)
$(MUTANTS_DIR)/judge: build/testbench/mutants/judge
	$(call step,COPY,cp $< $@)

.PHONY: mutants
mutants: $(TOOLS) $(MUTANTS_SOURCE) $(MUTANTS_DRAW)
mutants: build/testbench/launches/draw_launch $(MUTANTS_DYNAMIC) build/unit/analysed \
	$(addprefix $(MUTANTS_DIR)/,libsim-mutants.so judge bench.list model.list 32/libsim-mutants.so)
mutants: ## faults put in on purpose, each of which a test must find: hours, may be interrupted
	$(Q)LIB_OBJ='$(LIB_SRC:%.c=build/%.o)' CC='$(CC)' WRAP='$(link_test_out_of_memory)' \
		testbench/mutants/run.sh $(MUTANTS_DIR) $(MUTANTS_MEMORY)

.PHONY: selftest-coverage
selftest-coverage: $(TOOLS) build/testbench/launches/draw_launch $(addprefix $(SELFTEST_DIR)/,libsim-mutants.so judge)
selftest-coverage: ## stuck bits that the self-test of boards finds: FAULTS=200, MUTANTS_SEED=1; half an hour
	$(Q)testbench/mutants/selftest.sh $(SELFTEST_DIR) $(MUTANTS_MEMORY)
	$(Q)cp $(SELFTEST_DIR)/report.md docs/evidence/selftest.md
$(SELFTEST_DIR)/judge: build/testbench/mutants/judge
	$(call step,COPY,cp $< $@)

# Mutants of the units of floating point, all in one of float_flat.vhd, each tried by their bench.
MUTANTS_FLOAT     ?= 400
MUTANTS_FLOAT_DIR := $(MUTANTS_DIR)/float
$(MUTANTS_FLOAT_DIR)/gpu_flat.v: $(FLOAT_DIR)/float_flat.v
	$(call step,COPY,cp $< $@)
$(MUTANTS_FLOAT_DIR)/netlist.v: $(MUTANTS_FLOAT_DIR)/gpu_flat.v $(MUTANTS_PARTS)
	$(call step,MUTATE,testbench/mutants/netlist.sh $(@D) draw $(MUTANTS_FLOAT) $(MUTANTS_SEED) \
		$(notdir $(basename $(filter rtl/float/% %/shift_factor.vhd,$(RTL)))))
$(MUTANTS_FLOAT_DIR)/verilated/libfloat.a: $(MUTANTS_FLOAT_DIR)/netlist.v
	$(call verilate_logic,float_flat,--x-assign unique --noassert)
$(MUTANTS_FLOAT_DIR)/unit.o: testbench/float/unit.cpp $(MUTANTS_FLOAT_DIR)/verilated/libfloat.a
	$(call logic_object,$(MUTANTS_FLOAT_DIR)/verilated)
$(MUTANTS_FLOAT_DIR)/unit_bench: build/testbench/float/unit_bench.o $(UNIT_SRC:%.c=build/%.o) \
	$(addprefix $(MUTANTS_FLOAT_DIR)/,unit.o verilated/libfloat.a) $(MUTANTS_DIR)/pins.o $(LIB)
	$(call step,LD,$(CC) -o $@ $^ $(LDLIBS) -lstdc++ -lm -lpthread)

.PHONY: mutants-float
mutants-float: $(MUTANTS_FLOAT_DIR)/unit_bench ## faults in the units of floating point, each tried by their bench
	$(Q)testbench/mutants/float.sh $(MUTANTS_FLOAT_DIR)

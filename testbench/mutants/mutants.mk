# SPDX-License-Identifier: Apache-2.0
# Faults put into the RTL and the model on purpose, each of which a test must find; testbench/mutants/run.sh says how.

MUTANTS       ?= 1050
MUTANTS_SEED  ?= 1
MUTANTS_DIR   := build/mutants

# Those of the netlist are all in one simulation, which is told the number of the one that acts. Those of 8 cores are
# drawn; what survives is tried at 32, too, by mutants like them in a netlist of their own. They have little global
# memory: clearing and reading it takes more time than most kernels.
MUTANTS_MEMORY := 16384
MUTANTS_PARTS  := $(wildcard testbench/mutants/*.awk) testbench/mutants/pins.v testbench/mutants/netlist.sh
$(MUTANTS_DIR)/gpu_flat.v: build/verilog/gpu_flat-C8-S1-G$(MUTANTS_MEMORY).v
$(MUTANTS_DIR)/32/gpu_flat.v: build/verilog/gpu_flat-C32-S1-G$(MUTANTS_MEMORY).v
$(MUTANTS_DIR)/gpu_flat.v $(MUTANTS_DIR)/32/gpu_flat.v:
	$(Q)mkdir -p $(@D) && cp $< $@
$(MUTANTS_DIR)/netlist.v: $(MUTANTS_DIR)/gpu_flat.v $(MUTANTS_PARTS)
	$(call say,MUTATE)
	$(Q)testbench/mutants/netlist.sh $(@D) draw $(MUTANTS) $(MUTANTS_SEED)
$(MUTANTS_DIR)/32/netlist.v: $(MUTANTS_DIR)/32/gpu_flat.v $(MUTANTS_DIR)/netlist.v $(MUTANTS_PARTS)
	$(call say,MUTATE)
	$(Q)testbench/mutants/netlist.sh $(@D) like $(MUTANTS_DIR)

$(MUTANTS_DIR)/pins.o: testbench/mutants/pins.cpp
	$(call say,CXX)
	$(Q)mkdir -p $(@D) && $(CXX) -std=c++17 -fPIC -fvisibility=hidden -O2 -Wall -Wextra -Werror -MMD -MP -c $< -o $@
define mutants_sim # DIRECTORY, MACHINE
build/sim/$(2)-mutants/gpu_flat.v: $(1)/netlist.v build/verilog/gpu_flat-$(2).v
	$$(Q)mkdir -p $$(@D) && cp $$< $$@
build/sim/libsim-verilator-$(2)-mutants.so: $(MUTANTS_DIR)/pins.o build/sim/runtime/verilated_dpi.o
$(1)/libsim-mutants.so: build/sim/libsim-verilator-$(2)-mutants.so
	$$(Q)cp $$< $$@
endef
$(eval $(call mutants_sim,$(MUTANTS_DIR),C8-S1-G$(MUTANTS_MEMORY)))
$(eval $(call mutants_sim,$(MUTANTS_DIR)/32,C32-S1-G$(MUTANTS_MEMORY)))

# The model's tests and tools with the library as a shared object, which a mutant replaces; those that run a tool by its
# path would not see it.
MUTANTS_MODEL   ?= 320
MUTANTS_DRAW    := testbench/mutants/names.awk testbench/mutants/choose.awk
MUTANTS_SOURCES := $(filter-out %/launch.c %/results.c %/argument.c %/trace.c,$(filter cmodel/%,$(LIB_SRC))) \
	$(addprefix testbench/lockstep/,compare.c drive.c field.c finish.c race.c)
MUTANTS_TESTS   := $(filter-out %_isa_doc %_warp_run %_warp_lockstep %_example,\
	$(filter cmodel/% testbench/lockstep/%,$(TEST_SRC:%.c=%)))
MUTANTS_DYNAMIC := $(addprefix $(MUTANTS_DIR)/dynamic/,warp-run warp-lockstep short_of_memory \
	$(notdir $(MUTANTS_TESTS)))
objects = $(1:%.c=build/%.o)
$(foreach t,warp-run warp-lockstep,$(eval $(MUTANTS_DIR)/dynamic/$t: $(call objects,$(call tool_src,$t))))
$(foreach t,$(MUTANTS_TESTS),$(eval $(MUTANTS_DIR)/dynamic/$(notdir $t): \
	$(call objects,$t.c $(call helpers_of,$t))))
# Its calls to allocate are the library's too, of which the judge makes a build for it.
$(MUTANTS_DIR)/dynamic/short_of_memory: $(call objects,testbench/robust/test/test_out_of_memory.c \
	$(call helpers_of,testbench/robust/test/) $(call helper,$(uses_test_out_of_memory)))
$(MUTANTS_DIR)/dynamic/short_of_memory: TESTLIBS += $(link_test_out_of_memory) -rdynamic
$(MUTANTS_DYNAMIC): $(LIB_SO)
	$(call say,LD)
	$(Q)mkdir -p $(@D) && $(CC) -o $@ $(filter %.o,$^) -Lbuild -lwarpstep $(LDLIBS) $(TESTLIBS)
$(MUTANTS_DIR)/model.list: $(MUTANTS_SOURCES) testbench/mutants/source.awk $(MUTANTS_DRAW)
	$(Q)mkdir -p $(@D) && awk -f testbench/mutants/source.awk $(MUTANTS_SOURCES) | \
		awk -v count=$(MUTANTS_MODEL) -v seed=$(MUTANTS_SEED) $(MUTANTS_DRAW:%=-f %) > $@

# Mutants of each entity that a VHDL bench has in it, but for those in which it looks at one thing alone: faults, idle.
# gpu_flat and warp_table are left out, too: their benches are younger than the draws of docs/evidence/mutants.md.
MUTANTS_BENCH    ?= 160
MUTANTS_ENTITIES := $(filter-out lane_files gpu ram_1r1w lane_execute lane_operand execute operand gpu_flat warp_table,\
	$(patsubst work.%,%,$(shell cat $(BENCH_SRC) | grep -o 'entity work\.[a-z0-9_]*' | cut -d ' ' -f 2 | sort -u)))
$(MUTANTS_DIR)/bench.list: $(MUTANTS_ENTITIES:%=rtl/%.vhd) testbench/mutants/source.awk $(MUTANTS_DRAW)
	$(Q)mkdir -p $(@D) && awk -f testbench/mutants/source.awk $(MUTANTS_ENTITIES:%=rtl/%.vhd) | \
		awk -v count=$(MUTANTS_BENCH) -v seed=$(MUTANTS_SEED) $(MUTANTS_DRAW:%=-f %) > $@

$(call programs,plain,testbench/mutants/judge,testbench/mutants/judge.c)
$(MUTANTS_DIR)/judge: build/testbench/mutants/judge
	$(Q)mkdir -p $(@D) && cp $< $@

.PHONY: mutants
mutants: $(TOOLS) build/testbench/launches/draw_launch $(MUTANTS_DYNAMIC) build/unit/analysed \
	$(addprefix $(MUTANTS_DIR)/,libsim-mutants.so judge bench.list model.list 32/libsim-mutants.so)
mutants: ## faults put in on purpose, each of which a test must find: an hour or two, may be interrupted
	$(Q)LIB_OBJ='$(LIB_SRC:%.c=build/%.o)' CC='$(CC)' WRAP='$(link_test_out_of_memory)' \
		testbench/mutants/run.sh $(MUTANTS_DIR) $(MUTANTS_MEMORY) \
		$(filter kernels/formats/% kernels/regress/%,$(KERNELS)) \
		$(filter-out kernels/traps/global-%,$(filter kernels/traps/%,$(KERNELS))) \
		$(patsubst %,kernels/apps/%.sass,bitonic scan matmul autocorrelation fft histogram)

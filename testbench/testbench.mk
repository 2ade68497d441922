# SPDX-License-Identifier: Apache-2.0
# What folders of testbench/ are made of.

# ---- robust: the C side under address, memory and thread checkers, and without memory. Where memory runs out, the
# calls of the code under test that allocate go through test/fail_alloc.c; preloaded, an allocation of a library fails.
SHARED += build/testbench/robust/fail_alloc_preload.so $(addprefix build/checker/test/,libfake.so libcrooked.so)
build/testbench/robust/fail_alloc_preload.so: build/testbench/robust/fail_alloc_preload.o
build/checker/test/libfake.so: build/checker/test/fake_sim.o $(LIB)
build/checker/test/libcrooked.so: build/checker/test/crooked.o $(LIB)
TEST_NEEDS := $(SHARED) build/sim/libsim-ghdl.so build/checker/coverage/report/coverage_report
robust: $(TOOL_PATHS:%=build/asan/%) $(THREADED:%=build/tsan/%)
robust: #+ the C side under sanitizers and valgrind (to install), short of memory

# ---- float: the model's floating point against a reference of its own kind and an NVIDIA chip; the units of the RTL
# against golden vectors and the model.
FLOAT_DIR      := build/testbench/float
verilog_float  := build/verilog/float_flat.v
cxx_float      := testbench/float/unit.cpp
$(FLOAT_DIR)/unit_bench $(FLOAT_DIR)/unit_sweep: $(call logic,float)
sweep-float: $(addprefix $(FLOAT_DIR)/,sweep silicon unit_sweep)
sweep-float: #+ every operand of functions and conversions: model, reference, chip, units (three quarters of an hour)
	$(Q)$< --random 200 && $(FLOAT_DIR)/silicon && $(FLOAT_DIR)/unit_sweep

# ---- decode: the decoder against the instruction table.
verilog_decode := build/verilog/decode_flat.v
cxx_decode     := testbench/decode/decoder.cpp
build/testbench/decode/decode_bench: $(call logic,decode)

# ---- formal: proofs rest on what the decoder must say of any word, and on one lane of the model in Verilog, which is
# held against the C model; float_check is unit_bench with float_model.v in the place of the units.
FORMAL_DIR          := build/testbench/formal
verilog_model       := testbench/formal/model.v
verilog_float_model := testbench/formal/float_model.v
cxx_model           := testbench/formal/model_run.cpp
cxx_float_model     := testbench/formal/float_model_run.cpp
$(FORMAL_DIR)/model_check: $(call logic,model)
PROGRAMS            += testbench/formal/float_check
main_float_check    := testbench/float/unit_bench
$(FORMAL_DIR)/float_check: $(call logic,float_model)
needs_formal        := $(VERILOG_PARTS) $(addprefix $(FORMAL_DIR)/,control.svh decode_table.v)
formal: $(needs_formal) $(addprefix $(FORMAL_DIR)/,model_check float_check)
formal: #+ proofs about the RTL, each tried with planted faults: a table
	$(Q)$(FORMAL_DIR)/model_check && $(FORMAL_DIR)/float_check && testbench/formal/run.sh
$(FORMAL_DIR)/control.svh: $(GEN)
	$(call step,GEN,$< control_wires > $@)
$(FORMAL_DIR)/decode_table.v: $(FORMAL_DIR)/decode_table
	$(call step,TABLE,$< > $@)

# ---- fuzz: a target is a file of testbench/fuzz with one function; libFuzzer, which comes with clang, makes up inputs.
FUZZ       := $(notdir $(FUZZ_PATHS))
FUZZ_LONG  ?= 300
needs_fuzz  = $(if $(CLANG_C),$(FUZZ_PATHS:%=build/asan/%) build/fuzz/seeds/made build/fuzz/corpus/unpacked)
build/fuzz/seeds/made: testbench/fuzz/make_seeds.sh build/testbench/fuzz/make_cubins $(TOOLS) $(KERNELS) \
		build/golden/ptx/draw $(wildcard golden/ptx/programs/*.ptx)
	$(call step,SEEDS,$< && touch $@)
build/fuzz/corpus/unpacked: testbench/fuzz/corpus.sh $(wildcard testbench/fuzz/corpus/*.tar.gz)
	$(call step,CORPUS,$< -x && touch $@)
fuzz: $(TOOLS) $(VSIMS) build/golden/ptx/draw #+ random kernels for an hour, random PTX (FUZZ_MINUTES, FUZZ_PTX, SEED)
	$(Q)checker/random/minutes.sh $(or $(FUZZ_MINUTES),60) $(SEED)
	$(Q)JOBS=$$(nproc) testbench/compiler/drawn.sh $(or $(FUZZ_PTX),10000) $(or $(SEED),$$(date +%s))
fuzz-inputs: $$(needs_fuzz) #+ fuzz every reader of files, FUZZ_LONG seconds each (300)
	$(Q)SUITE_SECONDS=$$(($(FUZZ_LONG) + 300)) testbench/run_tests.sh $(FUZZ:%='testbench/fuzz/run.sh % $(FUZZ_LONG)')
fuzz-corpus: $$(needs_fuzz) #+ fuzz all readers for FUZZ_HOURS (24) in all; keeps and packs what reaches more
	$(Q)testbench/fuzz/corpus.sh $(or $(FUZZ_HOURS),24)

# ---- memory: global memory behind a bus.
bus: $(patsubst %,build/sim/libsim-verilator-%.so,C8-S1-B8 C8-S1-B2 C8-S2-B8 C8-S2-B2 C32-S1-B32)
bus: #+ kernels with global memory behind a bus, on both simulators, and how much of the bus they use: an hour

# ---- waves: a reader of FST files, with the library of GTKWave that Verilator brings along.
FST_VALUE := build/testbench/waves/fst_value
FST_FLAGS  = -O2 -DFST_CONFIG_INCLUDE='"fst_config.h"' -isystem $(VERILATOR_INC)/gtkwave
build/testbench/waves/%.o: | $(FIRST)
	$(call step,CC,$(CC) $(FST_FLAGS) -w -c $(VERILATOR_INC)/gtkwave/$*.c -o $@)
$(FST_VALUE): testbench/waves/fst_value.cpp $(addprefix build/testbench/waves/,fstapi.o fastlz.o lz4.o)
	$(call step,CXX,$(CXX) -std=c++17 $(FST_FLAGS) -Wall -Wextra -Werror -o $@ $^ -lz)

# ---- opencl: programs of kernels/opencl, where OpenCL's library is there. That is asked when they are linked: `make
# test` may have installed it since make read this.
CL_PROGRAMS := $(patsubst %.c,build/%,$(filter-out kernels/opencl/host.c,$(wildcard kernels/opencl/*.c)))
$(CL_PROGRAMS): %: %.o build/kernels/opencl/host.o
	$(call step,LD,if echo 'int main(void) { return 0; }' | $(CC) -x c - -lOpenCL -o /dev/null 2> /dev/null; then \
		$(CC) -o $@ $^ -lOpenCL -lm; else echo 'without libOpenCL: $@ is left out'; fi)
ALSO := build/unit/analysed $(FST_VALUE) $(CL_PROGRAMS)

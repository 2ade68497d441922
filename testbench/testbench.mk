# SPDX-License-Identifier: Apache-2.0
# What folders of testbench/ are made of.

# ---- robust: the C side under address, memory and thread checkers, and without memory. Where memory runs out, the
# calls of the code under test that allocate go through test/fail_alloc.c; preloaded, an allocation of a library fails.
ALLOCATORS := malloc calloc realloc strdup strndup fopen fdopen fmemopen
uses_test_out_of_memory := fake_sim.c kernel.c cubin_builder.c
link_test_out_of_memory := $(ALLOCATORS:%=-Wl,--wrap=%)
uses_test_campaign := fake_sim.c
uses_threads = $(uses_test_campaign)
link_threads := -lpthread
FAIL_PRELOAD := build/testbench/robust/fail_alloc_preload.so
$(FAIL_PRELOAD): build/testbench/robust/fail_alloc_preload.o
FAKE_SIM    := build/checker/test/libfake.so
$(FAKE_SIM): build/checker/test/fake_sim.o $(LIB)
CROOKED_SIM := build/checker/test/libcrooked.so
$(CROOKED_SIM): build/checker/test/crooked.o $(LIB)
link_libfake.so    := -Xlinker --defsym=warpstep_sim=fake_sim_api $(LDLIBS)
link_libcrooked.so := -Xlinker --defsym=warpstep_sim=crooked_sim_api $(LDLIBS)
SHARED     += $(FAIL_PRELOAD) $(FAKE_SIM) $(CROOKED_SIM)
TEST_NEEDS += $(FAIL_PRELOAD) $(FAKE_SIM) $(CROOKED_SIM) build/sim/libsim-ghdl.so
robust: $(TOOLS) $(TESTS) $(TOOL_PATHS:%=build/asan/%) build/tsan/testbench/robust/threads
robust: build/testbench/fuzz/make_cubins build/sim/libsim-verilator-C8-S1.so
robust: #+ the C side under sanitizers and valgrind (to install), short of memory

# ---- logic alone, as Verilog, and the C++ around it: an object UNIT.o, a library, programs that have both.
CHIP_SRC := $(addprefix testbench/float/,chip.c chip_operations.c)
UNIT_SRC := testbench/float/unit_model.c cmodel/test/table.c
link_logic := -lstdc++ -lm -lz -lpthread
link_unit_bench := $(link_logic)
link_unit_sweep = $(link_unit_bench)
link_decode_bench = $(link_unit_bench)
link_model_check = $(link_unit_bench)
link_float_check = $(link_unit_bench)

# ---- float: the model's floating point against a reference of its own kind and an NVIDIA chip; the units of the RTL
# against golden vectors and the model.
FLOAT_DIR  := build/testbench/float
PROGRAMS   += $(addprefix testbench/float/,sweep silicon unit_bench unit_sweep)
uses_testbench/float/sweep := golden/float/reference.c
uses_silicon    := $(CHIP_SRC)
uses_unit_bench := $(UNIT_SRC)
uses_unit_sweep := $(UNIT_SRC) $(CHIP_SRC)
link_sweep := -lz -lpthread
link_silicon = $(link_sweep)
link_test_chip  := -lz
FLOAT_RTL  := $(filter %_pkg.vhd %_pkg_body.vhd %/shift_factor.vhd %/multiplier.vhd rtl/float/%,$(RTL)) \
	testbench/float/float_flat.vhd
$(FLOAT_DIR)/float_flat.v: $(FLOAT_RTL) $(VERILOG_PARTS) | $(FIRST)
	$(call synth,float_flat,$(FLOAT_RTL))
$(FLOAT_DIR)/verilated/libfloat.a: $(FLOAT_DIR)/float_flat.v
	$(call verilate_logic,float_flat,--x-assign unique --noassert)
$(FLOAT_DIR)/unit.o: testbench/float/unit.cpp $(FLOAT_DIR)/verilated/libfloat.a
	$(call logic_object,$(FLOAT_DIR)/verilated)
$(FLOAT_DIR)/unit_bench $(FLOAT_DIR)/unit_sweep: $(FLOAT_DIR)/unit.o $(FLOAT_DIR)/verilated/libfloat.a
.PHONY: sweep-float
sweep-float: $(addprefix $(FLOAT_DIR)/,sweep silicon unit_sweep)
sweep-float: #+ every operand of functions and conversions: model, reference, chip, units (three quarters of an hour)
	$(Q)$< --random 200 && $(FLOAT_DIR)/silicon && $(FLOAT_DIR)/unit_sweep

# ---- decode: the decoder against the instruction table.
DECODE_DIR  := build/testbench/decode
DECODE_RTL  := $(filter %_pkg.vhd %_pkg_body.vhd rtl/front/decode%,$(RTL)) testbench/decode/decode_flat.vhd
PROGRAMS    += testbench/decode/decode_bench
uses_decode_bench := testbench/decode/expect.c
needs_decode := $(DECODE_DIR)/decode_bench
$(DECODE_DIR)/decode_flat.v: $(DECODE_RTL) $(VERILOG_PARTS) | $(FIRST)
	$(call synth,decode_flat,$(DECODE_RTL))
$(DECODE_DIR)/verilated/libdecode.a: $(DECODE_DIR)/decode_flat.v
	$(call verilate_logic,decode_flat,--x-assign unique --noassert)
$(DECODE_DIR)/decoder.o: testbench/decode/decoder.cpp $(DECODE_DIR)/verilated/libdecode.a
	$(call logic_object,$(DECODE_DIR)/verilated)
$(DECODE_DIR)/decode_bench: $(DECODE_DIR)/decoder.o $(DECODE_DIR)/verilated/libdecode.a

# ---- formal: proofs rest on what the decoder must say of any word, and on one lane of the model in Verilog, which is
# held against the C model; float_check is unit_bench with float_model.v in the place of the units.
FORMAL_DIR   := build/testbench/formal
PROGRAMS     += $(addprefix testbench/formal/,decode_table model_check float_check)
uses_decode_table := testbench/decode/expect.c
main_float_check  := testbench/float/unit_bench
uses_float_check  := $(UNIT_SRC)
needs_formal := $(VERILOG_PARTS) $(addprefix $(FORMAL_DIR)/,model_check float_check control.svh decode_table)
.PHONY: formal
formal: $(addprefix $(FORMAL_DIR)/,model_check float_check control.svh decode_table.v)
formal: #+ proofs about the RTL, each tried with planted faults: a table
	$(Q)$(FORMAL_DIR)/model_check && $(FORMAL_DIR)/float_check && testbench/formal/run.sh
$(FORMAL_DIR)/control.svh: $(GEN)
	$(Q)mkdir -p $(@D) && $< control_wires > $@
$(FORMAL_DIR)/decode_table.v: $(FORMAL_DIR)/decode_table
	$(call step,TABLE,$< > $@)
$(FORMAL_DIR)/verilated/libmodel.a $(FORMAL_DIR)/float_verilated/libmodel.a: \
		$(FORMAL_DIR)/%verilated/libmodel.a: testbench/formal/%model.v | $(FIRST)
	$(call verilate_logic,$*model,)
$(FORMAL_DIR)/model_run.o $(FORMAL_DIR)/float_model_run.o: \
		$(FORMAL_DIR)/%model_run.o: testbench/formal/%model_run.cpp $(FORMAL_DIR)/%verilated/libmodel.a
	$(call logic_object,$(FORMAL_DIR)/$*verilated)
$(FORMAL_DIR)/model_check: $(FORMAL_DIR)/model_run.o $(FORMAL_DIR)/verilated/libmodel.a
$(FORMAL_DIR)/float_check: $(FORMAL_DIR)/float_model_run.o $(FORMAL_DIR)/float_verilated/libmodel.a

# ---- fuzz: a target is a file of testbench/fuzz with one function; libFuzzer, which comes with clang, makes up inputs.
FUZZ         := $(filter-out fuzz make_cubins,$(patsubst testbench/fuzz/%.c,%,$(wildcard testbench/fuzz/*.c)))
FUZZ_PATHS   := $(FUZZ:%=testbench/fuzz/%)
$(foreach f,$(FUZZ_PATHS),$(eval uses_$f := testbench/fuzz/fuzz.c))
uses_ptx_golden  := $(patsubst %,golden/ptx/%.c,reader lexer declare statement types words number)
uses_make_cubins := cubin_builder.c
PROGRAMS     += testbench/fuzz/make_cubins
$(FUZZ_PATHS:%=build/asan/%): private link_asan += -fsanitize=fuzzer
needs_fuzz    = $(if $(CLANG_C),$(FUZZ_PATHS:%=build/asan/%) build/fuzz/seeds/made build/fuzz/corpus/unpacked)
build/fuzz/seeds/made: testbench/fuzz/make_seeds.sh build/testbench/fuzz/make_cubins $(TOOLS) $(KERNELS) \
		build/golden/ptx/draw $(wildcard golden/ptx/programs/*.ptx)
	$(call step,SEEDS,$< && touch $@)
build/fuzz/corpus/unpacked: testbench/fuzz/corpus.sh $(wildcard testbench/fuzz/corpus/*.tar.gz)
	$(call step,CORPUS,$< -x && touch $@)
FUZZ_LONG    ?= 300
.PHONY: fuzz fuzz-targets fuzz-inputs fuzz-corpus
fuzz: $(TOOLS) $(VSIMS) build/golden/ptx/draw #+ random kernels for an hour, random PTX (FUZZ_MINUTES, FUZZ_PTX, SEED)
	$(Q)checker/random/minutes.sh $(or $(FUZZ_MINUTES),60) $(SEED)
	$(Q)JOBS=$$(nproc) testbench/compiler/drawn.sh $(or $(FUZZ_PTX),10000) $(or $(SEED),$$(date +%s))
fuzz-targets: $(needs_fuzz)
fuzz-inputs: fuzz-targets #+ fuzz every reader of files, FUZZ_LONG seconds each (300)
	$(Q)SUITE_SECONDS=$$(($(FUZZ_LONG) + 300)) testbench/run_tests.sh $(FUZZ:%='testbench/fuzz/run.sh % $(FUZZ_LONG)')
fuzz-corpus: fuzz-targets #+ fuzz all readers for FUZZ_HOURS (24) in all; keeps and packs what reaches more
	$(Q)testbench/fuzz/corpus.sh $(or $(FUZZ_HOURS),24)

# ---- memory: global memory behind a bus.
BUS_CONFIGS := C8-S1-B8 C8-S1-B2 C8-S2-B8 C8-S2-B2 C32-S1-B32
bus: all $(BUS_CONFIGS:%=build/sim/libsim-verilator-%.so)
bus: #+ kernels with global memory behind a bus, on both simulators, and how much of the bus they use: an hour

# ---- waves: a reader of FST files, with the library of GTKWave that Verilator brings along.
FST_VALUE   := build/testbench/waves/fst_value
needs_waves := $(FST_VALUE) build/sim/libsim-verilator-C8-S1.so build/sim/libsim-ghdl.so build/sim/ghdl/built
FST_FLAGS    = -O2 -DFST_CONFIG_INCLUDE='"fst_config.h"' -isystem $(VERILATOR_INC)/gtkwave
build/testbench/waves/%.o: | $(FIRST)
	$(call step,CC,$(CC) $(FST_FLAGS) -w -c $(VERILATOR_INC)/gtkwave/$*.c -o $@)
$(FST_VALUE): testbench/waves/fst_value.cpp $(addprefix build/testbench/waves/,fstapi.o fastlz.o lz4.o)
	$(call step,CXX,$(CXX) -std=c++17 $(FST_FLAGS) -Wall -Wextra -Werror -o $@ $^ -lz)

# SPDX-License-Identifier: Apache-2.0
# A target is a file of testbench/fuzz with one function; libFuzzer, which comes with clang, makes up its inputs.

FUZZ         := $(filter-out fuzz make_cubins,$(patsubst testbench/fuzz/%.c,%,$(wildcard testbench/fuzz/*.c)))
FUZZ_NEEDS   := $(FUZZ:%=build/fuzz/bin/%) build/fuzz/seeds/made build/fuzz/corpus/unpacked
needs_fuzz := $(FUZZ_NEEDS)
FUZZ_LONG    ?= 300
FUZZ_MINUTES ?= 60
FUZZ_HOURS   ?= 24
FUZZ_PTX     ?= 10000

# What a target has besides the library.
fuzz_ptx_golden := $(patsubst %,golden/ptx/%.c,reader lexer declare statement types words number)

$(foreach f,$(FUZZ),$(call programs,fuzz,bin/$f,testbench/fuzz/$f.c testbench/fuzz/fuzz.c $(fuzz_$f)))
$(call programs,plain,testbench/fuzz/make_cubins,testbench/fuzz/make_cubins.c $(call helper,cubin_builder.c))
build/fuzz/seeds/made: testbench/fuzz/make_seeds.sh build/testbench/fuzz/make_cubins $(TOOLS) $(KERNELS) \
	build/golden/ptx/draw $(wildcard golden/ptx/programs/*.ptx)
	$(call step,SEEDS,$< && touch $@)
# What hours of fuzzing have found to reach something, packed.
build/fuzz/corpus/unpacked: testbench/fuzz/corpus.sh $(wildcard testbench/fuzz/corpus/*.tar.gz)
	$(call step,CORPUS,$< -x && touch $@)

.PHONY: fuzz fuzz-targets fuzz-inputs fuzz-corpus
fuzz: $(TOOLS) $(VSIMS) build/golden/ptx/draw ## random kernels for an hour, random PTX (FUZZ_MINUTES, FUZZ_PTX, SEED)
	$(Q)checker/random/minutes.sh $(FUZZ_MINUTES) $(SEED)
	$(Q)JOBS=$$(nproc) testbench/compiler/drawn.sh $(FUZZ_PTX) $(or $(SEED),$$(date +%s))
fuzz-targets: $(FUZZ_NEEDS)
fuzz-inputs: fuzz-targets ## fuzz every reader of files, FUZZ_LONG seconds each (300)
	$(Q)SUITE_SECONDS=$$(($(FUZZ_LONG) + 300)) testbench/run_tests.sh $(FUZZ:%='testbench/fuzz/run.sh % $(FUZZ_LONG)')
fuzz-corpus: fuzz-targets ## fuzz all readers for FUZZ_HOURS (24) in all; keeps and packs what reaches more
	$(Q)testbench/fuzz/corpus.sh $(FUZZ_HOURS)

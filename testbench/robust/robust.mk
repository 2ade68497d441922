# SPDX-License-Identifier: Apache-2.0
# The C side under address, memory and thread checkers, and without memory; and what tests of it need besides.

# Where memory runs out, the calls of the code under test that allocate go through test/fail_alloc.c.
ALLOCATORS := malloc calloc realloc strdup strndup fopen fdopen fmemopen
uses_test_out_of_memory := fake_sim.c kernel.c cubin_builder.c
link_test_out_of_memory := $(ALLOCATORS:%=-Wl,--wrap=%)

# Preloaded into a tool, makes an allocation fail, of its libraries, too.
FAIL_PRELOAD := build/testbench/robust/fail_alloc_preload.so
$(FAIL_PRELOAD): testbench/robust/fail_alloc_preload.c
	$(call step,LD,$(CC) $(CFLAGS) -shared -o $@ $<)

# The campaign's test takes the simulation that lockstep's tests have, tests of tools a shared object of it.
uses_test_campaign := fake_sim.c
FAKE_SIM := build/checker/test/libfake.so
$(FAKE_SIM): build/checker/test/fake_sim.o $(LIB)
	$(call step,LD,$(CC) -shared -o $@ $^ $(LDLIBS) -Xlinker --defsym=warpstep_sim=fake_sim_api)
CROOKED_SIM := build/checker/test/libcrooked.so
$(CROOKED_SIM): build/checker/test/crooked.o $(LIB)
	$(call step,LD,$(CC) -shared -o $@ $^ $(LDLIBS) -Xlinker --defsym=warpstep_sim=crooked_sim_api)
TEST_NEEDS += $(CROOKED_SIM) $(FAKE_SIM) $(FAIL_PRELOAD) build/sim/libsim-ghdl.so

$(call programs,tsan,testbench/robust/threads,testbench/robust/threads.c $(call helper,fake_sim.c),-lpthread)

.PHONY: robust
robust: $(TOOLS) $(TESTS) $(TOOLS:build/%=build/asan/%) build/tsan/testbench/robust/threads
robust: build/testbench/fuzz/make_cubins build/sim/libsim-verilator-C8-S1.so
robust: ## the C side under sanitizers and valgrind (to install), short of memory
	$(Q)SUITE_SECONDS=7200 $(call run_suites,$@)

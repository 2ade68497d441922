# SPDX-License-Identifier: Apache-2.0
# Kernels that other programs launch. The library has the engines, runtime/engine*.c.

# ---------------------------------------------------------------------------------------------------------- OpenCL
# The client driver has the library in it, and shows what loaders ask for alone.
OPENCL_SRC := $(filter-out runtime/engine%,$(wildcard runtime/*.c))
OPENCL_SO  := build/libwarpstep-opencl.so
OPENCL_ICD := build/opencl/warpstep.icd
OPENCL_LINE = export OCL_ICD_VENDORS=$(abspath $(dir $(OPENCL_ICD)))
$(OPENCL_SO): $(OPENCL_SRC:%.c=build/%.o) $(LIB) share/opencl.map
	$(call step,LD,$(CC) -shared -Xlinker -soname=$(@F) -Xlinker --version-script=share/opencl.map -o $@ \
		$(filter %.o,$^) $(LIB) $(LDLIBS) -lpthread)
$(OPENCL_ICD): $(OPENCL_SO)
	$(call step,ICD,echo $(abspath $<) > $@)

.PHONY: opencl
opencl: $(OPENCL_ICD) ## OpenCL: the driver, and the line that makes programs find it
	@echo '$(OPENCL_LINE)'

# Tests have the driver in them, so that sanitizers see it.
OPENCL_TESTS := $(notdir $(basename $(wildcard runtime/test/test_cl_*.c)))
$(foreach t,$(OPENCL_TESTS),$(eval also_$t := $(OPENCL_SRC) runtime/test/opencl/fixture.c))
$(foreach t,$(OPENCL_TESTS),$(eval link_$t := -lpthread))
build/runtime/test/test_opencl_loader: | $(OPENCL_ICD)
also_test_allocator := runtime/allocator.c
uses_test_cl_out_of_memory := fail_alloc.c
link_test_cl_out_of_memory += $(ALLOCATORS:%=-Wl,--wrap=%)

# A fake board, in a process of its own.
FAKE_BOARD := conversation.c fake_board.c fake_bus.c fake_datagrams.c fake_hash.c fake_machine.c fake_sdram.c port.c
uses_test_engine := $(FAKE_BOARD) scratch.c terminal.c
link_test_engine := -lpthread
uses_test_engine_memory := fail_alloc.c fake_sim.c
link_test_engine_memory := $(ALLOCATORS:%=-Wl,--wrap=%)
$(call programs,tsan,runtime/test/test_cl_threads,runtime/test/test_cl_threads.c $(also_test_cl_threads),-lcmocka -lpthread)
robust: build/tsan/runtime/test/test_cl_threads

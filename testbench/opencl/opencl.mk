# SPDX-License-Identifier: Apache-2.0
# Programs of kernels/opencl, where OpenCL's headers and library are there.

CL_SRC      := $(filter-out kernels/opencl/host.c,$(wildcard kernels/opencl/*.c))
CL_PROGRAMS := $(CL_SRC:%.c=build/%)
has_opencl  := $(shell echo 'int main(void) { return 0; }' | $(CC) -include CL/cl.h -DCL_TARGET_OPENCL_VERSION=120 \
	-x c - -lOpenCL -o /dev/null 2> /dev/null && echo yes)
$(CL_PROGRAMS): %: %.o build/kernels/opencl/host.o
	$(call step,LD,$(CC) -o $@ $^ -lOpenCL -lm)
needs_opencl = $(OPENCL_ICD) build/golden/host/near $(if $(has_opencl),$(CL_PROGRAMS))

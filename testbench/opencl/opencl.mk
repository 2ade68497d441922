# SPDX-License-Identifier: Apache-2.0
# Programs of kernels/opencl, where OpenCL's library is there. That is asked when they are linked: `make test` may have
# installed it since make read this.

CL_SRC      := $(filter-out kernels/opencl/host.c,$(wildcard kernels/opencl/*.c))
CL_PROGRAMS := $(CL_SRC:%.c=build/%)
$(CL_PROGRAMS): %: %.o build/kernels/opencl/host.o
	$(call step,LD,if echo 'int main(void) { return 0; }' | $(CC) -x c - -lOpenCL -o /dev/null 2> /dev/null; then \
		$(CC) -o $@ $^ -lOpenCL -lm; else echo 'without libOpenCL: $@ is left out'; fi)
opencl: $(CL_PROGRAMS)
needs_opencl = $(OPENCL_ICD) build/golden/host/near $(CL_PROGRAMS)

# SPDX-License-Identifier: Apache-2.0
# OpenCL: the client driver has the library in it, and shows what loaders ask for alone.
OPENCL_SO  := build/libwarpstep-opencl.so
OPENCL_ICD := build/opencl/warpstep.icd
OPENCL_LINE = export OCL_ICD_VENDORS=$(abspath $(dir $(OPENCL_ICD)))
$(OPENCL_SO): $(patsubst %.c,build/%.o,$(filter-out runtime/engine%,$(wildcard runtime/*.c))) $(LIB) share/opencl.map
	$(call link_so,$(@F) -Xlinker --version-script=share/opencl.map)
$(OPENCL_ICD): $(OPENCL_SO)
	$(call step,ICD,echo $(abspath $<) > $@)
build/runtime/test/test_opencl_loader: | $(OPENCL_ICD)
opencl: $(OPENCL_ICD) $(CL_PROGRAMS) #+ OpenCL: the driver, and the line that makes programs find it
	@echo '$(OPENCL_LINE)'

# SPDX-License-Identifier: Apache-2.0
# Machines in Verilator, from the Verilog that ghdl writes, as shared objects that warp-lockstep opens. Any can be made
# by its name: build/sim/libsim-verilator-C8-S4.so; -nofpu and -nosfu in it leave these units out, with -B8 global
# memory is behind a bus of 8 words, -W8 and -D8 are of sm_10x. Those with -coverage, -mutants, -stuck or
# -netlist behind it are for that.
CORES   := 8 16 32
CONFIGS := C32-S1 C8-S2 C16-S1 C8-S1
VERILOG := $(CONFIGS:%=build/verilog/gpu_flat-%.v)
VSIMS   := $(CONFIGS:%=build/sim/libsim-verilator-%.so)
# Machines of sm_10x, which `make all` does not build: products by all lanes and by half of them.
EXTENSION_SIMS := $(patsubst %,build/sim/libsim-verilator-C8-S1-%.so,W8-D8 W4-D1)
# The last one has 64 MB behind a bus: what the engine rtl:8 takes (runtime/engine.h).
SIMS    := $(VSIMS) build/sim/libsim-verilator-C8-S1-G67108864-B8.so build/sim/libsim-ghdl.so build/sim/ghdl/built
verilog: $(VERILOG) #+ the RTL as Verilog, one file a machine
benches: build/unit/analysed build/testbench/decode/decode_bench #+ VHDL benches, analysed; the bench of decode
sims: $(SIMS) #+ simulations of the RTL for warp-lockstep

# Machines as they are have modules with clocks of their own, tell what their stages hold, and write waves, where they
# match WAVES; .ci/run builds one that does (docs/evidence/gate.md). The names of records' fields are the VHDL's.
export WAVES ?= %
SHOWN        := checker/report/wave_view.def
kind_of       = $(or $(filter coverage mutants stuck netlist,$(subst -, ,$(1))),plain)
machine_of    = $(patsubst %-$(call kind_of,$(1)),%,$(1))
is_plain      = $(filter plain,$(call kind_of,$*))
has_waves     = $(if $(and $(is_plain),$(filter $(WAVES) verilated%,$*)),1,0)
other_waves   = $(if $(findstring VM_TRACE = $(has_waves),$(file < build/sim/$*/Vgpu_flat_classes.mk)),,force)
also_coverage := build/sim/runtime/verilated_cov.o
also_mutants  := build/mutants/pins.o build/sim/runtime/verilated_dpi.o
also_stuck    := $(also_mutants)
build/sim/%/gpu_flat.new: build/verilog/gpu_flat-$$(call machine_of,$$*).v $(RTL) $(BUS_SRC) $(NETLIST_TOOL) \
		$$(call lost_text,build/sim/$$*/gpu_flat)
	$(call step,RESHAPE,$(NETLIST_TOOL) $< $(if $(filter %-coverage,$*),hide:coverage,hide replicate choose gate edge \
		records:CORES=$(call cores_of,$*)$(comma)SMS=$(call sms_of,$*):$(subst $(space),$(comma),$(RTL) $(BUS_SRC)) \
		apart unplaced) > $@)
	$(keep_text)
build/sim/%/gpu_clocked.new: build/verilog/gpu_flat-$$(call machine_of,$$*).v $(SHOWN) $(NETLIST_TOOL) \
		$$(call lost_text,build/sim/$$*/gpu_clocked)
	$(call step,RESHAPE,$(NETLIST_TOOL) $< clocked:$(call top_of,$*)$(if $(is_plain),:$(SHOWN)) > $@)
	$(keep_text)
build/sim/%.v: build/sim/%.new ; +

# Beyond its default limit Verilator would join the 131 words of the retire port pairwise, copying all of them each
# time. Newer versions precompile their header, with flags that those of each file must be like, and for the compiler
# that Verilator was built with: here it is included as ever.
VERILATE  := verilator --cc -O3 -Wno-lint -Wno-fatal --x-assign unique --x-initial unique --noassert \
	--output-split 20000
VERILATE_MACHINE := --prefix Vgpu_flat --top-module gpu_clocked --expand-limit 1024 -Wno-ENUMVALUE -Wno-SYMRSVDWORD
waves_1   := --trace-fst --trace-structs --trace-max-width 0
VERILATOR_INC = $(eval VERILATOR_INC := $(shell verilator --getenv VERILATOR_ROOT)/include)$(VERILATOR_INC)
# clang's code is a fifth faster than gcc's, where -O1 is as fast as more. Machines that run little are compiled sooner.
# What writes waves is a third of the code; optimised, it would take half of the time to compile.
CLANG     = $(eval CLANG := $(shell testbench/toolchain/clang.sh clang++))$(CLANG)
SIM_OPT   = $(if $(CLANG),$(if $(filter $(CORES:%=C%-S1),$*),-O2,-O1),-O1)
SIM_MAKE  = $(MAKE) -s -C $(@D) CXX='$(or $(CLANG),$(CXX))' VK_PCH_I_FAST= VK_PCH_I_SLOW= RM='rm -f' OPT_SLOW=-O0 \
	OPT_FAST='$$(if $$(findstring __Trace__,$$@),-O0,$(SIM_OPT))' $(@F)
SIM_PLAIN = -std=c++17 -DVERILATOR=1 -DVM_COVERAGE=0 -DVM_SC=0 -faligned-new -fcf-protection=none \
	-isystem $(VERILATOR_INC) -isystem $(VERILATOR_INC)/vltstd
SIM_CXXFLAGS = $(SIM_PLAIN) -fPIC -fvisibility=hidden -include $(CURDIR)/sim/verilator/printf.h \
	-DVM_TRACE=$(has_waves) -DVM_TRACE_FST=$(has_waves) -DVM_TRACE_VCD=0 \
	$(if $(findstring cov,$*),-UVM_COVERAGE -DVM_COVERAGE=1)
CXX_STRICT := -O2 -Wall -Wextra -Wno-missing-field-initializers -Werror -MMD -MP
WAVE_NAMES := build/sim/verilator/names
# A memory of a million words is not filled with random values when a simulation is opened, which would take seconds.
build/sim/%/Vgpu_flat__ALL.a: build/sim/%/gpu_clocked.v build/sim/%/gpu_flat.v sim/verilator/names.c \
		sim/verilator/printf.h $$(other_waves) | $(WAVE_NAMES)
	$(call step,VERILATE,rm -f $(@D)/V*)
	$(Q)$(VERILATE) $(VERILATE_MACHINE) $(waves_$(has_waves)) $(if $(filter %-coverage,$*),--coverage-line \
		--coverage-toggle) --Mdir $(@D) $(filter %.v,$^) $(call quietly,$(@D)/log)
	$(Q)sed -i 's/__Vi0 < [0-9]\{7,\};/__Vi0 < 0;/' $(@D)/Vgpu_flat*__Slow.cpp
	$(if $(filter 1,$(has_waves)),$(Q)$(WAVE_NAMES) $$(ls -v $(@D)/Vgpu_flat__Trace__*__Slow.cpp))
	$(Q)+$(SIM_MAKE) -f Vgpu_flat.mk CPPFLAGS='$(SIM_CXXFLAGS) -w' $(call quietly,$(@D)/log)
build/sim/%/memory.inc: build/sim/%/Vgpu_flat__ALL.a sim/verilator/memory.awk
	$(Q)awk -f sim/verilator/memory.awk $(@D)/Vgpu_flat___024root.h > $@
build/sim/%/sim_verilator.o: sim/verilator/sim_verilator.cpp build/sim/%/Vgpu_flat__ALL.a build/sim/%/memory.inc
	$(call step,CXX,$(CXX) $(SIM_CXXFLAGS) $(CXX_STRICT) -isystem $(@D) -c $< -o $@ \
		-DWARPSTEP_MACHINE='"$(call machine_of,$*)"' -DWARPSTEP_HAS_BUS=$(if $(call part_of,B,$*),1,0) \
		-DWARPSTEP_SHOWN=$(if $(is_plain),1,0))
build/sim/runtime/%.o: sim/verilator/printf.h | $(FIRST)
	$(call step,CXX,$(CXX) $(SIM_CXXFLAGS) -O2 -w -c $(VERILATOR_INC)/$*.cpp -o $@)
build/sim/libsim-verilator-%.so: build/sim/%/sim_verilator.o build/sim/%/Vgpu_flat__ALL.a \
		$(addprefix build/sim/runtime/,verilated.o verilated_fst_c.o verilated_threads.o) \
		$(PINS_SRC:%.c=build/hidden/%.o) $$(also_$$(call kind_of,$$*))
	$(call step,LD,$(CXX) -shared -Xlinker -Bsymbolic -o $@ $^ -lz)

# Modules of logic alone: verilog_NAME, in Verilator, and the C++ around it, cxx_NAME. Their runtime prints as ever,
# that of machines through their driver.
LOGIC_RUNTIME := $(addprefix build/logic/runtime/,verilated.o verilated_threads.o)
logic = $(addprefix build/logic/$(1)/,cxx.o lib.a) $(LOGIC_RUNTIME)
build/logic/runtime/%.o: | $(FIRST)
	$(call step,CXX,$(CXX) $(SIM_PLAIN) -DVM_TRACE=0 -O1 -w -c $(VERILATOR_INC)/$*.cpp -o $@)
build/logic/%/lib.a: $$(verilog_$$*) sim/verilator/logic.sh | $(FIRST)
	$(call step,VERILATE,sim/verilator/logic.sh $(or $(module_$*),$(basename $(<F))) $< $@ \
		$(if $(filter build/%,$<),--x-assign unique --noassert))
build/logic/%/cxx.o: $$(cxx_$$*) build/logic/%/lib.a
	$(call step,CXX,$(CXX) $(SIM_CXXFLAGS) $(CXX_STRICT) -isystem $(@D) -c $< -o $@)

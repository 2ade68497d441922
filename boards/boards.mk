# SPDX-License-Identifier: Apache-2.0
# Bitstreams for boards: see boards/README.md.

BOARD ?= ulx3s
BOARDS := $(shell sed -n 's/^\([a-z][a-z0-9-]*\)\t.*/\1/p' boards/boards.tsv)
board_field = $(shell awk -F '\t' '$$1 == "$(1)" { print $$$(2) }' boards/boards.tsv)
BOARD_DIR  := build/fpga/$(BOARD)
BOARD_SEED ?= 1
BOARD_RTL  := $(RTL) $(addprefix boards/,board_pkg.vhd transfer_sum.vhd gpu_board.vhd)

$(call programs,plain,boards/write_identity,boards/write_identity.c)
yowasp = PYTHONPATH=build/fpga build/fpga/bin/yowasp-$(1)

# The identity's memory is made with random contents, by which ecpbram finds it in what was routed.
build/fpga/unidentified.hex: $(FPGA)
	$(call step,ECPBRAM,$(call yowasp,ecpbram) -g $@ -w 32 -d 512 -s 1 $(call quietly,$@.log))
build/fpga/%/machine.v: $(BOARD_RTL) rtl/files.f boards/boards.tsv $(VERILOG_PARTS)
	$(call synth,gpu_board,$(BOARD_RTL),--no-formal $(patsubst %,-g%,$(call board_field,$*,5) $(call board_field,$*,6)))
build/fpga/%/device: boards/target.py boards/boards.tsv build/fpga/unidentified.hex
	$(call step,LITEX,PYTHONPATH=build/fpga python3 $< $* build/fpga/unidentified.hex $(@D) $(call quietly,$@.log))
build/fpga/%/board.netlist.json: build/fpga/%/machine.v build/fpga/%/device $(filter testbench/%,$(TIMING_PARTS)) \
		| $(TIMING_TOOLS)
	$(call step,YOSYS,testbench/timing/synth.sh $< $* $(@:.netlist.json=) $(@D)/$*.v gpu_board)
build/fpga/%/routed.config: build/fpga/%/board.netlist.json boards/boards.tsv
	$(call step,NEXTPNR,$(call yowasp,nextpnr-ecp5) $$(cat $(@D)/device) --json $< --lpf $(@D)/$*.lpf --textcfg $@ \
		--report $(@D)/nextpnr.json --seed $(BOARD_SEED) --timing-allow-fail $(call quietly,$(@D)/nextpnr.log))

.PHONY: fpga
fpga: build/fpga/$(BOARD)/routed.config build/boards/write_identity ## bitstream for BOARD, build/fpga/BOARD/BOARD.bit
	$(Q)boards/finish.sh $(BOARD) $(call board_field,$(BOARD),3) $(call board_field,$(BOARD),5)
ifeq ($(filter $(BOARD),$(BOARDS)),)
fpga: $(error boards/boards.tsv has no board '$(BOARD)': it has $(BOARDS))
endif

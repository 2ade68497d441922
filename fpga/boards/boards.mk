# SPDX-License-Identifier: Apache-2.0
# Bitstreams for boards: see fpga/boards/README.md.
BOARD      ?= ulx3s
BOARD_SEED ?= 1
BOARDS := $(filter-out sim faulty,$(shell sed -n 's/^\([a-z][a-z0-9_]*\)\t.*/\1/p' fpga/boards/boards.tsv))
board_field = $(shell awk -F '\t' '$$1 == "$(1)" { print $$$(2) }' fpga/boards/boards.tsv)
# The identity's memory is made with random contents, by which ecpbram finds it in what was routed.
build/fpga/unidentified.hex: $(FPGA)
	$(call step,ECPBRAM,PYTHONPATH=build/fpga build/fpga/bin/yowasp-ecpbram -g $@ -w 32 -d 512 -s 1 $(call quietly,$@.log))
# HAS_HASH is the board's own generic, all others are the machine's, which has no unit that is not asked for.
top_board  := gpu_board
fields     = $(call board_field,$(1:board-%=%),5) $(call board_field,$(1:board-%=%),6)
with_board = -gMACHINE=$$($(GEN) machine HAS_ATOMICS=false HAS_FPU=false HAS_SFU=false \
	$(filter-out HAS_HASH=%,$(fields))) $(patsubst %,-g%,$(filter HAS_HASH=%,$(fields)))
$(patsubst %,build/verilog/board-%.new,$(BOARDS) sim faulty): fpga/boards/boards.tsv $(GEN)
build/fpga/%/device: fpga/boards/target.py fpga/boards/ethernet.py fpga/boards/boards.tsv build/fpga/unidentified.hex
	$(call step,LITEX,PYTHONPATH=build/fpga python3 $< $* build/fpga/unidentified.hex $(@D) \
		$(call quietly,$@.log) && touch $@)
build/fpga/%/board.netlist.json: build/verilog/board-%.v build/fpga/%/device $(TIMING_PARTS)
	$(call step,YOSYS,fpga/timing/synth.sh $< $* $(@:.netlist.json=) $(@D)/$*.v gpu_board)
build/fpga/%/seed: $$(call forced,build/fpga/$$*/seed,$$(BOARD_SEED))
	$(call holds,$(BOARD_SEED))
build/fpga/%/routed.config: build/fpga/%/board.netlist.json build/fpga/%/seed $(PLACE)
	$(call step,NEXTPNR,fpga/timing/place.sh $< $(call board_field,$*,3) $(BOARD_SEED) $(TIMING_MINUTES) \
		$(@:.config=) $$(cat $(@D)/device) --lpf $(@D)/$*.lpf && \
		{ [ -f $@ ] || ! echo '$@: not routed within $(TIMING_MINUTES) minutes' >&2; })
fpga: $(if $(filter $(BOARD),$(BOARDS)),,$$(error fpga/boards/boards.tsv has no board '$(BOARD)': it has $(BOARDS)))
fpga: build/fpga/$(BOARD)/routed.config build/fpga/boards/write_identity #+ build/fpga/BOARD/BOARD.bit
	$(Q)fpga/boards/finish.sh $(BOARD) $(call board_field,$(BOARD),3) '$(call board_field,$(BOARD),5)' \
		'$(call board_field,$(BOARD),7)'
fpga-row: #+ what BOARD took and reached, into fpga/boards/routed.tsv; behind `make fpga`
	$(Q)python3 fpga/boards/row.py $(BOARD) '$(call board_field,$(BOARD),6)' build/fpga/$(BOARD)/report.json

# The simulated board: `sim`, and `faulty`, with stuck bits in it: all in one netlist, of which WARPSTEP_MUTANT says
# which one acts. They are those of `make selftest-coverage`, whose netlist of the machine alone is for lockstep, which
# must find the same.
build/fpga/sim/netlist.v: build/verilog/board-sim.v $(NETLIST_TOOL)
	$(call step,RESHAPE,$(NETLIST_TOOL) $< unknown replicate choose > $@)
build/fpga/faulty/gpu_flat.v: build/verilog/board-faulty.v $(NETLIST_TOOL)
	$(call step,RESHAPE,$(NETLIST_TOOL) $< unknown > $@)
build/fpga/faulty/netlist.v: build/fpga/faulty/gpu_flat.v $(M)/selftest/netlist.v
	$(call step,MUTATE,testbench/mutants/netlist.sh $(@D) like $(M)/selftest stuck)
build/fpga/%/verilated/Vsim__ALL.a: build/fpga/%/netlist.v build/fpga/%/device
	$(call step,VERILATE,rm -f $(@D)/V*)
	$(Q)$(VERILATE) --prefix Vsim --top-module $* --Mdir $(@D) build/fpga/$*/$*.v $< $(call quietly,$(@D)/log)
	$(Q)+$(SIM_MAKE) -f Vsim.mk CPPFLAGS='$(SIM_PLAIN) -DVM_TRACE=0 -w' $(call quietly,$(@D)/log)
build/fpga/faulty/board_sim: $(M)/pins.o build/logic/runtime/verilated_dpi.o
build/fpga/%/board_sim: fpga/boards/sim/board_sim.cpp build/fpga/%/verilated/Vsim__ALL.a $(LOGIC_RUNTIME)
	$(call step,CXX,$(CXX) $(SIM_PLAIN) -DVM_TRACE=0 $(CXX_STRICT) -isystem $(@D)/verilated $^ -o $@)
board_needs := build/fpga/boards/write_identity build/bin/warp-load
board-sim: build/fpga/sim/board_sim $(board_needs) #+ a board in Verilator; prints its port
	$(Q)fpga/boards/sim/run.sh
board-faults: build/fpga/faulty/board_sim $(M)/selftest/libsim-mutants.so $(board_needs) build/bin/warp-lockstep
board-faults: #+ stuck bits on the simulated board, which --check must find
	$(Q)fpga/boards/sim/faults.sh build/fpga/faulty $(M)/selftest

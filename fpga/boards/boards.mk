# SPDX-License-Identifier: Apache-2.0
# Bitstreams for boards: see fpga/boards/README.md.

BOARD ?= ulx3s
BOARDS := $(filter-out sim faulty,$(shell sed -n 's/^\([a-z][a-z0-9_]*\)\t.*/\1/p' fpga/boards/boards.tsv))
board_field = $(shell awk -F '\t' '$$1 == "$(1)" { print $$$(2) }' fpga/boards/boards.tsv)
BOARD_SEED ?= 1
BOARD_RTL  := $(RTL) $(BOARD_VHDL)

PROGRAMS   += fpga/boards/write_identity
yowasp = PYTHONPATH=build/fpga build/fpga/bin/yowasp-$(1)

# The identity's memory is made with random contents, by which ecpbram finds it in what was routed.
build/fpga/unidentified.hex: $(FPGA)
	$(call step,ECPBRAM,$(call yowasp,ecpbram) -g $@ -w 32 -d 512 -s 1 $(call quietly,$@.log))
# Of the board whose machine.v is made. HAS_HASH is the board's own, all others are the machine's, which has no unit
# that is not asked for.
board_generics = $(call board_field,$*,5) $(call board_field,$*,6)
board_machine  = $$($(GEN) machine HAS_ATOMICS=false HAS_FPU=false HAS_SFU=false \
	$(filter-out HAS_HASH=%,$(board_generics)))
build/fpga/%/machine.v: $(BOARD_RTL) rtl/files.f fpga/boards/boards.tsv $(VERILOG_PARTS) $(GEN)
	$(call synth,gpu_board,$(BOARD_RTL),--no-formal -gMACHINE=$(board_machine) \
		$(patsubst %,-g%,$(filter HAS_HASH=%,$(board_generics))))
build/fpga/%/device: fpga/boards/target.py fpga/boards/ethernet.py fpga/boards/boards.tsv build/fpga/unidentified.hex
	$(call step,LITEX,PYTHONPATH=build/fpga python3 $< $* build/fpga/unidentified.hex $(@D) \
		$(call quietly,$@.log) && touch $@)
build/fpga/%/board.netlist.json: build/fpga/%/machine.v build/fpga/%/device $(filter fpga/%,$(TIMING_PARTS)) \
		| $(TIMING_TOOLS)
	$(call step,YOSYS,fpga/timing/synth.sh $< $* $(@:.netlist.json=) $(@D)/$*.v gpu_board)
# Changes only when another seed is asked for.
build/fpga/%/seed: $$(call forced,build/fpga/$$*/seed,$$(BOARD_SEED))
	$(call holds,$(BOARD_SEED))
build/fpga/%/routed.config: build/fpga/%/board.netlist.json build/fpga/%/seed $(PLACE)
	$(call step,NEXTPNR,fpga/timing/place.sh $< $(call board_field,$*,3) $(BOARD_SEED) $(TIMING_MINUTES) \
		$(@:.config=) $$(cat $(@D)/device) --lpf $(@D)/$*.lpf && \
		{ [ -f $@ ] || ! echo '$@: not routed within $(TIMING_MINUTES) minutes' >&2; })

.PHONY: fpga
fpga: build/fpga/$(BOARD)/routed.config build/fpga/boards/write_identity
fpga: #+ bitstream for BOARD, build/fpga/BOARD/BOARD.bit
	$(Q)fpga/boards/finish.sh $(BOARD) $(call board_field,$(BOARD),3) '$(call board_field,$(BOARD),5)' \
		'$(call board_field,$(BOARD),7)'
.PHONY: fpga-row
fpga-row: #+ what BOARD took and reached, into fpga/boards/routed.tsv; behind `make fpga`
	$(Q)python3 fpga/boards/row.py $(BOARD) '$(call board_field,$(BOARD),6)' < build/fpga/$(BOARD)/report.json \
		> build/fpga/$(BOARD)/row.tsv
	$(Q)grep -v '^$(BOARD)	' fpga/boards/routed.tsv > build/fpga/$(BOARD)/routed.tsv
	$(Q)cat build/fpga/$(BOARD)/routed.tsv build/fpga/$(BOARD)/row.tsv > fpga/boards/routed.tsv
ifeq ($(filter $(BOARD),$(BOARDS)),)
fpga: $(error fpga/boards/boards.tsv has no board '$(BOARD)': it has $(BOARDS))
endif

# ------------------------------------------------------------------------------------------------- the simulated board

BOARD_SIM := build/fpga/sim/board_sim
build/fpga/sim/reshaped.v: build/fpga/sim/machine.v $(NETLIST_TOOL)
	$(call step,RESHAPE,$(NETLIST_TOOL) $< unknown replicate choose > $@)
define verilate_board # BOARD, NETLIST
	$(call step,VERILATE,mkdir -p $(@D) && rm -f $(@D)/V*)
	$(Q)verilator --cc --prefix Vsim --top-module $(1) -O3 -Wno-lint -Wno-fatal --x-assign unique --x-initial unique \
		--noassert --output-split 20000 --Mdir $(@D) build/fpga/$(1)/$(1).v $(2) $(call quietly,$(@D)/log)
	$(Q)+$(MAKE) -s -C $(@D) -f Vsim.mk CPPFLAGS='$(BOARD_SIM_FLAGS) -w' RM='rm -f' $(SIM_MAKE) \
		OPT_FAST=$(SIM_OPT) OPT_SLOW=-O0 $(@F) $(call quietly,$(@D)/log)
endef
build/fpga/sim/verilated/Vsim__ALL.a: build/fpga/sim/reshaped.v build/fpga/sim/device
	$(call verilate_board,sim,$<)
BOARD_SIM_FLAGS = -std=c++17 -DVERILATOR=1 -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -faligned-new \
	-fcf-protection=none -isystem $(VERILATOR_INC) \
	-isystem $(VERILATOR_INC)/vltstd
link_board = $(call step,CXX,$(CXX) $(BOARD_SIM_FLAGS) -O2 -Wall -Wextra -Werror -isystem $(@D)/verilated $^ \
	$(addprefix $(VERILATOR_INC)/,verilated.cpp verilated_threads.cpp $(1)) -w -lpthread -o $@)
$(BOARD_SIM): fpga/boards/sim/board_sim.cpp build/fpga/sim/verilated/Vsim__ALL.a
	$(call link_board)

.PHONY: board-sim
board-sim: $(BOARD_SIM) build/fpga/boards/write_identity build/bin/warp-load #+ a board in Verilator; prints its port
	$(Q)fpga/boards/sim/run.sh

# ------------------------------------------------------------------------------------------ with stuck bits in it
# All in one netlist, of which WARPSTEP_MUTANT says which one acts: those of `make selftest-coverage`, whose netlist of
# the machine alone is for lockstep, which must find the same.

FAULTY := build/fpga/faulty
$(FAULTY)/gpu_flat.v: $(FAULTY)/machine.v $(NETLIST_TOOL)
	$(call step,RESHAPE,$(NETLIST_TOOL) $< unknown > $@)
$(FAULTY)/netlist.v: $(FAULTY)/gpu_flat.v $(SELFTEST_DIR)/netlist.v
	$(call step,MUTATE,testbench/mutants/netlist.sh $(@D) like $(SELFTEST_DIR) stuck)
$(FAULTY)/verilated/Vsim__ALL.a: $(FAULTY)/netlist.v $(FAULTY)/device
	$(call verilate_board,faulty,$<)
$(FAULTY)/board_sim: fpga/boards/sim/board_sim.cpp $(FAULTY)/verilated/Vsim__ALL.a $(MUTANTS_DIR)/pins.o
	$(call link_board,verilated_dpi.cpp)

.PHONY: board-faults
board-faults: $(FAULTY)/board_sim $(SELFTEST_DIR)/libsim-mutants.so build/fpga/boards/write_identity
board-faults: build/bin/warp-load build/bin/warp-lockstep #+ stuck bits on the simulated board, which --check must find
	$(Q)fpga/boards/sim/faults.sh $(FAULTY) $(SELFTEST_DIR)

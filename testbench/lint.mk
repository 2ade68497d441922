# SPDX-License-Identifier: Apache-2.0
# Linters, and the gates of the RTL.
# Every file of the source: those that git tracks, or outside a checkout all but build/.
ALL_FILES := $(wildcard $(shell git ls-files --error-unmatch Makefile > /dev/null 2>&1 && git ls-files || \
	find . -path ./build -prune -o -type f -printf '%P\n'))
FORMATTED := $(filter %.c %.h %.cpp,$(ALL_FILES))
TEXTS     := $(FORMATTED) $(filter web/page.% %.py %.def %.vhd %.sv %.v %.sass %.sh %.awk %.mk %.md rtl/files.f \
	.gitignore .ci/% Makefile,$(ALL_FILES))
LINT_C    := $(filter %.c,$(FORMATTED))
lint: lint-format lint-text lint-rtl lint-cppcheck lint-layers lint-headers lint-tidy check-generated
lint: ## linters and RTL gates
lint-format:
	$(call say,FORMAT)
	$(Q)testbench/check_format.sh $(FORMATTED)
# The patch that adds an instruction still applies. A checkout around a copy of the tree is none of git's business.
lint-text: $(VHDL_TOOL)
	$(call say,TEXT)
	$(Q)testbench/check_text.sh $(TEXTS) && testbench/check_pages.sh && testbench/check_ports.sh $(RTL)
	$(Q)GIT_CEILING_DIRECTORIES=$(abspath ..) git apply --check -C1 testbench/add-an-instruction/popc.patch
lint-layers: $(LIB_SRC:%.c=build/%.o)
	$(call say,LAYERS)
	$(Q)testbench/check_layers.sh $^
lint-cppcheck:
	$(call say,CPPCHECK)
	$(Q)mkdir -p build/lint/cppcheck && cppcheck --quiet --std=c11 --enable=warning,performance,portability \
		--inline-suppr --error-exitcode=1 --suppress=missingIncludeSystem --suppress=unknownMacro -j $(shell nproc) \
		--cppcheck-build-dir=build/lint/cppcheck -I. $(LINT_C)
# Each header compiles alone; so does each source file, under clang-tidy. One stamp a file, so that only what changed
# is checked. clang's analyser does not know that a failed assertion of cmocka ends the test; elsewhere it follows at
# most TIDY_STATES states of a function, 225,000 in nightly. Headers and routines of devices are for other languages.
DEVICE_H    := $(wildcard compiler/support/*_functions.h kernels/c/*.h kernels/opencl/*.h) \
	checker/random/c/host/opencl.h testbench/compiler/csmith/csmith.h testbench/compiler/programs/program.h
lint-headers: $(patsubst %,build/lint/%.ok,$(filter-out $(DEVICE_H),$(filter %.h,$(FORMATTED))))
TIDY_STATES ?= 5000
lint-tidy: $(LINT_C:%=build/lint/$(TIDY_STATES)/%.ok)
TIDY_TESTS  := --checks=-clang-analyzer-*
TIDY_DEVICE := --checks=-bugprone-reserved-identifier --extra-arg=--target=nvptx
TIDY_CODE   := $(addprefix --extra-arg=,-Xclang -analyzer-config -Xclang max-nodes=$(TIDY_STATES))
build/lint/%.h.ok: %.h $(LIB_HDR)
	$(call step,HEADER,$(CC) $(filter-out -g -O2,$(CFLAGS)) -I. -fsyntax-only -include $< -x c - \
		<<< 'extern int alone;' && touch $@)
build/lint/$(TIDY_STATES)/%.c.ok: %.c .clang-tidy $(LIB_HDR)
	$(call step,TIDY,clang-tidy --quiet $(if $(findstring /test/,$<),$(TIDY_TESTS),$(TIDY_CODE)) \
		$(if $(filter compiler/support/%,$<),$(TIDY_DEVICE)) $< -- \
		$(filter-out -Werror -fno-semantic-interposition,$(CFLAGS)) -I. $(call quietly,$@.log))
	$(Q)touch $@
# The gates of the RTL (docs/evidence/toolchain.md): strict analysis; no reachable "others" in what synthesis makes of
# it, as its Verilog would lose them; no entity of atomics without HAS_ATOMICS; Verilator's warnings, but those
# that come of how ghdl writes; no latch and no loop in what yosys makes of the Verilog for an FPGA. Here one SM of 8
# cores, and two SMs behind a bus; the other machines in nightly.
VERILATOR_WAIVED := DECLFILENAME UNUSEDSIGNAL COMBDLY INITIALDLY PINCONNECTEMPTY
rtl_gates = $(addprefix build/lint/rtl/,$(1))
BUS_PINS := bare-C8-S2-B2
lint-rtl: $(call rtl_gates,analysed without-atomics others-C8-S1.vhd others-C8-S2-B2.vhd verilator-gpu_flat-C8-S1 \
	verilator-$(BUS_PINS) netlist-gpu_area-$(call area_machine,8))
lint-nightly: $(call rtl_gates,netlist-$(BUS_PINS) $(CORES:%=others-C%-S1.vhd) $(CORES:%=verilator-gpu_flat-C%-S1) \
	$(foreach a,$(CORES) 8-2sms,netlist-gpu_area-$(call area_machine,$a)))
	$(Q)$(MAKE) -s lint-tidy TIDY_STATES=225000
build/lint/rtl/analysed: $(RTL) rtl/files.f
	$(call step,GHDL,$(call ghdl_analyse) -Werror -Wunused -Wothers -Wbinding -Wport $(RTL) && touch $@)
build/lint/rtl/others-%.vhd: build/lint/rtl/analysed $(VHDL_TOOL)
	$(call step,OTHERS,$(GHDL) --synth --std=08 --workdir=$(@D) --no-assert-cover --out=raw-vhdl -gMACHINE=$* gpu_flat \
		> $@ 2> $@.log || { cat $@.log; exit 1; })
	$(Q)$(VHDL_TOOL) others $@
build/lint/rtl/without-atomics: build/verilog/bare-C8-S1-noatomics.v
	$(call step,TEXT,! grep '^module .*atomic' $< && touch $@)
build/lint/rtl/verilator-%: build/verilog/%.v
	$(call step,VERILATOR,verilator --lint-only -Wall $(VERILATOR_WAIVED:%=-Wno-%) --top-module gpu_flat $< && touch $@)
build/lint/rtl/netlist-%: build/verilog/%.v testbench/toolchain/netlist.sh
	$(call step,NETLIST,testbench/toolchain/netlist.sh $< $(call synth_top,$*) && touch $@)

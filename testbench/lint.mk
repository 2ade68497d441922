# SPDX-License-Identifier: Apache-2.0
# Linters, and the gates of the RTL.

# Every file of the source: what git tracks, or outside a checkout whatever is there but build/.
ALL_FILES := $(wildcard $(shell git ls-files --error-unmatch Makefile > /dev/null 2>&1 && git ls-files || \
	find . -path ./build -prune -o -type f -printf '%P\n'))
FORMATTED := $(filter %.c %.h %.cpp,$(ALL_FILES))
TEXTS     := $(FORMATTED) $(filter web/page.% %.py %.def %.vhd %.sass %.sh %.awk %.mk %.md rtl/files.f .gitignore \
	.ci/% Makefile,$(ALL_FILES))
LINT_C    := $(filter %.c,$(FORMATTED))

.PHONY: lint-rtl lint-format lint-text lint-layers lint-headers lint-cppcheck lint-tidy
lint: lint-format lint-text lint-layers lint-headers lint-cppcheck lint-tidy lint-rtl check-generated
lint: ## linters and RTL gates

# Braces around one arm of an if alone: clang-format takes away needless ones, but adds none.
UNEVEN := \} else$$|\} else [^{]*;$$|^ *else\b.*\{$$
# The layout is that of clang-format 14. Later versions lay some lines out otherwise: with these it is not checked.
lint-format:
	$(call say,FORMAT)
	$(Q)clang-format --version | grep -q 'version 14\.' || \
		{ echo 'lint-format: the layout is that of clang-format 14, which is not here: not checked'; exit; }; \
		clang-format --dry-run -Werror $(or $(FORMATTED),no-sources)
	$(Q)! grep -nE '$(UNEVEN)' $(or $(FORMATTED),no-sources)
format: ## lay out all C and C++
	$(Q)clang-format -i $(FORMATTED)

# No entity has many ports, as what goes from one to another belongs into a record; those of gpu_flat are the pins of
# other tools. The patch that adds an instruction still applies; testbench/add-an-instruction/run.sh tries
# what it adds. A checkout around a copy of the tree is none of git's business.
lint-text: $(VHDL_TOOL)
	$(call say,TEXT)
	$(Q)testbench/check_text.sh $(or $(TEXTS),no-sources) && testbench/check_pages.sh
	$(Q)set -o pipefail; $(VHDL_TOOL) ports $(RTL) | cut -f 1,2 | uniq -c | awk '$$1 > 20 && $$3 != "gpu_flat" { \
		print $$2 ": " $$3 " has " $$1 " ports, more than 20"; many = 1 } END { exit many }'
	$(Q)GIT_CEILING_DIRECTORIES=$(abspath ..) git apply --check -C1 testbench/add-an-instruction/popc.patch

# Folders use each other one way; no objects of assembler/ or cmodel/ call in a circle.
lint-layers: $(LIB_SRC:%.c=build/%.o)
	$(call say,LAYERS)
	$(Q)testbench/check_layers.sh $^

lint-cppcheck:
	$(call say,CPPCHECK)
	$(Q)cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
		--suppress=missingIncludeSystem --suppress=unknownMacro -I. $(LINT_C)

# Each header compiles alone; so does each source file, under clang-tidy. One stamp a file, so that only what changed
# is checked. clang's analyser does not know that a failed assertion of cmocka ends the test; elsewhere it follows at
# most TIDY_STATES states of a function: four times as many take 2.6 times as long. clang's own limit is 225,000.
# Headers of OpenCL C, CUDA C and C++ are for those, which read them in suites.
DEVICE_H    := $(wildcard compiler/support/*_functions.h) checker/random/c/host/opencl.h \
	testbench/compiler/csmith/csmith.h testbench/compiler/programs/program.h
lint-headers: $(patsubst %,build/lint/%.ok,$(filter-out $(DEVICE_H),$(filter %.h,$(FORMATTED))))
lint-tidy: $(LINT_C:%=build/lint/%.ok)
TIDY_TESTS  := --checks=-clang-analyzer-*
# Routines that compiled code calls have names that no program may have.
TIDY_DEVICE := --checks=-bugprone-reserved-identifier --extra-arg=--target=nvptx
TIDY_STATES ?= 15000
TIDY_CODE   := $(addprefix --extra-arg=,-Xclang -analyzer-config -Xclang max-nodes=$(TIDY_STATES))
build/lint/%.h.ok: %.h $(LIB_HDR)
	$(call step,HEADER,$(CC) $(filter-out -g -O2,$(CFLAGS)) -I. -fsyntax-only -include $< -x c - \
		<<< 'extern int alone;' && touch $@)
build/lint/%.c.ok: %.c .clang-tidy $(LIB_HDR)
	$(call step,TIDY,clang-tidy --quiet $(if $(findstring /test/,$<),$(TIDY_TESTS),$(TIDY_CODE)) \
		$(if $(filter compiler/support/%,$<),$(TIDY_DEVICE)) $< -- \
		$(filter-out -Werror -fno-semantic-interposition,$(CFLAGS)) -I. $(call quietly,$@.log))
	$(Q)touch $@

# The gates of the RTL, see docs/toolchain.md: strict analysis; no reachable "others" in what synthesis makes of it (its
# Verilog would lose them); no entity of atomics without HAS_ATOMICS; Verilator's warnings, but those that come of how
# ghdl writes; no latch and no loop in what yosys makes of the Verilog for an FPGA.
VERILATOR_WAIVED := DECLFILENAME UNUSEDSIGNAL COMBDLY INITIALDLY PINCONNECTEMPTY
lint-rtl: $(addprefix build/lint/rtl/,analysed without-atomics.v $(CORES:%=others-C%.vhd) $(CORES:%=verilator-C%) \
	$(addprefix netlist-,$(CORES) 8-2sms B2) others-B2.vhd verilator-B2)
build/lint/rtl/analysed: $(RTL) rtl/files.f
	$(call step,GHDL,$(call ghdl_analyse) -Werror -Wunused -Wothers -Wbinding -Wport $(RTL) && touch $@)
define others # GENERICS
	$(call step,OTHERS,$(GHDL) --synth --std=08 --workdir=$(@D) --no-assert-cover --out=raw-vhdl $(1) gpu_flat \
		> $@ 2> $@.log || { cat $@.log; exit 1; })
	$(Q)$(VHDL_TOOL) others $@
endef
build/lint/rtl/others-C%.vhd: build/lint/rtl/analysed $(VHDL_TOOL)
	$(call others,-gCORES=$*)
build/lint/rtl/others-B%.vhd: build/lint/rtl/analysed $(VHDL_TOOL)
	$(call others,$(call on_bus,$*))
# Two SMs whose global memory is behind a bus.
on_bus = -gSMS=2 -gBUS_WORDS=$(1)
build/lint/rtl/bus-%.v: build/lint/rtl/analysed $(VERILOG_PARTS)
	$(call synth,gpu_flat,$(RTL),--no-formal $(call on_bus,$*))
build/lint/rtl/verilator-B%: build/lint/rtl/bus-%.v
	$(call step,VERILATOR,verilator --lint-only -Wall $(VERILATOR_WAIVED:%=-Wno-%) --top-module gpu_flat $< && touch $@)
build/lint/rtl/netlist-B%: build/lint/rtl/bus-%.v testbench/toolchain/netlist.sh
	$(call step,NETLIST,testbench/toolchain/netlist.sh $< gpu_flat && touch $@)
build/lint/rtl/without-atomics.v: build/lint/rtl/analysed $(VERILOG_PARTS)
	$(call synth,gpu_flat,$(RTL),-gHAS_ATOMICS=false)
	$(Q)! grep '^module .*atomic' $@
build/lint/rtl/verilator-C%: build/verilog/gpu_flat-C%-S1.v
	$(call step,VERILATOR,verilator --lint-only -Wall $(VERILATOR_WAIVED:%=-Wno-%) --top-module gpu_flat $< && touch $@)
build/lint/rtl/netlist-%: build/area/%.v testbench/toolchain/netlist.sh
	$(call step,NETLIST,testbench/toolchain/netlist.sh $< gpu_area && touch $@)

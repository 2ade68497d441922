# SPDX-License-Identifier: Apache-2.0
# Linters, and the gates of the RTL.

# Every file of the source: what git tracks, or outside a checkout whatever is there but build/.
ALL_FILES := $(wildcard $(shell git ls-files --error-unmatch Makefile > /dev/null 2>&1 && git ls-files || \
	find . -path ./build -prune -o -type f -printf '%P\n'))
FORMATTED := $(filter %.c %.h %.cpp,$(ALL_FILES))
LICENSED  := $(filter %.c %.h %.cpp %.def %.vhd %.sass %.sh %.mk rtl/files.f .gitignore .ci/% Makefile,$(ALL_FILES))
LINT_C    := $(filter %.c,$(FORMATTED))
LINT_HDR  := $(filter %.h,$(FORMATTED))

.PHONY: lint-rtl lint-format lint-text lint-layers lint-headers lint-cppcheck lint-tidy
lint: lint-format lint-text lint-layers lint-headers lint-cppcheck lint-tidy lint-rtl check-generated
lint: ## linters and RTL gates

# Braces around one arm of an if alone: clang-format takes away needless ones, but adds none.
UNEVEN := \} else$$|\} else [^{]*;$$|^ *else\b.*\{$$
lint-format:
	$(call say,FORMAT)
	$(Q)clang-format --dry-run -Werror $(or $(FORMATTED),no-sources)
	$(Q)! grep -nE '$(UNEVEN)' $(or $(FORMATTED),no-sources)

format: ## lay out all C and C++
	$(Q)clang-format -i $(FORMATTED)

# Every source says its licence and keeps to 120 columns (tables, and sources that announce messages, excepted); tests
# that the pages about verification and bugs name are there.
lint-text:
	$(call say,TEXT)
	$(Q)mkdir -p build/lint && awk 'FNR <= 3 && /SPDX-License-Identifier: Apache-2.0/ { ok[FILENAME] = 1 } \
			length > 120 && FILENAME !~ /\.def$$|\/diag\// { print FILENAME ":" FNR ": longer than 120 columns" } \
			END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in ok)) print ARGV[i] ": no SPDX line" }' \
		$(or $(LICENSED),no-sources) > build/lint/text && ! grep . build/lint/text
	$(Q)testbench/check_pages.sh > build/lint/pages && ! grep . build/lint/pages

# The folders of assembler/ use each other one way; no objects there or in cmodel/ call in a circle.
lint-layers: $(LIB_SRC:%.c=build/%.o)
	$(call say,LAYERS)
	$(Q)testbench/check_layers.sh $(filter build/assembler/% build/cmodel/%,$^)

# Each header compiles alone; so does each source file, under clang-tidy. One stamp a file, so that only what changed
# is checked.
lint-headers: $(LINT_HDR:%=build/lint/%.ok)
lint-tidy: $(LINT_C:%=build/lint/%.ok)
build/lint/%.h.ok: %.h $(LIB_HDR)
	$(call say,HEADER)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -g -O2,$(CFLAGS)) -I. -fsyntax-only -include $< -x c - <<< 'extern int alone;' && touch $@
# The analyser does not know that a failed assertion of cmocka ends the test.
TIDY_TESTS := -clang-analyzer-*
build/lint/%.c.ok: %.c .clang-tidy $(LIB_HDR)
	$(call say,TIDY)
	$(Q)mkdir -p $(@D)
	$(Q)clang-tidy --quiet $(if $(findstring /test/,$<),--checks=$(TIDY_TESTS)) $< -- \
		$(filter-out -Werror -fno-semantic-interposition,$(CFLAGS)) -I. 2> $@.log \
		|| { cat $@.log; exit 1; }
	$(Q)touch $@

# The gates of the RTL, see docs/toolchain.md: strict analysis; no reachable "others" in what synthesis makes of it (its
# Verilog would lose them); Verilator's warnings, but those that come of how ghdl writes; no latch and no loop in what
# yosys makes of the Verilog for an FPGA.
VERILATOR_WAIVED := DECLFILENAME UNUSEDSIGNAL COMBDLY INITIALDLY PINCONNECTEMPTY
NETLISTS  := $(CORES) 8-2sms
RTL_GATES := $(addprefix build/lint/rtl/,analysed without-atomics) \
	$(foreach g,others verilator,$(CORES:%=build/lint/rtl/$(g)-C%)) $(NETLISTS:%=build/lint/rtl/netlist-%)
lint-rtl: $(RTL_GATES)
build/lint/rtl/analysed: $(RTL) rtl/files.f
	$(call say,GHDL)
	$(ghdl_analyse) -Werror -Wunused -Wothers -Wbinding -Wport $(RTL) && touch $@
build/lint/rtl/others-C%: build/lint/rtl/analysed testbench/toolchain/reachable_others.awk
	$(call say,OTHERS)
	$(Q)$(GHDL) --synth --std=08 --workdir=$(@D) --no-assert-cover --out=raw-vhdl -gCORES=$* gpu_flat > $@.vhd 2> $@.log \
		|| { cat $@.log; exit 1; }
	$(Q)awk -f testbench/toolchain/reachable_others.awk $@.vhd && touch $@
# Without HAS_ATOMICS no entity of theirs is left.
build/lint/rtl/without-atomics.v: build/lint/rtl/analysed $(VERILOG_PARTS)
	$(call synth,gpu_flat,$(RTL),-gHAS_ATOMICS=false)
build/lint/rtl/without-atomics: build/lint/rtl/without-atomics.v
	$(Q)! grep '^module .*atomic' $< && touch $@
build/lint/rtl/verilator-C%: build/verilog/gpu_flat-C%-S1.v
	$(call say,VERILATOR)
	$(Q)mkdir -p $(@D)
	$(Q)verilator --lint-only -Wall $(VERILATOR_WAIVED:%=-Wno-%) --top-module gpu_flat $< && touch $@
build/lint/rtl/netlist-%: build/area/%.v testbench/toolchain/netlist.sh
	$(call say,NETLIST)
	$(Q)mkdir -p $(@D)
	$(Q)testbench/toolchain/netlist.sh $< gpu_area && touch $@

lint-cppcheck:
	$(call say,CPPCHECK)
	$(Q)cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
		--suppress=missingIncludeSystem --suppress=unknownMacro -I. $(LINT_C)


# SPDX-License-Identifier: Apache-2.0
# Everything that is made is under build/, which mirrors the tree: cmodel/core/step.c becomes build/cmodel/core/step.o,
# cmodel/test/test_flow.c becomes build/cmodel/test/test_flow. `make` prints the goals, V=1 shows the commands. A folder
# has its rules in a part of its name: fpga/area/area.mk. Files are found by their folder.

MAKEFLAGS += -rR
# As many jobs as processors, unless -j says otherwise; install-built, which `install` calls, has its own.
ifeq (,$(filter -j% --jobserver%,$(MAKEFLAGS))$(filter install-built,$(MAKECMDGOALS)))
MAKEFLAGS += -j$(shell nproc)
endif
SHELL := /bin/bash
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:
.DEFAULT_GOAL := help

# A make that another one calls has -R from the start, and no defaults.
ifneq ($(filter default undefined,$(origin CC)),)
CC       := gcc
endif
ifneq ($(filter default undefined,$(origin CXX)),)
CXX      := g++
endif
AR       := ar
PREFIX   ?= /usr/local
LIBDIR   ?= $(PREFIX)/lib
OPT      ?= -O2
# Where OpenCL's loaders look; where PREFIX is nobody else's, nothing is put outside of it.
ICDDIR   ?= $(if $(filter /usr /usr/local,$(PREFIX)),,$(PREFIX))/etc/OpenCL/vendors
# The folder of applications of others, which some suites run.
CORPUS   ?=
export CORPUS

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
CFLAGS   := -std=c11 -D_GNU_SOURCE= $(OPT) -g -fPIC -fno-semantic-interposition $(WARNINGS) -Werror
# The model's loops over lanes become vector instructions.
FLAGS_MODEL := -O3
LDLIBS   := $(LDFLAGS) -Wl,--as-needed -lelf
TESTLIBS := -lcmocka -ljansson -lm

# One short line a step; V=1 prints the command instead.
ifeq ($(V),1)
say := @:
else
Q   := @
say  = @printf '%-8s %s\n' $(1) $(patsubst build/%,%,$@)
endif
define step # NAME, COMMAND: a recipe of one command
	$(call say,$(1))
	$(Q)mkdir -p $(@D) && $(2)
endef
# Appended to a command: its output goes to a file, shown if it fails.
quietly = > $(1) 2>&1 || { cat $(1); exit 1; }
# A file that holds text: $(call forced,$@,TEXT) among its prerequisites makes it again when the text is another.
quoted = '$(subst ','\'',$(strip $(1)))'
holds  = $(Q)mkdir -p $(@D) && printf '%s\n' $(call quoted,$(1)) > $@
same   = $(and $(findstring |$(1)|,|$(2)|),$(findstring |$(2)|,|$(1)|))
forced = $(if $(call same,$(strip $(file < $(1))),$(strip $(2))),,force)

# These goals install what is missing before anything is compiled.
FIRST := $(if $(filter demo test test-rest test-all nightly,$(MAKECMDGOALS)),deps)

# --------------------------------------------------------------------------------------------------------- sources

folders_of = $(1) $(filter-out %/test %/doc %/support,$(patsubst %/,%,$(wildcard $(1)/*/)))
LIB_DIRS   := spec $(sort $(foreach d,assembler cmodel cmodel/core compiler checker loader,$(call folders_of,$d))) \
	checker/random/c
# The third opinion goes by the rules of the calculator.
ALL_SRC    := $(wildcard $(addsuffix /*.c,$(LIB_DIRS)) runtime/engine*.c) \
	$(addprefix golden/,calculator/execute.c calculator/float.c calculator/rules.c float/reference.c)
LIB_HDR    := golden/calculator/instruction.h $(wildcard $(addsuffix /*.h,$(LIB_DIRS)) $(addsuffix /*.def,$(LIB_DIRS)))
TOOL_NAMES := warp-as warp-dis warp-cc warp-run warp-lockstep warp-fuzz warp-view warp-load
tool_src    = $(filter %/$(subst -,_,$(1)).c,$(ALL_SRC))
# The prompt of two tools, with libedit.
PROMPT_SRC := cmodel/debug/session.c
uses_warp-run := $(PROMPT_SRC)
uses_warp-lockstep = $(uses_warp-run)
link_warp-run := -ledit
link_warp-lockstep = $(link_warp-run)
GEN_SRC    := $(wildcard spec/gen/*.c)
GEN        := build/spec/gen/gen
# Sources that are made: of the instruction table; routines of compiled code; what runs random programs in C here.
DERIVED    := build/spec/derived.c
TEXT_SRC   := $(addprefix build/,compiler/support/routines.c compiler/support/functions.c checker/random/c/host_text.c)
LIB_SRC    := $(filter-out $(foreach t,$(TOOL_NAMES),$(call tool_src,$t)) $(PROMPT_SRC) $(GEN_SRC),$(ALL_SRC)) \
	$(DERIVED) $(TEXT_SRC)

# A test is test/test_*.c of a folder; other files there are helpers, linked into each of its tests and into those of
# the folders below.
TEST_ALL   := $(wildcard $(foreach d,assembler cmodel compiler checker testbench loader runtime web,\
	$d/test/*.c $d/*/test/*.c $d/*/*/test/*.c))
TEST_SRC   := $(foreach t,$(TEST_ALL),$(if $(filter test_%,$(notdir $t)),$t))
HELPER_SRC := $(filter-out $(TEST_SRC),$(TEST_ALL))
helpers_of  = $(filter $(dir $(1))% $(dir $(patsubst %/test/,%,$(dir $(1))))test/%,$(HELPER_SRC))

# The sources of a program: its file, if there is one, and those of uses_NAME; a word without a folder is a helper.
main_of     = $(if $(filter bin/%,$(1)),$(call tool_src,$(notdir $(1))),$(wildcard $(or $(main_$(notdir $(1))),$(1)).c))
used_by     = $(foreach u,$(uses_$(1)) $(uses_$(notdir $(1))),$(if $(findstring /,$u),$u,$(filter %/$u,$(HELPER_SRC))))
sources_of  = $(call main_of,$(1)) $(if $(findstring /test/,$(1)),$(call helpers_of,$(1))) $(call used_by,$(1))
objects_of  = $(addprefix $(1)/,$(addsuffix .o,$(basename $(sort $(call sources_of,$(2))))))

TOOL_PATHS := $(TOOL_NAMES:%=bin/%)
TEST_PATHS := $(TEST_SRC:%.c=%)
TOOLS      := $(TOOL_PATHS:%=build/%)
TESTS      := $(TEST_PATHS:%=build/%)
LIB        := build/libwarpstep.a
LIB_SO     := build/libwarpstep.so
LIB_EXPORT := build/export/libwarpstep.so build/export/libwarpstep.a
KERNELS    := $(wildcard kernels/*/*.sass)
# Programs, by their paths without a suffix: PROGRAMS have the library, ALONE have not; parts add theirs.
PROGRAMS   := $(TOOL_PATHS) $(TEST_PATHS) $(addprefix testbench/,semantics/vector_kernel formats/format_coverage \
	launches/draw_launch apps/corpus_launch apps/corpus_cubin compiler/math_error compiler/builtins/builtins \
	demo/grey_png) assembler/doc/isa_doc
CORPUS_TOOL := build/testbench/apps/corpus_launch
VECTOR_TOOL := build/testbench/semantics/vector_kernel
LAUNCH_TOOL := build/testbench/launches/draw_launch
uses_vector_kernel := table.c
uses_corpus_cubin  := cubin_builder.c
uses_math_error    := testbench/compiler/builtins/exact.c
uses_builtins      := $(wildcard testbench/compiler/builtins/*.c)
uses_isa_doc       := $(wildcard assembler/doc/*.c)
link_corpus_launch := -ljansson
link_corpus_cubin = $(link_corpus_launch)
link_math_error := -lm
link_builtins = $(link_math_error)
link_grey_png      := -lpng

# The host programs of golden/ share nothing with what they are compared with.
GOLDEN_SRC := $(filter-out golden/host/bytes.c golden/host/real.c,$(wildcard golden/host/*.c))
GOLDEN     := $(GOLDEN_SRC:%.c=build/%)
REAL_SRC   := $(shell grep -l '"real.h"' $(GOLDEN_SRC))
ALONE      := $(GOLDEN) $(GEN)
$(GOLDEN): build/golden/host/bytes.o
$(REAL_SRC:%.c=build/%): build/golden/host/real.o build/golden/float/reference.o
$(GEN): $(GEN_SRC:%.c=build/%.o) build/spec/table.o build/spec/machine_name.o
link_wide  := -lgmp

# ----------------------------------------------------------------------------------------------------------- goals

.PHONY: all help help-all suites deps demo clean deb distro install install-parts install-built uninstall \
	nightly fresh-coverage check-generated generated check-data force
SUITE_GOALS := unit test test-rest test-all nightly vectors corpus agree applications bus robust
.PHONY: $(SUITE_GOALS)

help: ## the goals that one needs first
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile $(PARTS) | expand -t 18
	@echo && echo 'OpenCL programs of this shell find the driver that is built here after' && echo '$(OPENCL_LINE)'
help-all: #+ all goals
	@sed -n 's/^\([a-z-]*\):.*#[#+] \(.*\)/\1\t\2/p' Makefile $(PARTS) | sort | expand -t 22
deps: ## install what is missing
	@.ci/deps
clean: ## remove everything that was made
	$(call say,CLEAN)
	$(Q)rm -rf build

# ---------------------------------------------------------------------------------------------------------- C code
# The C code in variants: each has a folder, flags, what is linked, and perhaps a compiler of its own.

VARIANTS      := plain asan tsan hidden coverage wasm
dir_plain     := build
programs_plain = $(PROGRAMS)
# Tests and fuzz targets. clang's counters serve libFuzzer; without its tracing of comparisons, which takes half to five
# sixths of the time, the seeds reach more branches in as long. gcc serves tests alone, and follows no -Wconversion
# through the sanitizers' checks.
dir_asan      := build/asan
SANITIZE      := -fsanitize=address,undefined -fno-sanitize-recover=all
# Looked for until it is there: `deps` may install it.
CLANG_C        = $(or $(CLANG_THERE),$(eval CLANG_THERE := $(shell testbench/toolchain/clang.sh clang))$(CLANG_THERE))
cc_asan        = $(or $(CLANG_C),$(CC))
flags_asan     = -O1 -fno-omit-frame-pointer $(SANITIZE) $(if $(CLANG_C),\
	-fsanitize-coverage=inline-8bit-counters$(comma)indirect-calls$(comma)pc-table,-Wno-conversion)
link_asan     := $(SANITIZE)
programs_asan  = $(TOOL_PATHS) $(TEST_PATHS) testbench/float/sweep $(FUZZ_PATHS)
dir_tsan      := build/tsan
flags_tsan    := -O1 -fsanitize=thread -Wno-conversion
link_tsan     := $(flags_tsan)
programs_tsan  = testbench/robust/threads runtime/test/test_cl_threads
# For simulations: their symbols do not meet those of the program that opens them.
dir_hidden    := build/hidden
flags_hidden   = -fvisibility=hidden -DWARPSTEP_GHDL='"$(GHDL)"'
# Children leave their counts behind, too.
dir_coverage  := build/coverage/c
flags_coverage := -O0 --coverage
link_coverage := --coverage -Wl,--wrap=_exit
programs_coverage = $(TOOL_PATHS) $(TEST_PATHS)
build/coverage/c/libwarpstep.a: build/coverage/c/checker/coverage/leave/leave.o
# For the page of web/. Debian's emcc runs programs of its own with node, which must find node-acorn.
dir_wasm      := build/wasm
cc_wasm       := NODE_PATH=/usr/share/nodejs emcc
flags_wasm    := -fno-PIC -g0 -Wno-conversion -Wno-unused-command-line-argument
space         := $(subst ,, )

# First those whose variables others use.
PARTS := $(addprefix sim/,netlist/netlist.mk ghdl/ghdl.mk verilator/verilator.mk) testbench/testbench.mk \
	fpga/timing/timing.mk
PARTS += $(filter-out $(PARTS),$(wildcard $(addsuffix /*.mk,\
	testbench testbench/* checker checker/* sim/* fpga/* measure measure/* golden golden/* loader runtime web)))
include $(PARTS)

define variant # VARIANT, FOLDER: its objects, which are old when the flags have changed, its library and its programs
cc_$(1) ?= $$(CC)
held_$(1) = $$(cc_$(1)) $$(CFLAGS) $$(FLAGS_MODEL) $$(flags_$(1))
$(2)/c-flags: $$$$(call forced,$$$$@,$$$$(held_$(1))) | $(FIRST)
	$$(call holds,$$(held_$(1)))
$(2)/%.o: %.c $(2)/c-flags | $(FIRST)
	$$(call step,CC,$$(cc_$(1)) $$(CFLAGS) $$(flags_$(1)) -I. -MMD -MP -c $$< -o $$@)
$(2)/libwarpstep.a: $(LIB_SRC:%.c=$(2)/%.o)
	$$(call step,AR,rm -f $$@ && $(AR) rcs $$@ $$^)
$$(addprefix $(2)/,$$(programs_$(1))): $(2)/%: $$$$(call objects_of,$(2),$$$$*) $(2)/libwarpstep.a
	$$(call step,LD,$$(cc_$(1)) $$(link_$(1)) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) $$(LDLIBS) \
		$$(if $$(findstring /test/,$$@),$$(TESTLIBS)) $$(link_$$(@F)))
endef
$(foreach v,$(VARIANTS),$(eval $(call variant,$v,$(dir_$v))))
build/cmodel/%.o: private CFLAGS += $(FLAGS_MODEL)
$(ALONE): %: $$*.o
	$(call step,LD,$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -lm $(link_$(@F)))
# Shared objects: simulations that tests load, and those of parts.
$(SHARED):
	$(call step,LD,$(CC) -shared -o $@ $(filter %.o %.a,$^) $(link_$(@F)))

link_so = $(CC) -shared -Xlinker -soname=$(1) -o $@ $(filter %.o,$^) $(LDLIBS)
$(LIB_SO): $(LIB_SRC:%.c=build/%.o)
	$(call step,LD,$(call link_so,$(@F)))
# The installed library shows what its headers declare, and keeps the rest to itself.
SONAME := libwarpstep.so.0
build/export/libwarpstep.so: $(LIB_SRC:%.c=build/%.o) share/exported.map
	$(call step,LD,$(call link_so,$(SONAME) -Xlinker --version-script=share/exported.map))
build/export/libwarpstep.a: $(LIB_SRC:%.c=build/%.o)
	$(call step,AR,$(CC) -r -nostdlib -o $(@:.a=.o) $^ && objcopy -w --keep-global-symbol='warpstep_*' $(@:.a=.o) && \
		rm -f $@ && $(AR) rcs $@ $(@:.a=.o))

all: $(LIB) $(LIB_SO) $(LIB_EXPORT) $(OPENCL_ICD) $(TOOLS) $(TESTS) $(GOLDEN) $(SIMS)
all: ## tools, library, simulations and tests
# Tests run tools.
$(foreach v,plain asan coverage,$(TEST_PATHS:%=$(dir_$v)/%)): | $(TOOLS) $(TEST_NEEDS)

# ---------------------------------------------------------------------------------------------------------- suites
# testbench/suites.tsv says which suites there are, and which goal runs them. needs_FOLDER is what the scripts of a
# folder run; a suite that is a program is made itself.

needs_semantics := $(VECTOR_TOOL)
needs_launches  := $(LAUNCH_TOOL)
needs_formats   := build/testbench/formats/format_coverage
needs_apps      := $(CORPUS_TOOL) build/testbench/apps/corpus_cubin
needs_bench     := $(CORPUS_TOOL)
needs_compiler  := $(CORPUS_TOOL) $(addprefix build/,golden/ptx/run golden/ptx/draw \
	testbench/compiler/math_error testbench/compiler/builtins/builtins)

# With SUITE=TEXT, those of any goal that have TEXT in their command.
goals_test      := unit test
goals_test-rest := test-all
goals_test-all  := unit test test-all
goals_nightly   := unit test test-all nightly
goals_of         = $(if $(SUITE),$(goals_nightly),$(or $(goals_$(1)),$(1)))
list_suites      = testbench/suites.sh list $(goals_of)
needed_by        = $(foreach f,$(sort $(notdir $(patsubst %/,%,$(dir $(filter %.sh,$(1)))))),$(needs_$f)) \
	$(filter build/%,$(1))
needed_for       = $(call needed_by,$(shell $(call list_suites,$(1)) | grep -F -- '$(SUITE)'))
SUITE_GOAL      := $(filter $(SUITE_GOALS),$(MAKECMDGOALS))
ifneq ($(SUITE_GOAL),)
$(SUITE_GOAL): $(foreach g,$(SUITE_GOAL),$(call needed_for,$g))
endif

covered = WARPSTEP_COVERAGE=$(CURDIR)/$(COVERAGE_TEST)
test test-rest test-all nightly: all check-generated
test test-all nightly: fresh-coverage
fresh-coverage:
	$(Q)rm -rf $(COVERAGE_TEST) && mkdir -p $(COVERAGE_TEST)
test: ## the tests to run after a change: five minutes; SUITE=TEXT: all suites with TEXT in their command
test-rest: ## those of test-all that test has not, to be run after it
test-all: ## all that the gate runs: fifteen minutes
nightly: lint-nightly ## all of test-all, and what finds nothing that it does not: two hours
unit: $(TESTS) ## C unit tests
vectors: $(SIMS) $(TOOLS) #+ all semantic vectors on both simulators: half an hour
corpus: all ## applications of others: CORPUS=DIR
agree: $(TOOLS) $(SIMS) #+ simulations against each other: all kernels, many seeds, random kernels; hours
applications: all $(EXTENSION_SIMS) build/sim/libsim-verilator-C8-S1-G1048576.so
applications: #+ applications that scale over blocks, at large sizes and on more machines

# Coverage is held against its floor where all has run.
unit test test-rest test-all corpus vectors:
	$(Q)$(if $(filter corpus,$@),[ -d "$(CORPUS)" ] || { echo 'corpus: CORPUS=DIR names their folder' >&2; exit 2; };) \
		$(if $(filter test%,$@),$(covered)) testbench/run_tests.sh -f <($(call list_suites,$@))
nightly:
	$(Q)$(covered) testbench/run_tests.sh -f <($(call list_suites,$@)) -l '$(COVERAGE_CHECK)'
agree applications bus robust:
	$(Q)SUITE_SECONDS=7200 testbench/run_tests.sh -f <($(call list_suites,$@))

suites: #+ all suites, with the goals that run them
	@testbench/suites.sh page
demo: $(GOLDEN) $(TOOLS) build/testbench/demo/grey_png $(addprefix build/sim/,libsim-verilator-C8-S1.so libsim-ghdl.so \
	ghdl/built)
demo: ## edge detection through every tool
	$(Q)testbench/demo/run.sh

# ------------------------------------------------------------------------------------------------- generated files

$(DERIVED): $(GEN)
	$(call step,GEN,$< derived > $@)
build/compiler/support/routines.c: compiler/support/ptx.sed $(wildcard compiler/support/*.ptx)
	$(call step,GEN,{ echo '#include "compiler/lower/support.h"'; echo 'const char *const lower_routines[] = {'; \
		sed -f $^; echo '    NULL};'; } > $@)
as_text = $(call step,GEN,{ echo '#include "$(1)"'; $(foreach h,$(filter-out %.sed,$^),\
	echo 'const char *const $(2)_$(basename $(notdir $h))[] = {'; sed -f $< $h; echo '    NULL};';) } > $@)
build/compiler/support/functions.c: compiler/support/header.sed $(wildcard compiler/support/*_functions.h)
	$(call as_text,compiler/driver_headers.h,driver)
build/checker/random/c/host_text.c: compiler/support/header.sed $(addprefix checker/random/c/host/,launch.c opencl.h)
	$(call as_text,checker/random/c/trial.h,c_host)

# Committed, as VHDL and pages are read without a build; share/generated.tsv says what writes each. A change of a .def
# file makes the lists again, before the RTL is compiled; one that says the same as before keeps its time.
ISA_DOC    := build/assembler/doc/isa_doc
LISTS      := $(addprefix rtl/generated/,isa_pkg.vhd retire_pkg.vhd control_pkg.vhd lists_pkg.vhd machine_pkg.vhd) \
	rtl/generated/gpu_flat.vhd testbench/memory/gpu_on_bus.vhd $(addprefix fpga/boards/,gpu_board.vhd board_pkg.vhd) \
	docs/evidence/host.md
# Headers that others include, and with them what those include.
PUBLIC     := cmodel/model.h $(addprefix checker/,verdict/lockstep.h verdict/lasting.h report/report.h port/pins.h) \
	assembler/isa/isa.h assembler/image_load.h compiler/compiler.h
public_headers  = $(CC) -MM -I. $(PUBLIC:%=-include %) -x c /dev/null | tr -d '\\' | tr ' ' '\n' | grep '\.h$$\|\.def$$'
build/spec/lists: $(GEN) $(if $(filter-out $(wildcard $(LISTS)),$(LISTS)),force)
	$(Q)share/generated.sh write $(LISTS) && touch $@
$(LISTS): build/spec/lists ; +
check-generated generated: $(GEN) $(ISA_DOC) $(WHAT_TO_REPORT) $(VHDL_TOOL)
check-generated: check-data ## committed generated files are what is generated
	$(Q)$(public_headers) | share/generated.sh check && testbench/features.sh check && testbench/suites.sh check
	$(Q)! command -v clang-14 > /dev/null || compiler/support/make_support.sh check
generated: ## write the committed generated files again
	$(Q)$(public_headers) | share/generated.sh write
# The data files of kernels/apps are what the host programs write.
build/golden/data/made: golden/host/make_data.sh $(GOLDEN)
	$(call step,DATA,$< $(@D) && touch $@)
check-data: build/golden/data/made
	$(Q)cd kernels/apps && for data in */*.bin; do cmp $$data $(CURDIR)/build/golden/data/$$data || exit 1; done

# --------------------------------------------------------------------------------------------------------- install

install: install-parts $(SIMS) ## tools, pages, library, headers, examples, under PREFIX (and DESTDIR, LIBDIR)
	$(call say,INSTALL)
	$(Q)$(MAKE) -s install-built
# All but the simulations of the RTL, which need more tools.
install-parts: $(LIB_EXPORT) $(OPENCL_SO) $(TOOLS)
# Installs without a look at whether anything is out of date.
install-built:
	$(Q)$(public_headers) | PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' DESTDIR='$(DESTDIR)' ICDDIR='$(ICDDIR)' \
		SONAME=$(SONAME) OPENCL=$(OPENCL_SO) \
		share/install.sh $(TOOL_NAMES)
# What an installation of what is built would put there, and folders of ours that are empty then.
uninstall: #+ remove what `make install` installed, with the same PREFIX, DESTDIR and LIBDIR
	$(call say,REMOVE)
	$(Q)staged=$$(mktemp -d) && trap 'rm -rf "$$staged"' EXIT && $(MAKE) -s install-built DESTDIR="$$staged" && \
		share/uninstall.sh "$$staged" '$(DESTDIR)'
deb: #+ Debian packages, into build/deb
	$(Q)share/deb.sh
distro: #+ both commands of README in a new Debian, made for it: DISTRO=trixie; an hour
	$(Q)share/distro.sh $(or $(DISTRO),trixie)

-include $(shell find build -name '*.d' ! -name 'V*__ver.d' 2>/dev/null)

# SPDX-License-Identifier: Apache-2.0
# Everything that is made is under build/, which mirrors the tree: cmodel/core/step.c becomes build/cmodel/core/step.o,
# cmodel/test/test_flow.c becomes build/cmodel/test/test_flow. `make` prints the goals, V=1 shows the commands. A folder
# has its rules in a part of its name: fpga/area/area.mk. Files are found by their folder; a line `// link: FLAGS` of a
# program's source says what it is linked with besides.

MAKEFLAGS += -rR
# As many jobs as processors, unless -j says otherwise; install-built, which `install` calls, has its own.
ifeq (,$(filter -j% --jobserver%,$(MAKEFLAGS))$(filter install-built,$(MAKECMDGOALS)))
MAKEFLAGS += -j$(shell nproc)
endif
SHELL := /bin/bash
.DELETE_ON_ERROR .SECONDARY .SECONDEXPANSION:
.DEFAULT_GOAL := help

CC       := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
CXX      := $(if $(filter default undefined,$(origin CXX)),g++,$(CXX))
AR       := ar
PREFIX   ?= /usr/local
LIBDIR   ?= $(PREFIX)/lib
OPT      ?= -O2
# Where OpenCL's loaders look; where PREFIX is nobody else's, nothing is put outside of it.
ICDDIR   ?= $(if $(filter /usr /usr/local,$(PREFIX)),,$(PREFIX))/etc/OpenCL/vendors
# The folder of applications of others, which some suites run.
export CORPUS ?=

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
CFLAGS   := -std=c11 -D_GNU_SOURCE= $(OPT) -g -fPIC -fno-semantic-interposition $(WARNINGS) -Werror
# The model's loops over lanes become vector instructions.
FLAGS_MODEL := -O3
LDLIBS   := $(LDFLAGS) -Wl,--as-needed -lelf
TESTLIBS := -lcmocka -ljansson -lm

# One short line a step; V=1 prints the command instead.
Q   := $(if $(filter 1,$(V)),,@)
say  = $(if $(Q),@printf '%-8s %s\n' $(1) $(patsubst build/%,%,$@),@:)
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
comma := ,
space := $(subst ,, )

# These goals install what is missing before anything is compiled.
FIRST := $(if $(filter demo test test-rest test-all nightly,$(MAKECMDGOALS)),deps)

# --------------------------------------------------------------------------------------------------------- sources

C_SRC      := $(shell find spec assembler cmodel compiler checker loader runtime golden sim testbench fpga web kernels \
	-name '[!.]*.c')
MAINS      := $(basename $(shell grep -lE '^int main\b' $(C_SRC)))
LIB_DIRS   := spec checker/random/c $(filter-out %/test %/doc %/support,$(patsubst %/,%,$(sort $(wildcard $(foreach d,\
	assembler cmodel cmodel/core compiler checker loader,$d/ $d/*/)))))
# The third opinion goes by the rules of the calculator.
ALL_SRC    := $(wildcard $(addsuffix /*.c,$(LIB_DIRS)) runtime/engine*.c) \
	$(addprefix golden/,calculator/execute.c calculator/float.c calculator/rules.c float/reference.c)
LIB_HDR    := golden/calculator/instruction.h $(wildcard $(addsuffix /*.h,$(LIB_DIRS)) $(addsuffix /*.def,$(LIB_DIRS)))
# Sources that are made: of the instruction table; routines of compiled code; what runs random programs in C here.
DERIVED    := build/spec/derived.c
TEXT_SRC   := $(addprefix build/,compiler/support/routines.c compiler/support/functions.c checker/random/c/host_text.c)
LIB_SRC    := $(filter-out $(MAINS:=.c) cmodel/debug/session.c,$(ALL_SRC)) $(DERIVED) $(TEXT_SRC)

# Programs that have the library: tools, whose names have a hyphen; tests, test/test_*.c of a folder; readers of files
# for libFuzzer, which has their main; all others with a main. What they share, and what is theirs alone, they take from
# one archive. ALONE have nothing of the library: what it is compared with, and what makes sources.
TOOL_MAINS := $(foreach m,$(filter $(ALL_SRC:.c=),$(MAINS)),$(if $(filter warp_%,$(notdir $m)),$m))
TOOL_NAMES := $(subst _,-,$(notdir $(TOOL_MAINS)))
TOOL_PATHS := $(TOOL_NAMES:%=bin/%)
TEST_PATHS := $(foreach m,$(MAINS),$(if $(findstring /test/test_,$m),$m))
FUZZ_PATHS := $(patsubst %.c,%,$(filter-out %/fuzz.c %/make_cubins.c,$(filter testbench/fuzz/%,$(C_SRC))))
ALONE      := $(patsubst %,build/%,$(filter golden/host/% golden/calculator/% golden/ptx/% sim/% spec/% \
	testbench/mutants/source testbench/mutants/draw,$(MAINS)))
TESTED     := $(TOOL_PATHS) $(TEST_PATHS)
THREADED   := testbench/robust/threads runtime/test/test_cl_threads
PROGRAMS   := $(TOOL_PATHS) $(filter-out $(TOOL_MAINS) $(ALONE:build/%=%) golden/% kernels/% %/c/host/launch,$(MAINS))
PART_SRC   := $(filter-out $(LIB_SRC) $(MAINS:=.c) $(FUZZ_PATHS:=.c) golden/% sim/% spec/% kernels/% \
	compiler/support/% testbench/compiler/programs/% checker/port/example/% %/liar.c %/leave.c %_preload.c web/no_elf.c,\
	$(C_SRC)) $(patsubst %,golden/ptx/%.c,reader lexer declare statement types words number)

TOOLS      := $(TOOL_PATHS:%=build/%)
TESTS      := $(TEST_PATHS:%=build/%)
LIB        := build/libwarpstep.a
LIB_SO     := build/libwarpstep.so
LIB_EXPORT := build/export/libwarpstep.so build/export/libwarpstep.a
KERNELS    := $(wildcard kernels/*/*.sass)
GOLDEN     := $(filter build/golden/host/%,$(ALONE))
GEN        := build/spec/gen/gen

# ----------------------------------------------------------------------------------------------------------- goals

SUITE_GOALS := unit test test-rest test-all nightly vectors corpus agree applications bus robust
.PHONY: $(SUITE_GOALS) $(shell sed -n 's/^\([a-z-]*\):.*\#[\#+] .*/\1/p' Makefile $(wildcard *.mk */*.mk */*/*.mk)) \
	install-parts install-built fresh-coverage check-data force

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
# The C code in variants, each in a folder of build/, with flags, what is linked, and perhaps a compiler of its own.

# Tests and fuzz targets. clang's counters serve libFuzzer; without its tracing of comparisons, which takes half to five
# sixths of the time, the seeds reach more branches in as long. gcc serves tests alone, and follows no -Wconversion
# through the sanitizers' checks. Optimised, it runs faster, and takes four times as long to compile.
SANITIZE_OPT  ?= -O1
SANITIZE      := -fsanitize=address,undefined -fno-sanitize-recover=all
# Looked for until it is there: `deps` may install it.
CLANG_C        = $(or $(CLANG_THERE),$(eval CLANG_THERE := $(shell testbench/toolchain/clang.sh clang))$(CLANG_THERE))
cc_asan        = $(or $(CLANG_C),$(CC))
flags_asan     = $(SANITIZE_OPT) -fno-omit-frame-pointer $(SANITIZE) $(if $(CLANG_C),\
	-fsanitize-coverage=inline-8bit-counters$(comma)indirect-calls$(comma)pc-table,-Wno-conversion)
link_asan      = $(SANITIZE) $(if $(filter $(FUZZ_PATHS:%=build/asan/%),$@),-fsanitize=fuzzer)
flags_tsan    := -O1 -fsanitize=thread -Wno-conversion
link_tsan     := $(flags_tsan)
# For simulations: their symbols do not meet those of the program that opens them.
flags_hidden   = -fvisibility=hidden -DWARPSTEP_GHDL='"$(GHDL)"'
# Children leave their counts behind, too.
flags_gcov    := -O0 --coverage
link_gcov     := --coverage -Wl,--wrap=_exit
build/gcov/libwarpstep.a: build/gcov/checker/coverage/leave/leave.o
# For the page of web/. Debian's emcc runs programs of its own with node, which must find node-acorn.
cc_wasm       := NODE_PATH=/usr/share/nodejs emcc
flags_wasm    := -fno-PIC -g0 -Wno-conversion -Wno-unused-command-line-argument
VARIANTS      := asan tsan hidden gcov wasm
FOLDERS       := build $(VARIANTS:%=build/%)
# The variant of a target, and its folder.
variant        = $(filter $(VARIANTS),$(word 2,$(subst /, ,$@)))
folder         = build$(variant:%=/%)
cc             = $(or $(cc_$(variant)),$(CC))
source         = $(patsubst $(variant)/%,%,$*)

# First those whose variables others use.
PARTS := $(addsuffix .mk,$(addprefix sim/,ghdl/ghdl verilator/verilator) testbench/testbench \
	testbench/mutants/mutants fpga/area/area fpga/timing/timing)
PARTS += $(filter-out $(PARTS),$(wildcard *.mk */*.mk */*/*.mk))
include $(PARTS)

archive   = $(call step,AR,rm -f $@ && $(AR) rcs $@ $^)
linked_of = $(shell sed -n 's|^// link: ||p' $(1))
main_of   = $(or $(main_$(notdir $(1))),$(if $(filter bin/%,$(1)),$(filter %/$(subst -,_,$(notdir $(1))),\
	$(TOOL_MAINS))),$(1))
# Objects are old when the flags have changed.
held = $(cc) $(CFLAGS) $(FLAGS_MODEL) $(flags_$(variant))
$(FOLDERS:%=%/c-flags): $$(call forced,$$@,$$(held)) | $(FIRST)
	$(call holds,$(held))
build/%.o: $$(source).c $$(folder)/c-flags | $(FIRST)
	$(call step,CC,$(cc) $(CFLAGS) $(flags_$(variant)) -I. -MMD -MP -c $< -o $@)
$(FOLDERS:%=%/libwarpstep.a): $$(patsubst %.c,$$(@D)/%.o,$$(LIB_SRC))
	$(archive)
$(FOLDERS:%=%/libparts.a): $$(patsubst %.c,$$(@D)/%.o,$$(PART_SRC))
	$(archive)
$(PROGRAMS:%=build/%) $(TESTED:%=build/gcov/%) $(addprefix build/asan/,$(TESTED) $(FUZZ_PATHS) testbench/float/sweep) \
		$(THREADED:%=build/tsan/%): $$(folder)/$$(call main_of,$$(patsubst $$(folder)/%,%,$$@)).o \
		$$(folder)/libparts.a $$(folder)/libwarpstep.a
	$(call step,LD,$(cc) $(link_$(variant)) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LDLIBS) \
		$(if $(findstring /bin/,$@),,$(TESTLIBS)) $(call linked_of,$(<:$(folder)/%.o=%.c)))
build/cmodel/%.o: private CFLAGS += $(FLAGS_MODEL)

build/golden/lib.a: $(patsubst %.c,build/%.o,$(filter-out $(MAINS:=.c),$(filter golden/%,$(C_SRC))))
build/sim/netlist/lib.a: $(patsubst %.c,build/%.o,$(filter-out $(MAINS:=.c),$(filter sim/netlist/%,$(C_SRC))))
build/spec/lib.a: $(patsubst %.c,build/%.o,$(filter spec/gen/gen_%,$(C_SRC)) spec/table.c spec/machine_name.c)
build/golden/lib.a build/sim/netlist/lib.a build/spec/lib.a:
	$(archive)
alone_lib = build/$(or $(filter golden spec,$(word 2,$(subst /, ,$(1)))),sim/netlist)/lib.a
$(ALONE): %: %.o $$(call alone_lib,$$*)
	$(call step,LD,$(CC) $(LDFLAGS) -o $@ $^ -lm $(call linked_of,$(<:build/%.o=%.c)))
# Shared objects: simulations that tests load, and those of parts.
$(SHARED):
	$(call step,LD,$(CC) -shared -o $@ $(filter %.o %.a,$^) $(LDLIBS) \
		$(call linked_of,$(patsubst build/%.o,%.c,$(<:build/hidden/%=build/%))))

link_so = $(call step,LD,$(CC) -shared -Xlinker -soname=$(1) -o $@ $(filter %.o %.a,$^) $(LDLIBS))
$(LIB_SO): $(LIB_SRC:%.c=build/%.o)
	$(call link_so,$(@F))
# The installed library shows what its headers declare, and keeps the rest to itself.
SONAME := libwarpstep.so.0
build/export/libwarpstep.so: $(LIB_SRC:%.c=build/%.o) share/exported.map
	$(call link_so,$(SONAME) -Xlinker --version-script=share/exported.map)
build/export/libwarpstep.a: $(LIB_SRC:%.c=build/%.o)
	$(call step,AR,$(CC) -r -nostdlib -o $(@:.a=.o) $^ && objcopy -w --keep-global-symbol='warpstep_*' $(@:.a=.o) && \
		rm -f $@ && $(AR) rcs $@ $(@:.a=.o))

# What takes longest is begun first.
all: $(SIMS) $(LIB) $(LIB_SO) $(LIB_EXPORT) $(OPENCL_ICD) $(ALONE) $(PROGRAMS:%=build/%) $(ALSO)
all: ## tools, library, simulations and tests
# Tests run tools.
$(foreach f,build build/asan build/gcov,$(TEST_PATHS:%=$f/%)): | $(TOOLS) $(TEST_NEEDS)

# ---------------------------------------------------------------------------------------------------------- suites
# testbench/suites.tsv says which suites there are, and which goal runs them. A suite that is a program is made itself;
# all others run what `all` makes, and what needs_FOLDER names for the scripts of a folder. With SUITE=TEXT, those of
# any goal that have TEXT in their command.

list_suites = testbench/suites.sh list $(if $(SUITE),nightly,$(1))
needed_by   = $(foreach f,$(sort $(notdir $(patsubst %/,%,$(dir $(filter %.sh,$(1)))))),$(needs_$f)) \
	$(filter build/%,$(1))
SUITE_GOAL := $(filter $(SUITE_GOALS),$(MAKECMDGOALS))
$(SUITE_GOAL): $(foreach g,$(SUITE_GOAL),$(call needed_by,$(shell $(call list_suites,$g) | grep -F -- '$(SUITE)')))

covered = WARPSTEP_COVERAGE=$(CURDIR)/$(COVERAGE_TEST)
$(filter-out unit,$(SUITE_GOALS)): all
test test-rest test-all nightly: check-generated
test test-all nightly: fresh-coverage
fresh-coverage:
	$(Q)rm -rf $(COVERAGE_TEST) && mkdir -p $(COVERAGE_TEST)
test: ## the tests to run after a change: five minutes; SUITE=TEXT: all suites with TEXT in their command
test-rest: ## those of test-all that test has not, to be run after it
test-all: ## all that the gate runs: fifteen minutes
nightly: lint-nightly ## all of test-all, and what finds nothing that it does not: two hours
unit: $(TESTS) ## C unit tests
vectors: #+ all semantic vectors on both simulators: half an hour
corpus: ## applications of others: CORPUS=DIR
agree: #+ simulations against each other: all kernels, many seeds, random kernels; hours
applications: $(EXTENSION_SIMS) build/sim/libsim-verilator-C8-S1-G1048576.so #+ large sizes, on more machines

# Coverage is held against its floor where all has run.
$(SUITE_GOALS):
	$(Q)$(if $(filter corpus,$@),[ -d "$(CORPUS)" ] || { echo 'corpus: CORPUS=DIR names their folder' >&2; exit 2; };) \
		$(if $(filter agree applications bus robust,$@),SUITE_SECONDS=7200) $(if $(filter test% nightly,$@),$(covered)) \
		testbench/run_tests.sh -f <($(call list_suites,$@)) $(if $(filter nightly,$@),-l '$(COVERAGE_CHECK)')
suites: #+ all suites, with the goals that run them
	@testbench/suites.sh page
demo: $(GOLDEN) $(TOOLS) build/testbench/demo/grey_png $(addprefix build/sim/,libsim-verilator-C8-S1.so libsim-ghdl.so \
	ghdl/built)
demo: ## edge detection through every tool
	$(Q)testbench/demo/run.sh

# ------------------------------------------------------------------------------------------------- generated files

$(DERIVED): $(GEN)
	$(call step,GEN,$< derived > $@)
as_text = $(call step,GEN,{ echo '#include "$(1)"'; $(2) } > $@)
build/compiler/support/routines.c: compiler/support/ptx.sed $(wildcard compiler/support/*.ptx)
	$(call as_text,compiler/lower/support.h,echo 'const char *const lower_routines[] = {'; sed -f $^; echo '    NULL};';)
each_text = $(foreach h,$(filter-out %.sed,$^),\
	echo 'const char *const $(1)_$(basename $(notdir $h))[] = {'; sed -f $< $h; echo '    NULL};';)
build/compiler/support/functions.c: compiler/support/header.sed $(wildcard compiler/support/*_functions.h)
	$(call as_text,compiler/driver_headers.h,$(call each_text,driver))
build/checker/random/c/host_text.c: compiler/support/header.sed $(addprefix checker/random/c/host/,launch.c opencl.h)
	$(call as_text,checker/random/c/trial.h,$(call each_text,c_host))

# Committed, as VHDL and pages are read without a build; share/generated.tsv says what writes each. A change of a .def
# file makes the lists again, before the RTL is compiled; one that says the same as before keeps its time.
LISTS      := $(addprefix rtl/generated/,isa_pkg.vhd retire_pkg.vhd control_pkg.vhd lists_pkg.vhd machine_pkg.vhd) \
	rtl/generated/gpu_flat.vhd testbench/memory/gpu_on_bus.vhd $(addprefix fpga/boards/,gpu_board.vhd board_pkg.vhd) \
	docs/evidence/host.md
build/spec/lists: $(GEN) $(if $(filter-out $(wildcard $(LISTS)),$(LISTS)),force)
	$(Q)share/generated.sh write $(LISTS) && touch $@
$(LISTS): build/spec/lists ; +
# Headers that others include, and with them what those include.
PUBLIC     := cmodel/model.h $(addprefix checker/,verdict/lockstep.h verdict/lasting.h report/report.h port/pins.h) \
	assembler/isa/isa.h assembler/image_load.h compiler/compiler.h
public_headers  = $(CC) -MM -I. $(PUBLIC:%=-include %) -x c /dev/null | tr -d '\\' | tr ' ' '\n' | grep '\.h$$\|\.def$$'
check-generated generated: $(GEN) build/assembler/doc/isa_doc build/checker/record/doc/what_to_report $(VHDL_TOOL)
check-generated: check-data check-expects ## committed generated files are what is generated
	$(Q)$(public_headers) | share/generated.sh check && testbench/features.sh check && testbench/suites.sh check
	$(Q)! command -v clang-14 > /dev/null || compiler/support/make_support.sh check
generated: ## write the committed generated files again
	$(Q)$(public_headers) | share/generated.sh write
# The data files of kernels/apps are what the host programs write; the values that kernels of formats, bugs and bring-up
# expect are the calculator's.
build/golden/data/made: golden/host/make_data.sh $(GOLDEN)
	$(call step,DATA,$< $(@D) && touch $@)
check-data: build/golden/data/made
	$(Q)cd kernels/apps && for data in */*.bin; do cmp $$data $(CURDIR)/build/golden/data/$$data || exit 1; done
EXPECTS := $(filter kernels/formats/% kernels/regress/% kernels/bringup/%,$(KERNELS))
expects: build/golden/calculator/expects #+ write the values that kernels/formats, regress and bringup expect
	$(Q)$< --write $(EXPECTS)
check-expects: build/golden/calculator/expects #+ they are those
	$(Q)$< $(EXPECTS) > $<.log || { grep '^#\|^not' $<.log; exit 1; }

# --------------------------------------------------------------------------------------------------------- install

install: install-parts $(SIMS) ## tools, pages, library, headers, examples, under PREFIX (and DESTDIR, LIBDIR)
	$(call say,INSTALL)
	$(Q)$(MAKE) -s install-built
# All but the simulations of the RTL, which need more tools.
install-parts: $(LIB_EXPORT) $(OPENCL_SO) $(TOOLS)
# Installs without a look at whether anything is out of date.
install-built:
	$(Q)$(public_headers) | PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' DESTDIR='$(DESTDIR)' ICDDIR='$(ICDDIR)' \
		SONAME=$(SONAME) OPENCL=$(OPENCL_SO) share/install.sh $(TOOL_NAMES)
# Removes the files of such an installation, and folders of ours that it leaves empty.
uninstall: #+ remove what `make install` installed, with the same PREFIX, DESTDIR and LIBDIR
	$(call say,REMOVE)
	$(Q)staged=$$(mktemp -d) && trap 'rm -rf "$$staged"' EXIT && $(MAKE) -s install-built DESTDIR="$$staged" && \
		share/uninstall.sh "$$staged" '$(DESTDIR)'
deb: #+ Debian packages, into build/deb
	$(Q)share/deb.sh
distro: #+ both commands of README in a new Debian, made for it: DISTRO=trixie; an hour
	$(Q)share/distro.sh $(or $(DISTRO),trixie)

-include $(shell find build -name '*.d' ! -name 'V*__ver.d' 2>/dev/null)

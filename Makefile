# SPDX-License-Identifier: Apache-2.0
# Everything that is made is under build/, which mirrors the tree: cmodel/core/step.c becomes build/cmodel/core/step.o,
# cmodel/test/test_flow.c becomes build/cmodel/test/test_flow. `make` prints what there is to make, V=1 shows the
# commands. What belongs to one folder of testbench/ is described there, in a part with the folder's name:
# fpga/area/area.mk. Files are found by their folder, so that one more needs no word here.

MAKEFLAGS += -rR
# As many jobs as there are processors, unless -j says otherwise; install-built, which `install` calls, has its own.
ifeq (,$(filter -j% --jobserver%,$(MAKEFLAGS))$(filter install-built,$(MAKECMDGOALS)))
MAKEFLAGS += -j$(shell nproc)
endif
SHELL := /bin/bash
.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := help

CC       ?= gcc
CXX      ?= g++
ifeq ($(origin CC),default)
CC       := gcc
endif
ifeq ($(origin CXX),default)
CXX      := g++
endif
AR       := ar
PREFIX   ?= /usr/local
LIBDIR   ?= $(PREFIX)/lib
# Where OpenCL's loaders look; where PREFIX is nobody else's, nothing is put outside of it.
ICDDIR   ?= $(if $(filter /usr /usr/local,$(PREFIX)),,$(PREFIX))/etc/OpenCL/vendors
DESTDIR  ?=
OPT      ?= -O2

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
CFLAGS   := -std=c11 -D_GNU_SOURCE= $(OPT) -g -fPIC -fno-semantic-interposition $(WARNINGS) -Werror
LDLIBS   := $(LDFLAGS) -Wl,--as-needed -lelf
TESTLIBS := -lcmocka -ljansson -lm

# One short line a step; V=1 prints the command instead.
ifeq ($(V),1)
Q   :=
say := @:
else
Q   := @
say  = @printf '%-8s %s\n' $(1) $(patsubst build/%,%,$@)
endif

define step # NAME, COMMAND: a recipe of one command
	$(call say,$(1))
	$(Q)mkdir -p $(@D) && $(2)
endef
# Appended to a command: what it says goes to a file, shown if it fails.
quietly = > $(1) 2>&1 || { cat $(1); exit 1; }

# These goals install what is missing before anything is compiled.
FIRST := $(if $(filter demo test test-rest test-all,$(MAKECMDGOALS)),deps)

# --------------------------------------------------------------------------------------------------------- sources
# The library is what lies in these folders and is neither a test nor a program.

folders_of = $(1) $(filter-out %/test %/doc %/support,$(patsubst %/,%,$(wildcard $(1)/*/)))
LIB_DIRS   := spec $(sort $(foreach d,assembler cmodel cmodel/core compiler checker loader,$(call folders_of,$d))) \
	checker/random/c
# The third opinion goes by the rules of the calculator.
RULES_SRC  := $(addprefix golden/,calculator/execute.c calculator/float.c calculator/rules.c float/reference.c)
ALL_SRC    := $(wildcard $(addsuffix /*.c,$(LIB_DIRS)) runtime/engine*.c) $(RULES_SRC)
LIB_HDR    := golden/calculator/instruction.h $(wildcard $(addsuffix /*.h,$(LIB_DIRS)) $(addsuffix /*.def,$(LIB_DIRS)))
TOOL_NAMES := warp-as warp-dis warp-cc warp-run warp-lockstep warp-fuzz warp-view warp-load
tool_src    = $(filter %/$(subst -,_,$(1)).c,$(ALL_SRC))
TOOL_SRC   := $(foreach t,$(TOOL_NAMES),$(call tool_src,$t))
GEN_SRC    := $(wildcard spec/gen/*.c)
GEN        := build/spec/gen/gen
# Of the instruction table's rows, made by the generator: a source like any other, but that it is built.
DERIVED    := build/spec/derived.c
# Routines of compiled code, as text.
ROUTINES   := build/compiler/support/routines.c
FUNCTIONS  := build/compiler/support/functions.c
# How random programs in C run on this machine, as text.
HOST_TEXT  := build/checker/random/c/host_text.c
# The prompt of the tools that have one, with libedit.
PROMPT_SRC := cmodel/debug/session.c
prompt_of   = $(if $(filter warp-run warp-lockstep,$(1)),$(2))
LIB_SRC    := $(filter-out $(TOOL_SRC) $(PROMPT_SRC) $(GEN_SRC),$(ALL_SRC)) $(DERIVED) $(ROUTINES) $(FUNCTIONS) \
	$(HOST_TEXT)

# A test is test/test_*.c of a folder; other files there are helpers, linked into each of its tests and into those of
# the folders below.
TEST_ALL   := $(wildcard $(foreach d,assembler cmodel compiler checker testbench loader runtime web,\
	$d/test/*.c $d/*/test/*.c $d/*/*/test/*.c))
TEST_SRC   := $(foreach t,$(TEST_ALL),$(if $(filter test_%,$(notdir $t)),$t))
HELPER_SRC := $(filter-out $(TEST_SRC),$(TEST_ALL))
helpers_of  = $(filter $(dir $(1))% $(dir $(patsubst %/test/,%,$(dir $(1))))test/%,$(HELPER_SRC))
# Helpers of other folders, by their name.
helper      = $(filter $(addprefix %/,$(1)),$(HELPER_SRC))
test_src    = $(1).c $(call helpers_of,$(1)) $(call helper,$(uses_$(notdir $(1)))) $(also_$(notdir $(1)))

GOLDEN_SRC := $(filter-out golden/host/bytes.c golden/host/real.c,$(wildcard golden/host/*.c))
GOLDEN     := $(GOLDEN_SRC:%.c=build/%)
KERNELS    := $(wildcard kernels/*/*.sass)

# What others include, and with it what that includes.
PUBLIC     := cmodel/model.h $(addprefix checker/,verdict/lockstep.h verdict/lasting.h report/report.h port/pins.h) \
	assembler/isa/isa.h assembler/image_load.h compiler/compiler.h
public_headers = $(CC) -MM -I. $(PUBLIC:%=-include %) -x c /dev/null | tr -d '\\' | tr ' ' '\n' | grep '\.h$$\|\.def$$'

LIB        := build/libwarpstep.a
LIB_SO     := build/libwarpstep.so
LIB_EXPORT := build/export/libwarpstep.so build/export/libwarpstep.a
TOOLS      := $(TOOL_NAMES:%=build/bin/%)
TESTS      := $(TEST_SRC:%.c=build/%)
ASAN       := $(TEST_SRC:%.c=build/asan/%)

# ----------------------------------------------------------------------------------------------------------- goals

.PHONY: all help suites deps test test-rest test-all unit lockstep vectors corpus demo clean deb distro \
	install install-parts install-built applications check-generated generated force

help: ## this list
	@cat Makefile $(PARTS) | sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' | expand -t 18
	@echo && echo 'OpenCL programs of this shell find the driver that is built here after' && echo '$(OPENCL_LINE)'

deps: ## install what is missing
	@.ci/deps

clean: ## remove everything that was made
	$(call say,CLEAN)
	$(Q)rm -rf build

# ---------------------------------------------------------------------------------------------------------- C code
# The C code in variants: each has a folder, flags, what is linked, and perhaps a compiler of its own.

VARIANTS      := plain asan tsan hidden coverage fuzz wasm
dir_plain     := build
# gcc's -Wconversion does not follow a value through the sanitizers' checks; the plain variant has it.
dir_asan      := build/asan
flags_asan    := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -Wno-conversion
link_asan     := $(flags_asan)
dir_tsan      := build/tsan
flags_tsan    := -O1 -fsanitize=thread -Wno-conversion
link_tsan     := $(flags_tsan)
# For simulations: their symbols do not meet those of the program that opens them.
dir_hidden    := build/hidden
flags_hidden   = -fvisibility=hidden -DWARPSTEP_GHDL='"$(GHDL)"'
# Children leave their counts behind, too.
dir_coverage  := build/coverage/c
flags_coverage := -O0 --coverage
link_coverage := --coverage -Wl,--wrap=_exit
build/coverage/c/libwarpstep.a: build/coverage/c/checker/coverage/leave/leave.o
# As -fsanitize=fuzzer-no-link, but comparisons are not traced, which took half to five sixths of the time: from the
# seeds alone, as long without it reaches more branches in every target that was tried.
dir_fuzz      := build/fuzz
cc_fuzz       := testbench/fuzz/clang.sh
flags_fuzz    := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fsanitize-coverage=inline-8bit-counters,indirect-calls,pc-table
link_fuzz     := -fsanitize=address,undefined,fuzzer

# For the page of web/. Debian's emcc runs programs of its own with node, which must find node-acorn.
dir_wasm      := build/wasm
cc_wasm       := NODE_PATH=/usr/share/nodejs emcc
flags_wasm    := -fno-PIC -g0 -Wno-conversion -Wno-unused-command-line-argument

# An object is old when the flags have changed: this file changes only when they do.
FLAGS   := build/c-flags
C_FLAGS  = $(CC) $(CFLAGS) $(foreach v,$(VARIANTS),$(flags_$v))
$(FLAGS): force | $(FIRST)
	$(Q)mkdir -p $(@D) && cmp -s $@ - <<< '$(C_FLAGS)' || echo '$(C_FLAGS)' > $@

define variant # VARIANT: its objects and its library
cc_$(1) ?= $$(CC)
$(dir_$(1))/%.o: %.c $(FLAGS) | $(FIRST)
	$$(call step,CC,$$(cc_$(1)) $$(CFLAGS) $$(flags_$(1)) -I. -MMD -MP -c $$< -o $$@)
$(dir_$(1))/libwarpstep.a: $(LIB_SRC:%.c=$(dir_$(1))/%.o)
	$$(call step,AR,rm -f $$@ && $(AR) rcs $$@ $$^)
endef
$(foreach v,$(VARIANTS),$(eval $(call variant,$v)))
# The model's loops over lanes become vector instructions.
# Its own: the file of flags, which comes first, must not depend on who asks for it.
build/cmodel/%.o: private CFLAGS += -O3

define program # VARIANT, NAME, SOURCES, LIBRARIES: a program of these sources and the library
$(dir_$(1))/$(2): $(patsubst %.c,$(dir_$(1))/%.o,$(3)) $(dir_$(1))/libwarpstep.a
	$$(call say,LD)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(cc_$(1)) $$(link_$(1)) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) $(LDLIBS) $(4)
endef
programs = $(foreach v,$(1),$(eval $(call program,$v,$(2),$(3),$(4))))

link_so = $(CC) -shared -Xlinker -soname=$(1) -o $@ $(filter %.o,$^) $(LDLIBS)
$(LIB_SO): $(LIB_SRC:%.c=build/%.o)
	$(call step,LD,$(call link_so,$(@F)))
# What is installed shows what its headers declare, and keeps the rest to itself.
SONAME := libwarpstep.so.0
build/export/libwarpstep.so: $(LIB_SRC:%.c=build/%.o) share/exported.map
	$(call step,LD,$(call link_so,$(SONAME) -Xlinker --version-script=share/exported.map))
build/export/libwarpstep.a: $(LIB_SRC:%.c=build/%.o)
	$(call step,AR,$(CC) -r -nostdlib -o $(@:.a=.o) $^ && objcopy -w --keep-global-symbol='warpstep_*' $(@:.a=.o) && \
		rm -f $@ && $(AR) rcs $@ $(@:.a=.o))

# The host programs of golden/ share nothing with what they are compared with.
$(GOLDEN): %: %.o build/golden/host/bytes.o
	$(call step,LD,$(CC) -o $@ $^ -lm $(libs_$(@F)))
libs_wide := -lgmp
# Those that include real.h.
REAL_SRC := $(shell grep -l '"real.h"' $(GOLDEN_SRC))
$(REAL_SRC:%.c=build/%): build/golden/host/real.o build/golden/float/reference.o

# ----------------------------------------------------------------------------------------------------------- parts

# First those whose variables others use.
PARTS := sim/netlist/netlist.mk sim/ghdl/ghdl.mk sim/verilator/verilator.mk testbench/robust/robust.mk
PARTS += $(filter-out $(PARTS),$(wildcard $(addsuffix /*.mk,\
	testbench testbench/* checker checker/* sim/* fpga/* measure/* golden/* loader runtime web)))
include $(PARTS)

all: $(LIB) $(LIB_SO) $(LIB_EXPORT) $(OPENCL_ICD) $(TOOLS) $(TESTS) $(GOLDEN) $(SIMS) ## tools, library, simulations and tests

# Of a test, what parts say: uses_TEST, helpers of other folders; also_TEST, sources beside the library; and link_TEST.
$(foreach t,$(TOOL_NAMES),$(call programs,plain asan coverage,bin/$t,$(call tool_src,$t) \
	$(call prompt_of,$t,$(PROMPT_SRC)),$(call prompt_of,$t,-ledit)))
$(foreach t,$(TEST_SRC:%.c=%),$(call programs,plain asan coverage,$t,$(call test_src,$t),\
	$(TESTLIBS) $(link_$(notdir $t))))
# Tests run tools.
$(TESTS) $(ASAN) $(TEST_SRC:%.c=build/coverage/c/%): | $(TOOLS) $(TEST_NEEDS)

# ---------------------------------------------------------------------------------------------------------- suites
# testbench/suites.tsv says which suites there are, and which goal runs them. needs_FOLDER is what the scripts of a
# folder run; a suite that is a program is made itself.

$(call programs,plain,testbench/semantics/vector_kernel,testbench/semantics/vector_kernel.c $(call helper,table.c))
$(call programs,plain,testbench/formats/format_coverage,testbench/formats/format_coverage.c)
$(call programs,plain,testbench/launches/draw_launch,testbench/launches/draw_launch.c)
$(call programs,plain,testbench/apps/corpus_launch,testbench/apps/corpus_launch.c,-ljansson)
$(call programs,plain,testbench/apps/corpus_cubin,testbench/apps/corpus_cubin.c \
	$(call helper,cubin_builder.c),-ljansson)
$(call programs,plain,testbench/compiler/math_error,testbench/compiler/math_error.c \
	testbench/compiler/builtins/exact.c,-lm)
$(call programs,plain,testbench/compiler/builtins/builtins,$(wildcard testbench/compiler/builtins/*.c),-lm)
$(call programs,plain,testbench/demo/grey_png,testbench/demo/grey_png.c,-lpng)
VECTOR_TOOL  := build/testbench/semantics/vector_kernel
LAUNCH_TOOL  := build/testbench/launches/draw_launch
CORPUS_TOOL  := build/testbench/apps/corpus_launch
needs_semantics := $(VECTOR_TOOL)
needs_launches  := $(LAUNCH_TOOL)
needs_formats   := build/testbench/formats/format_coverage
needs_apps      := $(CORPUS_TOOL) build/testbench/apps/corpus_cubin
needs_bench     := $(CORPUS_TOOL)
needs_compiler  := $(CORPUS_TOOL) $(addprefix build/golden/ptx/,run draw) \
	$(addprefix build/testbench/compiler/,math_error builtins/builtins)

# With SUITE=TEXT, those of any goal that have TEXT in their command.
goals_of        = $(if $(SUITE),unit test test-all,$(or $(goals_$(1)),$(1)))
goals_test     := unit test
goals_test-rest := test-all
goals_test-all := unit test test-all
list_suites     = testbench/suites.sh list $(goals_of)
run_suites      = testbench/run_tests.sh -f <($(list_suites))
run_covered     = $(Q)WARPSTEP_COVERAGE=$(CURDIR)/$(COVERAGE_TEST) $(run_suites)
# What the suites' scripts need comes first: yosys is among it, which takes minutes on one processor.
needed_by       = $(foreach f,$(sort $(notdir $(patsubst %/,%,$(dir $(filter %.sh,$(1)))))),$(needs_$f)) \
	$(filter build/%,$(1))
$(foreach g,$(filter test test-rest test-all vectors corpus applications agree,$(MAKECMDGOALS)),\
	$(eval $g: $(call needed_by,$(shell $(call list_suites,$g) | grep -F -- '$(SUITE)'))))
.PHONY: fresh-coverage
fresh-coverage:
	$(Q)rm -rf $(COVERAGE_TEST) && mkdir -p $(COVERAGE_TEST)

suites: ## all suites, with the goals that run them
	@testbench/suites.sh page

test test-rest test-all: all check-generated
test test-all: fresh-coverage
test: ## the tests to run after a change: minutes; SUITE=TEXT: all suites with TEXT in their command
	$(call run_covered,$@)
test-rest: ## those of test-all that test has not, to be run after it
	$(call run_covered,$@) -l '$(COVERAGE_CHECK)'
test-all: ## more tests, half an hour
	$(call run_covered,$@) -l '$(COVERAGE_CHECK)'

unit: $(TESTS) ## C unit tests
	$(Q)$(call run_suites,$@)

vectors: $(SIMS) $(TOOLS) ## all semantic vectors on both simulators: half an hour
	$(Q)$(call run_suites,$@)

corpus: all ## applications of others, in ../shared/corpus
	$(Q)[ -d ../shared/corpus ] || { echo 'corpus: ../shared/corpus is not there' >&2; exit 2; }
	$(Q)$(call run_suites,$@)

agree: $(TOOLS) $(SIMS) ## simulations against each other: all kernels, many seeds, random kernels; hours
	$(Q)SUITE_SECONDS=7200 $(call run_suites,$@)

applications: all $(EXTENSION_SIMS) build/sim/libsim-verilator-C8-S1-G1048576.so
applications: ## applications that scale over blocks, at large sizes and on more machines
	$(Q)SUITE_SECONDS=7200 $(call run_suites,$@)

DEMO_SIMS := build/sim/libsim-verilator-C8-S1.so build/sim/libsim-ghdl.so build/sim/ghdl/built
demo: $(GOLDEN) $(TOOLS) build/testbench/demo/grey_png $(DEMO_SIMS) ## edge detection through every tool
	$(Q)testbench/demo/run.sh

# ------------------------------------------------------------------------------------------------- generated files

$(GEN): $(GEN_SRC:%.c=build/%.o) build/spec/table.o
	$(call step,LD,$(CC) -o $@ $^)
$(DERIVED): $(GEN)
	$(call step,GEN,$< derived > $@)
$(ROUTINES): compiler/support/ptx.sed $(wildcard compiler/support/*.ptx)
	$(call step,GEN,{ echo '#include "compiler/lower/support.h"'; echo 'const char *const lower_routines[] = {'; \
		sed -f $^; echo '    NULL};'; } > $@)

$(FUNCTIONS): compiler/support/header.sed $(wildcard compiler/support/*_functions.h)
	$(call step,GEN,{ echo '#include "compiler/driver_headers.h"'; $(foreach h,$(filter %.h,$^),\
		echo 'const char *const driver_$(basename $(notdir $h))[] = {'; sed -f $< $h; echo '    NULL};';) } > $@)

$(HOST_TEXT): compiler/support/header.sed checker/random/c/host/launch.c checker/random/c/host/opencl.h
	$(call step,GEN,{ echo '#include "checker/random/c/trial.h"'; $(foreach h,$(filter-out %.sed,$^),\
		echo 'const char *const c_host_$(basename $(notdir $h))[] = {'; sed -f $< $h; echo '    NULL};';) } > $@)

# The instruction reference, from the table and a template.
ISA_DOC    := build/assembler/doc/isa_doc
ISA_DOC_IN := assembler/doc/isa.in.md golden/encodings/thesis.tsv
$(call programs,plain,assembler/doc/isa_doc,$(wildcard assembler/doc/*.c))
docs/isa.md docs/evidence/formats.md: $(ISA_DOC) $(ISA_DOC_IN)
	$(Q)$< $(basename $(@F)) $(ISA_DOC_IN) > $@.tmp && mv $@.tmp $@

# Committed, as VHDL and pages are read without a build. A change of a .def file makes the lists again, before the RTL
# is compiled; one that says the same as before keeps its time.
LISTS     := $(addprefix rtl/generated/,isa_pkg.vhd retire_pkg.vhd control_pkg.vhd lists_pkg.vhd) \
	fpga/boards/board_pkg.vhd docs/host.md
GENERATED := $(LISTS) assembler/base/names.h docs/isa.md docs/trace.md $(addprefix docs/evidence/,formats.md \
	features.md suites.md) docs/machine.svg docs/performance.md docs/flexgrip.svg README.md docs/fpga.md \
	docs/experiments.md
writes_isa      := $(ISA_DOC) isa $(ISA_DOC_IN)
writes_formats  := $(ISA_DOC) formats $(ISA_DOC_IN)
writes_names    := $(public_headers) | grep '\.h$$' | xargs awk -f assembler/base/names.awk
writes_trace    := $(WHAT_TO_REPORT) docs/trace.md
writes_features := testbench/features.sh
writes_suites   := testbench/suites.sh page
writes_fpga     := awk -f fpga/boards/table.awk fpga/boards/routed.tsv docs/fpga.md
writes_machine  := awk -f checker/view/machine.awk
writes_flexgrip := awk -f measure/bench/chart.awk docs/performance.md
# Where they speak of the clock. What is made of a page comes behind it in the list.
CLOCK           := -f measure/bench/times.awk fpga/timing/timing.md docs/performance.md
writes_performance := awk $(CLOCK)
writes_README   := awk -v readme=README.md $(CLOCK)
writer_of        = $(or $(writes_$(basename $(notdir $(1)))),$(GEN) $(basename $(notdir $(1))))
replace          = { cmp -s build/$(notdir $(1)) $(1) || cp build/$(notdir $(1)) $(1); }
$(LISTS): $(GEN)
	$(Q)$< $(basename $(@F)) > build/$(@F) && $(call replace,$@)

check-generated generated: $(VHDL_TOOL)
check-generated: $(GEN) $(ISA_DOC) $(WHAT_TO_REPORT) check-data ## committed generated files are what is generated
	$(Q)$(foreach g,$(GENERATED),$(call writer_of,$g) | diff -u $g - &&) true
	$(Q)testbench/features.sh check && testbench/suites.sh check
	$(Q)! command -v clang-14 > /dev/null || compiler/support/make_support.sh check
generated: $(GEN) $(ISA_DOC) $(WHAT_TO_REPORT) ## write the committed generated files again
	$(Q)$(foreach g,$(GENERATED),$(call writer_of,$g) > build/$(notdir $g) && $(call replace,$g) &&) true

# The data files of kernels/apps are what the host programs write.
build/golden/data/made: golden/host/make_data.sh $(GOLDEN)
	$(call step,DATA,$< $(@D) && touch $@)
.PHONY: check-data
check-data: build/golden/data/made
	$(Q)cd kernels/apps && for data in */*.bin; do cmp $$data $(CURDIR)/build/golden/data/$$data || exit 1; done

# --------------------------------------------------------------------------------------------------------- install
# Headers keep their directories, as they include each other by them: #include <warpstep/cmodel/model.h>.

VERSION  := $(shell sed -n 's/.*WARPSTEP_VERSION "\(.*\)"/\1/p' assembler/base/version.h)
EXAMPLES := $(addprefix kernels/apps/,vecadd.sass reduce.sass reduce) web/kernels/divergence.sass \
	checker/port/example/five.sass share/examples/README.md
EXAMPLE_SRC := share/examples/run_kernel.c checker/port/example/tiny_core.c
dest     := $(DESTDIR)$(PREFIX)
dest_lib := $(DESTDIR)$(LIBDIR)
examples := $(dest)/share/doc/warpstep/examples
install: install-parts $(SIMS) ## tools, pages, library, headers, examples, under PREFIX (and DESTDIR, LIBDIR)
	$(call say,INSTALL)
	$(Q)$(MAKE) -s install-built
# All but the simulations of the RTL, which need more tools.
install-parts: $(LIB_EXPORT) $(OPENCL_SO) $(TOOLS)
# What is there, without a look at whether it is out of date.
install-built:
	$(Q)install -d $(dest)/bin $(dest)/include/warpstep $(dest_lib)/pkgconfig $(examples)
	$(Q)install $(TOOLS) $(dest)/bin
	$(Q)install -d $(dest)/share/man/man1 $(dest)/share/bash-completion/completions
	$(Q)for tool in $(TOOL_NAMES); do build/bin/$$tool --help | awk -v version=$(VERSION) -f share/man.awk \
		> $(dest)/share/man/man1/$$tool.1 && install -m 644 share/completion.bash \
		$(dest)/share/bash-completion/completions/$$tool || exit 1; done
	$(Q)install -m 644 -D $(OPENCL_SO) $(dest_lib)/warpstep/$(notdir $(OPENCL_SO))
	$(Q)install -d $(DESTDIR)$(ICDDIR) && \
		echo $(abspath $(LIBDIR))/warpstep/$(notdir $(OPENCL_SO)) > $(DESTDIR)$(ICDDIR)/warpstep.icd
	$(Q)install -m 644 build/export/libwarpstep.a $(dest_lib)
	$(Q)install -m 644 build/export/libwarpstep.so $(dest_lib)/$(SONAME)
	$(Q)ln -sf $(SONAME) $(dest_lib)/libwarpstep.so
	$(Q)! test -f build/sim/ghdl/built || (cd build/sim && find *.so ghdl -type f ! -name '*.o' \
		-exec install -D {} $(abspath $(dest))/lib/warpstep/{} \;)
	$(Q)$(public_headers) | xargs -I{} install -m 644 -D {} $(dest)/include/warpstep/{}
	$(Q)cp -R $(EXAMPLES) $(examples) && for file in $(EXAMPLE_SRC); do \
		sed -f share/installed.sed $$file > $(examples)/$$(basename $$file) || exit 1; done
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'Name: warpstep' \
		'Description: sm_10 golden model and lockstep checker' 'Version: $(VERSION)' 'Requires.private: libelf' \
		'Cflags: -I$${prefix}/include' 'Libs: -L$${libdir} -lwarpstep' > $(dest_lib)/pkgconfig/warpstep.pc

deb: ## Debian packages, into build/deb
	$(Q)share/deb.sh

distro: ## both commands of README in a new Debian, made for it: DISTRO=trixie; an hour
	$(Q)share/distro.sh $(or $(DISTRO),trixie)

-include $(shell find build -name '*.d' ! -name 'V*__ver.d' 2>/dev/null)

# SPDX-License-Identifier: Apache-2.0
# The only Makefile. Everything it makes is under build/, which mirrors the tree: cmodel/warp.c becomes
# build/cmodel/warp.o, cmodel/test/test_warp.c becomes build/cmodel/test/test_warp. `make` prints what there is to make,
# V=1 shows the commands.

MAKEFLAGS += -rR
# As many jobs as there are processors, unless -j says otherwise.
ifeq (,$(filter -j% --jobserver%,$(MAKEFLAGS)))
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
DESTDIR  ?=
OPT      ?= -O2

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
CFLAGS   := -std=c11 -D_GNU_SOURCE= $(OPT) -g -fPIC -fno-semantic-interposition $(WARNINGS) -Werror
# gcc's -Wconversion does not follow a value through the sanitizers' checks; the plain build has it.
SANITIZE := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -Wno-conversion
LDLIBS   := -lelf
TESTLIBS := -lcmocka -ljansson

# One short line a step; V=1 prints the command instead.
ifeq ($(V),1)
Q   :=
say := @:
else
Q   := @
say  = @printf '%-8s %s\n' $(1) $(patsubst build/%,%,$@)
endif

# `make demo` and `make test` install what is missing before anything is compiled.
FIRST := $(if $(filter demo test,$(MAKECMDGOALS)),deps)

# ---------------------------------------------------------------------------------------------------------- sources

C_DIRS    := assembler $(addprefix assembler/,base isa image source cubin listing check) cmodel cmodel/run \
	testbench/coverage testbench/lockstep testbench/random
TOOL_SRC  := $(wildcard assembler/warp_as.c assembler/warp_dis.c cmodel/run/warp_run.c \
	testbench/lockstep/warp_lockstep.c testbench/random/warp_fuzz.c)
GEN_SRC   := $(wildcard assembler/isa/gen*.c)
# Of the instruction table's rows, made by the generator: a source like any other, but that it is built.
DERIVED   := build/assembler/isa/derived.c
LIB_SRC   := $(filter-out $(TOOL_SRC) $(GEN_SRC),$(wildcard $(addsuffix /*.c,$(C_DIRS)))) $(DERIVED)
LIB_HDR   := $(wildcard $(addsuffix /*.h,$(C_DIRS)) $(addsuffix /*.def,$(C_DIRS)))
TEST_DIRS := $(wildcard $(addsuffix /test,$(C_DIRS) testbench/robust))
TEST_SRC  := $(wildcard $(addsuffix /test_*.c,$(TEST_DIRS)))
HELPER_SRC := $(filter-out $(TEST_SRC),$(wildcard $(addsuffix /*.c,$(TEST_DIRS))))

GOLDEN_SRC := $(filter-out golden/host/bytes.c,$(wildcard golden/host/*.c))
GOLDEN    := $(GOLDEN_SRC:%.c=build/%)

LIB_OBJ   := $(LIB_SRC:%.c=build/%.o)
LIB       := build/libwarpstep.a
LIB_SO    := build/libwarpstep.so
tool_of    = build/bin/$(subst _,-,$(basename $(notdir $(1))))
TOOLS     := $(foreach s,$(TOOL_SRC),$(call tool_of,$(s)))
TESTS     := $(TEST_SRC:%.c=build/%)
ASAN      := $(TEST_SRC:%.c=build/asan/%)

# One Verilog file and one simulation of Verilator's for each configuration, C<cores>-S<SMs>[-G<bytes of global
# memory>]; any can be made by its name, as `make bench` does with more of them. GHDL needs one in all.
GHDL     = $(eval GHDL := $(notdir $(firstword $(shell command -v ghdl-llvm ghdl-mcode ghdl))))$(GHDL)
CORES    := 8 16 32
CONFIGS  := $(CORES:%=C%-S1) C8-S2
RTL      := $(addprefix rtl/,$(shell grep -v '^\#' rtl/files.f))
VERILOG  := $(CONFIGS:%=build/verilog/gpu_flat-%.v)
VSIMS    := $(CONFIGS:%=build/sim/libsim-verilator-%.so)
SIMS     := $(VSIMS) build/sim/libsim-ghdl.so build/sim/ghdl/built

# --------------------------------------------------------------------------------------------------------- goals

.PHONY: all help deps test unit lockstep vectors corpus verilog sims benches demo lint format bench area install clean \
	check-generated

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(filter Makefile %.mk,$(MAKEFILE_LIST)) | expand -t 18

all: $(LIB) $(LIB_SO) $(TOOLS) $(TESTS) $(GOLDEN) $(SIMS) ## tools, library, simulations and tests

deps: ## install what is missing
	@.ci/deps

clean: ## remove everything that was made
	$(call say,CLEAN)
	$(Q)rm -rf build

# ------------------------------------------------------------------------------------------------------ C library

# A C object is old when its flags have changed: the file changes only when they do.
FLAGS   := build/c-flags
C_FLAGS  = $(CC) $(CFLAGS) $(SANITIZE) $(FUZZ_FLAGS)
.PHONY: force
$(FLAGS): force
	$(Q)mkdir -p $(@D) && cmp -s $@ - <<< '$(C_FLAGS)' || echo '$(C_FLAGS)' > $@

# So is what one GHDL has analysed, for another.
GHDL_NAME := build/ghdl-name
$(GHDL_NAME): force | $(FIRST)
	$(Q)mkdir -p $(@D) && cmp -s $@ - <<< '$(GHDL)' || echo '$(GHDL)' > $@

# The model's loops over lanes become vector instructions.
build/cmodel/%.o: CFLAGS += -O3

build/%.o: %.c $(FLAGS) | $(FIRST)
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -I. -MMD -MP -c $< -o $@

build/asan/%.o: %.c $(FLAGS) | $(FIRST)
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) -I. -MMD -MP -c $< -o $@

$(LIB): $(LIB_OBJ)
build/asan/libwarpstep.a: $(LIB_SRC:%.c=build/asan/%.o)
$(LIB) build/asan/libwarpstep.a:
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(LIB_SO): $(LIB_OBJ)
	$(call say,LD)
	$(Q)$(CC) -shared -Wl,-soname,libwarpstep.so -o $@ $^ $(LDLIBS)

link = $(Q)mkdir -p $(@D) && $(CC) $(1) -o $@ $(filter %.o %.a,$^) -Wl,--as-needed $(2)

define tool_rule
$(call tool_of,$(1)): $(1:%.c=build/%.o) $(LIB)
endef
$(foreach s,$(TOOL_SRC),$(eval $(call tool_rule,$(s))))
$(TOOLS):
	$(call say,LD)
	$(call link,,$(LDLIBS))

GEN := build/assembler/isa/gen
$(GEN): $(GEN_SRC:%.c=build/%.o) build/assembler/isa/table.o
	$(call say,LD)
	$(call link,,)
$(DERIVED): $(GEN)
	$(call say,GEN)
	$(Q)$< derived > $@

# The instruction reference, from the table and a template.
ISA_DOC := build/assembler/doc/isa_doc
ISA_DOC_SRC := $(wildcard assembler/doc/*.c)
$(ISA_DOC): $(ISA_DOC_SRC:%.c=build/%.o) $(LIB)
	$(call say,LD)
	$(call link,,$(LDLIBS))

ISA_DOC_IN := assembler/doc/isa.in.md golden/encodings/thesis.tsv
docs/isa.md: $(ISA_DOC) $(ISA_DOC_IN)
	$(Q)$< $(ISA_DOC_IN) > $@.tmp && mv $@.tmp $@

# The host programs of golden/ share nothing with what they are compared with.
$(GOLDEN): %: %.o build/golden/host/bytes.o
	$(call say,LD)
	$(call link,,-lm)

# ------------------------------------------------------------------------------------------------------ C tests
# A test is test/test_*.c; other files in that directory are helpers, linked into each of its tests.

helpers_of = $(patsubst %.c,$(2)/%.o,$(filter-out $(TEST_SRC),$(wildcard $(dir $(1))*.c)))
define test_rule
build/$(1:.c=): build/$(1:.c=.o) $(call helpers_of,$(1),build) $(LIB)
build/asan/$(1:.c=): build/asan/$(1:.c=.o) $(call helpers_of,$(1),build/asan) build/asan/libwarpstep.a
endef
$(foreach s,$(TEST_SRC),$(eval $(call test_rule,$(s))))
# Where memory runs out, the calls of the code under test that allocate go through test/fail_alloc.c.
ALLOCATORS := malloc calloc realloc strdup strndup fopen fdopen fmemopen
FAIL_TEST  := testbench/robust/test/test_out_of_memory
FAIL_USES  := testbench/lockstep/test/fake_sim.o testbench/lockstep/test/kernel.o assembler/test/cubin_builder.o
build/$(FAIL_TEST): $(FAIL_USES:%=build/%)
build/asan/$(FAIL_TEST): $(FAIL_USES:%=build/asan/%)
build/$(FAIL_TEST) build/asan/$(FAIL_TEST): TESTLIBS += $(ALLOCATORS:%=-Wl,--wrap=%)

# Preloaded into a tool, makes an allocation fail, of its libraries, too.
FAIL_PRELOAD := build/testbench/robust/fail_alloc_preload.so
$(FAIL_PRELOAD): testbench/robust/fail_alloc_preload.c
	$(call say,LD)
	$(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) -shared -o $@ $<

# The campaign's test takes the simulation that lockstep's tests have, tests of tools a shared object of it.
FAKE_TEST  := testbench/random/test/test_campaign
FAKE_SIM   := build/testbench/lockstep/test/libfake.so
FAKE_NAME  := -Wl,--defsym=warpstep_sim=fake_sim_api
$(foreach b,build build/asan,$(eval $(b)/$(FAKE_TEST): $(b)/testbench/lockstep/test/fake_sim.o))
$(FAKE_SIM): build/testbench/lockstep/test/fake_sim.o $(LIB)
	$(call say,LD)
	$(call link,-shared,$(LDLIBS) $(FAKE_NAME))

$(TESTS) $(ASAN): | $(TOOLS) $(FAKE_SIM) $(FAIL_PRELOAD)
$(TESTS):
	$(call say,LD)
	$(call link,,$(LDLIBS) $(TESTLIBS))
$(ASAN):
	$(call say,LD)
	$(call link,$(SANITIZE),$(LDLIBS) $(TESTLIBS))

# ----------------------------------------------------------------------------------------------------- simulations
# The RTL as shared objects that warp-lockstep opens. GHDL takes generics at run time, so one build serves; Verilator
# needs one for each number of cores, from the Verilog that ghdl --synth writes.

# Pin level code that both simulations share with the checker, its symbols hidden from whoever opens them.
PINS_SRC := $(addprefix testbench/lockstep/,pins.c host.c host_plan.c unpack.c)
PINS_OBJ := $(PINS_SRC:%.c=build/hidden/%.o)
build/hidden/%.o: %.c $(FLAGS) | $(FIRST)
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -fvisibility=hidden -DWARPSTEP_GHDL='"$(GHDL)"' -I. -MMD -MP -c $< -o $@

verilog: $(VERILOG) ## the RTL as Verilog, one file a number of cores
sims: $(SIMS) ## simulations of the RTL for warp-lockstep

ghdl_analyse = $(Q)mkdir -p $(@D) && $(GHDL) -a --std=08 --workdir=$(@D)

# The nets that ghdl invents (n123_o) outnumber those of the source by fifty to one. They are kept out of waves: code
# that traces them would take longer to compile than everything else.
NAMELESS := ^  (wire|reg)( \[[^]]*\])? n[0-9]+(_[a-z0-9]+)?( *\[[^]]*\])? *;.*$$
UNTRACED := s,$(NAMELESS),/*verilator tracing_off*/&/*verilator tracing_on*/,
# What is unknown ghdl writes as a constant of X; Verilator 5.006 stumbles over it in a module that it does not inline.
UNKNOWN  := s,^  localparam ((\[[^]]*\] )?n[0-9]+_[a-z0-9]+ = [0-9]+'bX+;),  wire \1,
# What a configuration says, as generics of VHDL and as numbers of the driver.
part_of   = $(patsubst $(1)%,%,$(filter $(1)%,$(subst -, ,$(2))))
global_of = $(or $(call part_of,G,$(1)),262144)
# Every Verilog of the RTL comes from here: ghdl's has cases without a default, which yosys makes latches of.
VERILOG_PARTS := testbench/ghdl/verilog.sh testbench/toolchain/complete_cases.awk
to_verilog     = testbench/ghdl/verilog.sh $(GHDL) --no-assert-cover
build/verilog/gpu_flat-%.v: $(RTL) rtl/files.f $(VERILOG_PARTS) | $(FIRST)
	$(call say,SYNTH)
	$(Q)mkdir -p $(@D)/$*
	$(Q)$(to_verilog) --workdir=$(@D)/$* -gCORES=$(call part_of,C,$*) \
		-gSMS=$(call part_of,S,$*) -gGLOBAL_BYTES=$(call global_of,$*) $(RTL) -e gpu_flat 2> $@.log > $@.tmp \
		|| { cat $@.log; exit 1; }
	$(Q)! grep -n '= "[01XZ]*";' $@.tmp    # a wide constant that ghdl wrote as a string, see docs/toolchain.md
	$(Q)sed -E "$(UNKNOWN)" $@.tmp | sed -E '$(UNTRACED)' > $@ && rm $@.tmp

# Beyond its default limit Verilator would join the 131 words of the retire port pairwise, copying all of them each
# time.
VERILATOR_FLAGS := --cc --top-module gpu_clocked --prefix Vgpu_flat -O3 --x-assign unique --x-initial unique \
	--trace-fst --trace-structs --noassert --output-split 20000 --expand-limit 1024 -Wno-lint -Wno-fatal
VERILATOR_INC = $(eval VERILATOR_INC := $(shell verilator --getenv VERILATOR_ROOT)/include)$(VERILATOR_INC)
SIM_CXXFLAGS = -std=c++17 -fPIC -fvisibility=hidden -DVERILATOR=1 -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=1 \
	-DVM_TRACE_FST=1 -DVM_TRACE_VCD=0 -faligned-new -fcf-protection=none -include $(CURDIR)/testbench/verilator/printf.h \
	-isystem $(VERILATOR_INC) -isystem $(VERILATOR_INC)/vltstd

RUNTIME := $(addprefix build/sim/runtime/,verilated.o verilated_fst_c.o verilated_threads.o)
$(RUNTIME) build/sim/runtime/verilated_dpi.o: build/sim/runtime/%.o: testbench/verilator/printf.h | $(FIRST)
	$(call say,CXX)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(SIM_CXXFLAGS) -O2 -w -c $(VERILATOR_INC)/$*.cpp -o $@

# Verilates in the target's directory a machine with the ports of FLAT. Verilator's own makefile compiles what Verilator
# wrote: how many files that are is known only then. More than -O1 makes it no faster.
define verilate_gpu # FLAT, VERILOG, Verilator's flags, the compiler's
	$(Q)awk -f testbench/verilator/clocked.awk $(1) > $(@D)/gpu_clocked.v
	$(Q)verilator $(VERILATOR_FLAGS) $(3) --Mdir $(@D) $(@D)/gpu_clocked.v $(2) > $(@D)/log 2>&1 \
		|| { cat $(@D)/log; exit 1; }
	$(Q)+$(MAKE) -s -C $(@D) -f Vgpu_flat.mk CPPFLAGS='$(4) -w' RM='rm -f' OPT_FAST=-O1 OPT_SLOW=-O0 $(@F) \
		>> $(@D)/log 2>&1 || { cat $(@D)/log; exit 1; }
endef
# The same of a module of logic alone, with what of Verilator it needs.
define verilate_logic # MODULE, Verilator's flags
	$(Q)rm -rf $(@D) && mkdir -p $(@D)
	$(Q)verilator --cc --top-module $(1) --prefix V$(1) -O3 $(2) -Wno-lint -Wno-fatal --Mdir $(@D) $< > $(@D)/log 2>&1 \
		|| { cat $(@D)/log; exit 1; }
	$(Q)+$(MAKE) -s -C $(@D) -f V$(1).mk RM='rm -f' OPT_FAST=-O1 OPT_GLOBAL=-O1 V$(1)__ALL.a verilated.o \
		verilated_threads.o >> $(@D)/log 2>&1 || { cat $(@D)/log; exit 1; }
	$(Q)cp $(@D)/V$(1)__ALL.a $@ && $(AR) rs $@ $(@D)/verilated.o $(@D)/verilated_threads.o 2>> $(@D)/log
endef

RESHAPED := $(addprefix testbench/verilator/,clocked.awk replicate.awk choose.awk printf.h)
build/sim/%/Vgpu_flat__ALL.a: build/verilog/gpu_flat-%.v $(RESHAPED)
	$(call say,VERILATE)
	$(Q)rm -rf $(@D) && mkdir -p $(@D)
	$(Q)awk -f testbench/verilator/replicate.awk $< | awk -f testbench/verilator/choose.awk > $(@D)/gpu_flat.v
	$(call verilate_gpu,$<,$(@D)/gpu_flat.v,,$(SIM_CXXFLAGS))

build/sim/%/sim_verilator.o: testbench/verilator/sim_verilator.cpp build/sim/%/Vgpu_flat__ALL.a
	$(call say,CXX)
	$(Q)$(CXX) $(SIM_CXXFLAGS) -O2 -Wall -Wextra -Wno-missing-field-initializers -Werror \
		-DWARPSTEP_CORES=$(call part_of,C,$*) -DWARPSTEP_SMS=$(call part_of,S,$*) \
		-DWARPSTEP_GLOBAL_BYTES=$(call global_of,$*) -isystem $(@D) -MMD -MP -c $< -o $@

build/sim/libsim-verilator-%.so: build/sim/%/sim_verilator.o build/sim/%/Vgpu_flat__ALL.a $(RUNTIME) $(PINS_OBJ)
	$(call say,LD)
	$(Q)$(CXX) -shared -Wl,-Bsymbolic -o $@ $^ -lz -lpthread

GHDL_PINS_SRC := testbench/ghdl/ghdl_pins.c testbench/ghdl/link.c $(PINS_SRC)
build/sim/libwarpstep-ghdl-pins.so: $(GHDL_PINS_SRC:%.c=build/%.o)
	$(call say,LD)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $^
build/hidden/testbench/ghdl/sim_ghdl.o: $(GHDL_NAME)
build/sim/libsim-ghdl.so: $(addprefix build/hidden/testbench/,ghdl/sim_ghdl.o ghdl/link.o lockstep/host_plan.o)
	$(call say,LD)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $^

# mcode opens the pins' library while it analyses; LLVM links it by its bare name, hence the cd.
GHDL_TB := testbench/ghdl/pins_pkg.vhd testbench/ghdl/gpu_tb.vhd
build/sim/ghdl/built: $(RTL) rtl/files.f $(GHDL_TB) build/sim/libwarpstep-ghdl-pins.so $(GHDL_NAME)
	$(call say,GHDL)
	$(Q)rm -rf $(@D) && mkdir -p $(@D)
	$(Q)export LD_LIBRARY_PATH=$(CURDIR)/build/sim && \
		$(GHDL) -a --std=08 --workdir=$(@D) $(RTL) $(GHDL_TB) && \
		cd build/sim && $(GHDL) -e --std=08 --workdir=ghdl -o ghdl/gpu_tb gpu_tb
	$(Q)touch $@

# -------------------------------------------------------------------------------------------------------- coverage
# What runs in lockstep cover they save to the directory that WARPSTEP_COVERAGE names; the report merges it and holds it
# against a floor: one of `make coverage`, which runs more, and one of `make test`.

COVERAGE_TOOL := build/testbench/coverage/report/coverage_report
SWEEP_TOOL    := build/testbench/coverage/sweep/sweep
COVERAGE_SRC  := $(wildcard testbench/coverage/report/*.c)
SWEEP_SRC     := $(wildcard testbench/coverage/sweep/*.c)
COVERAGE_TEST := build/coverage/test
COVERAGE_LIST := testbench/coverage/unreachable.txt
COVERAGE_CHECK := $(COVERAGE_TOOL) $(COVERAGE_TEST) $(COVERAGE_LIST) check testbench/coverage/floor-test.txt
build/testbench/coverage/test/test_report build/asan/testbench/coverage/test/test_report: | $(COVERAGE_TOOL)
$(COVERAGE_TOOL): $(COVERAGE_SRC:%.c=build/%.o) $(LIB)
$(SWEEP_TOOL): $(SWEEP_SRC:%.c=build/%.o) $(LIB)
$(COVERAGE_TOOL) $(SWEEP_TOOL):
	$(call say,LD)
	$(call link,,$(LDLIBS))

# Lines and branches of the C side: a build of its own, run by unit tests and kernels (code_c.sh). Children leave their
# counts behind, too.
COVER_C     := build/coverage/c
COVER_TESTS := $(TEST_SRC:%.c=$(COVER_C)/%)
COVER_TOOLS := $(TOOLS:build/%=$(COVER_C)/%)
COVER_WRAP  := -Wl,--wrap=_exit
COVER_LEAVE := $(COVER_C)/testbench/coverage/leave/leave.o
$(COVER_C)/%.o: %.c $(FLAGS)
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -O2,$(CFLAGS)) -O0 --coverage -I. -MMD -MP -c $< -o $@
$(COVER_C)/libwarpstep.a: $(LIB_SRC:%.c=$(COVER_C)/%.o)
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
define cover_rule
$(1:%.c=$(COVER_C)/%): $(1:%.c=$(COVER_C)/%.o) $(call helpers_of,$(1),$(COVER_C)) $(COVER_C)/libwarpstep.a
endef
$(foreach s,$(TEST_SRC),$(eval $(call cover_rule,$(s))))
$(COVER_C)/$(FAIL_TEST): $(FAIL_USES:%=$(COVER_C)/%)
$(COVER_C)/$(FAIL_TEST): TESTLIBS += $(ALLOCATORS:%=-Wl,--wrap=%)
$(COVER_C)/$(FAKE_TEST): $(COVER_C)/testbench/lockstep/test/fake_sim.o
$(foreach s,$(TOOL_SRC),$(eval $(patsubst build/%,$(COVER_C)/%,$(call tool_of,$(s))): \
	$(s:%.c=$(COVER_C)/%.o) $(COVER_C)/libwarpstep.a))
$(COVER_TESTS) $(COVER_TOOLS): $(COVER_LEAVE) | $(FAKE_SIM) $(FAIL_PRELOAD)
	$(call say,LD)
	$(call link,--coverage $(COVER_WRAP),$(LDLIBS) $(TESTLIBS))

# Lines, branches and toggles of the RTL: one SM of 8 cores, from Verilog in which the nets that ghdl invents are not
# looked at.
COVER_RTL   := build/coverage/rtl
COVER_SIM   := $(COVER_RTL)/libsim-coverage.so
COVER_FLAGS  = $(SIM_CXXFLAGS) -UVM_COVERAGE -DVM_COVERAGE=1
$(COVER_RTL)/gpu_flat.v: build/verilog/gpu_flat-C8-S1.v
	$(Q)mkdir -p $(@D) && sed -E 's,/\*verilator tracing_(on|off)\*/,&/*verilator coverage_\1*/,g' $< > $@
$(COVER_RTL)/obj/Vgpu_flat__ALL.a: $(COVER_RTL)/gpu_flat.v testbench/verilator/clocked.awk
	$(call say,VERILATE)
	$(Q)rm -rf $(@D) && mkdir -p $(@D)
	$(call verilate_gpu,$<,$<,--coverage-line --coverage-toggle,$(COVER_FLAGS))
$(COVER_RTL)/sim_verilator.o: testbench/verilator/sim_verilator.cpp $(COVER_RTL)/obj/Vgpu_flat__ALL.a
	$(call say,CXX)
	$(Q)$(CXX) $(COVER_FLAGS) -O2 -DWARPSTEP_CORES=8 -DWARPSTEP_SMS=1 -DWARPSTEP_GLOBAL_BYTES=262144 \
		-isystem $(COVER_RTL)/obj -w -c $< -o $@
$(COVER_RTL)/verilated_cov.o: $(COVER_RTL)/obj/Vgpu_flat__ALL.a
	$(Q)$(CXX) $(COVER_FLAGS) -O2 -w -c $(VERILATOR_INC)/verilated_cov.cpp -o $@
$(COVER_SIM): $(addprefix $(COVER_RTL)/,sim_verilator.o verilated_cov.o obj/Vgpu_flat__ALL.a) $(RUNTIME) $(PINS_OBJ)
	$(call say,LD)
	$(Q)$(CXX) -shared -Wl,-Bsymbolic -o $@ $^ -lz -lpthread

.PHONY: coverage
coverage: $(TOOLS) $(VSIMS) $(COVERAGE_TOOL) $(SWEEP_TOOL) $(COVER_TESTS) $(COVER_TOOLS) $(COVER_SIM)
coverage: ## what RTL, model and C side execute: build/coverage/index.html
	$(Q)testbench/coverage/run.sh

# ---------------------------------------------------------------------------------------------------------- tests
# A suite is a command that prints TAP, see testbench/run_tests.sh.

BENCH_SRC    := testbench/unit/bench_pkg.vhd $(wildcard testbench/unit/*_tb.vhd)
BENCHES      := $(patsubst testbench/unit/%.vhd,%,$(filter %_tb.vhd,$(BENCH_SRC)))
CORPUS_TOOL  := build/testbench/apps/corpus_launch
CUBIN_TOOL   := build/testbench/apps/corpus_cubin
VECTOR_TOOL  := build/testbench/semantics/vector_kernel
FORMAT_TOOL  := build/testbench/formats/format_coverage
LAUNCH_TOOL  := build/testbench/launches/draw_launch
DECODE_DIR   := build/testbench/decode
DECODE_BENCH := $(DECODE_DIR)/decode_bench
KERNELS      := $(sort $(filter-out kernels/bench/% kernels/sms/% kernels/counters/%,$(wildcard kernels/*/*.sass)))

# The groups of semantic vectors. All run on Verilator at every number of cores, one on GHDL too, which takes half a
# minute for it; `make vectors` takes all of them through GHDL.
VECTORS         := atom32 i2i iadd iadd_i iadd_s icmp imad imad_i imad_s iminmax imul imul_i imul_s isad isad_s logop \
	logop_i shift
VECTORS_GHDL    := imul
vector_suites    = $(patsubst %,'testbench/semantics/run.sh -v "8 16 32" %',$(filter-out $(1),$(VECTORS))) \
	$(patsubst %,'testbench/semantics/run.sh -v "8 16 32" -g 8 %',$(1))

GOLDEN_APPS     := vecadd transpose edge edge-rgb collatz reverse reduce bitonic scan matmul autocorrelation fft \
	histogram
SUITES_UNIT      = $(filter-out $(CORPUS_TESTS),$(TESTS) $(ASAN))
# Most kernels touch little: a small global memory spares GHDL five sixths of its time. Long ones and those of one
# instruction each it runs at 8 cores alone; `make agree` takes those with a small memory to 16 and 32.
FORMAT_KERNELS  := $(filter kernels/formats/%,$(KERNELS))
LONG_KERNELS    := $(addprefix kernels/regress/,blocks-among-loads.sass calls-full.sass crowded-branches.sass \
	early-branches.sass exits-open-barriers.sass last-warp-first.sass loads-and-readers.sass stacks-apart.sass \
	thread-ids-stalled.sass) \
	$(patsubst %,kernels/apps/%.sass,bitonic scan matmul autocorrelation fft histogram)
SMALL_KERNELS   := $(filter-out kernels/traps/global-% $(LONG_KERNELS),$(filter kernels/regress/% kernels/traps/%, \
	$(KERNELS)))
LONG_MEMORY     := kernels/memory/local-slots.sass
# What takes all of global memory or much code, too long for GHDL.
LARGEST         := $(addprefix kernels/memory/,code-powers.sass global-lines.sass largest-launch.sass \
	last-slot-trap.sass)
LONG_APPS       := $(patsubst %,kernels/apps/%.sass,edge collatz transpose)
# Kernels of many blocks, that run on several SMs too; some trap.
KERNELS_SMS     := $(addprefix kernels/,apps/vecadd.sass regress/clock-of-lanes.sass traps/every-sm.sass \
	traps/one-sm.sass)
# What SMs do to each other: races, which are taken over from the RTL, and what has none, where nothing may be; what
# all lanes of an SM do to memory of several, which depends on how many cores it has.
KERNELS_STRICT  := $(addprefix kernels/sms/,active-threads.sass every-part.sass message-atomics.sass)
KERNELS_LANES   := kernels/sms/atomic-behind-store.sass
KERNELS_RACES   := $(filter-out $(KERNELS_STRICT) $(KERNELS_LANES),$(wildcard kernels/sms/*.sass))
KERNELS_VSMS    := $(patsubst %,kernels/apps/%.sass,reduce bitonic transpose edge)
SUITES_LOCKSTEP := $(patsubst %,'testbench/run_kernel.sh %',$(filter-out $(FORMAT_KERNELS) $(SMALL_KERNELS) \
	$(LONG_KERNELS) $(LONG_MEMORY) $(LARGEST) $(LONG_APPS),$(KERNELS))) \
	$(patsubst %,'testbench/run_kernel.sh -g 8 %',$(LONG_MEMORY) $(LONG_APPS)) \
	$(LARGEST:%='testbench/run_kernel.sh -g "" -S 2 %') \
	$(SMALL_KERNELS:%='testbench/run_kernel.sh -g "8 16 32" -m 16384 %') \
	$(patsubst %,'testbench/run_kernel.sh -g 8 -m 16384 %',$(FORMAT_KERNELS) $(LONG_KERNELS)) \
	$(KERNELS_SMS:%='testbench/run_kernel.sh -a -v "" -g "" -S 2 -s "2 4 8" -m 16384 %') \
	$(KERNELS_VSMS:%='testbench/run_kernel.sh -v "" -g "" -S 2 %') \
	$(KERNELS_RACES:%='testbench/run_kernel.sh -v 8 -g "" -S 2 %') \
	$(KERNELS_STRICT:%='testbench/run_kernel.sh -v 8 -g "" -S 2 -s "3 8" -m 4096 % --strict') \
	$(KERNELS_LANES:%='testbench/run_kernel.sh -v 8 -g "" -S 2 -s "3 16x2 32x2" -m 16384 % --strict') \
	$(GOLDEN_APPS:%='testbench/run_golden.sh %')
# How long an atomic instruction locks memory depends on its rows: two, and one.
SUITES_LOCKSTEP += 'testbench/run_kernel.sh -v "" -g "" -s "16x2 32x2" -m 16384 kernels/sms/atomic-unwinds.sass'
# What the host reads while a grid runs changes nothing but cycles.
SUITES_LOCKSTEP += 'WARPSTEP_HOST_READS=1 testbench/run_kernel.sh -v 8 -g "" -S 2 $(KERNELS_LANES) --strict' \
	'WARPSTEP_HOST_READS=1 testbench/run_kernel.sh -v 8 -g "" -S 2 kernels/counters/fetch.sass --kernel far'
# What needs applications of others, which lie beside the repository.
CORPUS_APPS     := EdgeDetection_64threads Transpose VectorAdd_integer
CORPUS_TESTS    := $(foreach d,build build/asan,$(d)/cmodel/test/test_apps)
SUITES_CORPUS   := $(CORPUS_APPS:%='testbench/apps/run.sh %') $(CORPUS_APPS:%='testbench/apps/run_cubins.sh %') \
	$(CORPUS_TESTS) build/assembler/test/test_warn testbench/bench/check.sh
SUITES_VECTORS  := $(call vector_suites,$(VECTORS_GHDL))
SUITES_RANDOM   := testbench/random/run.sh 'testbench/random/run_structured.sh 200'
SUITES_LAUNCH   := 'testbench/launches/run.sh 8' 'testbench/launches/run.sh -s ghdl -c "8,3 16,2" -m 4096 -e 2' \
	testbench/launches/occupancy.sh
SUITES_AGREE    := 'testbench/agree/seeds.sh -r 2 kernels/apps/reduce.sass kernels/formats/X-gatom.sass'
# Banks and lines depend on the number of cores.
SUITES_SWEEP    := testbench/coverage/sweep.sh 'testbench/coverage/sweep.sh -k "[bl]?n*s" 16 32'
SUITES_BENCH    := $(BENCHES:%='testbench/run_bench.sh %')
SUITES_OTHER    := testbench/bench/check.sh testbench/counters/run.sh testbench/run_limits.sh testbench/decode/run.sh \
	testbench/add-an-instruction/run.sh \
	testbench/formats/run.sh golden/calculator/run.sh testbench/toolchain/run.sh testbench/toolchain/flags.sh \
	testbench/toolchain/complete_cases.sh $(SUITES_SWEEP) $(SUITES_AGREE) \
	testbench/install.sh testbench/mutants/sample.sh

benches: build/unit/analysed $(DECODE_BENCH) ## VHDL benches, analysed; the bench of decode
build/unit/analysed: $(RTL) rtl/files.f $(BENCH_SRC) $(GHDL_NAME) | $(FIRST)
	$(call say,GHDL)
	$(ghdl_analyse) $(RTL) $(BENCH_SRC) && touch $@

$(LAUNCH_TOOL): $(LAUNCH_TOOL).o
	$(call say,LD)
	$(call link,,)

$(VECTOR_TOOL): $(VECTOR_TOOL).o build/cmodel/test/table.o $(LIB)
	$(call say,LD)
	$(call link,,)

$(FORMAT_TOOL): $(FORMAT_TOOL).o $(LIB)
	$(call say,LD)
	$(call link,,$(LDLIBS))

$(CORPUS_TOOL): $(CORPUS_TOOL).o
	$(call say,LD)
	$(call link,,-ljansson)

$(CUBIN_TOOL): $(CUBIN_TOOL).o build/assembler/test/cubin_builder.o
	$(call say,LD)
	$(call link,,-ljansson $(LDLIBS))

# The decoder alone, as Verilog, held against the instruction table. Verilator compiles its runtime once more here: the
# one of the simulations prints through their driver.
DECODE_RTL := $(filter rtl/isa_pkg.vhd rtl/control_pkg.vhd rtl/lists_pkg.vhd rtl/gpu_pkg% rtl/decode%,$(RTL)) \
	testbench/decode/decode_flat.vhd
$(DECODE_DIR)/decode_flat.v: $(DECODE_RTL) $(VERILOG_PARTS) | $(FIRST)
	$(call say,SYNTH)
	$(Q)mkdir -p $(@D)
	$(Q)$(to_verilog) --workdir=$(@D) $(DECODE_RTL) -e decode_flat \
		> $@ 2> $@.log \
		|| { cat $@.log; exit 1; }
$(DECODE_DIR)/verilated/libdecode.a: $(DECODE_DIR)/decode_flat.v
	$(call say,VERILATE)
	$(call verilate_logic,decode_flat,--x-assign unique --noassert)
$(DECODE_DIR)/decoder.o: testbench/decode/decoder.cpp $(DECODE_DIR)/verilated/libdecode.a
	$(call say,CXX)
	$(Q)$(CXX) $(SIM_CXXFLAGS) -O2 -Wall -Wextra -Werror -isystem $(DECODE_DIR)/verilated -MMD -MP -c $< -o $@
$(DECODE_BENCH): $(addprefix $(DECODE_DIR)/,decode_bench.o expect.o decoder.o verilated/libdecode.a) $(LIB)
	$(call say,LD)
	$(Q)$(CXX) -o $@ $^ -lpthread

unit: $(TESTS) ## C unit tests
	$(Q)testbench/run_tests.sh $(TESTS)

lockstep: $(SIMS) $(TOOLS) $(GOLDEN) $(VECTOR_TOOL) $(LAUNCH_TOOL)
lockstep: ## kernels on the model and on the RTL
	$(Q)testbench/run_tests.sh $(SUITES_LOCKSTEP) $(SUITES_VECTORS) $(SUITES_RANDOM) $(SUITES_LAUNCH)

vectors: $(SIMS) $(TOOLS) $(VECTOR_TOOL) ## all semantic vectors on both simulators: half an hour
	$(Q)testbench/run_tests.sh $(call vector_suites,$(VECTORS))

test: $(ASAN) $(VECTOR_TOOL) $(LAUNCH_TOOL) $(FORMAT_TOOL)
test: $(COVERAGE_TOOL) $(SWEEP_TOOL) $(CALCULATOR)
test: all check-generated benches fuzz-targets ## everything, or SUITE=TEXT: the suites with TEXT in their command
	$(Q)rm -rf $(COVERAGE_TEST) && mkdir -p $(COVERAGE_TEST)
	$(Q)SUITE='$(SUITE)' WARPSTEP_COVERAGE=$(CURDIR)/$(COVERAGE_TEST) \
		testbench/run_tests.sh -l '$(COVERAGE_CHECK)' \
		$(SUITES_LOCKSTEP) $(SUITES_VECTORS) $(SUITES_RANDOM) $(SUITES_LAUNCH) $(SUITES_OTHER) \
		$(SUITES_BENCH) $(SUITES_UNIT) $(SUITES_FUZZ)

corpus: all $(CORPUS_TESTS) $(CORPUS_TOOL) $(CUBIN_TOOL) ## applications of others, in ../shared/corpus
	$(Q)[ -d ../shared/corpus ] || { echo 'corpus: ../shared/corpus is not there' >&2; exit 2; }
	$(Q)testbench/run_tests.sh $(SUITES_CORPUS)

# ------------------------------------------------------------------------------------------------------------ fuzz
# A target is a file of testbench/fuzz with one function; libFuzzer, which comes with clang, makes up its inputs.

FUZZ_CC     = $(eval FUZZ_CC := $(firstword $(shell command -v clang clang-14)))$(FUZZ_CC)
FUZZ       := $(filter-out fuzz make_cubins,$(patsubst testbench/fuzz/%.c,%,$(wildcard testbench/fuzz/*.c)))
FUZZ_BIN   := $(FUZZ:%=build/fuzz/bin/%)
# What each target gets of the 60 seconds of `make test`, and of `make fuzz-inputs`.
FUZZ_SECONDS ?= 6
FUZZ_LONG    ?= 300
SUITES_FUZZ = $(FUZZ:%='testbench/fuzz/run.sh % $(FUZZ_SECONDS)')

FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
# Coverage as -fsanitize=fuzzer-no-link, but comparisons are not traced, which took half to five sixths of the time:
# from the seeds alone, as long without it reaches more branches in every target that was tried.
FUZZ_COVERAGE := -fsanitize-coverage=inline-8bit-counters,indirect-calls,pc-table
FUZZ_FLAGS    := -std=c11 -D_GNU_SOURCE= -O1 -g -fno-omit-frame-pointer $(WARNINGS) -Werror $(FUZZ_SANITIZE) \
	$(FUZZ_COVERAGE)
build/fuzz/%.o: %.c $(FLAGS) | $(FIRST)
	$(call say,FUZZ)
	$(Q)mkdir -p $(@D)
	$(Q)[ -z "$(FUZZ_CC)" ] && touch $@ || $(FUZZ_CC) $(FUZZ_FLAGS) -I. -MMD -MP -c $< -o $@
FUZZ_OBJ := build/fuzz/testbench/fuzz/fuzz.o $(LIB_SRC:%.c=build/fuzz/%.o)
$(FUZZ_BIN): build/fuzz/bin/%: build/fuzz/testbench/fuzz/%.o $(FUZZ_OBJ)
	$(call say,LD)
	$(Q)mkdir -p $(@D)
	$(Q)[ -z "$(FUZZ_CC)" ] || $(FUZZ_CC) $(FUZZ_SANITIZE) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)
build/testbench/fuzz/make_cubins: build/testbench/fuzz/make_cubins.o build/assembler/test/cubin_builder.o
	$(call say,LD)
	$(call link,,$(LDLIBS))
build/fuzz/seeds/made: testbench/fuzz/make_seeds.sh build/testbench/fuzz/make_cubins $(TOOLS) $(KERNELS)
	$(call say,SEEDS)
	$(Q)$< && touch $@

.PHONY: fuzz fuzz-targets fuzz-inputs
# Random kernels, from a seed of the time or SEED=N: three quarters of the time on one SM, the rest on two, each
# launched after another kernel, too.
FUZZ_MINUTES ?= 60
fuzz: $(TOOLS) $(VSIMS) ## random kernels in lockstep for an hour (FUZZ_MINUTES, SEED)
	$(Q)seed=$${SEED:-$$(date +%s)}; run="build/bin/warp-fuzz --seed $$seed --jobs $$(nproc)"; \
		$$run --cores 8,16,32 --time $$(($(FUZZ_MINUTES) * 45)) && \
		$$run --cores 8 --sms 2 --after --time $$(($(FUZZ_MINUTES) * 15))

# What hours of fuzzing have found to reach something, packed.
build/fuzz/corpus/unpacked: testbench/fuzz/corpus.sh $(wildcard testbench/fuzz/corpus/*.tar.gz)
	$(call say,CORPUS)
	$(Q)$< -x && touch $@
fuzz-targets: $(FUZZ_BIN) build/fuzz/seeds/made build/fuzz/corpus/unpacked
fuzz-inputs: fuzz-targets ## fuzz every reader of files, FUZZ_LONG seconds each (300)
	$(Q)SUITE_SECONDS=$$(($(FUZZ_LONG) + 300)) testbench/run_tests.sh $(FUZZ:%='testbench/fuzz/run.sh % $(FUZZ_LONG)')

FUZZ_HOURS ?= 24
.PHONY: fuzz-corpus
fuzz-corpus: fuzz-targets ## fuzz all readers for FUZZ_HOURS (24) in all; keeps and packs what reaches more
	$(Q)testbench/fuzz/corpus.sh $(FUZZ_HOURS)

# ----------------------------------------------------------------------------------------------------------- agree
# Simulations must agree: GHDL with Verilator, and Verilator with itself whatever it starts from. `make test` holds each
# kernel that both run to it; this takes all kernels, more seeds and random kernels: an hour.

# What two SMs have no memory for, or where a result names the SM.
AGREE_ONE_SM  := kernels/memory/local-far.sass kernels/memory/local-far-quad.sass kernels/regress/place-of-warps.sass
AGREE_KERNELS := $(filter-out kernels/traps/largest-grid.sass $(AGREE_ONE_SM),$(KERNELS)) $(wildcard kernels/sms/*.sass)
AGREE_COUNT   ?= 30
SUITES_AGREE_ALL := 'testbench/agree/seeds.sh -s "1 2 3 4 5 6 7 8" -r $(AGREE_COUNT) $(AGREE_KERNELS)' \
	'testbench/agree/seeds.sh -s "1 2 3 4 5 6 7 8" -c "8x1 16x1 32x1" $(AGREE_ONE_SM)' \
	$(foreach c,8 16 32,'testbench/agree/both.sh $(AGREE_COUNT) $(c)') \
	$(patsubst %,'testbench/run_kernel.sh -a -v "16 32" -g "16 32" -m 16384 %',$(FORMAT_KERNELS) $(LONG_KERNELS)) \
	$(SMALL_KERNELS:%='testbench/run_kernel.sh -a -v 8 -g 8 -m 16384 %')
.PHONY: agree
agree: $(TOOLS) $(SIMS) ## simulations against each other: all kernels, many seeds, random kernels; an hour
	$(Q)SUITE_SECONDS=7200 testbench/run_tests.sh $(SUITES_AGREE_ALL)

# ---------------------------------------------------------------------------------------------------------- robust
# The C side under address, memory and thread checkers, and without memory; more than `make test` has time for.

ROBUST := build/testbench/robust
ROBUST_TOOLS := $(addprefix build/asan/bin/,$(notdir $(TOOLS)))

define asan_tool_rule
build/asan/bin/$(notdir $(call tool_of,$(1))): $(1:%.c=build/asan/%.o) build/asan/libwarpstep.a
endef
$(foreach s,$(TOOL_SRC),$(eval $(call asan_tool_rule,$(s))))
$(ROBUST_TOOLS):
	$(call say,LD)
	$(call link,$(SANITIZE),$(LDLIBS))

TSAN := -O1 -fsanitize=thread -Wno-conversion
build/tsan/%.o: %.c $(FLAGS) | $(FIRST)
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(TSAN) -I. -MMD -MP -c $< -o $@
$(ROBUST)/threads: $(patsubst %.c,build/tsan/%.o,testbench/robust/threads.c testbench/lockstep/test/fake_sim.c \
	$(LIB_SRC))
	$(call say,LD)
	$(call link,$(TSAN),$(LDLIBS) -lpthread)

# Kernels that thread by thread take no more than a moment.
ROBUST_THREADS := $(wildcard kernels/regress/*.sass) kernels/apps/reduce.sass kernels/traps/every-sm.sass
SUITES_ROBUST := 'testbench/robust/c_side.sh asan' 'testbench/robust/c_side.sh valgrind' \
	'testbench/robust/unit_valgrind.sh $(TESTS)' testbench/robust/out_of_memory.sh \
	'testbench/robust/threads.sh $(ROBUST)/threads $(ROBUST_THREADS)'
.PHONY: robust
robust: $(TOOLS) $(TESTS) $(ROBUST_TOOLS) $(ROBUST)/threads
robust: build/testbench/fuzz/make_cubins build/sim/libsim-verilator-C8-S1.so
robust: ## the C side under sanitizers and valgrind (to install), short of memory
	$(Q)SUITE_SECONDS=7200 testbench/run_tests.sh $(SUITES_ROBUST)

# ------------------------------------------------------------------------------------------------------------ demo

build/testbench/demo/grey_png: build/testbench/demo/grey_png.o
	$(call say,LD)
	$(call link,,-lpng)

DEMO_SIMS := $(filter-out %-C16-S1.so %-C32-S1.so %-C8-S2.so,$(SIMS))
DEMO_TOOLS := build/testbench/demo/grey_png $(CORPUS_TOOL)
demo: $(GOLDEN) $(TOOLS) $(DEMO_TOOLS) $(DEMO_SIMS) ## edge detection through every tool
	$(Q)testbench/demo/run.sh

# ----------------------------------------------------------------------------------------------------------- bench
# Several SMs are measured with the numbers of cores in BENCH_SCALING; each needs two builds more, and those of 32 cores
# take ten minutes. `BENCH_SCALING=8 make bench` is for trying something out: what it writes lacks rows of the page.

BENCH_SCALING ?= 8 16 32
BENCH_CONFIGS := C8-S1-G1048576 $(foreach c,$(BENCH_SCALING),C$(c)-S2 C$(c)-S4)
BENCH_SIMS    := $(sort $(SIMS) $(BENCH_CONFIGS:%=build/sim/libsim-verilator-%.so))
bench: $(TOOLS) $(GOLDEN) $(CORPUS_TOOL) $(BENCH_SIMS) ## measure everything; writes docs/performance.md and its chart
	$(Q)testbench/bench/run.sh "$(BENCH_SCALING)"

# ------------------------------------------------------------------------------------------------------------ area
# What the machine takes of an ECP5: each of AREA_CONFIGS is two runs of yosys, which take six minutes at 8 cores and
# much longer at 32.

AREA_CONFIGS ?= 8 16 32 8-atomics
AREA_PARTS   := $(foreach c,$(AREA_CONFIGS),$(addprefix build/area/$(c).,whole.stat path entities.stat))
build/area/%.v: $(RTL) testbench/area/gpu_area.vhd rtl/files.f $(VERILOG_PARTS)
	$(call say,SYNTH)
	$(Q)mkdir -p $(@:.v=.work) && $(to_verilog) --workdir=$(@:.v=.work) --no-formal \
		-gCORES=$(firstword $(subst -, ,$*)) $(if $(findstring -atomics,$*),-gHAS_ATOMICS=true) \
		$(patsubst %sms,-gSMS=%,$(filter %sms,$(subst -, ,$*))) \
		$(RTL) testbench/area/gpu_area.vhd -e gpu_area > $@.tmp 2> $@.log || { cat $@.log; exit 1; }
	$(Q)mv $@.tmp $@
build/area/%.whole.stat build/area/%.whole.blif: build/area/%.v testbench/area/synth.sh testbench/area/area.abc
	$(call say,YOSYS)
	$(Q)testbench/area/synth.sh whole $< build/area/$*.whole
build/area/%.entities.stat: build/area/%.v testbench/area/synth.sh testbench/area/area.abc
	$(call say,YOSYS)
	$(Q)testbench/area/synth.sh entities $< build/area/$*.entities
build/area/%.path: build/area/%.whole.stat testbench/area/path.awk
	$(call say,PATH)
	$(Q)awk -f testbench/area/path.awk build/area/$*.whole.blif > $@
build/area/area.md: $(AREA_PARTS) testbench/area/tables.awk testbench/area/area.in.md
	$(Q)awk -f testbench/area/tables.awk $(foreach c,$(AREA_CONFIGS),NAME=$(c) \
		$(addprefix build/area/$(c).,whole.stat path entities.stat)) testbench/area/area.in.md > $@
area: build/area/area.md ## what the machine takes of an FPGA, by yosys; writes it into docs/performance.md
	$(Q)cp $< testbench/area/area.md
	$(Q)awk 'FNR == NR { area = area $$0 "\n"; next } \
			/^## / { old = $$0 == "## Area"; if (old) print $$0 "\n\n" area } !old' $< docs/performance.md > $<.page
	$(Q)cp $<.page docs/performance.md
	@cat $<

# --------------------------------------------------------------------------------------------------------- mutants
# Faults put into the RTL and the model on purpose, each of which a test must find; testbench/mutants/run.sh says how.
# Those of the netlist are all in one simulation, which is told the number of the one that acts.

MUTANTS       ?= 1050
MUTANTS_SEED  ?= 1
MUTANTS_DIR   := build/mutants
# Those of 8 cores are drawn; what survives is tried at 32, too, by mutants like them in a netlist of their own.
MUTANTS_MORE  := $(MUTANTS_DIR)/32
# Bytes of global memory: clearing and reading it takes more time than most kernels.
MUTANTS_MEMORY := 16384
MUTANTS_PARTS := $(wildcard testbench/mutants/*.awk) testbench/mutants/pins.v testbench/mutants/netlist.sh
$(MUTANTS_DIR)/netlist.v: $(MUTANTS_DIR)/gpu_flat.v $(MUTANTS_PARTS)
	$(call say,MUTATE)
	$(Q)testbench/mutants/netlist.sh $(@D) draw $(MUTANTS) $(MUTANTS_SEED)
$(MUTANTS_MORE)/netlist.v: $(MUTANTS_MORE)/gpu_flat.v $(MUTANTS_DIR)/netlist.v $(MUTANTS_PARTS)
	$(call say,MUTATE)
	$(Q)testbench/mutants/netlist.sh $(@D) like $(MUTANTS_DIR)
define mutants_sim # DIRECTORY,CORES
$(1)/gpu_flat.v: $$(RTL) rtl/files.f $$(VERILOG_PARTS) | $$(FIRST)
	$$(call say,SYNTH)
	$$(Q)mkdir -p $$(@D)/work
	$$(Q)$$(to_verilog) --workdir=$$(@D)/work -gCORES=$(2) \
		-gGLOBAL_BYTES=$$(MUTANTS_MEMORY) $$(RTL) -e gpu_flat 2> $$@.log > $$@.tmp || { cat $$@.log; exit 1; }
	$$(Q)sed -E "$$(UNKNOWN)" $$@.tmp > $$@ && rm $$@.tmp
$(1)/sim/Vgpu_flat__ALL.a: $(1)/netlist.v testbench/verilator/clocked.awk
	$$(call say,VERILATE)
	$$(Q)rm -rf $$(@D) && mkdir -p $$(@D)
	$$(call verilate_gpu,$(1)/gpu_flat.v,$$<,--trace-depth 1,$$(SIM_CXXFLAGS))
$(1)/sim/sim_verilator.o: testbench/verilator/sim_verilator.cpp $(1)/sim/Vgpu_flat__ALL.a
	$$(call say,CXX)
	$$(Q)$$(CXX) $$(SIM_CXXFLAGS) -O2 -DWARPSTEP_CORES=$(2) -DWARPSTEP_SMS=1 \
		-DWARPSTEP_GLOBAL_BYTES=$$(MUTANTS_MEMORY) -isystem $$(@D) -MMD -MP -c $$< -o $$@
$(1)/libsim-mutants.so: $(addprefix $(1)/sim/,sim_verilator.o Vgpu_flat__ALL.a) $$(MUTANTS_DIR)/pins.o \
		$$(RUNTIME) build/sim/runtime/verilated_dpi.o $$(PINS_OBJ)
	$$(call say,LD)
	$$(Q)$$(CXX) -shared -Wl,-Bsymbolic -o $$@ $$^ -lz -lpthread
endef
$(eval $(call mutants_sim,$(MUTANTS_DIR),8))
$(eval $(call mutants_sim,$(MUTANTS_MORE),32))
$(MUTANTS_DIR)/pins.o: testbench/mutants/pins.cpp
	$(call say,CXX)
	$(Q)mkdir -p $(@D) && $(CXX) -std=c++17 -fPIC -fvisibility=hidden -O2 -Wall -Wextra -Werror -MMD -MP -c $< -o $@
$(MUTANTS_DIR)/judge: build/testbench/mutants/judge.o $(LIB)
	$(call say,LD)
	$(call link,,$(LDLIBS))

# The model's tests and tools with the library as a shared object, which a mutant replaces; those that run a tool by its
# path would not see it.
MUTANTS_MODEL   ?= 320
MUTANTS_DRAW    := testbench/mutants/names.awk testbench/mutants/choose.awk
MUTANTS_SOURCES := $(filter-out $(addprefix cmodel/run/,launch.c results.c source.c trace.c),\
	$(filter cmodel/%,$(LIB_SRC))) $(addprefix testbench/lockstep/,compare.c drive.c field.c finish.c race.c)
MUTANTS_TESTS   := $(filter-out %_isa_doc %_warp_run %_warp_lockstep %_example,\
	$(filter build/cmodel/% build/testbench/lockstep/%,$(TESTS)))
MUTANTS_DYNAMIC := $(addprefix $(MUTANTS_DIR)/dynamic/,warp-run warp-lockstep short_of_memory \
	$(notdir $(MUTANTS_TESTS)))
$(MUTANTS_DIR)/dynamic/warp-run: build/cmodel/run/warp_run.o
$(MUTANTS_DIR)/dynamic/warp-lockstep: build/testbench/lockstep/warp_lockstep.o
$(foreach t,$(MUTANTS_TESTS),$(eval $(MUTANTS_DIR)/dynamic/$(notdir $(t)): $(t).o \
	$(call helpers_of,$(t:build/%=%.c),build)))
# Its calls to allocate are the library's too, of which the judge makes a build for it.
$(MUTANTS_DIR)/dynamic/short_of_memory: build/$(FAIL_TEST).o $(FAIL_USES:%=build/%) \
	$(call helpers_of,$(FAIL_TEST).c,build)
$(MUTANTS_DIR)/dynamic/short_of_memory: TESTLIBS += $(ALLOCATORS:%=-Wl,--wrap=%) -rdynamic
$(MUTANTS_DYNAMIC): $(LIB_SO)
	$(call say,LD)
	$(Q)mkdir -p $(@D) && $(CC) -o $@ $(filter %.o,$^) -Lbuild -lwarpstep $(LDLIBS) $(TESTLIBS)
$(MUTANTS_DIR)/model.list: $(MUTANTS_SOURCES) testbench/mutants/source.awk $(MUTANTS_DRAW)
	$(Q)mkdir -p $(@D) && awk -f testbench/mutants/source.awk $(MUTANTS_SOURCES) | \
		awk -v count=$(MUTANTS_MODEL) -v seed=$(MUTANTS_SEED) $(MUTANTS_DRAW:%=-f %) > $@

# Mutants of each entity that a VHDL bench has in it, but for those in which it looks at one thing alone: faults, idle.
# gpu_flat and warp_table are left out, too: their benches are younger than the draws of docs/evidence/mutants.md.
MUTANTS_BENCH    ?= 160
MUTANTS_ENTITIES := $(filter-out lane_files gpu ram_1r1w lane_execute lane_operand execute operand \
	gpu_flat warp_table,\
	$(patsubst work.%,%,$(shell cat $(BENCH_SRC) | grep -o 'entity work\.[a-z0-9_]*' | cut -d ' ' -f 2 | sort -u)))
$(MUTANTS_DIR)/bench.list: $(MUTANTS_ENTITIES:%=rtl/%.vhd) testbench/mutants/source.awk $(MUTANTS_DRAW)
	$(Q)mkdir -p $(@D) && awk -f testbench/mutants/source.awk $(MUTANTS_ENTITIES:%=rtl/%.vhd) | \
		awk -v count=$(MUTANTS_BENCH) -v seed=$(MUTANTS_SEED) $(MUTANTS_DRAW:%=-f %) > $@

.PHONY: mutants
MUTANTS_KERNELS := $(FORMAT_KERNELS) $(SMALL_KERNELS) $(LONG_KERNELS)
mutants: $(TOOLS) $(LAUNCH_TOOL) $(MUTANTS_DYNAMIC) build/unit/analysed \
	$(addprefix $(MUTANTS_DIR)/,libsim-mutants.so judge bench.list model.list) $(MUTANTS_MORE)/libsim-mutants.so
mutants: ## faults put in on purpose, each of which a test must find: an hour or two, may be interrupted
	$(Q)LIB_OBJ='$(LIB_OBJ)' CC='$(CC)' WRAP='$(ALLOCATORS:%=-Wl,--wrap=%)' \
		testbench/mutants/run.sh $(MUTANTS_DIR) $(MUTANTS_MEMORY) $(MUTANTS_KERNELS)

# ------------------------------------------------------------------------------------------------- generated files

# Committed, as VHDL and pages are read without a build. A change of a .def file makes them again, before the RTL is
# compiled; one that says the same as before keeps its time.
GENERATED := $(addprefix rtl/,isa_pkg.vhd retire_pkg.vhd control_pkg.vhd lists_pkg.vhd) docs/host.md
$(GENERATED): $(GEN)
	$(Q)$< $(basename $(@F)) > build/$(@F) && { cmp -s build/$(@F) $@ || cp build/$(@F) $@; }

check-generated: $(GEN) $(ISA_DOC) ## committed generated files are what the generators write
	$(Q)$(foreach g,$(GENERATED),$(GEN) $(basename $(notdir $(g))) | diff -u $(g) - &&) true
	$(Q)$(ISA_DOC) $(ISA_DOC_IN) | diff -u docs/isa.md -
	$(Q)testbench/features.sh check && testbench/features.sh | diff -u docs/evidence/features.md -

.PHONY: generated
generated: $(GENERATED) docs/isa.md ## write the committed generated files again
	$(Q)testbench/features.sh > docs/evidence/features.md

# The values that these kernels expect are what the calculator gives; it shares nothing with what they are compared with
# (golden/calculator).
EXPECTS        := kernels/formats/*.sass kernels/regress/*.sass
CALCULATOR_SRC := $(wildcard golden/calculator/*.c)
CALCULATOR     := build/golden/calculator/expects build/golden/calculator/vectors
build/golden/calculator/expects: $(patsubst %.c,build/%.o,$(filter-out %/vectors.c %/envydis.c,$(CALCULATOR_SRC)))
build/golden/calculator/vectors: $(patsubst %,build/golden/calculator/%.o,vectors envydis text rules execute)
$(CALCULATOR):
	$(call say,LD)
	$(call link,,)

.PHONY: expects check-expects
expects: build/golden/calculator/expects ## write the values that kernels/formats and kernels/regress expect
	$(Q)$< --write $(EXPECTS)

check-generated: check-expects
check-expects: build/golden/calculator/expects
	$(Q)$< $(EXPECTS) > $<.log || { grep '^#\|^not' $<.log; exit 1; }

# The data files of kernels/apps are what the host programs write.
DATA := $(wildcard kernels/apps/*/*.bin)
build/golden/data/made: golden/host/make_data.sh $(GOLDEN)
	$(call say,DATA)
	$(Q)$< $(@D) && touch $@

check-generated: check-data
.PHONY: check-data
check-data: build/golden/data/made
	$(Q)$(foreach d,$(DATA),cmp $(d) $(d:kernels/apps/%=build/golden/data/%) &&) true

# ------------------------------------------------------------------------------------------------------------ lint

LINT_C    := $(filter-out $(DERIVED),$(LIB_SRC)) $(TOOL_SRC) $(GEN_SRC) $(ISA_DOC_SRC) \
	$(TEST_SRC) $(HELPER_SRC) \
	$(COVERAGE_SRC) $(SWEEP_SRC) testbench/coverage/leave/leave.c \
	$(CALCULATOR_SRC) \
	$(wildcard golden/host/*.c testbench/ghdl/*.c testbench/apps/*.c testbench/decode/*.c testbench/demo/*.c \
		testbench/semantics/*.c testbench/fuzz/*.c testbench/mutants/*.c) \
	$(wildcard testbench/random/*.c testbench/launches/*.c testbench/robust/*.c testbench/timing/*.c)
LINT_HDR  := $(filter %.h,$(LIB_HDR)) golden/host/bytes.h $(wildcard golden/calculator/*.h) \
	$(wildcard testbench/random/*.h testbench/timing/*.h assembler/doc/*.h) \
	$(wildcard testbench/coverage/*/*.h)
# Every file of the source: what git tracks, or outside a checkout whatever is there but build/.
ALL_FILES = $(eval ALL_FILES := $(shell git ls-files --error-unmatch Makefile > /dev/null 2>&1 && git ls-files || \
	find . -path ./build -prune -o -type f -printf '%P\n'))$(ALL_FILES)
FORMATTED = $(filter %.c %.h %.cpp,$(ALL_FILES))
LICENSED  = $(filter %.c %.h %.cpp %.def %.vhd %.sass %.sh rtl/files.f .gitignore .ci/% Makefile,$(ALL_FILES))

.PHONY: lint-rtl lint-format lint-text lint-layers lint-headers lint-cppcheck lint-tidy
lint: lint-format lint-text lint-layers lint-headers lint-cppcheck lint-tidy lint-rtl ## linters and RTL gates
lint: check-generated

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
lint-layers: $(LIB_OBJ)
	$(call say,LAYERS)
	$(Q)testbench/check_layers.sh $(filter build/assembler/% build/cmodel/%,$(LIB_OBJ))

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
build/lint/rtl/without-atomics: build/lint/rtl/analysed $(VERILOG_PARTS)
	$(call say,ATOMICS)
	$(Q)mkdir -p $@.work && $(to_verilog) --workdir=$@.work -gHAS_ATOMICS=false \
		$(RTL) -e gpu_flat > $@.v 2> $@.log || { cat $@.log; exit 1; }
	$(Q)! grep '^module .*atomic' $@.v && touch $@
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

# ---------------------------------------------------------------------------------------------------------- formal

FORMAL_DIR   := build/testbench/formal
FORMAL_CHECK := $(FORMAL_DIR)/model_check
SUITES_OTHER += 'testbench/formal/run.sh --quick' $(FORMAL_CHECK)

.PHONY: formal
formal test: $(FORMAL_DIR)/control.svh
formal: $(FORMAL_CHECK) $(FORMAL_DIR)/decode_table.v ## proofs about the RTL, each tried with planted faults: a table
	$(Q)$(FORMAL_CHECK) && testbench/formal/run.sh
test: $(FORMAL_CHECK)

# What the decoder must say of any word, and the one lane of the C model in Verilog, held against the C model.
$(FORMAL_DIR)/decode_table: $(FORMAL_DIR)/decode_table.o $(DECODE_DIR)/expect.o $(LIB)
	$(call say,LD)
	$(call link,,$(LDLIBS))
$(FORMAL_DIR)/control.svh: $(GEN)
	$(Q)mkdir -p $(@D) && $< control_wires > $@
$(FORMAL_DIR)/decode_table.v: $(FORMAL_DIR)/decode_table
	$(call say,TABLE)
	$(Q)$< > $@
$(FORMAL_DIR)/verilated/libmodel.a: testbench/formal/model.v | $(FIRST)
	$(call say,VERILATE)
	$(call verilate_logic,model,)
$(FORMAL_DIR)/model_run.o: testbench/formal/model_run.cpp $(FORMAL_DIR)/verilated/libmodel.a
	$(call say,CXX)
	$(Q)$(CXX) $(SIM_CXXFLAGS) -O2 -Wall -Wextra -Werror -isystem $(FORMAL_DIR)/verilated -MMD -MP -c $< -o $@
$(FORMAL_CHECK): $(addprefix $(FORMAL_DIR)/,model_check.o model_run.o verilated/libmodel.a) $(LIB)
	$(call say,LD)
	$(Q)$(CXX) -o $@ $^ -lpthread

# ---------------------------------------------------------------------------------------------------------- timing

include testbench/timing/timing.mk

# --------------------------------------------------------------------------------------------------------- install
# Headers keep their directories, as they include each other by them: #include <warpstep/cmodel/model.h>.

VERSION := 0.1
dest    := $(DESTDIR)$(PREFIX)
PUBLIC  := cmodel/model.h testbench/lockstep/lockstep.h testbench/lockstep/pins.h assembler/isa/isa.h
install: $(LIB) $(LIB_SO) $(TOOLS) $(SIMS) ## tools, library, headers and pkg-config file, under PREFIX (and DESTDIR)
	$(call say,INSTALL)
	$(Q)$(MAKE) -s install-built
# What is there, without a look at whether it is out of date.
.PHONY: install-built
install-built:
	$(Q)install -d $(dest)/bin $(dest)/lib/pkgconfig $(dest)/lib/warpstep $(dest)/include/warpstep
	$(Q)install $(TOOLS) $(dest)/bin
	$(Q)install -m 644 $(LIB) $(LIB_SO) $(dest)/lib
	$(Q)install -m 644 build/sim/*.so $(dest)/lib/warpstep && cp -R build/sim/ghdl $(dest)/lib/warpstep
	$(Q)$(CC) -MM -I. $(PUBLIC:%=-include %) -x c /dev/null | tr -d '\\' | tr ' ' '\n' | \
		grep '\.h$$\|\.def$$' | xargs -I{} install -m 644 -D {} $(dest)/include/warpstep/{}
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'Name: warpstep' 'Description: sm_10 golden model and lockstep checker' \
		'Version: $(VERSION)' 'Requires: libelf' 'Cflags: -I$${prefix}/include' 'Libs: -L$${prefix}/lib -lwarpstep' \
		> $(dest)/lib/pkgconfig/warpstep.pc

-include $(shell find build -name '*.d' ! -name 'V*__ver.d' 2>/dev/null)

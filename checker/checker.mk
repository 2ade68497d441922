# SPDX-License-Identifier: Apache-2.0
# Coverage, the third opinion, pictures, and the table of docs/evidence/records.md.

WHAT_TO_REPORT := build/checker/record/doc/what_to_report
uses_test_wave_view := scratch.c
uses_test_warp_view = $(uses_test_wave_view)
uses_test_stage_trace := fixture.c
uses_test_last_store = $(uses_test_stage_trace)
# checker/tool/run_page.sh builds the examples of its page itself.
needs_tool     := $(TOOLS) $(LIB)

# Runs in lockstep save what they cover to the directory that WARPSTEP_COVERAGE names.
COVERAGE_TOOL  := build/checker/coverage/report/coverage_report
SWEEP_TOOL     := build/checker/coverage/sweep/sweep
COVERAGE_TEST  := build/coverage/test
COVERAGE_CHECK := $(COVERAGE_TOOL) $(COVERAGE_TEST) checker/coverage/unreachable.txt check \
	checker/coverage/floor-test.txt
needs_coverage := $(SWEEP_TOOL)
TEST_NEEDS     += $(COVERAGE_TOOL)
PROGRAMS       += checker/record/doc/what_to_report checker/coverage/report/coverage_report checker/coverage/sweep/sweep
uses_coverage_report := $(wildcard checker/coverage/report/*.c)
uses_checker/coverage/sweep/sweep := $(wildcard checker/coverage/sweep/*.c)
# Lines, branches and toggles of the RTL are those of one SM of 8 cores.
COVERAGE_SIM   := build/sim/libsim-verilator-C8-S1-coverage.so
$(COVERAGE_SIM): build/sim/runtime/verilated_cov.o
.PHONY: coverage pictures load-faults
coverage: $(TOOLS) $(VSIMS) $(COVERAGE_TOOL) $(SWEEP_TOOL) $(COVERAGE_SIM)
coverage: $(addprefix build/coverage/c/,$(TEST_PATHS) $(TOOL_PATHS))
coverage: #+ what RTL, model and C side execute: build/coverage/index.html
	$(Q)checker/coverage/run.sh

# A simulation that lies, and a model that does: its step is replaced by one that changes the record it gives.
LIAR           := build/checker/opinion/liar.so
SHARED         += $(LIAR)
needs_opinion  := $(LIAR) $(TOOLS) $(VSIMS)
$(LIAR): build/checker/opinion/liar/liar.o build/checker/record/field.o
link_liar.so   := -Xlinker -Bsymbolic
uses_test_planted := fake_sim.c kernel.c
link_test_planted := -Wl,--wrap=warpstep_model_step_follow

docs/machine.svg: checker/view/machine.awk $(VHDL_TOOL) $(RTL) spec/retire.def \
	$(wildcard cmodel/core/*.c cmodel/run/*.c)
	$(Q)awk -f $< > $@.tmp && mv $@.tmp $@
pictures: $(TOOLS) build/sim/libsim-verilator-C8-S1.so docs/machine.svg
pictures: #+ draw docs/img/reduce.svg and docs/machine.svg again
	$(Q)mkdir -p build/pictures && build/bin/warp-lockstep kernels/apps/reduce.sass \
		--trace build/pictures/reduce.txt > /dev/null && build/bin/warp-view build/pictures/reduce.txt \
		-o docs/img/reduce.svg --title "kernels/apps/reduce.sass on 8 cores" > /dev/null

# The loader's tests.
$(foreach t,board etherbone socket identity transfer warp_load check hash,$(eval uses_test_$t := port.c))
uses_test_warp_load += scratch.c terminal.c
load-faults: build/loader/test/test_board #+ kernels on a board whose line has faults: RUNS=100000, SEED=1
	$(Q)RUNS=$(or $(RUNS),100000) SEED=$(or $(SEED),1) $<

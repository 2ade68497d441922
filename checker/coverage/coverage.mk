# SPDX-License-Identifier: Apache-2.0
# What runs in lockstep cover they save to the directory that WARPSTEP_COVERAGE names; the report merges it and holds it
# against a floor: one of `make coverage`, which runs more, and one of `make test-all`.

COVERAGE_TOOL  := build/checker/coverage/report/coverage_report
SWEEP_TOOL     := build/checker/coverage/sweep/sweep
COVERAGE_TEST  := build/coverage/test
COVERAGE_CHECK := $(COVERAGE_TOOL) $(COVERAGE_TEST) checker/coverage/unreachable.txt check \
	checker/coverage/floor-test.txt
needs_coverage := $(SWEEP_TOOL)
TEST_NEEDS     += $(COVERAGE_TOOL)
$(call programs,plain,checker/coverage/report/coverage_report,$(wildcard checker/coverage/report/*.c))
$(call programs,plain,checker/coverage/sweep/sweep,$(wildcard checker/coverage/sweep/*.c))

# The RTL's lines, branches and toggles are those of one SM of 8 cores.
COVERAGE_SIM := build/sim/libsim-verilator-C8-S1-coverage.so
$(COVERAGE_SIM): build/sim/runtime/verilated_cov.o

.PHONY: coverage
coverage: $(TOOLS) $(VSIMS) $(COVERAGE_TOOL) $(SWEEP_TOOL) $(COVERAGE_SIM)
coverage: $(TEST_SRC:%.c=build/coverage/c/%) $(TOOLS:build/%=build/coverage/c/%)
coverage: ## what RTL, model and C side execute: build/coverage/index.html
	$(Q)checker/coverage/run.sh

# SPDX-License-Identifier: Apache-2.0
# Stencils are measured on four SMs, too, which `make all` does not build.

EXPERIMENT_SIMS := $(SIMS) build/sim/libsim-verilator-C8-S4.so
.PHONY: experiments
experiments: $(TOOLS) $(GOLDEN) $(EXPERIMENT_SIMS)
experiments: ## what the literature asks of a GPU; writes docs/experiments.md, its tables and plots
	$(Q)testbench/experiments/run.sh
needs_experiments := $(GOLDEN)

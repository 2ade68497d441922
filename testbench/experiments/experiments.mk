# SPDX-License-Identifier: Apache-2.0
# Stencils are measured on four SMs, too, and sm_10x on two machines, which `make all` does not build.

EXPERIMENT_SIMS := $(SIMS) $(patsubst %,build/sim/libsim-verilator-C8-%.so,S4 S1-W8-D8 S1-W4-D1)
.PHONY: experiments
experiments: $(TOOLS) $(GOLDEN) $(EXPERIMENT_SIMS)
experiments: ## what the literature asks of a GPU; writes docs/experiments.md, its tables and plots
	$(Q)testbench/experiments/run.sh
needs_experiments := $(GOLDEN)

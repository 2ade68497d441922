# SPDX-License-Identifier: Apache-2.0
# The machines that are measured, and no others: each build of one takes minutes. `make all` has neither that of four
# SMs nor those of sm_10x.

EXPERIMENT_SIMS := $(patsubst %,build/sim/libsim-verilator-%.so,C8-S1 C32-S1 C8-S2 C8-S4) $(EXTENSION_SIMS)
.PHONY: experiments
experiments: $(TOOLS) $(GOLDEN) $(EXPERIMENT_SIMS)
experiments: ## what the literature asks of a GPU; writes docs/experiments.md, its tables and plots
	$(Q)measure/experiments/run.sh
needs_experiments := $(GOLDEN)

# The page follows its tables and the clock, without a measurement.
writes_experiments := awk -v folder=docs/experiments -f measure/experiments/page.awk fpga/timing/timing.md \
	measure/experiments/experiments.in.md

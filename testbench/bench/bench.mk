# SPDX-License-Identifier: Apache-2.0
# Several SMs are measured with the numbers of cores in BENCH_SCALING; each needs two builds more, and those of 32 cores
# take ten minutes. `BENCH_SCALING=8 make bench` is for trying something out: what it writes lacks rows of the page.

BENCH_SCALING ?= 8 16 32
BENCH_CONFIGS := C8-S1-G1048576 $(foreach c,$(BENCH_SCALING),C$(c)-S2 C$(c)-S4)
BENCH_SIMS    := $(sort $(SIMS) $(BENCH_CONFIGS:%=build/sim/libsim-verilator-%.so))
.PHONY: bench
bench: $(TOOLS) $(GOLDEN) build/testbench/apps/corpus_launch $(BENCH_SIMS)
bench: ## measure everything; writes docs/performance.md and its chart
	$(Q)testbench/bench/run.sh "$(BENCH_SCALING)"

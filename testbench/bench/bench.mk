# SPDX-License-Identifier: Apache-2.0
# Several SMs of 8 cores are a part of `make bench`. Those of more cores are four machines more, which take longer to
# build than everything else to measure: they are a section of the page that `make bench-sms` writes.

bench_needs := $(TOOLS) $(GOLDEN) build/testbench/apps/corpus_launch $(SIMS)
machine      = $(1:%=build/sim/libsim-verilator-%.so)
.PHONY: bench bench-sms
bench: $(bench_needs) $(call machine,C8-S1-G1048576 C8-S4)
bench: ## measure everything; writes docs/performance.md and its chart; 15 minutes
	$(Q)testbench/bench/run.sh
bench-sms: $(bench_needs) $(call machine,C16-S2 C16-S4 C32-S2 C32-S4)
bench-sms: ## several SMs of 16 and 32 cores: their section of docs/performance.md
	$(Q)testbench/bench/sms.sh

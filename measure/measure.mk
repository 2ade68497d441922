# SPDX-License-Identifier: Apache-2.0
# The pages docs/evidence/performance.md and experiments.md. Machines of several SMs take longer to build than the rest
# to measure; how fast the tools are depends on the computer.

bench_needs := $(TOOLS) $(GOLDEN) build/testbench/apps/corpus_launch $(SIMS)
BENCH_SMS   := C16-S2 C16-S4 C32-S2 C32-S4
# A section that something has measured, into its folder and into the page.
define put_section # FILE, SECTION
	$(Q)cp $(1) $(2) && measure/bench/section.sh $(2) docs/evidence/performance.md && cat $(2)
endef
.PHONY: bench bench-sms speed experiments
bench: $(bench_needs) build/sim/libsim-verilator-C8-S4.so #+ cycles; writes docs/evidence/performance.md and its chart
	$(Q)measure/bench/run.sh
bench-sms: $(bench_needs) $(BENCH_SMS:%=build/sim/libsim-verilator-%.so) #+ cycles of several SMs of 16 and 32 cores
speed: $(bench_needs) #+ how fast the tools are
bench-sms speed:
	$(Q)mkdir -p build/bench && measure/bench/$(@:bench-%=%).sh > build/bench/$(@:bench-%=%).md
	$(call put_section,build/bench/$(@:bench-%=%).md,measure/bench/$(@:bench-%=%).md)
experiments: $(TOOLS) $(GOLDEN) $(EXTENSION_SIMS) $(patsubst %,build/sim/libsim-verilator-%.so,C8-S1 C32-S1 C8-S2 C8-S4)
experiments: #+ what the literature asks of a GPU; writes docs/evidence/experiments.md, its tables and plots
	$(Q)measure/experiments/run.sh
needs_experiments := $(GOLDEN)

# SPDX-License-Identifier: Apache-2.0
# The pages docs/evidence/performance.md and experiments.md. Machines of several SMs take longer to build than the rest
# to measure; how fast the tools are depends on the computer.
BENCH_SMS := C16-S2 C16-S4 C32-S2 C32-S4
# A section that something has measured, into its folder and into the page.
put_section = $(Q)cp $(1) $(2) && measure/bench/section.sh $(2) docs/evidence/performance.md && cat $(2)
bench: all build/sim/libsim-verilator-C8-S4.so #+ cycles; writes docs/evidence/performance.md and its chart
	$(Q)measure/bench/run.sh
bench-sms: all $(BENCH_SMS:%=build/sim/libsim-verilator-%.so) #+ cycles of several SMs of 16 and 32 cores
speed: all #+ how fast the tools are
bench-sms speed:
	$(Q)mkdir -p build/bench && measure/bench/$(@:bench-%=%).sh > build/bench/$(@:bench-%=%).md
	$(call put_section,build/bench/$(@:bench-%=%).md,measure/bench/$(@:bench-%=%).md)
experiments: all $(EXTENSION_SIMS) build/sim/libsim-verilator-C8-S4.so
experiments: #+ what the literature asks of a GPU; writes docs/evidence/experiments.md, its tables and plots
	$(Q)measure/experiments/run.sh

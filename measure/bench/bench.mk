# SPDX-License-Identifier: Apache-2.0
# `make bench` writes docs/performance.md; two of its sections are measured by goals of their own. Four machines of
# several SMs take longer to build than everything else to measure; and how fast the tools are depends on the computer.

bench_needs := $(TOOLS) $(GOLDEN) build/testbench/apps/corpus_launch $(SIMS)
BENCH_SMS   := C16-S2 C16-S4 C32-S2 C32-S4
# A section that something has measured, into its folder and into the page.
define put_section # FILE, SECTION
	$(Q)cp $(1) $(2) && measure/bench/section.sh $(2) docs/performance.md && cat $(2)
endef
define renew # SECTION
	$(Q)mkdir -p build/bench && measure/bench/$(1).sh > build/bench/$(1).md
	$(call put_section,build/bench/$(1).md,measure/bench/$(1).md)
endef
.PHONY: bench bench-sms speed
bench: $(bench_needs) build/sim/libsim-verilator-C8-S4.so ## cycles; writes docs/performance.md and its chart
	$(Q)measure/bench/run.sh
bench-sms: $(bench_needs) $(BENCH_SMS:%=build/sim/libsim-verilator-%.so) ## ... several SMs of 16 and 32 cores
	$(call renew,sms)
speed: $(bench_needs) ## ... how fast the tools are
	$(call renew,speed)

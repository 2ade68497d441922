# SPDX-License-Identifier: Apache-2.0
# Global memory behind a bus, see README.md here.

BUS_CONFIGS := C8-S1-B8 C8-S1-B2 C8-S2-B8 C8-S2-B2 C32-S1-B32
.PHONY: bus
bus: all $(BUS_CONFIGS:%=build/sim/libsim-verilator-%.so)
bus: ## kernels with global memory behind a bus, on both simulators, and how much of the bus they use: an hour
	$(Q)SUITE_SECONDS=7200 $(call run_suites,$@)

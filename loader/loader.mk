# SPDX-License-Identifier: Apache-2.0
# warp-load is built like the other tools; its tests are unit tests.

.PHONY: load-faults
load-faults: build/loader/test/test_board ## kernels on a board whose line has faults: RUNS=1000 of them, from SEED=1 on
	$(Q)RUNS=$(or $(RUNS),1000) SEED=$(or $(SEED),1) $<

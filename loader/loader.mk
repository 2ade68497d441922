# SPDX-License-Identifier: Apache-2.0
# warp-load is built like the other tools; its tests are unit tests.

.PHONY: load-faults
load-faults: build/loader/test/test_board ## kernels on a board whose line has faults: RUNS=100000, SEED=1
	$(Q)RUNS=$(or $(RUNS),100000) SEED=$(or $(SEED),1) $<

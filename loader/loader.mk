# SPDX-License-Identifier: Apache-2.0
# warp-load is built like the other tools; its tests are unit tests.

.PHONY: load-faults
load-faults: build/loader/test/test_board ## kernels on a board whose line has faults: RUNS=100000, SEED=1
	$(Q)RUNS=$(or $(RUNS),100000) SEED=$(or $(SEED),1) $<

$(foreach t,board etherbone socket identity transfer warp_load check hash,$(eval uses_test_$t := port.c))
uses_test_warp_load += scratch.c terminal.c

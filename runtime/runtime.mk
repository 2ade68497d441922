# SPDX-License-Identifier: Apache-2.0
# Kernels that other programs launch. The library has the engines, runtime/engine*.c.

# A fake board, in a process of its own.
FAKE_BOARD := conversation.c fake_board.c fake_bus.c fake_datagrams.c fake_hash.c fake_machine.c fake_sdram.c port.c
uses_test_engine := $(FAKE_BOARD) scratch.c terminal.c
link_test_engine := -lpthread
uses_test_engine_memory := fail_alloc.c fake_sim.c
link_test_engine_memory := $(ALLOCATORS:%=-Wl,--wrap=%)

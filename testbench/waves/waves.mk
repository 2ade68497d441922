# SPDX-License-Identifier: Apache-2.0
# A reader of FST files, with the library of GTKWave that Verilator brings along.

FST_VALUE   := build/testbench/waves/fst_value
needs_waves := $(FST_VALUE) build/sim/libsim-verilator-C8-S1.so build/sim/libsim-ghdl.so build/sim/ghdl/built
FST_FLAGS    = -O2 -DFST_CONFIG_INCLUDE='"fst_config.h"' -isystem $(VERILATOR_INC)/gtkwave
build/testbench/waves/%.o: | $(FIRST)
	$(call step,CC,$(CC) $(FST_FLAGS) -w -c $(VERILATOR_INC)/gtkwave/$*.c -o $@)
$(FST_VALUE): testbench/waves/fst_value.cpp $(addprefix build/testbench/waves/,fstapi.o fastlz.o lz4.o)
	$(call step,CXX,$(CXX) -std=c++17 $(FST_FLAGS) -Wall -Wextra -Werror -o $@ $^ -lz)

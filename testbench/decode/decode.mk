# SPDX-License-Identifier: Apache-2.0
# The decoder alone, as Verilog, held against the instruction table.

DECODE_DIR  := build/testbench/decode
DECODE_RTL  := $(filter rtl/%_pkg.vhd rtl/%_pkg_body.vhd rtl/front/decode%,$(RTL)) testbench/decode/decode_flat.vhd
needs_decode := $(DECODE_DIR)/decode_bench
$(DECODE_DIR)/decode_flat.v: $(DECODE_RTL) $(VERILOG_PARTS) | $(FIRST)
	$(call synth,decode_flat,$(DECODE_RTL))
$(DECODE_DIR)/verilated/libdecode.a: $(DECODE_DIR)/decode_flat.v
	$(call verilate_logic,decode_flat,--x-assign unique --noassert)
$(DECODE_DIR)/decoder.o: testbench/decode/decoder.cpp $(DECODE_DIR)/verilated/libdecode.a
	$(call logic_object,$(DECODE_DIR)/verilated)
$(call programs,plain,testbench/decode/decode_bench,$(addprefix testbench/decode/,decode_bench.c expect.c),\
	-lstdc++ -lm -lpthread)
$(DECODE_DIR)/decode_bench: $(DECODE_DIR)/decoder.o $(DECODE_DIR)/verilated/libdecode.a

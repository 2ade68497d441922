# SPDX-License-Identifier: Apache-2.0
# The model's floating point against a reference of its own kind (golden/float).

FLOAT_SWEEP := build/testbench/float/sweep
$(call programs,plain asan,testbench/float/sweep,testbench/float/sweep.c golden/float/reference.c,-lpthread)

# The model against an NVIDIA chip (golden/silicon).
CHIP_SRC := $(addprefix testbench/float/,chip.c chip_operations.c)
$(call programs,plain,testbench/float/silicon,testbench/float/silicon.c $(CHIP_SRC),-lz -lpthread)
link_test_chip := -lz

.PHONY: sweep-float
sweep-float: $(FLOAT_SWEEP) build/testbench/float/silicon build/testbench/float/unit_sweep
sweep-float: ## every operand of functions and conversions: model, reference, chip, units (three quarters of an hour)
	$(Q)$< --random 200
	$(Q)build/testbench/float/silicon
	$(Q)build/testbench/float/unit_sweep

# The tables of the special functions, from the data that was read out of the chip.
SFU_DATA := golden/float/sfu-tables.csv
generated: cmodel/core/float/sfu_tables.def golden/float/sfu_tables.def
golden/float/sfu_tables.def: golden/float/sfu_tables.awk $(SFU_DATA)
	$(Q)awk -f $^ > $@
cmodel/core/float/sfu_tables.def: cmodel/core/float/sfu_tables.awk $(SFU_DATA)
	$(Q)awk -f $^ > $@

check-generated: check-sfu-tables
.PHONY: check-sfu-tables
check-sfu-tables:
	$(Q)awk -f cmodel/core/float/sfu_tables.awk $(SFU_DATA) | diff -u cmodel/core/float/sfu_tables.def -
	$(Q)awk -f golden/float/sfu_tables.awk $(SFU_DATA) | diff -u golden/float/sfu_tables.def -
	$(Q)awk -f rtl/float/sfu_tables.awk $(SFU_DATA) | diff -u rtl/generated/sfu_tables_pkg.vhd -

# The units of the RTL, as Verilog, held against golden vectors and the model.
FLOAT_DIR  := build/testbench/float
FLOAT_RTL  := $(filter rtl/generated/% rtl/%_pkg.vhd rtl/%_pkg_body.vhd rtl/float/% \
	$(addprefix rtl/execute/,shift_factor.vhd multiplier.vhd),$(RTL)) testbench/float/float_flat.vhd
FLOAT_UNITS := $(addprefix $(FLOAT_DIR)/,unit_bench unit_sweep)
SUITE_NEEDS += $(FLOAT_UNITS)
$(FLOAT_DIR)/float_flat.v: $(FLOAT_RTL) $(VERILOG_PARTS) | $(FIRST)
	$(call synth,float_flat,$(FLOAT_RTL))
$(FLOAT_DIR)/verilated/libfloat.a: $(FLOAT_DIR)/float_flat.v
	$(call verilate_logic,float_flat,--x-assign unique --noassert)
$(FLOAT_DIR)/unit.o: testbench/float/unit.cpp $(FLOAT_DIR)/verilated/libfloat.a
	$(call logic_object,$(FLOAT_DIR)/verilated)
UNIT_SRC := testbench/float/unit_model.c cmodel/test/table.c
$(call programs,plain,testbench/float/unit_bench,testbench/float/unit_bench.c $(UNIT_SRC),-lstdc++ -lm -lpthread)
$(call programs,plain,testbench/float/unit_sweep,testbench/float/unit_sweep.c $(UNIT_SRC) $(CHIP_SRC),\
    -lstdc++ -lm -lz -lpthread)
$(FLOAT_UNITS): $(FLOAT_DIR)/unit.o $(FLOAT_DIR)/verilated/libfloat.a

generated: rtl/generated/sfu_tables_pkg.vhd
rtl/generated/sfu_tables_pkg.vhd: rtl/float/sfu_tables.awk $(SFU_DATA)
	$(Q)awk -f $^ > $@

# SPDX-License-Identifier: Apache-2.0
# The model's floating point against a reference of its own kind (golden/float).

FLOAT_SWEEP := build/testbench/float/sweep
$(call programs,plain asan,testbench/float/sweep,testbench/float/sweep.c golden/float/reference.c,-lpthread)

.PHONY: sweep-float
sweep-float: $(FLOAT_SWEEP) ## every operand of functions and conversions, model against reference (an hour or two)
	$(Q)$< --random 200

# The tables of the special functions, from the data that was read out of the chip.
SFU_DATA := golden/float/sfu-tables.csv
generated: cmodel/float/sfu_tables.def
cmodel/float/sfu_tables.def: cmodel/float/sfu_tables.awk $(SFU_DATA)
	$(Q)awk -f $^ > $@

check-generated: check-sfu-tables
.PHONY: check-sfu-tables
check-sfu-tables:
	$(Q)awk -f cmodel/float/sfu_tables.awk $(SFU_DATA) | diff -u cmodel/float/sfu_tables.def -

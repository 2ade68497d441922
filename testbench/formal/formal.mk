# SPDX-License-Identifier: Apache-2.0
# Proofs about the RTL. They rest on what the decoder must say of any word, and on one lane of the C model in Verilog,
# which is held against the C model.

FORMAL_DIR   := build/testbench/formal
FORMAL_CHECK := $(FORMAL_DIR)/model_check
FORMAL_FLOAT := $(FORMAL_DIR)/float_check
needs_formal := $(FORMAL_CHECK) $(FORMAL_FLOAT) $(FORMAL_DIR)/control.svh $(FORMAL_DIR)/decode_table

.PHONY: formal
formal: $(FORMAL_CHECK) $(FORMAL_FLOAT) $(FORMAL_DIR)/control.svh $(FORMAL_DIR)/decode_table.v
formal: ## proofs about the RTL, each tried with planted faults: a table
	$(Q)$(FORMAL_CHECK) && $(FORMAL_FLOAT) && testbench/formal/run.sh

$(call programs,plain,testbench/formal/decode_table,testbench/formal/decode_table.c testbench/decode/expect.c)
$(FORMAL_DIR)/control.svh: $(GEN)
	$(Q)mkdir -p $(@D) && $< control_wires > $@
$(FORMAL_DIR)/decode_table.v: $(FORMAL_DIR)/decode_table
	$(call say,TABLE)
	$(Q)$< > $@

$(FORMAL_DIR)/verilated/libmodel.a: testbench/formal/model.v | $(FIRST)
	$(call verilate_logic,model,)
$(FORMAL_DIR)/model_run.o: testbench/formal/model_run.cpp $(FORMAL_DIR)/verilated/libmodel.a
	$(call logic_object,$(FORMAL_DIR)/verilated)
$(call programs,plain,testbench/formal/model_check,testbench/formal/model_check.c,-lstdc++ -lm -lpthread)
$(FORMAL_CHECK): $(FORMAL_DIR)/model_run.o $(FORMAL_DIR)/verilated/libmodel.a

# unit_bench with float_model.v in the place of the units.
$(FORMAL_DIR)/float_verilated/libmodel.a: testbench/formal/float_model.v | $(FIRST)
	$(call verilate_logic,float_model,)
$(FORMAL_DIR)/float_model_run.o: testbench/formal/float_model_run.cpp $(FORMAL_DIR)/float_verilated/libmodel.a
	$(call logic_object,$(FORMAL_DIR)/float_verilated)
$(call programs,plain,testbench/formal/float_check,testbench/float/unit_bench.c $(UNIT_SRC),-lstdc++ -lm -lpthread)
$(FORMAL_FLOAT): $(FORMAL_DIR)/float_model_run.o $(FORMAL_DIR)/float_verilated/libmodel.a

# SPDX-License-Identifier: Apache-2.0
# The third opinion (opinion.h): a simulation that lies, and a model that does.

LIAR := build/checker/opinion/liar.so
needs_opinion := $(LIAR) $(TOOLS) $(VSIMS)
$(LIAR): build/checker/opinion/liar/liar.o build/checker/record/field.o
	$(call step,LD,$(CC) -shared -Xlinker -Bsymbolic -o $@ $^)

# The model's step is replaced by one that changes the record it gives.
uses_test_planted := fake_sim.c kernel.c
link_test_planted := -Wl,--wrap=warpstep_model_step_follow

# SPDX-License-Identifier: Apache-2.0
# The values that these kernels expect are what the calculator gives; it shares nothing with what they are compared
# with.

EXPECTS     := $(addprefix kernels/,formats/*.sass regress/*.sass bringup/*.sass)
CALCULATOR  := $(addprefix build/golden/calculator/,expects vectors)
needs_calculator := $(CALCULATOR)
build/golden/calculator/expects: $(patsubst %.c,build/%.o,$(filter-out %/vectors.c %/envydis.c,\
	$(wildcard golden/calculator/*.c)) golden/float/reference.c)
build/golden/calculator/vectors: $(patsubst %,build/golden/calculator/%.o,vectors envydis text rules float execute) \
	build/golden/float/reference.o
$(CALCULATOR):
	$(call step,LD,$(CC) -o $@ $^)

.PHONY: expects check-expects
expects: build/golden/calculator/expects ## write the values that kernels/formats, regress and bringup expect
	$(Q)$< --write $(EXPECTS)
check-generated: check-expects
check-expects: build/golden/calculator/expects
	$(Q)$< $(EXPECTS) > $<.log || { grep '^#\|^not' $<.log; exit 1; }

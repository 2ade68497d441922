# SPDX-License-Identifier: Apache-2.0
# The calculator, whose values kernels expect, and the PTX interpreter. They share nothing with what they judge.

CALCULATOR := $(addprefix build/golden/calculator/,expects vectors)
needs_calculator := $(CALCULATOR)
build/golden/calculator/expects: build/golden/float/reference.o $(patsubst %.c,build/%.o,$(filter-out %/vectors.c \
	%/envydis.c,$(wildcard golden/calculator/*.c)))
build/golden/calculator/vectors: build/golden/float/reference.o $(patsubst %,build/golden/calculator/%.o,\
	envydis text rules float execute)

EXPECTS := $(addprefix kernels/,formats/*.sass regress/*.sass bringup/*.sass)
.PHONY: expects check-expects
expects: build/golden/calculator/expects #+ write the values that kernels/formats, regress and bringup expect
	$(Q)$< --write $(EXPECTS)
check-generated: check-expects
check-expects: build/golden/calculator/expects
	$(Q)$< $(EXPECTS) > $<.log || { grep '^#\|^not' $<.log; exit 1; }

PTX_MAINS := $(addprefix build/golden/ptx/,run draw check)
PTX_DRAW  := $(patsubst %.c,build/%.o,$(wildcard golden/ptx/draw_*.c))
needs_ptx := $(PTX_MAINS)
$(PTX_MAINS): build/golden/float/reference.o $(filter-out $(PTX_MAINS:=.o) $(PTX_DRAW),\
	$(patsubst %.c,build/%.o,$(wildcard golden/ptx/*.c)))
build/golden/ptx/draw: $(PTX_DRAW)
ALONE += $(CALCULATOR) $(PTX_MAINS)

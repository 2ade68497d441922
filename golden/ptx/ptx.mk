# SPDX-License-Identifier: Apache-2.0
# The PTX interpreter, what draws programs, and what judges single instructions. They share nothing with compiler/.

PTX_MAINS := $(addprefix build/golden/ptx/,run draw check)
PTX_DRAW  := $(patsubst %.c,build/%.o,$(wildcard golden/ptx/draw_*.c))
PTX_PARTS := $(filter-out $(PTX_MAINS:=.o) $(PTX_DRAW),$(patsubst %.c,build/%.o,$(wildcard golden/ptx/*.c)))
$(PTX_MAINS): %: %.o $(PTX_PARTS) build/golden/float/reference.o
	$(call step,LD,$(CC) -o $@ $^)
build/golden/ptx/draw: $(PTX_DRAW)
needs_ptx := $(PTX_MAINS)

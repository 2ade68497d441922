// SPDX-License-Identifier: Apache-2.0
// Finds each `when others` that a value of the selector can reach, in the VHDL of `ghdl --synth --out=raw-vhdl`: the
// Verilog of ghdl 2 lacks a default there and keeps the old value, a latch. Synthesis writes a case as a choice by
// comparisons, of which one is true; later versions call n1_o n1:
//
//     n1_o <= '1' when op = "00" else '0';          n4_o <= n1_o & n2_o & n3_o;
//     with n4_o select n5_o <= a when "100", b when "010", c when "001", d when others;
//
// An arm of X is harmless, and so is any arm if the comparisons cover all values of `op`.
#ifndef WARPSTEP_NETLIST_VHDL_OTHERS_H
#define WARPSTEP_NETLIST_VHDL_OTHERS_H

#include <stdio.h>

#include "tree.h"

// Prints them with their place in the source; returns their number.
unsigned vhdl_others(struct pool *pool, const char *text, FILE *out);

#endif

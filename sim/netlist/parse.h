// SPDX-License-Identifier: Apache-2.0
// Reads the Verilog that `ghdl --synth --out=verilog` writes, in its versions 2.0 to 5.0.
//
//     struct design design = {.file = "gpu_flat.v"};
//     if (!parse(&design, text, &fault)) return report(&design, &fault);
#ifndef WARPSTEP_NETLIST_PARSE_H
#define WARPSTEP_NETLIST_PARSE_H

#include "fault.h"
#include "tree.h"

// The text ends with a NUL. Text outside that subset is a fault; nothing is dropped.
bool parse(struct design *design, const char *text, struct fault *fault);

#endif

// SPDX-License-Identifier: Apache-2.0
// A pass changes a design. Each has a file of its own, pass_NAME.c, which says what it is for; passes.def lists them.
#ifndef WARPSTEP_NETLIST_PASS_H
#define WARPSTEP_NETLIST_PASS_H

#include "fault.h"
#include "tree.h"

// `argument` is what the command line has behind the pass's name and a colon, or "". False where the design is not as
// the pass expects it: then it is not printed.
typedef bool pass_run(struct design *design, const char *argument, struct fault *fault);

#define PASS(NAME, WORD, TEXT) pass_run pass_##NAME;
#include "passes.def"
#undef PASS

#endif

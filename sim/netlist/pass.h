// SPDX-License-Identifier: Apache-2.0
// A pass changes a design. Each has its own file, pass_NAME.c, which describes its purpose; passes.def lists them.
#ifndef WARPSTEP_NETLIST_PASS_H
#define WARPSTEP_NETLIST_PASS_H

#include "fault.h"
#include "tree.h"

// `argument` is the text after the pass's name and a colon on the command line, or "". False if the design is not as
// the pass expects: then it is not printed.
typedef bool pass_run(struct design *design, const char *argument, struct fault *fault);

#define PASS(NAME, WORD, TEXT) pass_run pass_##NAME;
#include "passes.def"
#undef PASS

#endif

// SPDX-License-Identifier: Apache-2.0
// The places in the VHDL that ghdl's comments name: /* rtl/front/sched.vhd:60:5 */
#ifndef WARPSTEP_NETLIST_SOURCE_LINE_H
#define WARPSTEP_NETLIST_SOURCE_LINE_H

#include "tree.h"

struct source_line {
    const char *file; // in the comment
    size_t length;    // of its name
    unsigned line, column;
};

bool source_line_read(const char *comment, struct source_line *place);

#endif

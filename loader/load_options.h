/* SPDX-License-Identifier: Apache-2.0 */
/* The options of warp-load itself, except --help and --version; launches have others. They may stand anywhere; the rest
 * is a command and its arguments.
 *
 *     struct load_options o;
 *     if (load_options_take(&argc, argv, &o, &d) != STATUS_OK) return launch_report("warp-load", &d);
 */
#ifndef WARPSTEP_LOAD_OPTIONS_H
#define WARPSTEP_LOAD_OPTIONS_H

#include "../assembler/base/diag.h"

/* Names the port if no option does. */
#define LOAD_PORT_VARIABLE "WARPSTEP_PORT"

struct load_options {
    const char *port;    /* never NULL; empty if none is named */
    const char *kernels; /* NULL: the default kernels */
    const char *cycles;  /* NULL: cycles are not compared */
    unsigned baud, wait_ms, repeat;
    bool check, force;
};

/* Removes them from argv. argv[0] stays. */
enum status load_options_take(int *argc, char **argv, struct load_options *o, struct diag *d);

void load_options_print_help(FILE *out);

#endif

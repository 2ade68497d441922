/* SPDX-License-Identifier: Apache-2.0 */
/* States of files: what changes where another one is put in its place, or where it is written. */
#ifndef WARPSTEP_CC_TOOL_STATE_H
#define WARPSTEP_CC_TOOL_STATE_H

#include "../assembler/base/siphash.h"

/* Adds that of a file, or that there is none. */
void tool_state_add_file(struct siphash *h, const char *path);

/* Adds those of a compiler and of what it loads: its libraries in ../lib, and the headers that it declares OpenCL with.
 * A script that calls another one stands for itself alone. */
void tool_state_add(struct siphash *h, const char *program);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* State of files: identity, size and times, which change if a file is written or replaced. */
#ifndef WARPSTEP_CC_TOOL_STATE_H
#define WARPSTEP_CC_TOOL_STATE_H

#include "../assembler/base/siphash.h"

/* Adds the state of a file, or that it is missing. */
void tool_state_add_file(struct siphash *h, const char *path);

/* Adds the state of a compiler and of the files that it loads: libraries in ../lib, and its OpenCL headers. A script
 * that calls a compiler counts only by itself. */
void tool_state_add(struct siphash *h, const char *program);

#endif

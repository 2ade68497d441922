/* SPDX-License-Identifier: Apache-2.0 */
/* What a bring-up kernel left behind (kernels/bringup/selftest.inc): where it went wrong, by step, lane and bit.
 *
 *     if (findings_are_there(&run)) findings_print(&run, cores, result.global, stdout);
 */
#ifndef WARPSTEP_FINDINGS_H
#define WARPSTEP_FINDINGS_H

#include "../cmodel/run/launch.h"

/* Does the kernel leave three words for each of its threads, from address 0 on, and expect them? */
bool findings_are_there(const struct launch *run);

/* A line for each step that was the first wrong one of some threads: what it tries, as the kernel's head says, lanes
 * and their cores, warps, bits. Another one for threads of which the signature alone is wrong. */
void findings_print(const struct launch *run, unsigned cores, const uint8_t *global, FILE *out);

#endif

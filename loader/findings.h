/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a bring-up kernel (kernels/bringup/selftest.inc): its failures by step, lane and bit.
 *
 *     if (findings_are_there(&run)) findings_print(&run, cores, result.global, stdout);
 */
#ifndef WARPSTEP_FINDINGS_H
#define WARPSTEP_FINDINGS_H

#include "../cmodel/run/launch.h"

/* True if the kernel leaves three words for each of its threads, from address 0 on, and expects them. */
bool findings_are_there(const struct launch *run);

/* A line for each step that was the first wrong one of some threads: its purpose, from the kernel's head, lanes and
 * their cores, warps, bits. Another line for threads with only a wrong signature. */
void findings_print(const struct launch *run, unsigned cores, const uint8_t *global, FILE *out);

#endif

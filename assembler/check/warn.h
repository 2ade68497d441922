/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings about a kernel that assembles, but uses the hardware in a forbidden or undefined way: branches that may
 * divide a warp without SSY, barriers that only part of a warp may reach, registers that are read before they are
 * written or lie beyond .reg, operands that make an instruction undefined. docs/assembly.md lists them.
 *
 * A warning needs all paths: a register counts as written if any path writes it. */
#ifndef WARPSTEP_WARN_H
#define WARPSTEP_WARN_H

#include "../source/assemble.h"

/* Adds the warnings to m, which has the kernel's text. STATUS_NO_MEMORY or STATUS_OK. */
enum status warn_kernel(const struct assembly *a, struct messages *m);

#endif

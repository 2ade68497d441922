/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPSTEP_SWEEP_ACCESSES_H
#define WARPSTEP_SWEEP_ACCESSES_H

#include "program.h"

void accesses_emit_banks(struct program *p); /* shared accesses of 1 .. 32 passes */
void accesses_emit_lines(struct program *p); /* global accesses of all sizes, orders and numbers of lines */

#endif

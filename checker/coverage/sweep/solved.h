/* SPDX-License-Identifier: Apache-2.0 */
/* Sources whose sum, shift or product sets flags that random sources rarely set: each lane has its own.
 *
 *     solved_prologue(&p);                 // once a kernel
 *     solved_emit(&p, row, &base);         // words of the row that write flags, if it adds, multiplies or shifts
 */
#ifndef WARPSTEP_SWEEP_SOLVED_H
#define WARPSTEP_SWEEP_SOLVED_H

#include "vary.h"

void solved_prologue(struct program *p);
void solved_emit(struct program *p, size_t row, const struct isa_fields *base);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a differing record, for reports: each value on both sides, the operands in those lanes, the stack if
 * control flow differs, and where to look. */
#ifndef WARPSTEP_DIFFERENCE_H
#define WARPSTEP_DIFFERENCE_H

#include <stdio.h>

#include "../verdict/lockstep.h"
#include "stack_watch.h"

enum { DIFFERENCE_LANES_TEXT = 100, DIFFERENCE_NOTE_TEXT = 80 };

/* "0-3,7". Returns `text`. */
const char *difference_lane_list(uint32_t lanes, char text[DIFFERENCE_LANES_TEXT]);

/* Lanes in which a value or a mask differs. */
uint32_t difference_lanes(const struct lockstep_result *r);

/* All of it; nothing if no record differs. stack: contents of the RTL's stack; NULL if unknown. */
void difference_print(const struct lockstep *l, const struct stack_watch *stack, FILE *out);

/* "SSY has no guard: all active lanes execute it", if `exec` differs in an instruction without a guard; otherwise an
 * empty text. Returns `text`. */
const char *difference_guard_note(const struct retire_field *f, uint32_t lo, uint32_t hi,
                                  char text[DIFFERENCE_NOTE_TEXT]);

/* True if the report includes the stack, because control flow differs. */
bool difference_is_flow(const struct lockstep_result *r);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What a record that differs looks like, for reports: each value on both sides, what the instruction has read in those
 * lanes, the stack where control flow differs, and where to look. */
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

/* All of it; nothing where no record differs. stack: what the RTL's held; NULL where that is not known. */
void difference_print(const struct lockstep *l, const struct stack_watch *stack, FILE *out);

/* "SSY has no guard: all active lanes execute it", where `exec` differs in an instruction for which that holds; an
 * empty text elsewhere. Returns `text`. */
const char *difference_guard_note(const struct retire_field *f, uint32_t lo, uint32_t hi,
                                  char text[DIFFERENCE_NOTE_TEXT]);

/* Whether the stack belongs into it: control flow differs. */
bool difference_is_flow(const struct lockstep_result *r);

#endif

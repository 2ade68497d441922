/* SPDX-License-Identifier: Apache-2.0 */
/* All of a model's state as bytes: warps, stacks, registers, memories, their definedness, traps and counts. Two copies
 * are equal if the model did not change in between.
 *
 *     size_t size;
 *     uint8_t *before = whole_copy(model, &size);
 *     ...
 *     whole_expect(model, before, size, "what was done");      // fails the test where some byte is another one
 */
#ifndef WARPSTEP_TEST_WHOLE_H
#define WARPSTEP_TEST_WHOLE_H

#include "../../../cmodel/model.h"

uint8_t *whole_copy(const struct model *m, size_t *size);

/* Frees `before`. */
void whole_expect(const struct model *m, uint8_t *before, size_t size, const char *what);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The coverage of one run, as a file: a line of text "warpstep-coverage FINGERPRINT BINS TEST", then one bit a bin for
 * the model and as many for the RTL, in 64-bit words of this machine. */
#ifndef WARPSTEP_COVERAGE_RUNFILE_H
#define WARPSTEP_COVERAGE_RUNFILE_H

#include "../../assembler/base/diag.h"
#include "space.h"

enum side { SIDE_MODEL, SIDE_RTL, SIDES };

static inline size_t runfile_words(const struct space *space) { return space->bins / 64 + 1; }

enum status runfile_write(const char *path, const struct space *space, const char *test,
                          const uint64_t *const bits[SIDES], struct diag *d);

/* `bits` has room for runfile_words each; `test` for `size` bytes. Refuses a file with the bins of another space. */
enum status runfile_read(const char *path, const struct space *space, char *test, size_t size,
                         uint64_t *const bits[SIDES], struct diag *d);

#endif

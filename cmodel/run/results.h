/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a run, for all tools that run kernels: comparison with expectations, memory dumps.
 *
 *     if (results_check(&run, &d) != STATUS_OK) ...            // before the run
 *     uint64_t wrong = results_compare(&run, global, stderr);
 *     status = results_dump(&run, global, stdout, &d);
 */
#ifndef WARPSTEP_RESULTS_H
#define WARPSTEP_RESULTS_H

#include <stdio.h>

#include "launch.h"

/* Compares global memory with the expectations of the launch; of two that overlap the later one counts, as with initial
 * memory. Writes the first differing words and the number of differing bytes to `out`, which may be NULL; returns that
 * number. */
uint64_t results_compare(const struct launch *run, const uint8_t *global, FILE *out);

/* The number of bytes that differ from one expectation of the launch; the sum over all expectations is the total. */
uint64_t results_count_wrong(const struct image *image, size_t expectation, const uint8_t *global);

/* Before the run: fails if a file of a dump cannot be written. */
enum status results_check(const struct launch *run, struct diag *d);

/* Makes the dumps of --dump: hexdumps to `out`, raw bytes into files, each file complete or absent. */
enum status results_dump(const struct launch *run, const uint8_t *global, FILE *out, struct diag *d);

#endif

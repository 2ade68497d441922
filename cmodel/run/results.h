/* SPDX-License-Identifier: Apache-2.0 */
/* What a run leaves behind, for every tool that runs kernels: expectations compared, memory dumped.
 *
 *     uint64_t wrong = results_compare(&run, global, stderr);
 *     status = results_dump(&run, global, stdout, &d);
 */
#ifndef WARPSTEP_RESULTS_H
#define WARPSTEP_RESULTS_H

#include <stdio.h>

#include "launch.h"

/* Compares global memory with the expectations of the launch; where two overlap the later one counts, as with initial
 * memory. Writes the first differing words to `out`, which may be NULL, and how many bytes differ in all; returns that
 * number. */
uint64_t results_compare(const struct launch *run, const uint8_t *global, FILE *out);

/* The bytes that are not as one expectation of the launch says; those of all are the sum. */
uint64_t results_count_wrong(const struct image *image, size_t expectation, const uint8_t *global);

/* Does what --dump asks: hexdumps to `out`, raw bytes into files, each whole or not at all. */
enum status results_dump(const struct launch *run, const uint8_t *global, FILE *out, struct diag *d);

#endif

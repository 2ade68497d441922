/* SPDX-License-Identifier: Apache-2.0 */
/* The text that a kernel has printed: see ../../assembler/image/printed.h.
 *
 *     if (print_place(&run, &machine, &d) != STATUS_OK) ...      // before launch_check
 *     model_launch(m, run.image, &d), model_run(m, UINT64_MAX, &steps);
 *     if (print_results(&run, global, global_bytes, stdout, stderr, &d) != STATUS_OK) ... */
#ifndef WARPSTEP_PRINT_H
#define WARPSTEP_PRINT_H

#include <stdio.h>

#include "launch.h"

C_LINKAGE_BEGIN

/* The variable of an image that prints, which is in its constants; NULL: it does not. */
const struct image_variable *print_find(const struct image *image);

/* The bytes of a buffer for so much global memory: a multiple of 256. */
uint32_t print_buffer_bytes(uint32_t global_bytes);

/* How an image with its grid and block uses a buffer. */
struct print_regions {
    uint32_t count;         /* of regions, and of the words at `counts`; 0: the buffer is too small for so many */
    uint32_t size;          /* bytes of a region */
    uint32_t counts, first; /* addresses */
};
struct print_regions print_divide(const struct image *image, const struct image_variable *v, uint32_t buffer,
                                  uint32_t bytes);

/* Returns the bytes of a region that have records, from its count; sets *is_full if a record has found no room. */
uint32_t print_taken(const struct print_regions *r, uint32_t count, bool *is_full);

/* Sets the variable in constant bank 0. */
void print_set(const struct print_regions *r, const struct image_variable *v, uint8_t *bank);

/* Gives an image that prints a buffer at the end of global memory. STATUS_BAD_INPUT: there is no room;
 * STATUS_NO_MEMORY. */
enum status print_place(struct launch *run, const struct machine *limits, struct diag *d);

/* Prints what is in that buffer to `out`; that there was no room for all, to `messages`. */
enum status print_results(const struct launch *run, const uint8_t *global, size_t global_bytes, FILE *out,
                          FILE *messages, struct diag *d);

/* Returns STATUS_NO_MEMORY, with its text. */
enum status print_no_memory(struct diag *d);

/* Reads global memory; false where there is no such memory. */
typedef bool print_read_fn(void *state, uint32_t addr, uint8_t *bytes, size_t size);

/* Prints records in one piece, up to the first that was not written. `read` finds the strings that are not in the
 * image's constants. STATUS_NO_MEMORY; STATUS_BAD_INPUT: `out` takes no more. */
enum status print_records(const struct image *image, const uint8_t *records, size_t size, print_read_fn *read,
                          void *state, FILE *out, struct diag *d);

C_LINKAGE_END

#endif

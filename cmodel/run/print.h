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

/* Returns the print variable of an image, in its constants; NULL if the image does not print. */
const struct image_variable *print_find(const struct image *image);

/* Returns the size of the print buffer for a size of global memory: a multiple of 256. */
uint32_t print_buffer_bytes(uint32_t global_bytes);

/* Layout of the print buffer for an image with its grid and block. */
struct print_regions {
    uint32_t count;         /* number of regions, and of the words at `counts`; 0 if the buffer is too small */
    uint32_t size;          /* bytes of a region */
    uint32_t counts, first; /* addresses */
};
struct print_regions print_divide(const struct image *image, const struct image_variable *v, uint32_t buffer,
                                  uint32_t bytes);

/* Returns the bytes of records in a region, from its count; sets *is_full if a record did not fit. */
uint32_t print_taken(const struct print_regions *r, uint32_t count, bool *is_full);

/* Sets the print variable in constant bank 0. */
void print_set(const struct print_regions *r, const struct image_variable *v, uint8_t *bank);

/* Adds a print buffer at the end of global memory to an image that prints. STATUS_BAD_INPUT: there is no room;
 * STATUS_NO_MEMORY. */
enum status print_place(struct launch *run, const struct machine *limits, struct diag *d);

/* Prints the records of that buffer to `out`, and a warning to `messages` if some did not fit. */
enum status print_results(const struct launch *run, const uint8_t *global, size_t global_bytes, FILE *out,
                          FILE *messages, struct diag *d);

/* Returns STATUS_NO_MEMORY, with its text. */
enum status print_no_memory(struct diag *d);

/* Reads global memory; false where there is no such memory. */
typedef bool print_read_fn(void *state, uint32_t addr, uint8_t *bytes, size_t size);

/* Prints records by one write, up to the first incomplete record. `read` reads the strings that are not in the image's
 * constants. STATUS_NO_MEMORY; STATUS_BAD_INPUT: writing to `out` failed. */
enum status print_records(const struct image *image, const uint8_t *records, size_t size, print_read_fn *read,
                          void *state, FILE *out, struct diag *d);

C_LINKAGE_END

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The print buffer and its regions, see print.h. */
#include <string.h>

#include "../../assembler/base/word_at.h"
#include "../../assembler/image/printed.h"
#include "print.h"

enum { WORD = 4 };

static bool is_print_variable(const struct image *image, const struct image_variable *v) {
    return v != NULL && v->space == IMAGE_CONSTANT && v->size == PRINTED_BYTES &&
           (uint64_t)v->addr + PRINTED_BYTES <= image->bank[0].size;
}

const struct image_variable *print_find(const struct image *image) {
    const struct image_variable *v = image_find_variable(image, PRINTED, strlen(PRINTED));
    if (v == NULL) v = image_find_variable(image, PRINTED_WARPS, strlen(PRINTED_WARPS));
    return is_print_variable(image, v) ? v : NULL;
}

uint32_t print_buffer_bytes(uint32_t global_bytes) {
    enum { PART = 8, MOST = 1 << 20, ALIGN = 256 };
    const uint32_t bytes = global_bytes / PART / ALIGN * ALIGN;
    return bytes < MOST ? bytes : MOST;
}

struct print_regions print_divide(const struct image *image, const struct image_variable *v, uint32_t buffer,
                                  uint32_t bytes) {
    const uint64_t blocks = (uint64_t)image->grid[0] * image->grid[1];
    const uint64_t count = strcmp(v->name, PRINTED) == 0 ? 1 : blocks * block_warps(image->block);
    const uint64_t each = count > 0 ? bytes / count : 0;
    if (each < 2 * WORD) return (struct print_regions){.counts = buffer, .first = buffer};
    const uint32_t size = (uint32_t)(each - WORD) / WORD * WORD;
    return (struct print_regions){(uint32_t)count, size, buffer, buffer + WORD * (uint32_t)count};
}

uint32_t print_taken(const struct print_regions *r, uint32_t count, bool *is_full) {
    *is_full |= count >= PRINTED_FULL;
    return count < r->size ? count : r->size;
}

void print_set(const struct print_regions *r, const struct image_variable *v, uint8_t *bank) {
    const uint32_t words[] = {r->counts, r->size, r->first};
    for (unsigned i = 0; i < PRINTED_BYTES / WORD; i++) put_word_at(bank + v->addr + WORD * i, words[i]);
}

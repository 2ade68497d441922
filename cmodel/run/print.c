/* SPDX-License-Identifier: Apache-2.0 */
/* printf in launches of the tools, see print.h. */
#include "print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/word_at.h"
#include "../../assembler/image/printed.h"

enum { WORD = 4 };

/* Returns whether a piece of memory that the launch sets overlaps these bytes; *addr is then its address. */
static bool overlaps_piece(const struct image *image, uint32_t *addr, uint32_t size) {
    for (size_t i = 0; i < image->global_count; i++) {
        const struct image_piece *p = &image->global[i];
        if (p->size == 0 || *addr >= (uint64_t)p->addr + p->size || p->addr >= (uint64_t)*addr + size) continue;
        *addr = p->addr;
        return true;
    }
    return false;
}

enum status print_place(struct launch *run, const struct machine *limits, struct diag *d) {
    struct image *image = run->image;
    const struct image_variable *v = print_find(image);
    if (v == NULL) return STATUS_OK;
    const uint32_t size = print_buffer_bytes(limits->global_bytes);
    uint32_t addr = limits->global_bytes - size;
    while (overlaps_piece(image, &addr, size)) {
        if (addr < 2 * size)
            return diag_set(d, STATUS_BAD_INPUT, run->path, 0, 0,
                            "global memory has no room for the %" PRIu32 " bytes of the print buffer: --global-bytes",
                            size);
        addr = (addr - size) / WORD * WORD;
    }
    uint8_t *zeros = calloc(size, 1);
    enum status status = zeros != NULL ? image_add_global(image, addr, zeros, size) : STATUS_NO_MEMORY;
    free(zeros);
    if (status != STATUS_OK) return diag_set(d, status, "", 0, 0, "out of memory");
    const struct print_regions r = print_divide(image, v, addr, size);
    print_set(&r, v, image->bank[0].bytes);
    return STATUS_OK;
}

struct memory {
    const uint8_t *bytes;
    size_t size;
};

static bool read_memory(void *state, uint32_t addr, uint8_t *bytes, size_t size) {
    const struct memory *m = state;
    if (addr > m->size || size > m->size - addr) return false;
    memcpy(bytes, m->bytes + addr, size);
    return true;
}

/* Returns the piece that print_place has added; NULL if it was not called. */
static const struct image_piece *find_buffer(const struct image *image, uint32_t counts) {
    for (size_t i = image->global_count; i-- > 0;)
        if (image->global[i].addr == counts && image->global[i].size > 0) return &image->global[i];
    return NULL;
}

enum status print_results(const struct launch *run, const uint8_t *global, size_t global_bytes, FILE *out,
                          FILE *messages, struct diag *d) {
    const struct image *image = run->image;
    const struct image_variable *v = print_find(image);
    if (v == NULL) return STATUS_OK;
    const struct image_piece *buffer = find_buffer(image, word_at(image->bank[0].bytes + v->addr));
    if (buffer == NULL || (uint64_t)buffer->addr + buffer->size > global_bytes) return STATUS_OK;
    const struct print_regions r = print_divide(image, v, buffer->addr, (uint32_t)buffer->size);
    struct memory m = {global, global_bytes};
    bool is_full = false;
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < r.count && status == STATUS_OK; i++) {
        const uint32_t bytes = print_taken(&r, word_at(global + r.counts + WORD * i), &is_full);
        if (bytes > 0) status = print_records(image, global + r.first + r.size * i, bytes, read_memory, &m, out, d);
    }
    if (r.count == 0)
        fprintf(messages, "%s: warning: printf: the print buffer of %zu bytes is too small for the number of warps\n",
                run->path, buffer->size);
    if (is_full)
        fprintf(messages, "%s: warning: printf: the print buffer of %zu bytes was full\n", run->path, buffer->size);
    return status;
}

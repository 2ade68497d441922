/* SPDX-License-Identifier: Apache-2.0 */
#include "bounds_report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "state_report.h"

enum { NAME_MAX_BYTES = 80 };

/* A buffer, and how far from it an access is. */
struct nearest {
    char name[NAME_MAX_BYTES]; /* empty: there is no buffer */
    uint64_t from, end, distance;
};

static bool is_pointer(const struct image_parameter *p) {
    return p->space == IMAGE_GLOBAL || p->space == IMAGE_CONSTANT;
}

/* The piece of global memory that a pointer of the kernel is bound to; NULL: none begins there. */
static const struct image_piece *buffer_of(const struct image *image, const struct image_parameter *p) {
    const size_t word = p->offset / 4;
    for (size_t i = image->global_count; i-- > 0 && word < image->param_count;)
        if (image->global[i].addr == image->params[word]) return &image->global[i];
    return NULL;
}

bool bounds_report_begin(struct model *m, const struct launch *run) {
    const struct image *image = run->image;
    size_t count = 0;
    if (!run->strict || !run->bound) return true;
    struct model_piece *pieces = calloc(image->global_count + image->variable_count + 1, sizeof *pieces);
    if (pieces == NULL) return false;
    for (size_t i = 0; i < image->global_count; i++)
        pieces[count++] = (struct model_piece){image->global[i].addr, (uint32_t)image->global[i].size};
    for (size_t i = 0; i < image->variable_count; i++)
        if (image->variables[i].space == IMAGE_GLOBAL)
            pieces[count++] = (struct model_piece){image->variables[i].addr, image->variables[i].size};
    const bool done = model_check_bounds(m, pieces, count);
    free(pieces);
    return done;
}

/* Keeps this buffer if it is nearer; true if it is. */
static bool approach(struct nearest *n, const struct model_stray *stray, uint64_t addr, uint64_t bytes) {
    const uint64_t end = addr + bytes;
    const uint64_t distance = stray->addr >= end ? stray->addr - end : stray->addr < addr ? addr - stray->addr : 0;
    if (n->name[0] != '\0' && distance >= n->distance) return false;
    n->from = addr;
    n->end = end;
    n->distance = distance;
    return true;
}

static void find_nearest(const struct image *image, const struct model_stray *stray, struct nearest *n) {
    *n = (struct nearest){.name = ""};
    for (size_t i = 0; i < image->signature_count; i++) {
        const struct image_piece *p = is_pointer(&image->signature[i]) ? buffer_of(image, &image->signature[i]) : NULL;
        if (p != NULL && approach(n, stray, p->addr, p->size)) snprintf(n->name, sizeof n->name, "--arg %zu", i + 1);
    }
    for (size_t i = 0; i < image->variable_count; i++) {
        const struct image_variable *v = &image->variables[i];
        if (v->space == IMAGE_GLOBAL && approach(n, stray, v->addr, v->size))
            snprintf(n->name, sizeof n->name, "'%.60s'", v->name);
    }
}

static void print_distance(const struct nearest *n, const struct model_stray *stray, FILE *out) {
    if (n->name[0] == '\0') return;
    if (stray->addr >= n->from && stray->addr < n->end)
        fprintf(out, "across the end of ");
    else if (stray->addr == n->end)
        fprintf(out, "right behind ");
    else
        fprintf(out, "%" PRIu64 " bytes %s ", n->distance, stray->addr < n->from ? "before" : "behind");
    fprintf(out, "%s (0x%" PRIx64 " to 0x%" PRIx64 "), ", n->name, n->from, n->end - 1);
}

size_t bounds_report_print(const struct model *m, const struct launch *run, FILE *out) {
    for (size_t i = 0; i < model_stray_count(m); i++) {
        const struct model_stray *s = model_stray_at(m, i);
        struct nearest n;
        find_nearest(run->image, s, &n);
        fprintf(out, "%s: error: %s outside all buffers: %" PRIu32 " byte%s at 0x%" PRIx32 ", ", run->path,
                state_report_access(s->by.kind), s->bytes, s->bytes == 1 ? "" : "s", s->addr);
        print_distance(&n, s, out);
        fprintf(out, "first in block (%u,%u) warp %u lane %u, %" PRIu64 " time%s\n  ", s->by.block_x, s->by.block_y,
                s->by.warp, s->by.lane, s->count, s->count == 1 ? "" : "s");
        state_report_code(run->image, s->by.pc, out);
        state_report_source(run->image, s->by.pc, "  ", out);
    }
    return model_stray_count(m);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* See memory.h. */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

static const struct visitor NONE = {NOBODY, NOBODY, 0};

bool region_create(struct region *r, const char *name, enum space space, uint64_t address, uint64_t size, bool shared) {
    *r = (struct region){.name = name, .space = space, .address = address, .size = size};
    r->bytes = calloc(1, size + 1);
    r->known = calloc(1, size + 1);
    if (shared) r->shadows = malloc((size + 1) * sizeof *r->shadows);
    if (r->bytes == NULL || r->known == NULL || (shared && r->shadows == NULL)) {
        region_free(r);
        return false;
    }
    for (uint64_t i = 0; shared && i < size; i++) r->shadows[i] = (struct shadow){NONE, NONE, false};
    return true;
}

void region_free(struct region *r) {
    free(r->bytes);
    free(r->known);
    free(r->shadows);
    r->bytes = r->known = NULL;
    r->shadows = NULL;
}

void region_define(struct region *r, bool defined) { memset(r->known, defined ? 0xff : 0, r->size); }

struct value region_load(const struct region *r, uint64_t at, unsigned bytes) {
    struct value v = {0, 0};
    for (unsigned i = 0; i < bytes; i++) {
        v.bits |= (uint64_t)r->bytes[at + i] << 8 * i;
        v.known |= (uint64_t)r->known[at + i] << 8 * i;
    }
    return v;
}

void region_store(struct region *r, uint64_t at, unsigned bytes, struct value value) {
    for (unsigned i = 0; i < bytes; i++) {
        r->bytes[at + i] = (uint8_t)(value.bits >> 8 * i);
        r->known[at + i] = (uint8_t)(value.known >> 8 * i);
    }
}

/* True for another thread, without a barrier of both in between. */
static bool is_unordered(const struct visitor *earlier, const struct visitor *now) {
    if (earlier->block == NOBODY) return false;
    if (earlier->block != now->block) return true;
    return earlier->phase == now->phase && earlier->thread != now->thread;
}

static void add_reader(struct visitor *reader, const struct visitor *now) {
    const bool other_block = reader->block != NOBODY && reader->block != now->block;
    const bool other_thread =
        reader->block == now->block && reader->phase == now->phase && reader->thread != now->thread;
    *reader = *now;
    if (other_block) reader->block = MANY;
    if (other_thread) reader->thread = MANY;
}

static bool visit_byte(struct shadow *s, const struct visitor *now, enum access access) {
    const bool both_atomic = access == ATOMIC && s->by_atomic;
    if (!both_atomic && is_unordered(&s->writer, now)) return false;
    if (access == READS) {
        add_reader(&s->reader, now);
        return true;
    }
    if (is_unordered(&s->reader, now)) return false;
    if (both_atomic && s->writer.block != NOBODY) {
        add_reader(&s->writer, now);
        return true;
    }
    s->writer = *now;
    s->by_atomic = access == ATOMIC;
    return true;
}

bool region_visit(struct region *r, uint64_t at, unsigned bytes, const struct visitor *visitor, enum access access) {
    if (r->shadows == NULL) return true;
    for (unsigned i = 0; i < bytes; i++)
        if (!visit_byte(&r->shadows[at + i], visitor, access)) return false;
    return true;
}

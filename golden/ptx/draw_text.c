/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers, text, and registers. See draw.h. */
#include "draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t draw_bits(struct draw *d) {
    uint64_t z = d->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

unsigned draw_below(struct draw *d, unsigned n) { return (unsigned)(draw_bits(d) >> 32) % n; }
bool draw_chance(struct draw *d, unsigned percent) { return draw_below(d, 100) < percent; }
bool has_feature(const struct draw *d, enum feature feature) { return (d->features & (unsigned)feature) != 0; }

uint32_t draw_word(struct draw *d) {
    static const uint32_t CORNERS[] = {
        0,          1,          2,          3,          7,          31,         32,         33,         255,
        0x7fff,     0x8000,     0xffff,     0x10000,    0xffffff,   0x1000000,  0x7fffffff, 0x80000000, 0x80000001,
        0xffffffff, 0xfffffffe, 0xffff0000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40490fdb, 0x7f800000, 0xff800000,
        0x7fc00000, 0x7f7fffff, 0x00800000, 0x00000001, 0x4b000001, 0x4f000000, 0xcf000000, 0x5f000000, 0x33800000};
    const uint64_t bits = draw_bits(d);
    const uint32_t word = (uint32_t)(bits >> 32);
    switch (bits & 7) {
    case 0:
    case 1: return CORNERS[word % (sizeof CORNERS / sizeof *CORNERS)];
    case 2: return word & 0xff;
    case 3: return word | 0xffff0000;
    case 4: return 0x3f000000 ^ (word & 0x81ffffff); /* floats of moderate size */
    case 5: return word & (uint32_t)(draw_bits(d) >> 32);
    default: return word;
    }
}

static void add_list(struct text *text, const char *format, va_list list) {
    if (text->length + 512 > text->room) {
        text->room = text->room * 2 + 4096;
        text->bytes = realloc(text->bytes, text->room);
        if (text->bytes == NULL) abort();
    }
    text->length += (size_t)vsnprintf(text->bytes + text->length, text->room - text->length, format, list);
}

void text_add(struct text *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    add_list(text, format, list);
    va_end(list);
}

void text_append(struct text *text, const struct text *other) {
    text->room = text->length + other->length + 4096;
    text->bytes = realloc(text->bytes, text->room);
    if (text->bytes == NULL) abort();
    memcpy(text->bytes + text->length, other->bytes, other->length);
    text->length += other->length;
    text->bytes[text->length] = 0;
}

void emit(struct draw *d, const char *format, ...) {
    va_list list;
    va_start(list, format);
    text_add(&d->body, "\t");
    add_list(&d->body, format, list);
    text_add(&d->body, "\n");
    va_end(list);
}

const char *kind_prefix(enum kind kind) {
    static const char *const PREFIXES[] = {"%rs", "%r", "%rd", "%f", "%fd", "%p"};
    return PREFIXES[kind];
}

unsigned new_register(struct draw *d, enum kind kind) { return d->registers[kind]++; }

/* A full pool drops one. */
void pool_put(struct draw *d, enum kind kind, unsigned reg) {
    struct pool *pool = &d->pools[kind];
    if (pool->count < MOST_POOLED)
        pool->registers[pool->count++] = reg;
    else
        pool->registers[draw_below(d, MOST_POOLED)] = reg;
}

static void emit_constant(struct draw *d, enum kind kind, unsigned reg) {
    const uint32_t word = draw_word(d);
    switch (kind) {
    case WORD16: emit(d, "mov.u16 %%rs%u, %u;", reg, word & 0xffff); break;
    case WORD32: emit(d, "mov.u32 %%r%u, %u;", reg, word); break;
    case WORD64:
        emit(d, "mov.u64 %%rd%u, %llu;", reg, (unsigned long long)((uint64_t)draw_word(d) << 32 | word));
        break;
    case FLOAT32: emit(d, "mov.f32 %%f%u, 0f%08X;", reg, 0x3f000000 ^ (word & 0x81ffffff)); break;
    case FLOAT64: emit(d, "mov.f64 %%fd%u, 0d%08X%08X;", reg, 0x3ff00000 ^ (word & 0x80ffffff), draw_word(d)); break;
    default: emit(d, "setp.ne.u32 %%p%u, %u, %u;", reg, word & 1, draw_below(d, 2)); break;
    }
}

/* Later ones are drawn more often. */
unsigned pool_any(struct draw *d, enum kind kind) {
    const struct pool *pool = &d->pools[kind];
    if (pool->count == 0 || draw_chance(d, 6)) {
        const unsigned reg = new_register(d, kind);
        emit_constant(d, kind, reg);
        return reg;
    }
    const unsigned near = pool->count < 8 ? pool->count : 8;
    return pool->registers[draw_chance(d, 60) ? pool->count - 1 - draw_below(d, near) : draw_below(d, pool->count)];
}

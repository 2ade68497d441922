/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of all kinds, so that no two threads meet. See draw.h. */
#include "draw.h"

#include <stdio.h>
#include <string.h>

enum { LOCAL_BYTES = 64, OWN_BYTES = 32, SLOT_BYTES = 16, TABLE_WORDS = 16 };

enum kind address_kind(const struct draw *d) { return d->address_bits == 64 ? WORD64 : WORD32; }

/* base + (some register modulo bytes / size) * size, as an address; bytes is a power of two. */
static unsigned indexed(struct draw *d, const char *base, unsigned bytes, unsigned size) {
    const enum kind kind = address_kind(d);
    const unsigned index = new_register(d, WORD32);
    const unsigned address = new_register(d, kind);
    emit(d, "and.b32 %%r%u, %%r%u, %u;", index, pool_any(d, WORD32), bytes - size);
    if (kind == WORD32) {
        emit(d, "add.u32 %%r%u, %s, %%r%u;", address, base, index);
    } else {
        const unsigned wide = new_register(d, WORD64);
        emit(d, "cvt.u64.u32 %%rd%u, %%r%u;", wide, index);
        emit(d, "add.s64 %%rd%u, %s, %%rd%u;", address, base, wide);
    }
    return address;
}

/* Either a fixed place or one from a register. */
static void place(struct draw *d, const char *base, unsigned bytes, unsigned size, char out[40]) {
    if (draw_chance(d, 40)) {
        snprintf(out, 40, "[%s+%u]", base, draw_below(d, bytes / size) * size);
    } else {
        const unsigned half = bytes / 2;
        const bool offset = size <= half && draw_chance(d, 50);
        const unsigned address = indexed(d, base, offset ? half : bytes, size);
        snprintf(out, 40, "[%s%u+%u]", kind_prefix(address_kind(d)), address, offset ? half : 0);
    }
}

/* --------------------------------------------------------------------------------------------- loads and stores */

struct width {
    const char *type;
    enum kind kind;
    unsigned bytes, vector;
};

static const struct width WIDTHS[] = {
    {"u8",  WORD32,  1, 1},
    {"s8",  WORD32,  1, 1},
    {"u16", WORD32,  2, 1},
    {"s16", WORD32,  2, 1},
    {"u8",  WORD16,  1, 1},
    {"s8",  WORD16,  1, 1},
    {"u16", WORD16,  2, 1},
    {"b16", WORD16,  2, 1},
    {"u32", WORD32,  4, 1},
    {"s32", WORD32,  4, 1},
    {"b32", WORD32,  4, 1},
    {"f32", FLOAT32, 4, 1},
    {"u64", WORD64,  8, 1},
    {"b64", WORD64,  8, 1},
    {"s8",  WORD64,  1, 1},
    {"s32", WORD64,  4, 1},
    {"u32", WORD32,  4, 2},
    {"f32", FLOAT32, 4, 2},
    {"u16", WORD16,  2, 2},
    {"u8",  WORD16,  1, 4},
    {"b32", WORD32,  4, 4},
    {"u64", WORD64,  8, 2},
    {"s16", WORD32,  2, 4},
    {"u8",  WORD32,  1, 2},
    {"b8",  WORD16,  1, 1},
    {"b8",  WORD32,  1, 1},
    {"s16", WORD16,  2, 1},
    {"b16", WORD32,  2, 1},
    {"s64", WORD64,  8, 1},
    {"u8",  WORD64,  1, 1},
    {"b8",  WORD64,  1, 1},
    {"u16", WORD64,  2, 1},
    {"s16", WORD64,  2, 1},
    {"b16", WORD64,  2, 1},
    {"u32", WORD64,  4, 1},
    {"b32", WORD64,  4, 1},
    {"f64", FLOAT64, 8, 1},
    {"f64", FLOAT64, 8, 2},
    {"s64", WORD64,  8, 2},
    {"b64", WORD64,  8, 2},
    {"s32", WORD32,  4, 2},
    {"s32", WORD32,  4, 4},
    {"u32", WORD32,  4, 4},
    {"b32", WORD32,  4, 2},
    {"f32", FLOAT32, 4, 4},
    {"s16", WORD16,  2, 2},
    {"b16", WORD16,  2, 2},
    {"b16", WORD16,  2, 4},
    {"u16", WORD32,  2, 4},
    {"s8",  WORD16,  1, 2},
    {"b8",  WORD32,  1, 2},
    {"s8",  WORD32,  1, 4},
    {"b8",  WORD16,  1, 4},
};

static const struct width *any_width(struct draw *d, unsigned most) {
    for (;;) {
        const struct width *w = &WIDTHS[draw_below(d, sizeof WIDTHS / sizeof *WIDTHS)];
        const bool fits = w->bytes * w->vector <= most;
        if (fits && (w->kind != FLOAT64 || has_feature(d, FEATURE_DOUBLE))) return w;
    }
}

static void registers_text(const struct width *w, const unsigned *registers, char out[80]) {
    const char *p = kind_prefix(w->kind);
    if (w->vector == 1) {
        snprintf(out, 80, "%s%u", p, registers[0]);
        return;
    }
    size_t at = (size_t)snprintf(out, 80, "{");
    for (unsigned k = 0; k < w->vector; k++)
        at += (size_t)snprintf(out + at, 80 - at, "%s%s%u", k == 0 ? "" : ", ", p, registers[k]);
    snprintf(out + at, 80 - at, "}");
}

/* Cache operators of some accesses to global and local memory. */
static const char *cache_operator(struct draw *d, const char *operation, bool loads) {
    static const char *const OF_LOADS[] = {".ca", ".cg", ".cs", ".cv"};
    static const char *const OF_STORES[] = {".wb", ".cg", ".cs", ".wt"};
    const bool cached = strstr(operation, "global") != NULL || strstr(operation, "local") != NULL;
    if (!cached || strstr(operation, "volatile") != NULL || !draw_chance(d, 20)) return "";
    return (loads ? OF_LOADS : OF_STORES)[draw_below(d, 4)];
}

static const char *vector_text(const struct width *w) { return w->vector == 1 ? "" : w->vector == 2 ? ".v2" : ".v4"; }

/* Into a register that has a value. */
static bool guarded_load(struct draw *d, const char *operation, const struct width *w, const char *where) {
    const struct pool *pool = &d->pools[w->kind];
    if (w->vector > 1 || w->kind >= FLOAT32 || pool->count == 0 || !draw_chance(d, 12)) return false;
    const unsigned p = draw_condition(d);
    emit(d, "@%s%%p%u %s.%s %s%u, %s;", draw_chance(d, 50) ? "!" : "", p, operation, w->type, kind_prefix(w->kind),
         pool->registers[draw_below(d, pool->count)], where);
    return true;
}

static void load(struct draw *d, const char *operation, const char *base, unsigned bytes, unsigned most) {
    const struct width *w = any_width(d, most);
    unsigned registers[4] = {0};
    char where[40];
    char text[80];
    place(d, base, bytes, w->bytes * w->vector, where);
    if (guarded_load(d, operation, w, where)) return;
    for (unsigned k = 0; k < w->vector; k++) registers[k] = new_register(d, w->kind);
    registers_text(w, registers, text);
    emit(d, "%s%s%s.%s %s, %s;", operation, cache_operator(d, operation, true), vector_text(w), w->type, text, where);
    for (unsigned k = 0; k < w->vector; k++)
        pool_put(d, w->kind, w->kind == FLOAT32 ? canonical(d, registers[k]) : registers[k]);
}

static void store(struct draw *d, const char *operation, const char *base, unsigned bytes) {
    const struct width *w = any_width(d, bytes < 16 ? bytes : 16);
    unsigned registers[4] = {0};
    char where[40];
    char text[80];
    place(d, base, bytes, w->bytes * w->vector, where);
    for (unsigned k = 0; k < w->vector; k++) {
        registers[k] = pool_any(d, w->kind);
        if (w->kind == FLOAT64) registers[k] = numeric_double(d, registers[k]);
    }
    registers_text(w, registers, text);
    const unsigned p = draw_chance(d, 10) ? draw_condition(d) + 1 : 0;
    char guard[24] = "";
    if (p != 0) snprintf(guard, sizeof guard, "@%s%%p%u ", draw_chance(d, 50) ? "!" : "", p - 1);
    emit(d, "%s%s%s%s.%s %s, %s;", guard, operation, cache_operator(d, operation, false), vector_text(w), w->type,
         where, text);
}

/* From a fixed place. */
static void load_fixed(struct draw *d, const char *operation, const char *variable, unsigned bytes) {
    const struct width *w = any_width(d, bytes < 16 ? bytes : 16);
    const unsigned size = w->bytes * w->vector;
    unsigned registers[4] = {0};
    char text[80];
    for (unsigned k = 0; k < w->vector; k++) registers[k] = new_register(d, w->kind);
    registers_text(w, registers, text);
    emit(d, "%s%s.%s %s, [%s+%u];", operation, vector_text(w), w->type, text, variable,
         draw_below(d, bytes - size + 1) & ~(size - 1)); /* sizes are powers of two */
    for (unsigned k = 0; k < w->vector; k++)
        pool_put(d, w->kind, w->kind == FLOAT32 ? canonical(d, registers[k]) : registers[k]);
}

static const char *any_of(struct draw *d, const char *a, const char *b) { return draw_chance(d, 75) ? a : b; }

static bool draw_generic(struct draw *d, unsigned percent) {
    return has_feature(d, FEATURE_GENERIC) && draw_chance(d, percent);
}

static void draw_local(struct draw *d) {
    if (draw_chance(d, 15)) {
        load_fixed(d, "ld.local", "loc", LOCAL_BYTES);
        return;
    }
    const bool generic = draw_generic(d, 25);
    const char *base = generic ? "%lag" : "%la";
    if (draw_chance(d, 50))
        load(d, generic ? "ld" : "ld.local", base, LOCAL_BYTES, 16);
    else
        store(d, generic ? "st" : "st.local", base, LOCAL_BYTES);
}

static void draw_own_results(struct draw *d) {
    if (draw_chance(d, 40))
        load(d, any_of(d, "ld.global", draw_generic(d, 50) ? "ld" : "ld.volatile.global"), "%out", OWN_BYTES, 16);
    else
        store(d, any_of(d, "st.global", draw_generic(d, 50) ? "st" : "st.volatile.global"), "%out", OWN_BYTES);
}

static void draw_own_shared(struct draw *d) {
    const bool generic = draw_generic(d, 20);
    const char *base = generic ? "%sag" : "%sa";
    if (draw_chance(d, 40))
        load(d, generic ? "ld" : any_of(d, "ld.shared", "ld.volatile.shared"), base, SLOT_BYTES, 16);
    else
        store(d, generic ? "st" : any_of(d, "st.shared", "st.volatile.shared"), base, SLOT_BYTES);
}

/* Module-scope tables: constant, global, and a pointer to the global one. */
static void draw_lookup(struct draw *d) {
    const enum kind kind = address_kind(d);
    const unsigned base = new_register(d, kind);
    const unsigned which = draw_below(d, 3);
    char name[24];
    snprintf(name, sizeof name, "%s%u", kind_prefix(kind), base);
    if (which < 2 && draw_chance(d, 40)) {
        load_fixed(d, which == 0 ? "ld.const" : "ld.global", which == 0 ? "ctable" : "gtable", 4 * TABLE_WORDS);
        return;
    }
    if (which == 2)
        emit(d, "ld.global.u%u %s, [pointers+%u];", d->address_bits, name, draw_below(d, 2) * d->address_bits / 8);
    else
        emit(d, "mov.u%u %s, %s;", d->address_bits, name, which == 0 ? "ctable" : "gtable");
    load(d, which == 0 ? "ld.const" : "ld.global", name, which == 2 ? 16 : 4 * TABLE_WORDS, 8);
}

void draw_memory(struct draw *d) {
    const unsigned which = draw_below(d, 10);
    if (which < 4 && d->has_local)
        draw_local(d);
    else if (which < 6 && d->in_kernel)
        draw_own_results(d);
    else if (which < 8 && d->in_kernel && d->uses_barrier)
        draw_own_shared(d);
    else
        draw_lookup(d);
}

/* ---------------------------------------------------------------------------------------------------- beginnings */

void draw_tables(struct draw *d) {
    struct text *t = &d->text;
    text_add(t, ".const .align 16 .b32 ctable[%u] = {", (unsigned)TABLE_WORDS);
    for (unsigned k = 0; k < TABLE_WORDS; k++) text_add(t, "%s%u", k == 0 ? "" : ", ", draw_word(d));
    text_add(t, "};\n.global .align 16 .f32 gtable[4][%u] = {", (unsigned)TABLE_WORDS / 4);
    for (unsigned row = 0; row < 4; row++) {
        text_add(t, "%s{", row == 0 ? "" : ", ");
        for (unsigned k = 0; k < TABLE_WORDS / 4; k++)
            text_add(t, "%s0f%08X", k == 0 ? "" : ", ", 0x3f000000 ^ (draw_word(d) & 0x81ffffff));
        text_add(t, "}");
    }
    text_add(t, "};\n.global .align 8 .u%u pointers[2] = {gtable, gtable+32};\n", d->address_bits);
}

void draw_local_start(struct draw *d) {
    d->has_local = true;
    emit(d, "mov.u%u %%la, loc;", d->address_bits);
    emit(d, "cvta.local.u%u %%lag, %%la;", d->address_bits);
    for (unsigned at = 0; at < LOCAL_BYTES; at += 4) emit(d, "st.local.u32 [%%la+%u], %%r%u;", at, pool_any(d, WORD32));
}

/* Each thread has 16 bytes, by its number in the block, %r2. */
void draw_shared_start(struct draw *d) {
    const unsigned bits = d->address_bits;
    if (bits == 64)
        emit(d, "mul.wide.u32 %%sa, %%r2, %u;", (unsigned)SLOT_BYTES);
    else
        emit(d, "mul.lo.u32 %%sa, %%r2, %u;", (unsigned)SLOT_BYTES);
    emit(d, "mov.u%u %%sag, sh;", bits);
    emit(d, "add.u%u %%sa, %%sa, %%sag;", bits);
    emit(d, "cvta.shared.u%u %%sag, %%sa;", bits);
    for (unsigned k = 0; k < 4; k++) emit(d, "st.shared.u32 [%%sa+%u], %%r%u;", 4 * k, pool_any(d, WORD32));
}

void draw_exchange(struct draw *d) {
    const enum kind kind = address_kind(d);
    const unsigned barrier = draw_chance(d, 70) ? 0 : draw_below(d, 16);
    emit(d, "bar.sync %u;", barrier);
    for (unsigned k = 1 + draw_below(d, 3); k > 0; k--) {
        if (draw_chance(d, 30)) {
            load_fixed(d, "ld.shared", "sh", SLOT_BYTES * d->threads);
            continue;
        }
        const unsigned other = new_register(d, WORD32);
        const unsigned base = new_register(d, kind);
        const unsigned slot = new_register(d, kind);
        char name[24];
        emit(d, "rem.u32 %%r%u, %%r%u, %u;", other, pool_any(d, WORD32), d->threads);
        emit(d, "mul.%s.u32 %s%u, %%r%u, %u;", kind == WORD64 ? "wide" : "lo", kind_prefix(kind), slot, other,
             (unsigned)SLOT_BYTES);
        snprintf(name, sizeof name, "%s%u", kind_prefix(kind), base);
        emit(d, "mov.u%u %s, sh;", d->address_bits, name);
        emit(d, "add.u%u %s, %s, %s%u;", d->address_bits, name, name, kind_prefix(kind), slot);
        load(d, "ld.shared", name, SLOT_BYTES, 16);
    }
    emit(d, "bar.sync %u;", draw_chance(d, 70) ? 0 : draw_below(d, 16));
}

/* --------------------------------------------------------------------------------------------------------- walks */

struct walk {
    const char *load, *store, *base;
    unsigned bytes;
};

/* A place for the walk of a loop. */
static struct walk any_walk(struct draw *d) {
    const struct walk local = {"ld.local", "st.local", "%la", LOCAL_BYTES};
    switch (draw_below(d, 6)) {
    case 0: return (struct walk){"ld.const", NULL, "ctable", 4 * TABLE_WORDS};
    case 1: return (struct walk){"ld.global", NULL, "gtable", 4 * TABLE_WORDS};
    case 2:
        if (d->in_kernel) return (struct walk){"ld.global", NULL, "%in", OWN_BYTES};
        break;
    case 3:
        if (d->in_kernel) return (struct walk){"ld.global", "st.global", "%out", OWN_BYTES};
        break;
    case 4:
        if (d->in_kernel && d->uses_barrier) return (struct walk){"ld.shared", "st.shared", "%sa", SLOT_BYTES};
        break;
    default: break;
    }
    return d->has_local ? local : (struct walk){"ld.const", NULL, "ctable", 4 * TABLE_WORDS};
}

/* A pointer that goes through memory, up or down, and a sum of the values there. */
void draw_walk(struct draw *d, unsigned label) {
    static const struct width STEPS[] = {
        {"u32", WORD32, 4, 1},
        {"s32", WORD32, 4, 1},
        {"u8",  WORD32, 1, 1},
        {"s16", WORD32, 2, 1},
        {"u16", WORD32, 2, 1},
        {"s8",  WORD32, 1, 1},
    };
    static const char *const SUMS[] = {"add.u32", "xor.b32", "sub.u32", "max.s32", "min.u32"};
    const struct walk w = any_walk(d);
    const struct width *width = &STEPS[draw_below(d, 6)];
    const unsigned step = width->bytes * (1 + draw_below(d, 2));
    const unsigned most = w.bytes / step < 8 ? w.bytes / step : 8;
    const unsigned offset = draw_chance(d, 30) ? width->bytes * draw_below(d, step / width->bytes) : 0;
    const unsigned mask = most >= 8 ? 7 : most >= 4 ? 3 : 1;
    const bool down = draw_chance(d, 30);
    const bool stores = w.store != NULL && draw_chance(d, 50);
    const char *p = kind_prefix(address_kind(d));
    const unsigned pointer = new_register(d, address_kind(d));
    const unsigned last = new_register(d, WORD32);
    const unsigned counter = new_register(d, WORD32);
    const unsigned word = new_register(d, WORD32);
    const unsigned sum = new_register(d, WORD32);
    const unsigned again = new_register(d, PREDICATE);
    if (draw_chance(d, 50))
        emit(d, "mov.u32 %%r%u, %u;", last, draw_below(d, most));
    else
        emit(d, "and.b32 %%r%u, %%r%u, %u;", last, pool_any(d, WORD32), mask);
    emit(d, "mov.u32 %%r%u, %%r%u;", sum, pool_any(d, WORD32));
    emit(d, "mov.u%u %s%u, %s;", d->address_bits, p, pointer, w.base);
    if (down) emit(d, "add.u%u %s%u, %s%u, %u;", d->address_bits, p, pointer, p, pointer, (most - 1) * step);
    emit(d, "mov.u32 %%r%u, 0;", counter);
    text_add(&d->body, "$W%u:\n", label);
    emit(d, "%s.%s %%r%u, [%s%u+%u];", w.load, width->type, word, p, pointer, offset);
    emit(d, "%s %%r%u, %%r%u, %%r%u;", SUMS[draw_below(d, 5)], sum, sum, word);
    if (stores) emit(d, "%s.%s [%s%u+%u], %%r%u;", w.store, width->type, p, pointer, offset, sum);
    emit(d, "add.s%u %s%u, %s%u, %s%u;", d->address_bits, p, pointer, p, pointer, down ? "-" : "", step);
    emit(d, "add.u32 %%r%u, %%r%u, 1;", counter, counter);
    emit(d, "setp.le.u32 %%p%u, %%r%u, %%r%u;", again, counter, last);
    emit(d, "@%%p%u bra $W%u;", again, label);
    pool_put(d, WORD32, sum);
    pool_put(d, WORD32, word);
}

/* ------------------------------------------------------------------------------------------------------- atomics */

static const char *const ATOMICS[] = {"add.u32", "add.s32", "min.u32", "min.s32", "max.u32",  "max.s32", "and.b32",
                                      "or.b32",  "xor.b32", "inc.u32", "dec.u32", "exch.b32", "cas.b32"};
static const char *const WIDE_ATOMICS[] = {"add.u64", "min.u64", "max.s64", "and.b64", "or.b64", "exch.b64", "cas.b64"};

/* On a word that no other thread accesses, so that the old value is known. */
static void draw_own_atomic(struct draw *d, const char *space, const char *base, unsigned bytes, bool wide) {
    const char *operation = wide ? WIDE_ATOMICS[draw_below(d, 7)] : ATOMICS[draw_below(d, 13)];
    const enum kind kind = wide ? WORD64 : WORD32;
    const unsigned size = wide ? 8 : 4;
    const unsigned at = draw_below(d, bytes / size) * size;
    const char *p = kind_prefix(kind);
    const unsigned to = new_register(d, kind);
    const unsigned b = pool_any(d, kind);
    const unsigned c = pool_any(d, kind);
    const bool has_result = strncmp(operation, "cas", 3) == 0 || strncmp(operation, "exch", 4) == 0;
    if (!has_result && !wide && draw_chance(d, 40)) {
        emit(d, "red%s.%s [%s+%u], %s%u;", space, operation, base, at, p, b);
        return;
    }
    if (!wide && draw_chance(d, 15)) {
        const char *second = strncmp(operation, "cas", 3) == 0 ? ", 7" : "";
        emit(d, "atom%s.%s %s%u, [%s+%u], %u%s;", space, operation, p, to, base, at, draw_word(d), second);
        pool_put(d, kind, to);
        return;
    }
    if (strncmp(operation, "cas", 3) == 0)
        emit(d, "atom%s.%s %s%u, [%s+%u], %s%u, %s%u;", space, operation, p, to, base, at, p, b, p, c);
    else
        emit(d, "atom%s.%s %s%u, [%s+%u], %s%u;", space, operation, p, to, base, at, p, b);
    pool_put(d, kind, to);
}

/* On a word of all threads: each has one operation, whose order does not matter. */
static void draw_common_atomic(struct draw *d) {
    static const char *const COMMON[] = {"add.u32", "min.s32", "max.u32", "or.b32", "xor.b32", "max.s32", "add.s32"};
    const unsigned k = draw_below(d, 9);
    const unsigned b = pool_any(d, WORD32);
    if (k == 7)
        emit(d, "red.global.inc.u32 [%%acc+28], 1000;");
    else if (k == 8 && has_feature(d, FEATURE_WIDE_ATOMICS))
        emit(d, "red.global.add.u64 [%%acc+32], %%rd%u;", pool_any(d, WORD64));
    else if (draw_chance(d, 70))
        emit(d, "red%s.%s [%%acc+%u], %%r%u;", draw_generic(d, 20) ? "" : ".global", COMMON[k % 7], 4 * (k % 7), b);
    else
        emit(d, "atom.global.%s %%r%u, [%%acc+%u], %%r%u;", COMMON[k % 7], new_register(d, WORD32), 4 * (k % 7), b);
}

void draw_atomic(struct draw *d) {
    const bool wide = has_feature(d, FEATURE_WIDE_ATOMICS) && draw_chance(d, 20);
    if (has_feature(d, FEATURE_SHARED_ATOMICS) && d->uses_barrier && draw_chance(d, 30))
        draw_own_atomic(d, ".shared", "%sa", SLOT_BYTES, wide);
    else if (draw_chance(d, 50))
        draw_own_atomic(d, draw_generic(d, 20) ? "" : ".global", "%out", OWN_BYTES, wide);
    else
        draw_common_atomic(d);
}

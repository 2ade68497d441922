/* SPDX-License-Identifier: Apache-2.0 */
/* Delta debugging in passes, from coarse to fine, until none changes anything more. Each change is made to a copy; the
 * copy becomes the kernel if it fails. */
#include "shrink.h"

#include <stdlib.h>
#include <string.h>

enum { DATA_PIECES = 8 };

struct shrink {
    struct kernel *best, *next; /* the failing kernel, and a copy for changes */
    shrink_fails_fn *fails;
    void *state;
    unsigned tries, most;
};

static struct kernel *change(struct shrink *s) {
    *s->next = *s->best;
    return s->next;
}

static bool accept(struct shrink *s) {
    if (s->tries >= s->most) return false;
    s->tries++;
    if (!s->fails(s->state, s->next)) return false;
    *s->best = *s->next;
    return true;
}

/* -------------------------------------------------------------------------------------------------------- launch */

static bool set_number(struct shrink *s, uint32_t *of_best, uint32_t value) {
    if (*of_best <= value) return false;
    struct kernel *next = change(s);
    const size_t offset = (size_t)((char *)of_best - (char *)s->best);
    memcpy((char *)next + offset, &value, sizeof value);
    return accept(s);
}

static bool lower_number(struct shrink *s, uint32_t *of_best, uint32_t least) {
    bool lower = set_number(s, of_best, least);
    while (!lower && *of_best / 2 > least && set_number(s, of_best, *of_best / 2)) {}
    return lower;
}

static bool shrink_launch(struct shrink *s) {
    struct kernel *best = s->best;
    bool smaller = false;
    for (unsigned i = 0; i < 2; i++) smaller = lower_number(s, &best->grid[i], 1) || smaller;
    for (unsigned i = 3; i-- > 0;) smaller = lower_number(s, &best->block[i], 1) || smaller;
    smaller = set_number(s, &best->block[0], 32) || smaller;
    smaller = lower_number(s, &best->local_bytes, 0) || smaller;
    if (best->atomics) {
        change(s)->atomics = false;
        smaller = accept(s) || smaller;
    }
    return smaller;
}

/* --------------------------------------------------------------------------------------------------------- lines */

static bool remove_lines(struct shrink *s, const bool gone[KERNEL_LINES_MAX], size_t count) {
    if (count == 0) return false;
    kernel_remove(change(s), gone);
    return accept(s);
}

/* A part with its contents, else only its own lines, so that the enclosed lines stay. */
static bool remove_part(struct shrink *s, unsigned part) {
    const struct kernel *best = s->best;
    bool all[KERNEL_LINES_MAX] = {false}, own[KERNEL_LINES_MAX] = {false};
    size_t all_count = 0, own_count = 0;
    for (size_t i = 0; i < best->line_count; i++) {
        all[i] = kernel_part_is_in(best, best->line[i].part, part);
        own[i] = best->line[i].part == part;
        all_count += all[i];
        own_count += own[i];
    }
    return remove_lines(s, all, all_count) || (own_count < all_count && remove_lines(s, own, own_count));
}

static bool remove_parts(struct shrink *s) {
    bool smaller = false;
    for (unsigned part = 1; part <= s->best->part_count; part++) smaller = remove_part(s, part) || smaller;
    return smaller;
}

static bool remove_chunks(struct shrink *s) {
    bool smaller = false;
    for (size_t size = s->best->line_count / 2; size > 0; size /= 2) {
        for (size_t first = 0; first < s->best->line_count;) {
            bool gone[KERNEL_LINES_MAX] = {false};
            size_t count = 0;
            for (size_t i = first; i < first + size && i < s->best->line_count; i++) {
                gone[i] = true;
                count++;
            }
            const bool removed = remove_lines(s, gone, count);
            smaller = smaller || removed;
            first += removed ? 0 : size;
        }
    }
    return smaller;
}

/* -------------------------------------------------------------------------------------------------------- fields */

/* Replaces the words of a line (for the second of a pair, its second half). */
static bool replace_words(struct shrink *s, size_t i, bool second, uint32_t lo, uint32_t hi) {
    const struct kernel_line *now = &s->best->line[i];
    const bool is_long = isa_is_long(now->lo);
    const uint32_t new_lo = second ? now->lo : lo, new_hi = second ? lo : is_long ? hi : now->hi;
    if (new_lo == now->lo && new_hi == now->hi) return false;
    struct kernel *next = change(s);
    next->line[i].lo = new_lo;
    next->line[i].hi = new_hi;
    return accept(s);
}

/* The default value of a field is the simplest, followed by 0 and 1. */
static bool is_plainer(uint32_t value, uint32_t than, uint32_t usual) {
    return than != usual && value != than && (value != 1 || than > 1);
}

/* Each field gets its default value, else 0 or 1. */
static bool simplify_word(struct shrink *s, size_t i, bool second) {
    struct isa_insn insn;
    bool simpler = false;
    uint32_t lo = second ? s->best->line[i].hi : s->best->line[i].lo, hi = second ? 0 : s->best->line[i].hi;
    if (isa_decode(lo, hi, &insn) != ISA_OK) return false;
    isa_canonical(&insn, &lo, &hi);
    simpler = replace_words(s, i, second, lo, hi);
    struct isa_fields usual, fields;
    isa_default_fields(insn.row, &usual);
    for (int name = 0; name < ISA_FIELD_COUNT; name++) {
        if (isa_row_field_bits(insn.row, (enum isa_field)name) == 0 || name == ISA_FIELD_tgt) continue;
        const uint32_t values[] = {usual.value[name], 0, 1};
        isa_unpack(insn.row, second ? s->best->line[i].hi : s->best->line[i].lo, second ? 0 : s->best->line[i].hi,
                   &fields);
        const uint32_t now = fields.value[name];
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
            fields.value[name] = values[v];
            if (is_plainer(values[v], now, usual.value[name]) && isa_encode(insn.row, &fields, &lo, &hi) &&
                replace_words(s, i, second, lo, hi)) {
                simpler = true;
                break;
            }
        }
    }
    return simpler;
}

static bool simplify_lines(struct shrink *s) {
    static const char quiet_text[] = "MOV32 R0, R0";
    uint32_t quiet = 0, none = 0;
    struct isa_error error;
    isa_parse(quiet_text, sizeof quiet_text - 1, NULL, &quiet, &none, &error);
    bool simpler = false;
    for (size_t i = 0; i < s->best->line_count; i++) {
        if (!isa_is_long(s->best->line[i].lo)) {
            simpler = replace_words(s, i, false, quiet, 0) || simpler;
            simpler = replace_words(s, i, true, quiet, 0) || simpler;
            simpler = simplify_word(s, i, true) || simpler;
        }
        simpler = simplify_word(s, i, false) || simpler;
    }
    return simpler;
}

/* ---------------------------------------------------------------------------------------------------------- data */

static bool is_zero(const uint32_t *words, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (words[i] != 0) return false;
    return true;
}

/* Words of *s->best become zero, in pieces; then trailing zeros are removed. */
static bool clear_words(struct shrink *s, uint32_t *words, unsigned *count) {
    bool simpler = false;
    for (unsigned size = *count; size > 0 && size >= *count / DATA_PIECES; size /= 2) {
        for (unsigned first = 0; first < *count; first += size) {
            const unsigned length = first + size > *count ? *count - first : size;
            if (is_zero(words + first, length)) continue;
            char *copy = (char *)change(s) + ((char *)(words + first) - (char *)s->best);
            memset(copy, 0, length * sizeof *words);
            simpler = accept(s) || simpler;
        }
    }
    unsigned kept = *count;
    while (kept > 0 && words[kept - 1] == 0) kept--;
    if (kept < *count) {
        struct kernel *next = change(s);
        memcpy((char *)next + ((char *)count - (char *)s->best), &kept, sizeof kept);
        simpler = accept(s) || simpler;
    }
    return lower_number(s, count, 0) || simpler;
}

static bool simplify_data(struct shrink *s) {
    struct kernel *best = s->best;
    bool simpler = false;
    if (best->target_count != 0) {
        change(s)->target_count = 0;
        simpler = accept(s);
    }
    simpler = clear_words(s, best->data, &best->data_words) || simpler;
    for (unsigned i = 0; i < KERNEL_BANKS; i++)
        simpler = clear_words(s, best->bank[i].word, &best->bank[i].words) || simpler;
    if (!is_zero(best->param, best->param_count)) {
        memset(change(s)->param, 0, sizeof best->param);
        simpler = accept(s) || simpler;
    }
    return simpler;
}

unsigned shrink_kernel(struct kernel *k, shrink_fails_fn *fails, void *state, unsigned most) {
    struct shrink s = {.best = k, .next = malloc(sizeof *k), .fails = fails, .state = state, .most = most};
    for (bool smaller = s.next != NULL; smaller;) {
        smaller = shrink_launch(&s);
        smaller = remove_parts(&s) || smaller;
        smaller = remove_chunks(&s) || smaller;
        if (!smaller) {
            smaller = simplify_lines(&s);
            smaller = simplify_data(&s) || smaller;
        }
    }
    free(s.next);
    return s.tries;
}

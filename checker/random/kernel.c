/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

#include "bounds.h"

void kernel_add_words(struct kernel *k, uint32_t lo, uint32_t hi, int label) {
    assert(k->line_count < KERNEL_LINES_MAX);
    k->line[k->line_count++] = (struct kernel_line){lo, hi, (int16_t)label, (uint16_t)k->part};
}

void kernel_add(struct kernel *k, int label, const char *format, ...) {
    char text[ISA_TEXT_MAX];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    uint32_t lo = 0, hi = 0;
    struct isa_error error;
    const bool parsed = isa_parse(text, (size_t)length, NULL, &lo, &hi, &error);
    assert(parsed && isa_is_long(lo)); /* the texts are ours */
    (void)parsed;
    if (bounds_allow(k, lo, hi))
        kernel_add_words(k, lo, hi, label);
    else
        k->lacking = bounds_name(lo, hi);
}

struct kernel_mark kernel_begin(struct kernel *k) {
    const struct kernel_mark mark = {k->lacking,      k->line_count, k->label_count,
                                     k->target_count, k->part_count, k->part};
    k->lacking = NULL;
    return mark;
}

bool kernel_keep(struct kernel *k, const struct kernel_mark *mark) {
    const bool whole = k->lacking == NULL;
    k->lacking = mark->lacking;
    if (whole) return true;
    k->line_count = mark->lines;
    k->label_count = mark->labels;
    k->target_count = mark->targets;
    k->part_count = mark->parts;
    k->part = mark->part;
    return false;
}

bool kernel_constant(struct kernel *k, uint32_t value, unsigned *word) {
    struct kernel_bank *bank = &k->bank[1];
    const unsigned end = bank->words < KERNEL_CONSTANTS_END ? bank->words : KERNEL_CONSTANTS_END;
    for (*word = end - k->constants; *word < end; ++*word)
        if (bank->word[*word] == value) return true;
    if (k->constants >= end / 2) return false;
    *word = end - ++k->constants;
    bank->word[*word] = value;
    return true;
}

int kernel_new_label(struct kernel *k) {
    assert(k->label_count < KERNEL_LABELS_MAX);
    return (int)k->label_count++;
}

void kernel_place_label(struct kernel *k, int label) { k->label_line[label] = k->line_count; }

unsigned kernel_add_target(struct kernel *k, int label) {
    assert(k->target_count < KERNEL_TARGETS_MAX);
    k->target[k->target_count] = (int16_t)label;
    return KERNEL_BANK_WORDS + k->target_count++;
}

unsigned kernel_open_part(struct kernel *k) {
    const unsigned around = k->part;
    assert(k->part_count + 1 < KERNEL_PARTS_MAX);
    k->part = ++k->part_count;
    k->part_around[k->part] = (uint16_t)around;
    return k->part;
}

void kernel_close_part(struct kernel *k, unsigned part) { k->part = k->part_around[part]; }

bool kernel_part_is_in(const struct kernel *k, unsigned part, unsigned around) {
    while (part != around && part != KERNEL_WHOLE) part = k->part_around[part];
    return part == around;
}

void kernel_remove(struct kernel *k, const bool gone[KERNEL_LINES_MAX]) {
    size_t place[KERNEL_LINES_MAX + 1]; /* the place of each line, or its place if it were kept */
    size_t kept = 0;
    for (size_t i = 0; i < k->line_count; i++) {
        place[i] = kept;
        if (!gone[i]) k->line[kept++] = k->line[i];
    }
    place[k->line_count] = kept;
    for (unsigned label = 0; label < k->label_count; label++) k->label_line[label] = place[k->label_line[label]];
    k->line_count = kept;
}

unsigned kernel_threads(const struct kernel *k) { return k->block[0] * k->block[1] * k->block[2]; }

unsigned kernel_warps(const struct kernel *k) { return (kernel_threads(k) + WARP_LANES - 1) / WARP_LANES; }

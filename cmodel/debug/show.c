/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "../run/state_report.h"
#include "../run/trace.h"
#include "state.h"

bool debug_fetch(struct debug *d, const struct value *v, unsigned lane, uint32_t *word) {
    const struct debug_options *o = &d->options;
    return value_fetch(o->model, o->image, o->machine, d->sm, d->slot, v, lane, word);
}

void debug_show_warp(struct debug *d) {
    struct model_warp warp;
    model_peek_warp(d->options.model, d->sm, d->slot, &warp);
    if (warp.present)
        state_report_warp(d->options.model, d->options.image, d->sm, d->slot, d->options.out);
    else
        fprintf(d->options.out, "  sm %u slot %u: no warp is there\n", d->sm, d->slot);
}

static void not_there(struct debug *d, const struct value *v) { fprintf(d->options.out, "%s: not there\n", v->text); }

void debug_show_value(struct debug *d, const struct value *v) {
    FILE *out = d->options.out;
    const int digits = (int)value_digits(v);
    uint32_t word;
    if (!debug_fetch(d, v, v->lane < 0 ? 0 : (unsigned)v->lane, &word)) {
        not_there(d, v);
    } else if (!value_has_lanes(v)) {
        fprintf(out, "%s = 0x%0*" PRIx32 "\n", v->text, digits, word);
    } else if (v->lane >= 0) {
        fprintf(out, "%s lane %d = 0x%0*" PRIx32 "\n", v->text, v->lane, digits, word);
    } else {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            if (lane % 8 == 0) fprintf(out, "%s lane %2u:", v->text, lane);
            fprintf(out, " %0*" PRIx32 "%s", digits, debug_fetch(d, v, lane, &word) ? word : 0,
                    lane % 8 == 7 ? "\n" : "");
        }
    }
}

void debug_show_words(struct debug *d, struct value v, uint64_t words) {
    FILE *out = d->options.out;
    const unsigned lane = v.lane < 0 ? 0 : (unsigned)v.lane;
    uint32_t word;
    for (uint64_t i = 0; i < words; i++, v.number += 4) {
        if (!debug_fetch(d, &v, lane, &word)) {
            fprintf(out, "%s0x%" PRIx32 ": the end\n", i % 4 == 0 ? "" : "\n", v.number);
            return;
        }
        if (i % 4 == 0) fprintf(out, "0x%06" PRIx32 ":", v.number);
        fprintf(out, " %08" PRIx32 "%s", word, i % 4 == 3 || i + 1 == words ? "\n" : "");
    }
}

static bool same_line(const struct image *image, uint32_t a, uint32_t b) {
    unsigned line_a, line_b;
    const char *file_a = image_find_line(image, a, &line_a), *file_b = image_find_line(image, b, &line_b);
    return file_a == file_b && line_a == line_b;
}

/* The instruction that ends at pc, found by decoding forward. In a compiled kernel the source line precedes its
 * instructions. */
void debug_show_code(struct debug *d, uint32_t pc) {
    enum { BEFORE = 4, SHOWN = 10 };
    const struct image *image = d->options.image;
    uint32_t recent[BEFORE] = {0};
    unsigned count = 0;
    uint32_t at = 0, last = 0;
    struct model_warp warp;
    model_peek_warp(d->options.model, d->sm, d->slot, &warp);
    for (; at < pc && at / 4 < image->code_words; at += isa_is_long(image->code[at / 4]) ? 8 : 4)
        recent[count++ % BEFORE] = at;
    at = count == 0 ? 0 : count < BEFORE ? recent[0] : recent[count % BEFORE];
    for (unsigned i = 0; i < SHOWN && at / 4 < image->code_words; i++) {
        if (i == 0 || !same_line(image, last, at)) state_report_source(image, at, "", d->options.out);
        last = at;
        fprintf(d->options.out, "%s ", warp.present && warp.pc == at ? "->" : "  ");
        state_report_code(image, at, d->options.out);
        at += isa_is_long(image->code[at / 4]) ? 8 : 4;
    }
}

void debug_show_stack(struct debug *d) {
    struct model_warp warp;
    model_peek_warp(d->options.model, d->sm, d->slot, &warp);
    if (!warp.present || warp.depth == 0) fputs("the stack is empty\n", d->options.out);
    for (unsigned i = warp.present ? warp.depth : 0; i-- > 0;) {
        const struct model_stack_entry e = model_peek_stack(d->options.model, d->sm, d->slot, i);
        fprintf(d->options.out, "%2u %-8s mask %08" PRIx32 " pc 0x%" PRIx32 "\n", i, state_report_token(e.token),
                e.mask, e.pc);
    }
}

static void show_condition(const struct stop *s, FILE *out) {
    static const char *const RELATION[] = {"", "==", "!=", "<", "<=", ">", ">="};
    if (s->relation == RELATION_NONE) return;
    fprintf(out, " if %s", s->value.text);
    if (s->value.lane >= 0) fprintf(out, ".%d", s->value.lane);
    fprintf(out, " %s 0x%" PRIx32, RELATION[s->relation], s->operand);
}

void debug_show_stops(struct debug *d) {
    FILE *out = d->options.out;
    for (unsigned i = 0; i < DEBUG_STOPS_MAX; i++) {
        const struct stop *s = &d->stops[i];
        if (s->kind == STOP_UNUSED) continue;
        fprintf(out, "%2u ", i + 1);
        if (s->kind == STOP_PC) {
            fprintf(out, "break at pc 0x%" PRIx64, s->at);
            show_condition(s, out);
        } else if (s->kind == STOP_CYCLE) {
            fprintf(out, "break at cycle %" PRIu64, s->at);
        } else {
            fprintf(out, "watch %s", s->value.text);
            if (s->value.lane >= 0) fprintf(out, ".%d", s->value.lane);
            if (value_has_lanes(&s->value)) fprintf(out, " of sm %u slot %u", s->sm, s->slot);
        }
        fputc('\n', out);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "opinion.h"

#include <stdlib.h>
#include <string.h>

#include "form.h"

struct opinion *opinion_create(const struct image *image, const struct machine *machine) {
    struct opinion *o = calloc(1, sizeof *o);
    if (o == NULL) return NULL;
    o->image = image;
    o->machine = *machine;
    o->filled = malloc(1 + image->shared_bytes + (size_t)WARP_LANES * image->local_bytes);
    if (past_create(&o->past, machine, image->regs) && o->filled != NULL) return o;
    opinion_destroy(o);
    return NULL;
}

void opinion_destroy(struct opinion *o) {
    if (o == NULL) return;
    past_destroy(&o->past);
    free(o->filled);
    free(o);
}

/* ---- before the step ---- */

/* The state of a warp at its start: R0 has the thread's index in its block. Source: isa.md 2.2. */
static void begin_warp(struct opinion *o, const struct retire *rtl) {
    const uint32_t *block = o->image->block;
    struct model_saved *s = &o->saved;
    memset(s, 0, sizeof *s);
    s->registers = o->image->regs;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint64_t thread = (uint64_t)rtl->warp * WARP_LANES + lane;
        if (thread >= block_threads(block)) break;
        const uint32_t row = (uint32_t)thread / block[0];
        s->reg[0][lane] = (uint32_t)thread % block[0] | row % block[1] << 16 | row / block[1] << 26;
        s->warp.active |= (uint32_t)1 << lane;
    }
    s->half_defined[0][0] = s->half_defined[0][1] = s->areg_defined[0] = UINT32_MAX;
    s->warp.alive = s->warp.active;
    s->warp.present = s->warp.active != 0;
    past_begin(&o->past, rtl);
}

/* Notes the words that an atomic reads, which it overwrites. */
static void note_words(struct opinion *o, struct model *m) {
    uint32_t lo = 0, hi = 0;
    struct isa_insn insn;
    o->atomic_lanes = 0;
    if (!form_fetch(o, &lo, &hi) || isa_decode(lo, hi, &insn) != ISA_OK) return;
    if (insn.op != OP_GRED && insn.op != OP_GATOM) return;
    const unsigned reg = insn.op == OP_GRED ? insn.dst.reg : insn.src[0].reg;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t address = reg < o->saved.registers && reg != ISA_REG_ZERO ? o->saved.reg[reg][lane] : 0;
        if ((o->saved.warp.active >> lane & 1) == 0 || address % 4 != 0) continue;
        if (address > o->machine.global_bytes - 4) continue;
        o->atomic_lanes |= (uint32_t)1 << lane;
        o->atomic_address[lane] = address;
        memcpy(&o->atomic_word[lane], model_global(m) + address, 4);
    }
}

const struct model_saved *opinion_warp(const struct opinion *o) { return o->ready ? &o->saved : NULL; }

void opinion_before(struct opinion *o, struct model *m, const struct retire *rtl) {
    struct model_counts counts;
    const struct model_warp *w = &o->saved.warp;
    model_save_warp(m, (unsigned)rtl->sm, rtl->slot, &o->saved);
    if (!w->present || w->block_x != rtl->block_x || w->block_y != rtl->block_y || w->warp != rtl->warp)
        begin_warp(o, rtl);
    o->deeper = 0;
    o->ready = w->present && w->depth <= MODEL_SAVED_STACK;
    model_get_counts(m, &counts);
    o->undefined_reads = counts.undefined_reads;
    if (o->ready) note_words(o, m);
}

void opinion_after(struct opinion *o, const struct retire *expected) {
    if (o->ready) past_note(&o->past, &o->saved, expected);
}

void opinion_deepen(struct opinion *o, uint32_t tokens) { o->deeper = tokens; }

/* ---- the judgement ---- */

/* Fields that identify the instruction: if they differ, the records belong to different instructions. */
static bool is_place(const struct retire_field *f) {
    static const char *const PLACES[] = {"block_x", "block_y", "warp", "pc", "word_lo", "word_hi", "active"};
    for (size_t n = 0; n < sizeof PLACES / sizeof *PLACES; n++)
        if (strcmp(f->name, PLACES[n]) == 0) return true;
    return false;
}

static bool has_lanes(const struct retire_field *f) { return f->kind == FIELD_LANES || f->kind == FIELD_MASK; }

uint32_t opinion_knows(const struct opinion *o, const struct retire_field *field) {
    const uint32_t doubt = o->doubt[retire_field_index(field)];
    const bool value = strncmp(field->name, "dst", 3) == 0 && field->kind == FIELD_LANES;
    if (is_place(field)) return 0;
    if (strcmp(field->name, "state") == 0 && !o->knows_state) return 0;
    if ((value || strcmp(field->name, "c") == 0) && !o->knows_values) return 0;
    return has_lanes(field) ? ~doubt : doubt != 0 ? 0 : UINT32_MAX;
}

/* True if the field agrees in these lanes. */
static bool agrees(const struct retire_field *f, uint32_t lanes, const struct retire *own, const struct retire *side) {
    if (f->kind == FIELD_MASK) return ((field_scalar(f, own) ^ field_scalar(f, side)) & lanes) == 0;
    if (f->kind != FIELD_LANES) return field_scalar(f, own) == field_scalar(f, side);
    const uint32_t *x = field_lanes(f, own), *y = field_lanes(f, side);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((lanes >> lane & 1) != 0 && x[lane] != y[lane]) return false;
    return true;
}

bool opinion_on(struct opinion *o, struct model *m, const struct retire *expected,
                const struct compare_result *differences, struct retire *own) {
    for (size_t n = 0; n < differences->count; n++)
        if (is_place(differences->diff[n].field)) return false;
    return opinion_form(o, m, expected, own);
}

enum opinion_side opinion_on_value(const struct opinion *o, const struct retire *own, const struct retire_field *field,
                                   int lane, uint64_t expected, uint64_t actual) {
    const uint32_t known = opinion_knows(o, field);
    if (known == 0 || (lane >= 0 && (known >> lane & 1) == 0)) return OPINION_NONE;
    uint64_t value = field->kind == FIELD_LANES ? field_lanes(field, own)[lane] : field_scalar(field, own);
    if (field->kind == FIELD_MASK) value &= (uint64_t)1 << lane;
    const uint64_t differ = expected ^ actual;
    if (((value ^ expected) & differ) == 0) return OPINION_MODEL;
    return ((value ^ actual) & differ) == 0 ? OPINION_RTL : OPINION_NEITHER;
}

enum opinion_side opinion_judge(struct opinion *o, struct model *m, const struct retire *expected,
                                const struct retire *actual, const struct compare_result *differences) {
    struct retire own;
    if (!opinion_on(o, m, expected, differences, &own)) return OPINION_NONE;
    bool any = false, model = true, rtl = true;
    for (size_t n = 0; n < differences->count; n++) {
        const struct compare_diff *d = &differences->diff[n];
        const uint32_t known = opinion_knows(o, d->field) & (has_lanes(d->field) ? d->lanes : UINT32_MAX);
        if (known == 0) continue;
        any = true;
        model = model && agrees(d->field, known, &own, expected);
        rtl = rtl && agrees(d->field, known, &own, actual);
    }
    if (!any) return OPINION_NONE;
    return model ? OPINION_MODEL : rtl ? OPINION_RTL : OPINION_NEITHER;
}

const char *opinion_side_name(enum opinion_side side) {
    switch (side) {
    case OPINION_RTL: return "RTL";
    case OPINION_MODEL: return "model";
    case OPINION_NEITHER: return "neither";
    case OPINION_NONE:
    case OPINION_SIDES: break;
    }
    return "none";
}

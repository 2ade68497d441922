/* SPDX-License-Identifier: Apache-2.0 */
#include "overrule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct overrule *overrule_create(const struct machine *machine, struct waivers *waivers, size_t keep_going) {
    struct overrule *o = calloc(1, sizeof *o);
    if (o == NULL) return NULL;
    o->waivers = waivers;
    o->slots = machine->warps;
    o->depths = calloc((size_t)machine->sms * machine->warps, sizeof *o->depths);
    if (keep_going > 0) o->findings = calloc(1, sizeof *o->findings);
    if (o->depths != NULL && (keep_going == 0 || (o->findings != NULL && findings_create(o->findings, keep_going))))
        return o;
    overrule_destroy(o);
    return NULL;
}

void overrule_destroy(struct overrule *o) {
    if (o == NULL) return;
    if (o->findings != NULL) findings_destroy(o->findings);
    free(o->findings);
    free(o->depths);
    free(o);
}

/* --------------------------------------------------------------------------------------------------------- values */

/* The differences of one record, being decided. */
struct dispute {
    struct overrule *o;
    struct waiver_ops op;
    const struct retire *expected, *rtl;
    struct retire *wanted;
    const struct opinion *opinion;
    const struct retire *own; /* record of the third opinion; NULL: none */
};

/* The value that the model shall have: the RTL's in the covered bits, or in all bits if the run goes on anyway. */
static uint64_t settle_value(const struct dispute *p, const struct retire_field *f, int lane, uint64_t expected,
                             uint64_t actual) {
    struct overrule *o = p->o;
    const uint64_t differ = expected ^ actual;
    const uint64_t covered = waivers_cover(o->waivers, &p->op, f->name, differ, lane >= 0, o->record);
    const uint64_t taken = expected ^ covered;
    if (taken == actual || o->findings == NULL || o->full) return taken;
    const char *op = waivers_op_of(&p->op, f->name);
    struct lockstep_finding *finding = findings_note(o->findings, op, f, lane, taken, actual, p->rtl, o->record);
    o->full = finding == NULL;
    if (finding == NULL) return taken;
    finding->judged[p->own != NULL ? opinion_on_value(p->opinion, p->own, f, lane, taken, actual) : OPINION_NONE]++;
    return actual;
}

static uint32_t *word_at(struct retire *r, size_t offset) { return (uint32_t *)(void *)((char *)r + offset); }

static void settle_lanes(const struct dispute *p, const struct compare_diff *d) {
    const uint32_t *expected = field_lanes(d->field, p->expected), *actual = field_lanes(d->field, p->rtl);
    uint32_t *wanted = word_at(p->wanted, d->field->offset);
    for (uint32_t left = d->lanes; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        wanted[lane] = (uint32_t)settle_value(p, d->field, lane, expected[lane], actual[lane]);
    }
}

/* Each lane of a mask counts as a lane. */
static uint32_t settle_mask(const struct dispute *p, const struct compare_diff *d) {
    uint32_t wanted = (uint32_t)field_scalar(d->field, p->expected);
    for (uint32_t left = d->lanes; left != 0; left &= left - 1) {
        const uint32_t lane = left & -left;
        const uint64_t expected = wanted & lane, actual = expected ^ lane;
        wanted = (uint32_t)settle_value(p, d->field, __builtin_ctz(left), expected, actual) | (wanted & ~lane);
    }
    return wanted;
}

static void settle_field(const struct dispute *p, const struct compare_diff *d) {
    if (d->field->kind == FIELD_LANES)
        settle_lanes(p, d);
    else if (d->field->kind == FIELD_MASK)
        *word_at(p->wanted, d->field->offset) = settle_mask(p, d);
    else
        *word_at(p->wanted, d->field->offset) = (uint32_t)settle_value(
            p, d->field, -1, field_scalar(d->field, p->expected), field_scalar(d->field, p->rtl));
}

/* Lanes added to a mask, and words added to an access, take the RTL's values; removed lanes are cleared. */
static void follow_mask(const struct dispute *p, const struct retire_field *f) {
    const bool gained = !field_is_in(f, p->expected) && field_is_in(f, p->wanted);
    const uint32_t before = gained ? 0 : field_mask(f, p->expected), now = field_mask(f, p->wanted);
    const uint32_t *actual = field_lanes(f, p->rtl);
    uint32_t *wanted = word_at(p->wanted, f->offset);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t bit = (uint32_t)1 << lane;
        if ((now & ~before & bit) != 0 && field_is_in(f, p->rtl)) wanted[lane] = actual[lane];
        if ((before & ~now & bit) != 0) wanted[lane] = 0;
    }
}

static void follow_masks(const struct dispute *p) {
    for (size_t i = 0; i < retire_field_count(); i++)
        if (retire_field_at(i)->kind == FIELD_LANES) follow_mask(p, retire_field_at(i));
}

/* The later words are undefined in the record of an access without them. */
static void clear_words(struct retire *r) { memset((char *)r + retire_size(r), 0, sizeof *r - retire_size(r)); }

/* ----------------------------------------------------------------------------------------------------------- depth */

static struct overrule_slot *slot_of(const struct overrule *o, const struct retire *r) {
    return &o->depths[r->sm * o->slots + r->slot];
}

static bool same_warp(const struct overrule_slot *s, const struct retire *r) {
    return s->block_x == r->block_x && s->block_y == r->block_y && s->warp == r->warp;
}

void overrule_depth(const struct overrule *o, struct retire *expected) {
    const struct overrule_slot *s = slot_of(o, expected);
    if (same_warp(s, expected)) expected->depth = (expected->depth + (uint32_t)s->deeper) & 0xff;
}

/* Notes a depth that the model's stack could not follow. */
static void note_depth(const struct overrule *o, const struct model *m, const struct retire *wanted) {
    struct model_warp w;
    model_peek_warp(m, (unsigned)wanted->sm, wanted->slot, &w);
    *slot_of(o, wanted) = (struct overrule_slot){wanted->block_x, wanted->block_y, wanted->warp,
                                                 (int32_t)wanted->depth - (int32_t)w.depth};
}

/* ----------------------------------------------------------------------------------------------------- the record */

bool overrule(struct overrule *o, struct model *m, struct opinion *opinion, struct retire *expected,
              const struct retire *rtl, struct compare_result *differences) {
    struct retire wanted, own;
    clear_words(expected);
    wanted = *expected;
    const bool judged = o->findings != NULL && opinion_on(opinion, m, expected, differences, &own);
    const struct dispute dispute = {.o = o,
                                    .op = waivers_op(expected->word_lo, expected->word_hi),
                                    .expected = expected,
                                    .rtl = rtl,
                                    .wanted = &wanted,
                                    .opinion = opinion,
                                    .own = judged ? &own : NULL};
    for (size_t i = 0; i < differences->count; i++) settle_field(&dispute, &differences->diff[i]);
    follow_masks(&dispute);
    const bool agreed = compare_records(&wanted, rtl, differences);
    if (agreed) {
        model_amend(m, expected, &wanted);
        note_depth(o, m, &wanted);
        o->amended++;
    }
    *expected = wanted;
    return agreed;
}

/* A differing field of the whole warp. */
static struct compare_diff whole(const char *name) {
    const struct retire_field *f = retire_field_named(name);
    assert(f != NULL);
    return (struct compare_diff){f, 0};
}

void overrule_place(struct overrule *o, struct model *m, const struct retire *rtl) {
    struct model_warp w;
    o->record++;
    model_settle(m);
    model_peek_warp(m, (unsigned)rtl->sm, rtl->slot, &w);
    const bool same = w.block_x == rtl->block_x && w.block_y == rtl->block_y && w.warp == rtl->warp;
    if (!w.present || !same || w.state != RETIRE_READY || (w.pc == rtl->pc && w.active == rtl->active)) return;
    struct retire expected = {.pc = w.pc, .active = w.active}, wanted = expected;
    const struct dispute dispute = {
        .o = o, .op = waivers_op(rtl->word_lo, rtl->word_hi), .expected = &expected, .rtl = rtl, .wanted = &wanted};
    const struct compare_diff of_pc = whole("pc"), of_active = whole("active");
    if (w.pc != rtl->pc) settle_field(&dispute, &of_pc);
    if (w.active != rtl->active) settle_field(&dispute, &of_active);
    /* If not all differing bits of a value are covered, it keeps its value. */
    const uint32_t pc = wanted.pc == rtl->pc ? rtl->pc : w.pc;
    const uint32_t active = wanted.active == rtl->active ? rtl->active : w.active;
    if (pc != w.pc || active != w.active) model_redirect(m, (unsigned)rtl->sm, rtl->slot, pc, active);
}

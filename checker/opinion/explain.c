/* SPDX-License-Identifier: Apache-2.0 */
/* Tries other values of the operands until one gives the RTL's result. */
#include "explain.h"

#include <string.h>

#include "../../cmodel/core/lanes.h"
#include "form.h"

/* The wrong lanes of a result, and what the RTL has there. */
struct wrong {
    struct opinion *o;
    struct model *m;
    const struct retire *expected, *actual;
    const struct compare_result *differences;
    uint32_t lanes;
};

static bool is_value(const struct retire_field *f) { return strcmp(f->name, "dst") == 0 || strcmp(f->name, "c") == 0; }

/* False unless values alone differ, a register's among them. */
static bool find_lanes(struct wrong *w) {
    bool has_dst = false;
    for (size_t i = 0; i < w->differences->count; i++) {
        const struct compare_diff *d = &w->differences->diff[i];
        if (!is_value(d->field)) return false;
        has_dst = has_dst || d->field->name[0] == 'd';
        w->lanes |= d->lanes;
    }
    return has_dst;
}

/* True where an operand is no better reason than the result: results that have two values in all, which half of all
 * changes explain; results that are all the same; one bit that is wrong; two lanes, which may be chance. */
static bool says_nothing(const struct wrong *w) {
    const struct retire_field *dst = retire_field_named("dst");
    const uint32_t *e = field_lanes(dst, w->expected), *a = field_lanes(dst, w->actual);
    const unsigned first = lanes_first(w->lanes);
    uint32_t bits = 0;
    bool two = true, same = true;
    for (uint32_t left = w->lanes; left != 0; left = lanes_rest(left)) {
        const unsigned lane = lanes_first(left);
        two = two && (e[lane] == e[first] || e[lane] == a[first]) && (a[lane] == e[first] || a[lane] == a[first]);
        same = same && a[lane] == a[first];
        bits |= e[lane] ^ a[lane];
    }
    return two || same || (bits & (bits - 1)) == 0 || lanes_count(w->lanes) <= 2;
}

static bool is_explained(const struct wrong *w) {
    struct retire own;
    if (!opinion_form(w->o, w->m, w->expected, &own)) return false;
    for (size_t i = 0; i < w->differences->count; i++) {
        const struct retire_field *f = w->differences->diff[i].field;
        const uint32_t *x = field_lanes(f, &own), *y = field_lanes(f, w->actual), known = opinion_knows(w->o, f);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if ((w->lanes >> lane & 1) != 0 && ((known >> lane & 1) == 0 || x[lane] != y[lane])) return false;
    }
    return true;
}

static uint32_t changed(const struct model_saved *s, const struct past_value *past, unsigned reg, unsigned lane,
                        enum opinion_change change, unsigned by) {
    switch (change) {
    case OPINION_PAST: return past->value[lane];
    case OPINION_LANE: return s->reg[reg][(lane + by) % WARP_LANES];
    case OPINION_REGISTER: return s->reg[by][lane];
    case OPINION_BIT: return s->reg[reg][lane] ^ (uint32_t)1 << by;
    case OPINION_SAME: break;
    }
    return s->reg[reg][lane];
}

static bool try_change(const struct wrong *w, unsigned reg, enum opinion_change change, unsigned by) {
    uint32_t before[WARP_LANES], after[WARP_LANES];
    struct model_saved *s = &w->o->saved;
    const struct past_value *past = past_of(&w->o->past, w->expected, reg);
    bool all = change != OPINION_PAST || (past != NULL && (w->lanes & ~past->lanes) == 0);
    if (!all) return false;
    memcpy(before, s->reg[reg], sizeof before);
    memcpy(after, before, sizeof after);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if ((w->lanes >> lane & 1) == 0) continue;
        after[lane] = changed(s, past, reg, lane, change, by);
        all = all && after[lane] != before[lane];
    }
    if (!all) return false;
    memcpy(s->reg[reg], after, sizeof after);
    const bool explained = is_explained(w);
    memcpy(s->reg[reg], before, sizeof before);
    return explained;
}

static bool try_register(const struct wrong *w, unsigned reg, struct opinion_operand *operand) {
    const unsigned most[] = {
        [OPINION_REGISTER] = w->o->saved.registers, [OPINION_LANE] = WARP_LANES, [OPINION_BIT] = 32};
    *operand = (struct opinion_operand){.change = OPINION_PAST, .reg = reg};
    if (try_change(w, reg, OPINION_PAST, 0)) {
        operand->by = past_of(&w->o->past, w->expected, reg)->pc[lanes_first(w->lanes)];
        return true;
    }
    for (operand->change = OPINION_REGISTER; operand->change <= OPINION_BIT; operand->change++)
        for (operand->by = 0; operand->by < most[operand->change]; operand->by++)
            if (try_change(w, reg, operand->change, operand->by)) return true;
    return false;
}

/* The number of a source register; ISA_REGS: it is none. */
static unsigned source_register(const struct isa_operand *source) {
    if (source->kind == ISA_REG32 && source->reg != ISA_REG_ZERO) return source->reg;
    return source->kind == ISA_REG16 ? source->reg / 2u : ISA_REGS;
}

bool opinion_explain(struct opinion *o, struct model *m, const struct retire *expected, const struct retire *actual,
                     const struct compare_result *differences, struct opinion_operand *operand) {
    struct wrong w = {.o = o, .m = m, .expected = expected, .actual = actual, .differences = differences};
    struct isa_insn insn;
    *operand = (struct opinion_operand){.change = OPINION_SAME};
    if (!o->ready || !find_lanes(&w) || says_nothing(&w)) return false;
    if (isa_decode(expected->word_lo, expected->word_hi, &insn) != ISA_OK) return false;
    for (size_t i = 0; i < sizeof insn.src / sizeof insn.src[0]; i++) {
        const unsigned reg = source_register(&insn.src[i]);
        if (reg < o->saved.registers && try_register(&w, reg, operand)) return true;
    }
    *operand = (struct opinion_operand){.change = OPINION_SAME};
    return false;
}

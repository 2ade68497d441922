/* SPDX-License-Identifier: Apache-2.0 */
/* The third opinion agrees with a right model wherever it has one, and names the wrong side for a fault in any field on
 * either side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../cmodel/run/trace.h"
#include "../opinion.h"
#include "sweep.h"
#include "whole.h"

enum { STEPS = 3000, RANDOM = 60, EXTENDED = 20, WIDE = 8, LEAST_PERMILLE = 999 };

static const char *const KERNELS[] = {"kernels/formats/*.sass", "kernels/regress/*.sass", "kernels/traps/*.sass",
                                      "kernels/apps/*.sass"};

static void sweep_all(const struct sweep *sweep) {
    for (size_t n = 0; n < sizeof KERNELS / sizeof *KERNELS; n++) assert_true(sweep_kernels(sweep, KERNELS[n]) > 0);
    sweep_random(sweep, RANDOM, 0);
    sweep_random(sweep, EXTENDED, WIDE);
    sweep_rows(sweep);
}

struct tally {
    unsigned formed, none, wrong;
    unsigned of[OP_COUNT], values[OP_COUNT]; /* formed; with a known register value */
};

/* The operation of a record; OP_COUNT: its words are no instruction. */
static enum isa_op op_of(const struct retire *record) {
    struct isa_insn insn;
    return isa_decode(record->word_lo, record->word_hi, &insn) == ISA_OK ? insn.op : OP_COUNT;
}

static const char *text_of(const struct retire *r, char text[TRACE_TEXT_MAX]) {
    return trace_instruction(r->pc, r->word_lo, r->word_hi, text);
}

/* Lanes of a difference that the opinion knows; for a field without lanes all or none. */
static uint32_t known_lanes(const struct opinion *o, const struct compare_diff *d) {
    const bool lanes = d->field->kind == FIELD_LANES || d->field->kind == FIELD_MASK;
    return opinion_knows(o, d->field) & (lanes ? d->lanes : UINT32_MAX);
}

static void count(struct tally *tally, const struct sweep_step *s, const struct retire *own) {
    const enum isa_op op = op_of(s->expected);
    tally->formed++;
    if (op == OP_COUNT) return;
    tally->of[op]++;
    const uint32_t known = opinion_knows(s->opinion, retire_field_named("dst"));
    tally->values[op] += (own->dst_mask & known) != 0;
}

/* All fields that the opinion knows must have the model's values. */
static void check_step(void *state, const struct sweep_step *s) {
    struct tally *tally = state;
    struct retire own;
    struct compare_result differences;
    char text[TRACE_TEXT_MAX];
    if (!opinion_form(s->opinion, s->model, s->expected, &own)) {
        tally->none++;
        return;
    }
    count(tally, s, &own);
    compare_records(s->expected, &own, &differences);
    for (size_t n = 0; n < differences.count; n++) {
        const uint32_t lanes = known_lanes(s->opinion, &differences.diff[n]);
        if (lanes == 0) continue;
        if (tally->wrong++ > 20) return;
        print_error("%s pc 0x%x: %s: %s, lanes %x\n", s->path, s->expected->pc, text_of(s->expected, text),
                    differences.diff[n].field->name, lanes);
    }
}

static bool decode_row(size_t row, struct isa_insn *insn) {
    struct isa_fields fields;
    uint32_t lo, hi;
    isa_default_fields(row, &fields);
    return isa_encode(row, &fields, &lo, &hi) && isa_decode(lo, hi, insn) == ISA_OK;
}

/* Operations that write a register, by their rows in the table. */
static bool writes_register(enum isa_op op) {
    for (size_t row = 0; row < isa_row_count(); row++) {
        struct isa_insn insn;
        if (!decode_row(row, &insn) || insn.op != op) continue;
        if (insn.dst.kind == ISA_REG32 || insn.dst.kind == ISA_REG16) return true;
    }
    return false;
}

/* No operation is omitted: operations that no machine executes trap. */
static void expect_all_operations(const struct tally *tally) {
    unsigned values = 0;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        if (tally->of[op] == 0) fail_msg("no opinion on %s", isa_op_name((enum isa_op)op));
        if (isa_op_unit((enum isa_op)op) == UNIT_TEXTURE || !writes_register((enum isa_op)op)) continue;
        if (tally->values[op] == 0) fail_msg("no opinion on what %s writes", isa_op_name((enum isa_op)op));
        values++;
    }
    print_message("an opinion on %u operations, and on the register that %u of them write\n", OP_COUNT, values);
    assert_true(values > 40);
}

static void test_opinion_is_that_of_a_right_model(void **state) {
    (void)state;
    struct tally tally = {0};
    sweep_all(&(struct sweep){.limit = STEPS, .visit = check_step, .state = &tally});
    print_message("%u instructions judged, %u without an opinion\n", tally.formed, tally.none);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.formed * 1000 > (tally.formed + tally.none) * LEAST_PERMILLE);
    expect_all_operations(&tally);
}

/* ---- absent units ---- */

struct absence {
    enum isa_need need;
    const char *member;
    unsigned of[OP_COUNT];
};

/* Model and opinion trap, and the tools name the unit. */
static void ask_absent(void *state, const struct sweep_step *s) {
    struct absence *a = state;
    struct retire own;
    const struct machine whole = sweep_machine();
    const uint32_t lo = s->expected->word_lo, hi = s->expected->word_hi;
    const enum isa_op op = op_of(s->expected);
    if (op == OP_COUNT || isa_op_needs(op) != a->need) return;
    const enum trap trap = isa_unit_is_extension(isa_op_unit(op)) ? TRAP_UNDEFINED : TRAP_UNIMPLEMENTED;
    const char *unit = launch_absent_unit(s->machine, lo, hi);
    a->of[op]++;
    if (s->expected->trap != trap) fail_msg("%s: the model executes it without %s", s->path, a->member);
    if (!opinion_form(s->opinion, s->model, s->expected, &own) || own.trap != trap)
        fail_msg("%s: the opinion executes it without %s", s->path, a->member);
    if (unit == NULL || strstr(a->member, unit) == NULL) fail_msg("%s: the tools miss %s", s->path, a->member);
    assert_null(launch_absent_unit(&whole, lo, hi));
}

static void expect_absence(struct absence *a, const struct machine *machine) {
    const struct sweep sweep = {.limit = STEPS, .visit = ask_absent, .state = a};
    unsigned operations = 0;
    struct isa_insn insn;
    for (size_t row = 0; row < isa_row_count(); row++)
        if (decode_row(row, &insn) && isa_op_needs(insn.op) == a->need) sweep_row(&sweep, row, machine);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        if (isa_op_needs((enum isa_op)op) != a->need) continue;
        if (a->of[op] == 0) fail_msg("%s was not tried without %s", isa_op_name((enum isa_op)op), a->member);
        operations++;
    }
    if (operations == 0) fail_msg("no operation needs %s", a->member);
}

static void test_opinion_traps_where_a_unit_is_absent(void **state) {
    (void)state;
    const struct machine whole = sweep_machine();
    struct machine machine;
#define EXPECT(GENERIC, absent, ...) \
    machine = whole;                 \
    machine.absent = 0;              \
    expect_absence(&(struct absence){.need = NEED_##GENERIC, .member = #absent}, &machine);
    MACHINE_LIST(MACHINE_NOTHING, MACHINE_NOTHING, EXPECT, EXPECT, MACHINE_NOTHING)
#undef EXPECT
}

/* ---- planted faults ---- */

static uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* Changes a bit of one field of a record; false if the field is unused there. */
static bool spoil(struct retire *r, const struct retire_field *f, uint32_t random) {
    char *at = (char *)r + f->offset;
    uint32_t value = 0;
    unsigned lane = random % WARP_LANES;
    if (f->kind == FIELD_LANES) {
        const uint32_t mask = field_mask(f, r);
        if (mask == 0 || !field_is_in(f, r)) return false;
        while ((mask >> lane & 1) == 0) lane = (lane + 1) % WARP_LANES;
        at += lane * sizeof value;
    }
    memcpy(&value, at, sizeof value);
    value ^= (uint32_t)1 << random / WARP_LANES % f->bits;
    memcpy(at, &value, sizeof value);
    return true;
}

static bool is_place(const char *name) {
    static const char *const PLACES[] = {"block_x", "block_y", "warp", "pc", "word_lo", "word_hi", "active"};
    for (size_t n = 0; n < sizeof PLACES / sizeof *PLACES; n++)
        if (strcmp(name, PLACES[n]) == 0) return true;
    return false;
}

struct planting {
    uint32_t seed;
    unsigned fields[RETIRE_FIELD_COUNT]; /* judged faults in the field */
    unsigned wrong;
};

static void expect_side(struct planting *p, const struct sweep_step *s, const struct retire *model,
                        const struct retire *rtl, const struct retire_field *f, enum opinion_side wanted) {
    struct compare_result differences;
    char text[TRACE_TEXT_MAX];
    compare_records(model, rtl, &differences);
    const enum opinion_side side = opinion_judge(s->opinion, s->model, model, rtl, &differences);
    if (side == wanted || p->wrong++ > 20) return;
    print_error("%s: %s: fault in %s: %s instead of %s\n", s->path, text_of(s->expected, text), f->name,
                opinion_side_name(side), opinion_side_name(wanted));
}

/* Plants a fault in one field, on either side. */
static void plant(void *state, const struct sweep_step *s) {
    struct planting *p = state;
    const size_t index = next_random(&p->seed) % retire_field_count();
    const struct retire_field *f = retire_field_at(index);
    struct retire own, spoilt = *s->expected;
    if (f->compare != FIELD_EXACT || f->kind == FIELD_HARNESS || !spoil(&spoilt, f, next_random(&p->seed))) return;
    struct compare_result differences;
    compare_records(s->expected, &spoilt, &differences);
    const bool formed = opinion_form(s->opinion, s->model, s->expected, &own);
    const bool has = formed && differences.count > 0 && known_lanes(s->opinion, &differences.diff[0]) != 0;
    p->fields[index] += has;
    expect_side(p, s, s->expected, &spoilt, f, has ? OPINION_MODEL : OPINION_NONE);
    expect_side(p, s, &spoilt, s->expected, f, has ? OPINION_RTL : OPINION_NONE);
}

static void test_opinion_names_the_side_that_is_right(void **state) {
    (void)state;
    struct planting p = {.seed = 1};
    if (getenv("SEED") != NULL) p.seed = (uint32_t)strtoul(getenv("SEED"), NULL, 0);
    print_message("SEED=%u\n", p.seed);
    sweep_all(&(struct sweep){.limit = STEPS, .visit = plant, .state = &p});
    unsigned faults = 0;
    for (size_t n = 0; n < retire_field_count(); n++) {
        const struct retire_field *f = retire_field_at(n);
        faults += p.fields[n];
        if (f->compare != FIELD_EXACT || f->kind == FIELD_HARNESS || is_place(f->name)) continue;
        if (p.fields[n] == 0) fail_msg("no fault in %s was judged", f->name);
    }
    print_message("%u faults on each side\n", faults);
    assert_int_equal(p.wrong, 0);
}

/* ---- undefined values ---- */

/* R5, C1, A2, shared and local memory were never written; R6 only in the lanes that C0 lets through. The RTL decides
 * the fields that depend on them; it does not decide those named behind the colon. */
/* Aligned, the rows would be longer than a line. */
// clang-format off
static const struct undefined_row {
    const char *text, *unknown, *known;
} UNDEFINED[] = {
    {"IADD.C0 R1, R5, R2", "dst c", "exec dst_reg dst_mask c_reg next_pc trap"},
    {"ISET.C0 R1, R2, R5, EQ", "dst c", "exec dst_kind dst_mask next_active depth"},
    {"IADD R1, R6, R2", "", "dst_mask next_pc"},
    {"IADD R1 (C1.NE), R2, R2", "exec dst_mask dst", "dst_reg next_pc next_active depth trap state"},
    {"BRA C1.NE, 0x8", "exec next_pc next_active depth", "dst_kind mem_kind"},
    {"GST.U32 global14[R2], R5", "data", "addr mem_mask mem_bytes next_pc"},
    {"GST.U32 global14[R5], R2", "addr trap", "exec mem_mask mem_kind next_pc depth"},
    {"GLD.U32 R1, global14[R5]", "addr dst trap", "exec dst_mask dst_reg next_pc"},
    {"GST.S64 global14[R2], R4", "data.1", "addr data mem_mask"},
    {"MOV R1, g [0x1f]", "dst", "exec dst_mask next_pc trap"},
    {"MOV R1, g [A1+++0x1]", "dst", "a a_mask a_reg dst_mask"},
    {"MOV R1, g [A2+0x1]", "dst trap", "exec dst_mask dst_reg"},
    {"LLD.U32 R1, local[0x4]", "dst", "addr mem_mask dst_mask next_pc"},
    {"LST.U32 local[0x4], R5", "data", "addr mem_mask"},
    {"R2G.U32.U32 g[0x20], R5", "data", "addr mem_mask"},
    {"R2A A1, R5", "a", "a_mask a_reg next_pc"},
    {"R2C C0, R5", "c", "c_mask c_reg next_pc"},
    {"GATOM.IADD.U32 R1, global14[R2], R5", "data", "addr mem_mask mem_bytes dst_mask next_pc"},
    {"MOV.U16 R1L, R5H", "dst", "dst_mask dst_reg dst_kind"},
    {"RCP R1, R5", "dst", "dst_mask dst_reg next_pc"},
};
// clang-format on

struct question {
    const struct undefined_row *row;
    unsigned asked;
};

static bool is_in(const char *names, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)) != NULL; at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == 0 || at[length] == ' ')) return true;
    return false;
}

static void ask_undefined(void *state, const struct sweep_step *s) {
    struct question *q = state;
    struct retire own;
    uint32_t lo, hi;
    struct isa_error error;
    assert_true(isa_parse(q->row->text, strlen(q->row->text), NULL, &lo, &hi, &error));
    if (s->expected->word_lo != lo || s->expected->word_hi != hi) return;
    q->asked++;
    if (!opinion_form(s->opinion, s->model, s->expected, &own)) fail_msg("no opinion on %s", q->row->text);
    for (size_t n = 0; n < retire_field_count(); n++) {
        const struct retire_field *f = retire_field_at(n);
        const bool lanes = f->kind == FIELD_LANES || f->kind == FIELD_MASK;
        const uint32_t known = opinion_knows(s->opinion, f) & (lanes ? s->expected->active : UINT32_MAX);
        if (is_in(q->row->unknown, f->name) && known != 0) fail_msg("%s: an opinion on %s", q->row->text, f->name);
        if (is_in(q->row->known, f->name) && known != (lanes ? s->expected->active : UINT32_MAX))
            fail_msg("%s: no opinion on %s", q->row->text, f->name);
    }
    struct tally tally = {0};
    check_step(&tally, s);
    assert_int_equal(tally.wrong, 0);
}

static void test_opinion_leaves_open_what_depends_on_undefined_values(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof UNDEFINED / sizeof *UNDEFINED; n++) {
        struct question q = {.row = &UNDEFINED[n]};
        const char *const kernel[] = {
            "SHL.C0 R2, R0, 0x3", "MVI R4, 0x7", "MVI R9, 0x60", "MOV R6 (C0.NE), R0", "R2A A1, R9", q.row->text, NULL};
        sweep_texts(&(struct sweep){.limit = 100, .visit = ask_undefined, .state = &q}, kernel);
        if (q.asked == 0) fail_msg("%s was not reached", q.row->text);
    }
}

/* R6 is undefined in lane 0 alone. */
static void ask_lane(void *state, const struct sweep_step *s) {
    struct retire own;
    if (op_of(s->expected) != OP_IADD || s->expected->warp != 0) return;
    ++*(unsigned *)state;
    assert_true(opinion_form(s->opinion, s->model, s->expected, &own));
    assert_int_equal(opinion_knows(s->opinion, retire_field_named("dst")), ~1u);
    struct retire spoilt = *s->expected;
    struct compare_result differences;
    spoilt.dst[0] ^= 1;
    compare_records(s->expected, &spoilt, &differences);
    assert_int_equal(opinion_judge(s->opinion, s->model, s->expected, &spoilt, &differences), OPINION_NONE);
    spoilt.dst[1] ^= 1;
    compare_records(s->expected, &spoilt, &differences);
    assert_int_equal(opinion_judge(s->opinion, s->model, s->expected, &spoilt, &differences), OPINION_MODEL);
}

static void test_opinion_leaves_open_the_lanes_that_are_undefined(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"SHL.C0 R2, R0, 0x2", "MOV R6 (C0.NE), R0", "IADD R1, R6, R2", NULL};
    unsigned asked = 0;
    sweep_texts(&(struct sweep){.limit = 100, .visit = ask_lane, .state = &asked}, KERNEL);
    assert_true(asked > 0);
}

/* ---- the model's state ---- */

enum { SAMPLES = 6 }; /* of each operation: a copy of the whole state takes time */

struct samples {
    unsigned of[OP_COUNT], kind[RETIRE_MEM_GLOBAL_ATOMIC + 1];
};

static bool is_sample(struct samples *samples, const struct sweep_step *s) {
    const enum isa_op op = op_of(s->expected);
    if (op == OP_COUNT || samples->of[op] >= SAMPLES * (isa_op_unit(op) == UNIT_GLOBAL ? 4 : 1)) return false;
    samples->of[op]++;
    samples->kind[s->expected->mem_kind]++;
    return true;
}

static void expect_every_operation(const struct samples *samples) {
    for (unsigned op = 0; op < OP_COUNT; op++)
        if (samples->of[op] == 0) fail_msg("%s was not tried", isa_op_name((enum isa_op)op));
    for (unsigned kind = 0; kind <= RETIRE_MEM_GLOBAL_ATOMIC; kind++)
        if (samples->kind[kind] == 0) fail_msg("no access of kind %u", kind);
}

/* Each kind of query, with a fault in each field. */
static void ask_all(const struct sweep_step *s) {
    struct retire own;
    struct compare_result differences;
    uint32_t seed = 1;
    opinion_form(s->opinion, s->model, s->expected, &own);
    for (size_t n = 0; n < retire_field_count(); n++) {
        struct retire spoilt = *s->expected;
        if (!spoil(&spoilt, retire_field_at(n), next_random(&seed))) continue;
        compare_records(s->expected, &spoilt, &differences);
        opinion_judge(s->opinion, s->model, s->expected, &spoilt, &differences);
        opinion_on(s->opinion, s->model, s->expected, &differences, &own);
    }
}

static void check_asking(void *state, const struct sweep_step *s) {
    char text[TRACE_TEXT_MAX];
    size_t size = 0;
    if (!is_sample(state, s)) return;
    uint8_t *before = whole_copy(s->model, &size);
    ask_all(s);
    whole_expect(s->model, before, size, text_of(s->expected, text));
}

static void test_opinion_leaves_the_model_as_it_is(void **state) {
    (void)state;
    for (unsigned keeps = 0; keeps < 2; keeps++) {
        struct samples samples = {{0}, {0}};
        const struct sweep sweep = {.limit = STEPS, .keeps = keeps != 0, .visit = check_asking, .state = &samples};
        sweep_kernels(&sweep, "kernels/formats/[TX]*.sass");
        sweep_rows(&sweep);
        sweep_random(&sweep, EXTENDED, WIDE);
        expect_every_operation(&samples);
    }
}

/* Amending by the model's own record changes nothing. */
static void check_amending(void *state, const struct sweep_step *s) {
    char text[TRACE_TEXT_MAX];
    size_t size = 0;
    if (!is_sample(state, s)) return;
    uint8_t *before = whole_copy(s->model, &size);
    assert_true(model_amend(s->model, s->expected, s->expected));
    whole_expect(s->model, before, size, text_of(s->expected, text));
}

static void test_amending_takes_over_nothing_where_nothing_differs(void **state) {
    (void)state;
    struct samples samples = {{0}, {0}};
    const struct sweep sweep = {.limit = STEPS, .keeps = true, .visit = check_amending, .state = &samples};
    sweep_kernels(&sweep, "kernels/formats/[TX]*.sass");
    sweep_rows(&sweep);
    sweep_kernels(&sweep, "kernels/traps/*.sass");
    sweep_random(&sweep, EXTENDED, WIDE);
    expect_every_operation(&samples);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opinion_is_that_of_a_right_model),
        cmocka_unit_test(test_opinion_traps_where_a_unit_is_absent),
        cmocka_unit_test(test_opinion_names_the_side_that_is_right),
        cmocka_unit_test(test_opinion_leaves_open_what_depends_on_undefined_values),
        cmocka_unit_test(test_opinion_leaves_open_the_lanes_that_are_undefined),
        cmocka_unit_test(test_opinion_leaves_the_model_as_it_is),
        cmocka_unit_test(test_amending_takes_over_nothing_where_nothing_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The third opinion is that of a right model wherever it has one, and names the side that is wrong, whatever field of a
 * record is spoilt on either side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../cmodel/run/trace.h"
#include "../opinion.h"
#include "sweep.h"

enum { STEPS = 3000, RANDOM = 60, EXTENDED = 20, WIDE = 8, LEAST_PERCENT = 95 };

static const char *const KERNELS[] = {"kernels/formats/*.sass", "kernels/regress/*.sass", "kernels/traps/*.sass",
                                      "kernels/apps/*.sass"};

struct tally {
    unsigned formed, none, wrong, extended; /* ... of those formed, of instructions of sm_10x */
};

/* Straight code of random words may run into such a word, which traps. */
static bool is_extended(const struct retire *record) {
    struct isa_insn insn;
    return record->trap == TRAP_NONE && isa_decode(record->word_lo, record->word_hi, &insn) == ISA_OK &&
           isa_unit_is_extension(insn.unit);
}

/* What a record says of the fields that the opinion knows must be what the model says. */
static void check_step(void *state, const struct sweep_step *s) {
    struct tally *tally = state;
    struct retire own;
    struct compare_result differences;
    char text[TRACE_TEXT_MAX];
    if (!opinion_form(s->opinion, s->model, s->expected, &own)) {
        tally->none++;
        return;
    }
    tally->formed++;
    tally->extended += is_extended(s->expected);
    compare_records(s->expected, &own, &differences);
    for (size_t n = 0; n < differences.count; n++) {
        const struct compare_diff *d = &differences.diff[n];
        if (!opinion_knows(s->opinion, d->field)) continue;
        if (tally->wrong++ > 20) return;
        print_error("%s pc 0x%x: %s: %s, lanes %x\n", s->path, s->expected->pc,
                    trace_instruction(s->expected->pc, s->expected->word_lo, s->expected->word_hi, text),
                    d->field->name, d->lanes);
    }
}

static void test_opinion_is_that_of_a_right_model(void **state) {
    (void)state;
    struct tally tally = {0};
    for (size_t n = 0; n < sizeof KERNELS / sizeof *KERNELS; n++)
        assert_true(sweep_kernels(KERNELS[n], STEPS, check_step, &tally) > 0);
    sweep_random(RANDOM, 0, STEPS, check_step, &tally);
    assert_int_equal(tally.extended, 0);
    sweep_random(EXTENDED, WIDE, STEPS, check_step, &tally);
    assert_true(tally.extended > 0);
    print_message("%u instructions judged, %u without an opinion\n", tally.formed, tally.none);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.formed * 100 > (tally.formed + tally.none) * LEAST_PERCENT);
}

/* ---- planted faults ---- */

static uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* Changes a bit of one field of a record; false where it holds nothing that could differ. */
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
    unsigned fields[RETIRE_FIELD_COUNT]; /* times that a fault in the field was judged */
    unsigned wrong;
};

static void expect_side(struct planting *p, const struct sweep_step *s, const struct retire *model,
                        const struct retire *rtl, const struct retire_field *f, enum opinion_side wanted) {
    struct compare_result differences;
    char text[TRACE_TEXT_MAX];
    compare_records(model, rtl, &differences);
    const enum opinion_side side = opinion_judge(s->opinion, s->model, model, rtl, &differences);
    if (side == wanted || p->wrong++ > 20) return;
    print_error("%s: %s: fault in %s: %s instead of %s\n", s->path,
                trace_instruction(s->expected->pc, s->expected->word_lo, s->expected->word_hi, text), f->name,
                opinion_side_name(side), opinion_side_name(wanted));
}

/* One field, on the one side and on the other. */
static void plant(void *state, const struct sweep_step *s) {
    struct planting *p = state;
    const size_t index = next_random(&p->seed) % retire_field_count();
    const struct retire_field *f = retire_field_at(index);
    struct retire own, spoilt = *s->expected;
    if (f->compare != FIELD_EXACT || f->kind == FIELD_HARNESS || !spoil(&spoilt, f, next_random(&p->seed))) return;
    const bool has = opinion_form(s->opinion, s->model, s->expected, &own) && opinion_knows(s->opinion, f);
    p->fields[index] += has;
    expect_side(p, s, s->expected, &spoilt, f, has ? OPINION_MODEL : OPINION_NONE);
    expect_side(p, s, &spoilt, s->expected, f, has ? OPINION_RTL : OPINION_NONE);
}

static void test_opinion_names_the_side_that_is_right(void **state) {
    (void)state;
    struct planting p = {.seed = 1};
    if (getenv("SEED") != NULL) p.seed = (uint32_t)strtoul(getenv("SEED"), NULL, 0);
    print_message("SEED=%u\n", p.seed);
    for (size_t n = 0; n < sizeof KERNELS / sizeof *KERNELS; n++) sweep_kernels(KERNELS[n], STEPS, plant, &p);
    sweep_random(RANDOM, 0, STEPS, plant, &p);
    sweep_random(EXTENDED, WIDE, STEPS, plant, &p);
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

/* ---- what it leaves open ---- */

/* All memories that the step's warp can reach, one behind the other; *size is how many bytes. */
static uint8_t *copy_memories(const struct sweep_step *s, size_t *size) {
    const struct retire *r = s->expected;
    const unsigned sm = (unsigned)r->sm;
    const size_t global = s->machine->global_bytes, shared = s->image->shared_bytes, local = s->image->local_bytes;
    uint8_t *bytes = calloc(global + shared + WARP_LANES * local, 1);
    assert_non_null(bytes);
    memcpy(bytes, model_global(s->model), global);
    *size = global;
    if (model_shared(s->model, sm, r->slot) == NULL) return bytes; /* the block is gone */
    memcpy(bytes + *size, model_shared(s->model, sm, r->slot), shared);
    *size += shared;
    for (unsigned lane = 0; lane < WARP_LANES && local > 0; lane++, *size += local)
        memcpy(bytes + *size, model_local(s->model, sm, r->slot, lane), local);
    return bytes;
}

/* Nothing of the model's memories is changed: stores and atomics are undone. */
static void check_memory(void *state, const struct sweep_step *s) {
    unsigned *checked = state;
    struct retire own;
    size_t size = 0;
    if (s->expected->mem_kind == RETIRE_MEM_NONE) return;
    uint8_t *before = copy_memories(s, &size);
    checked[s->expected->mem_kind] += opinion_form(s->opinion, s->model, s->expected, &own);
    uint8_t *after = copy_memories(s, &size);
    assert_memory_equal(before, after, size);
    free(before);
    free(after);
}

static void test_opinion_leaves_memory_as_it_is(void **state) {
    (void)state;
    unsigned checked[RETIRE_MEM_GLOBAL_ATOMIC + 1] = {0};
    sweep_kernels("kernels/formats/[TX]*.sass", STEPS, check_memory, checked);
    for (unsigned kind = RETIRE_MEM_NONE + 1; kind <= RETIRE_MEM_GLOBAL_ATOMIC; kind++)
        if (checked[kind] == 0) fail_msg("no access of kind %u", kind);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opinion_is_that_of_a_right_model),
        cmocka_unit_test(test_opinion_names_the_side_that_is_right),
        cmocka_unit_test(test_opinion_leaves_memory_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Differences between RTL and model that are races between SMs: those that a store explains, those that it does not,
 * and those that an atomic forbids. Most records have lane 0 and one word; the checker's own tests have the rest of a
 * record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../assembler/isa/isa.h"
#include "../verdict/race.h"
#include "kernel.h"

enum { GLOBAL_BYTES = 4096, DATA = 0x100, FLAG = 0x200 };

struct bench {
    struct machine machine;
    struct races *races;
    struct model *model;
    uint8_t global[GLOBAL_BYTES];
};

static int set_up(void **state) {
    struct bench *b = calloc(1, sizeof *b);
    b->machine = (struct machine)MACHINE_DEFAULT;
    b->machine.sms = 8; /* the maximum */
    b->machine.global_bytes = GLOBAL_BYTES;
    b->races = races_create(&b->machine);
    b->model = model_create(&b->machine);
    *state = b;
    return 0;
}

static int tear_down(void **state) {
    struct bench *b = *state;
    races_destroy(b->races);
    model_destroy(b->model);
    free(b);
    return 0;
}

static struct retire record(unsigned sm, uint64_t cycle, enum retire_mem kind, uint32_t addr) {
    struct retire r = {.cycle = cycle, .sm = sm, .active = 1, .exec = 1, .mem_kind = kind, .mem_bytes = 4};
    r.mem_mask = 1;
    r.addr[0] = addr;
    return r;
}

static void set_instruction(struct retire *r, const char *text) {
    struct isa_error error;
    assert_true(isa_parse(text, strlen(text), NULL, &r->word_lo, &r->word_hi, &error));
}

static uint32_t peek(const struct bench *b, uint32_t addr) {
    uint32_t word;
    memcpy(&word, b->global + addr, sizeof word);
    return word;
}

static void store(struct bench *b, unsigned sm, uint64_t cycle, uint32_t addr, uint32_t value) {
    struct retire r = record(sm, cycle, RETIRE_MEM_GLOBAL_STORE, addr);
    r.data[0] = value;
    assert_true(races_before_step(b->races, b->global, &r));
    memcpy(b->global + addr, &value, sizeof value);
}

/* The RTL found `found` and left `value`; returns the value that the model then finds. */
static uint32_t exchange(struct bench *b, unsigned sm, uint64_t cycle, uint32_t addr, uint32_t found, uint32_t value) {
    struct retire r = record(sm, cycle, RETIRE_MEM_GLOBAL_ATOMIC, addr);
    r.dst_kind = RETIRE_DST_REG32;
    r.dst_mask = 1;
    r.dst[0] = found;
    r.data[0] = value;
    assert_true(races_before_step(b->races, b->global, &r));
    const uint32_t model = peek(b, addr);
    memcpy(b->global + addr, &value, sizeof value);
    return model;
}

/* True if a load of the RTL that has read `value` is right as far as is known. */
static bool load(struct bench *b, unsigned sm, uint64_t cycle, uint32_t addr, uint32_t value) {
    struct retire rtl = record(sm, cycle, RETIRE_MEM_GLOBAL_LOAD, addr);
    rtl.dst_kind = RETIRE_DST_REG32;
    rtl.dst_mask = 1;
    struct retire expected = rtl;
    struct compare_result differences;
    rtl.dst[0] = value;
    expected.dst[0] = peek(b, addr);
    assert_true(races_before_step(b->races, b->global, &rtl));
    return compare_records(&expected, &rtl, &differences) ||
           races_explain(b->races, b->model, &expected, &rtl, &differences);
}

/* Of two differing records. */
static bool is_explained(struct bench *b, const struct retire *expected, const struct retire *rtl) {
    struct compare_result differences;
    assert_false(compare_records(expected, rtl, &differences));
    return races_explain(b->races, b->model, expected, rtl, &differences);
}

static bool all_settled(const struct bench *b) { return races_overdue(b->races, UINT64_MAX) == NULL; }

static void test_race_explains_a_load_by_a_store_before(void **state) {
    struct bench *b = *state;
    store(b, 1, 100, DATA, 0x11223344);
    assert_true(load(b, 0, 110, DATA, 0)); /* read before that store was made */
    assert_true(all_settled(b));
    store(b, 1, 120, DATA, 0x55667788);
    assert_true(load(b, 0, 130, DATA, 0));          /* before both */
    assert_true(load(b, 0, 140, DATA, 0x11227788)); /* byte by byte */
    assert_true(all_settled(b));
    assert_int_equal(races_adopted(b->races), 3);
    assert_true(load(b, 0, 150, DATA, 0x99)); /* a value that no SM stored */
    assert_false(all_settled(b));
}

/* The value of a word before two stores may be read while the first of them may still be on its way. */
static void test_race_keeps_a_value_for_a_window(void **state) {
    struct bench *b = *state;
    store(b, 1, 100, DATA, 1);
    store(b, 1, 100 + RACE_WINDOW, DATA, 2);
    assert_true(load(b, 0, 100 + RACE_WINDOW, DATA, 0));
    assert_true(all_settled(b));
    store(b, 1, 100, DATA + 4, 1);
    store(b, 1, 101 + RACE_WINDOW, DATA + 4, 2);
    assert_true(load(b, 0, 101 + RACE_WINDOW, DATA + 4, 0));
    assert_false(all_settled(b));
}

static void test_race_explains_a_load_by_a_store_after(void **state) {
    struct bench *b = *state;
    assert_true(load(b, 0, 100, DATA, 7));
    assert_false(all_settled(b));
    assert_null(races_overdue(b->races, 100 + RACE_WINDOW));
    store(b, 1, 120, DATA, 8);
    store(b, 2, 120, DATA + 4, 7);
    assert_false(all_settled(b));
    store(b, 2, 130, DATA, 7);
    assert_true(all_settled(b));
    assert_true(load(b, 0, 140, DATA, 0x11223344));
    store(b, 1, 150, DATA, 0x11aa3344); /* byte by byte */
    assert_false(all_settled(b));
    store(b, 2, 160, DATA, 0xaa22aaaa);
    assert_true(all_settled(b));
}

static void test_race_reports_what_no_store_explains(void **state) {
    struct bench *b = *state;
    assert_true(load(b, 0, 100, DATA, 7));
    store(b, 0, 110, DATA, 7); /* of the same SM, and later: no */
    assert_null(races_overdue(b->races, 100 + RACE_WINDOW));
    const struct race_pending *p = races_overdue(b->races, 101 + RACE_WINDOW);
    assert_non_null(p);
    assert_int_equal(p->actual.dst[0], 7);
    assert_int_equal(p->expected.dst[0], 0);
}

static void test_race_needs_another_sm(void **state) {
    struct bench *b = *state;
    store(b, 0, 100, DATA, 5);
    assert_true(load(b, 0, 110, DATA, 0));
    assert_false(all_settled(b));
}

static void test_race_ends_with_an_atomic(void **state) {
    struct bench *b = *state;
    store(b, 1, 100, DATA, 5);
    assert_int_equal(exchange(b, 1, 110, FLAG, 0, 1), 0);
    assert_true(load(b, 0, 115, DATA, 0)); /* has not executed it */
    assert_true(all_settled(b));
    assert_int_equal(exchange(b, 0, 120, FLAG, 1, 1), 1);
    assert_true(load(b, 0, 130, DATA, 0)); /* has */
    assert_false(all_settled(b));
}

static void test_race_ends_by_way_of_another_sm(void **state) {
    struct bench *b = *state;
    store(b, 1, 100, DATA, 5);
    exchange(b, 1, 110, FLAG, 0, 1);
    exchange(b, 2, 120, FLAG, 1, 2);
    exchange(b, 2, 130, FLAG + 8, 0, 1);
    exchange(b, 0, 140, FLAG + 8, 1, 2);
    assert_true(load(b, 0, 150, DATA, 0));
    assert_false(all_settled(b));
}

static void test_race_is_not_ended_by_an_atomic_elsewhere(void **state) {
    struct bench *b = *state;
    store(b, 1, 100, DATA, 5);
    exchange(b, 1, 110, FLAG, 0, 1);
    exchange(b, 0, 120, FLAG + 4, 0, 1);
    assert_true(load(b, 0, 130, DATA, 0));
    assert_true(all_settled(b));
    store(b, 0, 140, DATA + 4, 5);
    exchange(b, 0, 150, FLAG + 4, 1, 2);
    exchange(b, 1, 160, FLAG, 1, 2);
    assert_true(load(b, 2, 170, DATA + 4, 0)); /* has executed no atomic at all */
    assert_true(all_settled(b));
}

static void test_race_forbids_a_store_that_follows_the_load(void **state) {
    struct bench *b = *state;
    assert_true(load(b, 0, 100, DATA, 5));
    exchange(b, 0, 110, FLAG, 0, 1);
    exchange(b, 1, 120, FLAG, 1, 2);
    store(b, 1, 130, DATA, 5); /* cannot have been made when the load read */
    assert_false(all_settled(b));
}

static void test_race_ends_with_time(void **state) {
    struct bench *b = *state;
    store(b, 1, 100, DATA, 5);
    assert_true(load(b, 0, 100 + RACE_WINDOW, DATA, 0));
    assert_true(all_settled(b));
    assert_true(load(b, 0, 101 + RACE_WINDOW, DATA, 0));
    assert_false(all_settled(b));
}

/* The value of a byte before stores that are long over is dropped. */
static void test_race_forgets_old_values(void **state) {
    struct bench *b = *state;
    for (unsigned i = 1; i <= 3; i++) store(b, 1, (uint64_t)2 * i * RACE_WINDOW, DATA, i);
    assert_true(load(b, 0, (uint64_t)6 * RACE_WINDOW + 10, DATA, 2));
    assert_true(all_settled(b));
    assert_true(load(b, 0, (uint64_t)6 * RACE_WINDOW + 20, DATA, 1));
    assert_false(all_settled(b));
}

/* But not before the last of several stores is known. */
static void test_race_remembers_who_may_have_won(void **state) {
    struct bench *b = *state;
    store(b, 1, 100, DATA, 5);
    store(b, 2, 110, DATA, 6);
    store(b, 1, 4 * RACE_WINDOW, DATA, 7);
    assert_true(load(b, 0, 4 * RACE_WINDOW + 10, DATA, 5));
    assert_true(all_settled(b));
    store(b, 1, 8 * RACE_WINDOW, DATA, 8);
    assert_true(load(b, 0, 8 * RACE_WINDOW + 10, DATA, 5));
    assert_false(all_settled(b));
}

/* An atomic without a result orders like one with a result. */
static void test_race_ends_with_a_reduction(void **state) {
    struct bench *b = *state;
    struct retire r = record(1, 110, RETIRE_MEM_GLOBAL_ATOMIC, FLAG);
    store(b, 1, 100, DATA, 5);
    assert_true(races_before_step(b->races, b->global, &r));
    assert_true(load(b, 0, 115, DATA, 0));
    assert_true(all_settled(b));
    r.sm = 0;
    r.cycle = 120;
    assert_true(races_before_step(b->races, b->global, &r));
    assert_true(load(b, 0, 130, DATA, 0));
    assert_false(all_settled(b));
}

static void test_race_of_stores_leaves_either(void **state) {
    struct bench *b = *state;
    store(b, 1, 100, DATA, 5);
    assert_false(races_may_hold(b->races, DATA, 0)); /* one store: no race */
    assert_false(races_may_hold(b->races, DATA, 5));
    store(b, 2, 110, DATA, 6);
    assert_true(races_may_hold(b->races, DATA, 5));
    assert_false(races_may_hold(b->races, DATA, 7));
    assert_true(load(b, 2, 200000, DATA, 5)); /* in whichever cycle it is read */
    assert_true(all_settled(b));
    store(b, 2, 300000, DATA, 9);
    assert_false(races_may_hold(b->races, DATA, 5));
}

static void test_race_of_an_atomic_with_a_store(void **state) {
    struct bench *b = *state;
    assert_int_equal(exchange(b, 0, 90, FLAG, 0, 1), 0);
    store(b, 0, 100, FLAG, 0);
    assert_int_equal(exchange(b, 1, 110, FLAG, 1, 1), 1); /* preceded the store: the model follows */
    assert_true(all_settled(b));
    assert_int_equal(exchange(b, 2, 120, FLAG, 3, 1), 3); /* a value that no SM stored */
    const struct race_pending *p = races_overdue(b->races, UINT64_MAX);
    assert_non_null(p);
    assert_int_equal(p->expected.dst[0], 1);
    assert_int_equal(p->actual.dst[0], 3);
}

/* Each byte that the atomic found is explained separately. */
static void test_race_of_an_atomic_in_an_upper_byte(void **state) {
    struct bench *b = *state;
    assert_int_equal(exchange(b, 0, 90, FLAG, 0, 0x50000), 0);
    store(b, 0, 100, FLAG, 0);
    assert_int_equal(exchange(b, 1, 110, FLAG, 0x50000, 1), 0x50000);
    assert_true(all_settled(b));
}

/* Lanes 0 and 1 add 2 to a word, lane 2 to the next one; SM 0 has set both to 0, and the RTL found the older 3 and 7.
 * Of the two lanes the second found the first one's result. */
static void test_race_of_an_atomic_of_many_lanes(void **state) {
    struct bench *b = *state;
    struct retire rtl = record(1, 110, RETIRE_MEM_GLOBAL_ATOMIC, FLAG);
    exchange(b, 0, 80, FLAG, 0, 3);
    exchange(b, 0, 80, FLAG + 4, 0, 7);
    store(b, 0, 90, FLAG, 0);
    store(b, 0, 90, FLAG + 4, 0);
    rtl.mem_mask = rtl.dst_mask = 7;
    rtl.addr[1] = FLAG;
    rtl.addr[2] = FLAG + 4;
    rtl.dst[0] = 3;
    rtl.dst[1] = 5;
    rtl.dst[2] = 7;
    rtl.data[0] = 5;
    rtl.data[1] = 7;
    rtl.data[2] = 9;
    assert_true(races_before_step(b->races, b->global, &rtl));
    assert_int_equal(peek(b, FLAG), 3);
    assert_int_equal(peek(b, FLAG + 4), 7);
    assert_true(all_settled(b));
}

static void test_race_decides_values_only(void **state) {
    struct bench *b = *state;
    struct retire rtl = record(0, 110, RETIRE_MEM_GLOBAL_LOAD, DATA), expected;
    store(b, 1, 100, DATA, 0x80);
    rtl.dst_mask = 1;
    rtl.mem_bytes = 1;
    set_instruction(&rtl, "GLD.S8 R1, global14[R2]");
    expected = rtl;
    expected.next_pc = 8;
    assert_false(is_explained(b, &expected, &rtl));
    expected = rtl;
    expected.dst_reg = 8;
    assert_false(is_explained(b, &expected, &rtl));
    expected = rtl;
    expected.dst_mask = 3;
    assert_false(is_explained(b, &expected, &rtl));
    expected = rtl;
    rtl.dst[0] = 0xff80; /* extended neither with zeros nor with its sign */
    assert_false(is_explained(b, &expected, &rtl));
    rtl.dst[0] = 0x180; /* one bit too many */
    assert_false(is_explained(b, &expected, &rtl));
    rtl.dst[0] = 0x80; /* which would be right for U8 */
    assert_false(is_explained(b, &expected, &rtl));
    rtl.dst[0] = 0xffffff80;
    assert_true(is_explained(b, &expected, &rtl));
    assert_true(all_settled(b)); /* the extension is not a byte that was read */
    set_instruction(&rtl, "GLD.U8 R1, global14[R2]");
    set_instruction(&expected, "GLD.U8 R1, global14[R2]");
    assert_false(is_explained(b, &expected, &rtl));
    rtl.dst[0] = 0x80;
    assert_true(is_explained(b, &expected, &rtl));
    rtl.mem_bytes = expected.mem_bytes = 2;
    rtl.dst[0] = 0x10080;
    assert_false(is_explained(b, &expected, &rtl));
    rtl.dst[0] = 0x80;
    assert_true(is_explained(b, &expected, &rtl));
    expected.data[0] = 1;
    assert_false(is_explained(b, &expected, &rtl));
    expected.data[0] = 0;
    rtl.mem_kind = expected.mem_kind = RETIRE_MEM_LOCAL_LOAD;
    assert_false(is_explained(b, &expected, &rtl));
    rtl.mem_kind = expected.mem_kind = RETIRE_MEM_GLOBAL_ATOMIC;
    assert_false(is_explained(b, &expected, &rtl));
}

/* A store covers its own bytes: the following byte has raced with nothing. */
static void test_race_is_of_the_bytes_stored(void **state) {
    struct bench *b = *state;
    store(b, 1, 90, DATA, 0);
    store(b, 2, 100, DATA, 0x11223344);
    assert_true(races_may_hold(b->races, DATA + 3, 0x11));
    assert_false(races_may_hold(b->races, DATA + 4, 0));
}

/* Adopting the value that an atomic found leaves the surrounding bytes alone. */
static void test_race_of_an_atomic_keeps_its_neighbours(void **state) {
    struct bench *b = *state;
    static const uint8_t around[] = {0xaa, 0xbb, 1, 0, 0, 0, 0xcc, 0xdd};
    assert_int_equal(exchange(b, 0, 90, FLAG, 0, 1), 0);
    store(b, 0, 100, FLAG, 0);
    memcpy(b->global + FLAG - 2, around, sizeof around);
    b->global[FLAG] = 0;
    assert_int_equal(exchange(b, 1, 110, FLAG, 1, 1), 1);
    assert_memory_equal(b->global + FLAG - 2, around, sizeof around);
}

/* Lane 1 has read a value that no store in the model's order explains; its register adopts it. Lane 0 does not execute
 * and keeps its own. */
static void test_race_changes_the_lanes_that_differ(void **state) {
    struct bench *b = *state;
    struct launch run = kernel_make(KERNEL_LOOP, 1, 32, &b->machine);
    struct retire rtl = record(0, 110, RETIRE_MEM_GLOBAL_LOAD, DATA), expected;
    struct diag d;
    run.image->regs = 2;
    assert_int_equal(model_launch(b->model, run.image, &d), STATUS_OK);
    model_poke_reg(b->model, 0, 0, 0, 1, 77);
    model_poke_reg(b->model, 0, 0, 1, 1, 0);
    store(b, 1, 100, DATA, 5);
    rtl.exec = rtl.mem_mask = rtl.dst_mask = 2;
    rtl.addr[0] = 0;
    rtl.addr[1] = DATA;
    rtl.dst_kind = RETIRE_DST_REG32;
    rtl.dst_reg = 1;
    expected = rtl;
    expected.dst[1] = 5;
    assert_true(is_explained(b, &expected, &rtl));
    assert_int_equal(races_adopted(b->races), 1);
    assert_int_equal(model_peek_reg(b->model, 0, 0, 0, 1), 77);
    assert_int_equal(model_peek_reg(b->model, 0, 0, 1, 1), 0);

    rtl.exec = rtl.mem_mask = rtl.dst_mask = 1; /* then lane 0, before the same store */
    rtl.addr[0] = DATA;
    expected = rtl;
    expected.dst[0] = 5;
    assert_true(is_explained(b, &expected, &rtl));
    assert_int_equal(model_peek_reg(b->model, 0, 0, 0, 1), 0);

    model_poke_reg(b->model, 0, 0, 0, 1, 0x56781234); /* and half a register, the upper one of R1 */
    rtl.dst_kind = RETIRE_DST_REG16;
    rtl.dst_reg = 3;
    expected = rtl;
    expected.dst[0] = 0x5678;
    assert_true(is_explained(b, &expected, &rtl));
    assert_int_equal(model_peek_reg(b->model, 0, 0, 0, 1), 0x1234);
    kernel_release(&run);
}

/* Two lanes load two words, all before they were stored: the registers of both words adopt the values. */
static void test_race_of_a_wide_load(void **state) {
    struct bench *b = *state;
    struct launch run = kernel_make(KERNEL_LOOP, 1, 32, &b->machine);
    struct retire rtl = record(0, 110, RETIRE_MEM_GLOBAL_LOAD, DATA), expected;
    struct diag d;
    run.image->regs = 4;
    assert_int_equal(model_launch(b->model, run.image, &d), STATUS_OK);
    store(b, 1, 100, DATA, 5);
    store(b, 1, 100, DATA + 4, 6);
    rtl.exec = rtl.mem_mask = rtl.dst_mask = 3;
    rtl.addr[1] = DATA;
    rtl.mem_bytes = 8;
    rtl.dst_kind = RETIRE_DST_REG32;
    rtl.dst_reg = 2;
    expected = rtl;
    for (unsigned lane = 0; lane < 2; lane++) {
        expected.dst[lane] = 5;
        expected.dst_rest[0][lane] = 6;
        for (unsigned reg = 2; reg < 4; reg++) model_poke_reg(b->model, 0, 0, lane, reg, expected.dst[lane]);
    }
    assert_true(is_explained(b, &expected, &rtl));
    assert_true(all_settled(b));
    assert_int_equal(races_adopted(b->races), 2);
    for (unsigned reg = 2; reg < 4; reg++) assert_int_equal(model_peek_reg(b->model, 0, 0, 1, reg), 0);
    kernel_release(&run);
}

/* Many loads can wait at a time, and each is settled by its own store. */
static void test_race_remembers_many_loads(void **state) {
    struct bench *b = *state;
    enum { LOADS = 100 };
    for (unsigned i = 0; i < LOADS; i++) assert_true(load(b, 0, 100 + i, DATA + 4 * i, i + 1));
    for (unsigned i = 0; i < LOADS; i++) {
        const struct race_pending *first = races_overdue(b->races, UINT64_MAX);
        assert_non_null(first);
        assert_int_equal(first->actual.dst[0], i + 1);
        store(b, 1, 300, DATA + 4 * i, i + 1);
    }
    assert_true(all_settled(b));
}

/* The model refuses records of an SM that does not exist. */
static void test_race_is_of_sms_that_there_are(void **state) {
    struct bench *b = *state;
    assert_int_equal(exchange(b, b->machine.sms, 100, DATA, 5, 7), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_race_explains_a_load_by_a_store_before),
        TEST(test_race_explains_a_load_by_a_store_after),
        TEST(test_race_keeps_a_value_for_a_window),
        TEST(test_race_reports_what_no_store_explains),
        TEST(test_race_needs_another_sm),
        TEST(test_race_ends_with_an_atomic),
        TEST(test_race_ends_by_way_of_another_sm),
        TEST(test_race_is_not_ended_by_an_atomic_elsewhere),
        TEST(test_race_forbids_a_store_that_follows_the_load),
        TEST(test_race_ends_with_time),
        TEST(test_race_forgets_old_values),
        TEST(test_race_remembers_who_may_have_won),
        TEST(test_race_ends_with_a_reduction),
        TEST(test_race_of_stores_leaves_either),
        TEST(test_race_of_an_atomic_with_a_store),
        TEST(test_race_of_an_atomic_of_many_lanes),
        TEST(test_race_decides_values_only),
        TEST(test_race_is_of_the_bytes_stored),
        TEST(test_race_of_an_atomic_in_an_upper_byte),
        TEST(test_race_of_an_atomic_keeps_its_neighbours),
        TEST(test_race_changes_the_lanes_that_differ),
        TEST(test_race_of_a_wide_load),
        TEST(test_race_remembers_many_loads),
        TEST(test_race_is_of_sms_that_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

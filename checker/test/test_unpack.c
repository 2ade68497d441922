/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../record/unpack.h"
#include "port.h"
#include "records.h"

static uint32_t row_lanes(unsigned row, unsigned cores) {
    return cores == 32 ? 0xffffffff : (((uint32_t)1 << cores) - 1) << (row * cores);
}

static void send_rows(struct unpack *u, const struct retire *r, unsigned sm, unsigned cores, uint64_t *cycle) {
    static struct port_image port;
    const unsigned rows = WARP_LANES / cores;
    for (unsigned row = 0; row < rows; row++) {
        port_clear(&port, cores);
        port_put_beat(&port, &(struct port_beat){sm, row, row_lanes(row, cores), row == rows - 1, false, 0}, r);
        assert_true(unpack_clock(u, port.words, NULL, ++*cycle));
    }
}

static void test_unpack_joins_rows_of_any_width(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (unsigned cores = 8; cores <= 32; cores *= 2) {
        struct unpack *u = unpack_create(cores, 2);
        uint64_t cycle = 0;
        for (unsigned i = 0; i < 300; i++) {
            const struct retire sent = records_random(&seed, 1);
            struct retire got;
            assert_false(unpack_next(u, &got));
            send_rows(u, &sent, i % 2, cores, &cycle);
            assert_true(unpack_next(u, &got));
            records_assert_same(&sent, &got);
            assert_int_equal(got.sm, i % 2);
            assert_int_equal(got.cycle, cycle);
        }
        unpack_destroy(u);
    }
}

/* A row with conflicts arrives in several beats with disjoint lanes. */
static void test_unpack_joins_split_rows(void **state) {
    (void)state;
    static struct port_image port;
    static const uint32_t PARTS[] = {0x55, 0xaa, 0xff00, 0x0f0000, 0xf00000, 0xff000000};
    uint32_t seed = 2;
    const struct retire sent = records_random(&seed, 1);
    struct retire got;
    struct unpack *u = unpack_create(8, 1);
    for (unsigned i = 0; i < 6; i++) {
        port_clear(&port, 8);
        port_put_beat(&port, &(struct port_beat){0, (unsigned)__builtin_ctz(PARTS[i]) / 8, PARTS[i], i == 5, false, 0},
                      &sent);
        assert_true(unpack_clock(u, port.words, NULL, i));
    }
    assert_true(unpack_next(u, &got));
    records_assert_same(&sent, &got);
    unpack_destroy(u);
}

static void send_load(struct unpack *u, const struct retire *r, unsigned sm, uint32_t lanes, bool last, bool expected) {
    static struct port_image port;
    port_clear(&port, 32);
    port_put_load(&port, &(struct port_beat){sm, 0, lanes, last, false, 0}, r);
    assert_int_equal(unpack_clock(u, port.words, NULL, 100), expected);
}

static void send_pending(struct unpack *u, const struct retire *r, unsigned sm) {
    static struct port_image port;
    port_clear(&port, 32);
    port_put_beat(&port, &(struct port_beat){sm, 0, 0xffffffff, true, true, 0}, r);
    assert_true(unpack_clock(u, port.words, NULL, 50));
}

/* Records wait behind a load; loads of one SM are filled oldest first, and those of another SM do not interfere. */
static void test_unpack_fills_loads_in_order(void **state) {
    (void)state;
    uint32_t seed = 3;
    struct unpack *u = unpack_create(32, 2);
    const struct retire a = records_random(&seed, 1), b = records_random(&seed, 1), c = records_random(&seed, 1);
    struct retire got;
    send_pending(u, &a, 0);
    send_pending(u, &c, 1);
    send_pending(u, &b, 0);
    assert_int_equal(unpack_waiting(u), 3);
    send_load(u, &c, 1, c.dst_mask, true, true);
    assert_false(unpack_next(u, &got));
    send_load(u, &a, 0, a.dst_mask & 0xffff, false, true);
    assert_false(unpack_next(u, &got));
    send_load(u, &a, 0, a.dst_mask & 0xffff0000, true, true);
    assert_true(unpack_next(u, &got));
    records_assert_same(&a, &got);
    assert_true(unpack_next(u, &got));
    records_assert_same(&c, &got);
    assert_false(unpack_next(u, &got));
    send_load(u, &b, 0, b.dst_mask, true, true);
    assert_true(unpack_next(u, &got));
    records_assert_same(&b, &got);
    unpack_destroy(u);
}

/* Rows that return while the load itself is still being issued, row by row, belong to it. */
static void test_unpack_takes_loads_that_overtake_their_own_rows(void **state) {
    (void)state;
    static struct port_image port;
    uint32_t seed = 7;
    struct retire sent = records_random(&seed, 1), got;
    sent.exec = 0xffffffff;
    struct unpack *u = unpack_create(8, 1);
    for (unsigned row = 0; row < 6; row++) {
        port_clear(&port, 8);
        if (row < 4) port_put_beat(&port, &(struct port_beat){0, row, row_lanes(row, 8), row == 3, true, 0}, &sent);
        if (row >= 2) {
            const unsigned back = row - 2;
            const uint32_t lanes = row_lanes(back, 8) & sent.dst_mask;
            port_put_load(&port, &(struct port_beat){0, back, lanes, back == 3, false, 0}, &sent);
        }
        assert_true(unpack_clock(u, port.words, NULL, row));
        assert_int_equal(unpack_next(u, &got), row == 5);
    }
    records_assert_same(&sent, &got);
    unpack_destroy(u);
}

/* The whole load may arrive while the last beat waits. */
static void test_unpack_takes_a_load_that_ends_before_its_last_beat(void **state) {
    (void)state;
    static struct port_image port;
    uint32_t seed = 11;
    struct retire sent = records_random(&seed, 1), got;
    sent.exec = 0xffffffff;
    struct unpack *u = unpack_create(32, 1);
    for (unsigned pending = 0; pending < 2; pending++) {
        port_clear(&port, 32);
        port_put_beat(&port, &(struct port_beat){0, 0, 0xffff, false, true, 0}, &sent);
        assert_true(unpack_clock(u, port.words, NULL, 1));
        send_load(u, &sent, 0, sent.dst_mask, true, true);
        assert_false(unpack_next(u, &got));
        port_clear(&port, 32);
        port_put_beat(&port, &(struct port_beat){0, 0, 0xffff0000, true, true, 0}, &sent);
        if (pending == 0) port_put_bits(&port, 0, AT_pending, 1, 0);
        assert_int_equal(unpack_clock(u, port.words, NULL, 2), pending == 1);
        if (pending == 0) unpack_reset(u);
    }
    assert_true(unpack_next(u, &got));
    records_assert_same(&sent, &got);
    unpack_destroy(u);
}

static void test_unpack_refuses_loads_that_cannot_be(void **state) {
    (void)state;
    uint32_t seed = 4;
    const struct retire a = records_random(&seed, 1);
    struct unpack *u = unpack_create(32, 1);
    send_load(u, &a, 0, 1, true, true); /* complete before its own beat */
    assert_false(unpack_is_between(u));
    send_load(u, &a, 0, 1, true, false);
    assert_string_equal(unpack_why(u), "trace port of SM 0: more load beats than loads");
    unpack_reset(u);
    send_pending(u, &a, 0);
    send_load(u, &a, 0, 1, false, true);
    send_load(u, &a, 0, 1, true, false);
    assert_string_equal(unpack_why(u), "trace port of SM 0: two load beats bring the same lane");
    unpack_destroy(u);
}

static void test_unpack_refuses_a_lane_twice(void **state) {
    (void)state;
    static struct port_image port;
    struct retire r = {.exec = 0xffffffff};
    struct unpack *u = unpack_create(8, 1);
    port_clear(&port, 8);
    port_put_beat(&port, &(struct port_beat){0, 1, 0x100, false, false, 0}, &r);
    assert_true(unpack_clock(u, port.words, NULL, 1));
    assert_false(unpack_clock(u, port.words, NULL, 2));
    assert_string_equal(unpack_why(u), "trace port of SM 0: two beats of one instruction report the same lane");
    unpack_destroy(u);
}

static void test_unpack_refuses_a_row_beyond_the_warp(void **state) {
    (void)state;
    static struct port_image port;
    struct retire r = {0};
    struct unpack *u = unpack_create(16, 1);
    port_clear(&port, 16);
    port_put_beat(&port, &(struct port_beat){0, 0, 0, true, false, 0}, &r);
    port_put_bits(&port, 0, AT_row, 2, 2);
    assert_false(unpack_clock(u, port.words, NULL, 1));
    assert_string_equal(unpack_why(u), "trace port of SM 0: a beat names a row beyond the warp");
    unpack_reset(u);
    port_clear(&port, 16);
    port_put_load(&port, &(struct port_beat){0, 0, 0, true, false, 0}, &r);
    port_put_bits(&port, 0, AT_load_row, 2, 2);
    assert_false(unpack_clock(u, port.words, NULL, 1));
    assert_string_equal(unpack_why(u), "trace port of SM 0: a load beat names a row beyond the warp");
    unpack_destroy(u);
}

/* Records of every SM are complete at the end. */
static void test_unpack_knows_when_all_is_whole(void **state) {
    (void)state;
    static struct port_image port;
    const struct retire r = {.exec = 1};
    struct unpack *u = unpack_create(8, 8);
    for (unsigned sm = 0; sm < 8; sm++) {
        assert_true(unpack_is_between(u));
        port_clear(&port, 8);
        port_put_beat(&port, &(struct port_beat){sm, 0, 1, false, false, 0}, &r);
        assert_true(unpack_clock(u, port.words, NULL, 1));
        assert_false(unpack_is_between(u));
        unpack_reset(u);
    }
    unpack_destroy(u);
}

/* A bit that is neither 0 nor 1 is an error in used places: a valid record's scalars, masks and masked values. */
static void test_unpack_refuses_unknown_bits_that_count(void **state) {
    (void)state;
    static struct port_image port, unknown;
    struct retire r = {.exec = 0x100, .dst_mask = 0x100};
    const unsigned lane0 = RETIRE_BITS, lane1 = RETIRE_BITS + RETIRE_LANE_BITS;
    static const struct {
        unsigned bit;
        const char *why; /* NULL: it is unused */
    } CASES[] = {
        {AT_valid,                 "bit 0 of valid is neither 0 nor 1"           },
        {AT_load_valid,            "bit 0 of load_valid is neither 0 nor 1"      },
        {AT_pc + 3,                "bit 3 of pc is neither 0 nor 1"              },
        {AT_trap,                  "bit 0 of trap is neither 0 nor 1"            },
        {AT_load_row,              NULL                                          },
        {lane0 + LANE_AT_dst + 31, "bit 31 of dst in lane 8 is neither 0 nor 1"  },
        {lane0 + LANE_AT_addr,     NULL                                          },
        {lane1 + LANE_AT_dst,      NULL                                          },
        {lane1 + LANE_AT_dst_mask, "bit 0 of dst_mask in lane 9 is neither 0 nor"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct unpack *u = unpack_create(8, 1);
        port_clear(&port, 8);
        port_clear(&unknown, 8);
        port_put_beat(&port, &(struct port_beat){0, 1, 0xffffffff, true, false, 0}, &r);
        port_put_bits(&unknown, 0, CASES[i].bit, 1, 1);
        assert_int_equal(unpack_clock(u, port.words, unknown.words, 1), CASES[i].why == NULL);
        if (CASES[i].why != NULL) assert_non_null(strstr(unpack_why(u), CASES[i].why));
        unpack_destroy(u);
    }
}

static void test_unpack_a_trap_has_no_effect(void **state) {
    (void)state;
    uint32_t seed = 5;
    uint64_t cycle = 0;
    struct retire r = records_random(&seed, 1), got;
    r.trap = TRAP_GLOBAL_ALIGN;
    struct unpack *u = unpack_create(8, 1);
    send_rows(u, &r, 0, 8, &cycle);
    assert_true(unpack_next(u, &got));
    assert_int_equal(got.trap, TRAP_GLOBAL_ALIGN);
    assert_int_equal(got.pc, r.pc);
    assert_int_equal(got.active, r.active);
    assert_int_equal(got.exec | got.dst_mask | got.c_mask | got.a_mask | got.mem_mask | got.next_pc | got.next_active,
                     0);
    assert_int_equal(got.dst_kind | got.mem_kind | got.mem_bytes, 0);
    unpack_destroy(u);
}

/* A load that trapped in one lane may still bring values for others: they have no effect. */
static void test_unpack_a_trapped_load_has_no_effect(void **state) {
    (void)state;
    uint32_t seed = 8;
    struct retire r = records_random(&seed, 1), got;
    r.trap = TRAP_GLOBAL_RANGE;
    struct unpack *u = unpack_create(32, 1);
    send_pending(u, &r, 0);
    assert_false(unpack_next(u, &got));
    send_load(u, &r, 0, r.dst_mask | 1, true, true);
    assert_true(unpack_next(u, &got));
    assert_int_equal(got.trap, TRAP_GLOBAL_RANGE);
    assert_int_equal(got.dst_mask | got.dst[0], 0);
    unpack_destroy(u);
}

/* Many records fit, also after some have been removed. */
static void test_unpack_holds_many_records(void **state) {
    (void)state;
    uint32_t seed = 6;
    uint64_t cycle = 0;
    struct retire got, first = records_random(&seed, 1), sent[500];
    struct unpack *u = unpack_create(32, 1);
    for (unsigned i = 0; i < 10; i++) {
        send_rows(u, &first, 0, 32, &cycle);
        assert_true(unpack_next(u, &got));
    }
    send_pending(u, &first, 0);
    for (unsigned i = 0; i < 500; i++) {
        sent[i] = records_random(&seed, 1);
        send_rows(u, &sent[i], 0, 32, &cycle);
    }
    assert_int_equal(unpack_waiting(u), 501);
    send_load(u, &first, 0, first.dst_mask, true, true);
    assert_true(unpack_next(u, &got));
    for (unsigned i = 0; i < 500; i++) {
        assert_true(unpack_next(u, &got));
        records_assert_same(&sent[i], &got);
    }
    unpack_destroy(u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unpack_joins_rows_of_any_width),
        cmocka_unit_test(test_unpack_joins_split_rows),
        cmocka_unit_test(test_unpack_fills_loads_in_order),
        cmocka_unit_test(test_unpack_takes_loads_that_overtake_their_own_rows),
        cmocka_unit_test(test_unpack_takes_a_load_that_ends_before_its_last_beat),
        cmocka_unit_test(test_unpack_refuses_loads_that_cannot_be),
        cmocka_unit_test(test_unpack_refuses_a_lane_twice),
        cmocka_unit_test(test_unpack_refuses_a_row_beyond_the_warp),
        cmocka_unit_test(test_unpack_knows_when_all_is_whole),
        cmocka_unit_test(test_unpack_refuses_unknown_bits_that_count),
        cmocka_unit_test(test_unpack_a_trap_has_no_effect),
        cmocka_unit_test(test_unpack_a_trapped_load_has_no_effect),
        cmocka_unit_test(test_unpack_holds_many_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

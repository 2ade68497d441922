/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of 8 and 16 bytes on the trace port: they arrive word by word, each word a part, the parts in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../record/unpack.h"
#include "port.h"
#include "records.h"

static const unsigned ORDERS[][4] = {
    {0, 1, 2, 3},
    {3, 2, 1, 0},
    {1, 0, 3, 2},
    {2, 3, 0, 1}
};

static bool send_part(struct unpack *u, const struct retire *r, unsigned part, uint32_t lanes, bool last) {
    static struct port_image port;
    port_clear(&port, 32);
    port_put_beat(&port, &(struct port_beat){0, 0, lanes, last, false, part}, r);
    return unpack_clock(u, port.words, NULL, 1);
}

static bool send_load_part(struct unpack *u, const struct retire *r, unsigned part, uint32_t lanes, bool last) {
    static struct port_image port;
    port_clear(&port, 32);
    port_put_load(&port, &(struct port_beat){0, 0, lanes, last, false, part}, r);
    return unpack_clock(u, port.words, NULL, 1);
}

/* Narrow and wide instructions in turn, so that no state of one remains in the next. */
static void test_wide_joins_parts_in_any_order(void **state) {
    (void)state;
    uint32_t seed = 9;
    struct unpack *u = unpack_create(32, 1);
    struct retire got;
    for (unsigned i = 0; i < 300; i++) {
        const unsigned words = 1u << i % 3;
        const struct retire sent = records_random(&seed, words);
        for (unsigned k = 0; k < words; k++) {
            const unsigned part = ORDERS[i / 3 % 4][k] & (words - 1);
            assert_true(send_part(u, &sent, part, 0xffff0000, false));
            assert_true(send_part(u, &sent, part, 0x0000ffff, k + 1 == words));
        }
        assert_true(unpack_next(u, &got));
        records_assert_same(&sent, &got);
    }
    unpack_destroy(u);
}

/* Flags and the A register come with any one part. */
static void test_wide_takes_flags_and_addresses_from_any_part(void **state) {
    (void)state;
    const unsigned lane1 = RETIRE_BITS + RETIRE_LANE_BITS;
    struct unpack *u = unpack_create(32, 1);
    for (unsigned with = 0; with < 4; with++) {
        static struct port_image port;
        const struct retire sent = {.exec = 3, .mem_mask = 3, .mem_bytes = 16};
        struct retire got;
        for (unsigned part = 0; part < 4; part++) {
            port_clear(&port, 32);
            port_put_beat(&port, &(struct port_beat){0, 0, 3, part == 3, false, part}, &sent);
            if (part == with) {
                port_put_bits(&port, 0, lane1 + LANE_AT_c_mask, 1, 1);
                port_put_bits(&port, 0, lane1 + LANE_AT_c, 4, 9);
                port_put_bits(&port, 0, lane1 + LANE_AT_a_mask, 1, 1);
                port_put_bits(&port, 0, lane1 + LANE_AT_a, 16, 0x8123);
            }
            assert_true(unpack_clock(u, port.words, NULL, 1));
        }
        assert_true(unpack_next(u, &got));
        assert_int_equal(got.c_mask, 2);
        assert_int_equal(got.c[1], 9);
        assert_int_equal(got.a_mask, 2);
        assert_int_equal(got.a[1], 0x8123);
    }
    unpack_destroy(u);
}

static void test_wide_fills_loads_part_by_part(void **state) {
    (void)state;
    uint32_t seed = 10;
    struct unpack *u = unpack_create(32, 1);
    struct retire got;
    for (unsigned order = 0; order < 4; order++) {
        static struct port_image port;
        const struct retire sent = records_random(&seed, 4), next = records_random(&seed, 1);
        for (unsigned k = 0; k < 4; k++) {
            port_clear(&port, 32);
            port_put_beat(&port, &(struct port_beat){0, 0, 0xffffffff, k == 3, true, ORDERS[order][k]}, &sent);
            assert_true(unpack_clock(u, port.words, NULL, k));
            /* the first part returns before the last one has retired */
            if (k == 2) assert_true(send_load_part(u, &sent, ORDERS[order][0], sent.dst_mask, false));
        }
        assert_true(send_part(u, &next, 0, 0xffffffff, true));
        for (unsigned k = 1; k < 4; k++) {
            assert_false(unpack_next(u, &got));
            assert_true(send_load_part(u, &sent, ORDERS[order][k], sent.dst_mask & 0xff, false));
            assert_true(send_load_part(u, &sent, ORDERS[order][k], sent.dst_mask & ~0xffu, k == 3));
        }
        assert_true(unpack_next(u, &got));
        records_assert_same(&sent, &got);
        assert_true(unpack_next(u, &got));
        records_assert_same(&next, &got);
    }
    unpack_destroy(u);
}

/* Words whose registers do not exist have no load beats: their values are 0. */
static void test_wide_takes_a_load_without_its_last_words(void **state) {
    (void)state;
    struct retire sent = {.exec = 0xff, .dst_mask = 0xff, .mem_mask = 0xff, .mem_bytes = 16}, got;
    sent.dst[3] = 33;
    sent.dst_rest[0][3] = 44;
    struct unpack *u = unpack_create(32, 1);
    static struct port_image port;
    for (unsigned part = 0; part < 4; part++) {
        port_clear(&port, 32);
        port_put_beat(&port, &(struct port_beat){0, 0, 0xffffffff, part == 3, true, part}, &sent);
        assert_true(unpack_clock(u, port.words, NULL, 1));
    }
    assert_true(send_load_part(u, &sent, 0, 0xff, false));
    assert_true(send_load_part(u, &sent, 1, 0xff, true));
    assert_true(unpack_next(u, &got));
    records_assert_same(&sent, &got);
    unpack_destroy(u);
}

static void expect_refused(struct unpack *u, bool taken, const char *why) {
    assert_false(taken);
    assert_string_equal(unpack_why(u), why);
    unpack_reset(u);
}

static void test_wide_refuses_parts_that_cannot_be(void **state) {
    (void)state;
    struct retire wide = {.exec = 3, .mem_mask = 3, .mem_bytes = 8};
    const struct retire narrow = {.exec = 3, .mem_mask = 3, .mem_bytes = 4};
    struct unpack *u = unpack_create(32, 1);
    assert_true(send_part(u, &wide, 1, 1, false));
    expect_refused(u, send_part(u, &wide, 1, 1, false),
                   "trace port of SM 0: two beats of one instruction report the same lane");
    assert_true(send_part(u, &wide, 0, 3, false));
    expect_refused(u, send_part(u, &wide, 1, 1, true),
                   "trace port of SM 0: the parts of one access report different lanes");
    expect_refused(u, send_part(u, &wide, 0, 3, true),
                   "trace port of SM 0: the parts of one access report different lanes");
    struct retire other = wide;
    other.exec = 1;
    assert_true(send_part(u, &wide, 0, 3, false));
    expect_refused(u, send_part(u, &other, 1, 3, true),
                   "trace port of SM 0: the parts of one access report different lanes");
    other = wide;
    other.mem_mask = 1;
    assert_true(send_part(u, &wide, 0, 3, false));
    expect_refused(u, send_part(u, &other, 1, 3, true),
                   "trace port of SM 0: the parts of one access report different lanes");
    other = wide;
    other.dst_mask = 1;
    assert_true(send_part(u, &wide, 0, 3, false));
    expect_refused(u, send_part(u, &other, 1, 3, true),
                   "trace port of SM 0: the parts of one access report different lanes");
    struct retire load = wide;
    load.dst_mask = 3; /* a part of it writes them all, or none */
    assert_true(send_part(u, &load, 0, 3, false));
    expect_refused(u, send_part(u, &other, 1, 3, true),
                   "trace port of SM 0: the parts of one access report different lanes");
    assert_true(send_part(u, &wide, 0, 3, false));
    assert_true(send_part(u, &wide, 2, 3, false));
    expect_refused(u, send_part(u, &wide, 1, 3, true), "trace port of SM 0: a beat names a part beyond the access");
    assert_true(send_part(u, &narrow, 0, 3, false));
    expect_refused(u, send_part(u, &narrow, 1, 3, true), "trace port of SM 0: a beat names a part beyond the access");
    const struct retire halves[] = {{.mem_mask = 3}, {.dst_mask = 3}};
    for (size_t i = 0; i < 2; i++) {
        assert_true(send_part(u, &halves[i], 1, 3, false));
        expect_refused(u, send_part(u, &narrow, 0, 3, true),
                       "trace port of SM 0: a beat names a part beyond the access");
    }
    unpack_destroy(u);
}

static void test_wide_refuses_load_parts_that_cannot_be(void **state) {
    (void)state;
    struct unpack *u = unpack_create(32, 1);
    static const struct {
        uint32_t words, part, lanes;
        const char *why;
    } CASES[] = {
        {2, 1, 1, "trace port of SM 0: a load ends with lanes of a part missing"  },
        {4, 3, 1, "trace port of SM 0: a load ends with lanes of a part missing"  },
        {2, 0, 3, "trace port of SM 0: two load beats bring the same lane"        },
        {2, 1, 3, "trace port of SM 0: two load beats bring the same lane"        },
        {2, 3, 3, "trace port of SM 0: a load beat names a part beyond the access"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        static struct port_image port;
        const struct retire wide = {.exec = 3, .dst_mask = 3, .mem_mask = 3, .mem_bytes = 4 * CASES[i].words};
        for (unsigned part = 0; part < CASES[i].words; part++) {
            port_clear(&port, 32);
            port_put_beat(&port, &(struct port_beat){0, 0, 3, part + 1 == CASES[i].words, true, part}, &wide);
            assert_true(unpack_clock(u, port.words, NULL, 1));
        }
        assert_true(send_load_part(u, &wide, 0, 3, false));
        if (CASES[i].part == 1 && CASES[i].lanes == 3) assert_true(send_load_part(u, &wide, 1, 2, false));
        expect_refused(u, send_load_part(u, &wide, CASES[i].part, CASES[i].lanes, true), CASES[i].why);
    }
    unpack_destroy(u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_joins_parts_in_any_order),
        cmocka_unit_test(test_wide_takes_flags_and_addresses_from_any_part),
        cmocka_unit_test(test_wide_fills_loads_part_by_part),
        cmocka_unit_test(test_wide_takes_a_load_without_its_last_words),
        cmocka_unit_test(test_wide_refuses_parts_that_cannot_be),
        cmocka_unit_test(test_wide_refuses_load_parts_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

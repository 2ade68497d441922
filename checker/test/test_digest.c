/* SPDX-License-Identifier: Apache-2.0 */
/* The digest distinguishes any two sequences of records that differ in a bit, a record or an order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../record/digest.h"

/* A wide load with a value in each field, lanes masked alike. */
static struct retire make_record(void) {
    struct retire r = {.cycle = 7, .sm = 1, .mem_bytes = 16};
#define MASK(name, compare) r.name = 0xffffffff;
#include "../../spec/retire.def"
    return r;
}

static uint64_t digest_of(const struct retire *r) { return digest_record(DIGEST_EMPTY, r); }

static void test_digest_sees_each_field(void **state) {
    (void)state;
    const struct retire usual = make_record();
    const uint64_t digest = digest_of(&usual);
#define CHANGED(place)                                                               \
    {                                                                                \
        struct retire r = usual;                                                     \
        r.place ^= 1;                                                                \
        if (digest_of(&r) == digest) fail_msg("the digest does not see %s", #place); \
    }
#define HARNESS(name, bits)              CHANGED(name)
#define SCALAR(name, bits, compare)      CHANGED(name)
#define MASK(name, compare)              CHANGED(name)
#define LANES(name, bits, mask, compare) CHANGED(name[0]) CHANGED(name[31])
#define WORDS(name, of, mask, compare)   CHANGED(name[0][0]) CHANGED(name[2][31])
#include "../../spec/retire.def"
}

static void test_digest_sees_the_highest_bit(void **state) {
    (void)state;
    struct retire a = make_record(), b = a;
    b.dst[31] ^= 0x80000000;
    assert_true(digest_of(&a) != digest_of(&b));
    b = a;
    b.cycle ^= UINT64_C(1) << 63;
    assert_true(digest_of(&a) != digest_of(&b));
}

static void test_digest_sees_order_and_number(void **state) {
    (void)state;
    struct retire a = make_record(), b = a;
    b.pc = 8;
    const uint64_t ab = digest_record(digest_of(&a), &b), ba = digest_record(digest_of(&b), &a);
    assert_true(ab != ba);
    assert_true(ab != digest_of(&a));
    assert_true(digest_of(&a) != DIGEST_EMPTY);
}

/* Words beyond the access hold arbitrary memory contents. */
static void test_digest_leaves_out_what_means_nothing(void **state) {
    (void)state;
    struct retire a = make_record(), b;
    a.mem_bytes = 4;
    b = a;
    b.dst_rest[0][0] = 1;
    assert_true(digest_of(&a) == digest_of(&b));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digest_sees_each_field),
        cmocka_unit_test(test_digest_sees_the_highest_bit),
        cmocka_unit_test(test_digest_sees_order_and_number),
        cmocka_unit_test(test_digest_leaves_out_what_means_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* An identity reads back as written, and a damaged one is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../identity.h"

static void make(uint32_t words[IDENTITY_USED]) {
    memset(words, 0, IDENTITY_USED * sizeof *words);
    words[IDENTITY_CLOCK_HZ] = 25000000;
    words[IDENTITY_TIMING] = 1;
    words[IDENTITY_GLOBAL_BYTES] = 65536;
    words[IDENTITY_MEMORY] = BOARD_MEMORY_sdr;
    identity_set_name(words, "ulx3s");
    identity_seal(words);
}

static void test_identity_is_read_as_written(void **state) {
    uint32_t words[IDENTITY_USED];
    struct identity identity;
    (void)state;
    make(words);
    assert_null(identity_read(words, &identity));
    assert_string_equal(identity.name, "ulx3s");
    assert_int_equal(identity.clock_hz, 25000000);
    assert_int_equal(identity.global_bytes, 65536);
    assert_string_equal(identity_memory_text(identity.memory), "SDRAM");
    assert_true(identity.timing_met);
    /* computed with zlib over the words, lowest byte first */
    assert_int_equal(words[IDENTITY_CHECK], 0xee2d3319);
}

static void test_identity_with_any_bit_changed_is_none(void **state) {
    uint32_t words[IDENTITY_USED];
    struct identity identity;
    (void)state;
    for (unsigned word = 0; word < IDENTITY_USED; word++)
        for (unsigned bit = 0; bit < 32; bit++) {
            make(words);
            words[word] ^= UINT32_C(1) << bit;
            if (identity_read(words, &identity) == NULL) fail_msg("word %u, bit %u", word, bit);
        }
}

static void test_identity_says_what_it_is_not(void **state) {
    uint32_t words[IDENTITY_USED];
    struct identity identity;
    (void)state;
    memset(words, 0xff, sizeof words);
    assert_non_null(strstr(identity_read(words, &identity), "no identity of Warpstep"));
    make(words);
    words[IDENTITY_VERSION]++;
    assert_non_null(strstr(identity_read(words, &identity), "another version"));
    make(words);
    words[IDENTITY_TIMING] ^= 1;
    assert_non_null(strstr(identity_read(words, &identity), "damaged"));
    make(words);
    words[IDENTITY_MEMORY] = BOARD_MEMORIES;
    identity_seal(words);
    assert_non_null(strstr(identity_read(words, &identity), "of a kind that this loader does not know"));
}

static void test_identity_finds_words_by_name(void **state) {
    (void)state;
    assert_int_equal(identity_find("CLOCK_HZ=25", 8), IDENTITY_CLOCK_HZ);
    assert_int_equal(identity_find("CLOCK_HZ", 5), -1);
    assert_int_equal(identity_find("", 0), -1);
    assert_int_equal(identity_find_memory("ddr3"), BOARD_MEMORY_ddr3);
    assert_int_equal(identity_find_memory("DDR3 SDRAM"), -1);
}

/* A name of 32 letters or more has no zero byte in its words. */
static void test_identity_cuts_a_long_name(void **state) {
    uint32_t words[IDENTITY_USED] = {0};
    struct identity identity;
    (void)state;
    identity_set_name(words, "a name that is longer than all the words for it");
    identity_seal(words);
    assert_null(identity_read(words, &identity));
    assert_string_equal(identity.name, "a name that is longer than all t");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identity_is_read_as_written),
        cmocka_unit_test(test_identity_with_any_bit_changed_is_none),
        cmocka_unit_test(test_identity_says_what_it_is_not),
        cmocka_unit_test(test_identity_finds_words_by_name),
        cmocka_unit_test(test_identity_cuts_a_long_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

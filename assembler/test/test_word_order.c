/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the halves of 64-bit words, by each of the rules, and the note if none decides. GST.U32 global14 [R0],
 * R1 with END is d00e0005 a0c00781; the other way round it is an F2F with ignored bits, whose guard never holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../source/word_order.h"

static const uint32_t GST_LO = 0xd00e0005, GST_HI = 0xa0c00781;

static void add_text(struct word_order *order, uint32_t first, uint32_t second, const char *text) {
    word_order_add(order, first, second);
    word_order_add_text(order, first, second, text, strlen(text));
}

static void expect(const struct word_order *order, bool low_first, bool noted) {
    assert_int_equal(word_order_low_first(order), low_first);
    assert_int_equal(word_order_note(order) != NULL, noted);
    if (noted) assert_non_null(strstr(word_order_note(order), low_first ? "low word first" : "high word first"));
}

static void test_word_order_of_one_word(void **state) {
    (void)state;
    struct word_order order = {0};
    expect(&order, false, false);
    word_order_add(&order, GST_LO, GST_HI);
    expect(&order, true, false);
    order = (struct word_order){0};
    word_order_add(&order, GST_HI, GST_LO);
    expect(&order, false, false);
    order = (struct word_order){0};
    word_order_add(&order, 0x88464780, 0xa0000001); /* double precision, named only in one order */
    expect(&order, false, false);
}

/* A text outweighs the probability of any number of words. */
static void test_word_order_of_texts(void **state) {
    (void)state;
    for (unsigned low_first = 0; low_first < 2; low_first++) {
        struct word_order order = {0};
        for (unsigned i = 0; i < 9; i++)
            word_order_add(&order, low_first ? 0x04004780 : 0x20000005, low_first ? 0x20000005 : 0x04004780);
        expect(&order, !low_first, false);
        if (low_first)
            add_text(&order, GST_LO, GST_HI, "GST.U32 global14[R0], R1;");
        else
            add_text(&order, GST_HI, GST_LO, "GST.U32 global14[R0], R1;");
        expect(&order, low_first, false);
    }
}

/* A text that does not match its word, or that is a half instruction, decides nothing. */
static void test_word_order_of_other_texts(void **state) {
    (void)state;
    struct word_order order = {0};
    word_order_add_text(&order, 0x04004780, 0x20000005, "IADD R2, R0, R1", 15);
    word_order_add_text(&order, 0x04004780, 0x20000005, "no instruction", 14);
    word_order_add_text(&order, 0x10008404, 0x10008604, "MOV32 R1, R2", 12);
    assert_int_equal(order.agreeing, 0);
    word_order_add_text(&order, 0x04004780, 0x20000005, "IADD R1, R0, R1", 15);
    assert_int_equal(order.agreeing, -1);
}

/* Two half instructions are equally good in either order. */
static void test_word_order_that_is_open(void **state) {
    (void)state;
    struct word_order order = {0};
    word_order_add(&order, 0x10008404, 0x10008604);
    expect(&order, false, true);
    word_order_add(&order, GST_LO, GST_HI);
    expect(&order, true, false);
    order = (struct word_order){0};
    word_order_add(&order, 0xffffffff, 0xffffffff); /* nothing in either */
    expect(&order, false, false);
    order = (struct word_order){0}; /* as many in one order as in the other */
    word_order_add(&order, 0xd00e0005, 0xa0c00001);
    word_order_add(&order, 0xa0c00001, 0xd00e0005);
    expect(&order, false, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_word_order_of_one_word),
        cmocka_unit_test(test_word_order_of_texts),
        cmocka_unit_test(test_word_order_of_other_texts),
        cmocka_unit_test(test_word_order_that_is_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

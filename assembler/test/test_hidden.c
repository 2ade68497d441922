/* SPDX-License-Identifier: Apache-2.0 */
/* Fields that texts do not show: warp-dis puts them into a comment, and a listing with its words assembles to the same
 * code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../listing/listing.h"
#include "../listing/words.h"
#include "../source/assemble.h"
#include "random_word.h"
#include "support.h"

enum { ROUNDS = 4, LISTING_MAX = 1 << 22 };

/* A word of the row with random fields, including hidden ones. */
static bool any_word(size_t row, uint64_t *seed, uint32_t *lo, uint32_t *hi) {
    struct isa_fields f;
    for (unsigned tries = 0; tries < 200; tries++) {
        for (size_t i = 0; i < ISA_FIELD_COUNT; i++) {
            unsigned bits = isa_row_field_bits(row, (enum isa_field)i);
            f.value[i] = random_next(seed) & (bits < 32 ? ((uint32_t)1 << bits) - 1 : UINT32_MAX);
        }
        if (isa_encode(row, &f, lo, hi)) return true;
    }
    return false;
}

static void add_rows(struct image *img, uint64_t *seed) {
    for (size_t row = 0; row < isa_row_count(); row++) {
        for (unsigned i = 0; i < ROUNDS; i++) {
            struct isa_insn insn;
            uint32_t lo, hi;
            assert_true(any_word(row, seed, &lo, &hi));
            if (isa_decode(lo, hi, &insn) != ISA_OK) continue; /* fields that another row forbids */
            assert_int_equal(image_add_code(img, lo), STATUS_OK);
            if (isa_is_long(lo)) assert_int_equal(image_add_code(img, hi), STATUS_OK);
        }
    }
}

static void check_listing(const struct image *img, enum isa_dialect dialect) {
    static char text[LISTING_MAX];
    struct messages m;
    struct assembly a;
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    assert_int_equal(listing_print(img, dialect, out), STATUS_OK);
    fclose(out);
    messages_init(&m, "listing", text, strlen(text));
    if (assemble_text(NULL, &a, &m) != STATUS_OK) fail_msg("%s", m.count > 0 ? m.list[0].text : "no message");
    assert_int_equal(a.image->code_words, img->code_words);
    for (size_t i = 0; i < img->code_words; i++)
        if (a.image->code[i] != img->code[i])
            fail_msg("word %zu is %08x, but the listing gives %08x", i, img->code[i], a.image->code[i]);
    assembly_release(&a);
    messages_release(&m);
}

static void test_hidden_listings_are_the_identity(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    struct image *img = image_create();
    assert_non_null(img);
    add_rows(img, &seed);
    assert_true(img->code_words > isa_row_count() * ROUNDS);
    check_listing(img, ISA_DIALECT_3);
    check_listing(img, ISA_DIALECT_5);
    image_destroy(img);
}

static void expect_text(uint32_t lo, uint32_t hi, const char *expected) {
    struct words_text out = {0};
    words_append_text(&out, lo, hi, 2, ISA_DIALECT_3);
    words_append(&out, "", 1);
    assert_string_equal(out.text, expected);
    free(out.text);
}

static void test_hidden_bits_are_named(void **state) {
    (void)state;
    expect_text(0x00000801, 0xe4420780, "R2G.U16.U8 g [0x4], R8  // h26 set");
    expect_text(0xf0000001, 0xe0000280, "NOP  // guard C0.NE, not obeyed");
    expect_text(0xf0000001, 0xe0003600, "NOP  // guard C3.GTU, not obeyed");
    expect_text(0xf0000001, 0xe0000780, "NOP  // guard C0.TRUE, not obeyed");
    expect_text(0xf0000001, 0xe0003780, "NOP  // guard C3.TRUE, not obeyed");
    expect_text(0xa0002003, 0x00000280, "SSY 0x10  // guard C0.NE, not obeyed");
    expect_text(0xf0003801, 0xe0003784, "PMEVENT 0xe  // h12 set, h13 set");
    expect_text(0xf0003801, 0xe0003f84, "PMEVENT 0xe  // guard C3.NOT_OVERFLOW");
    expect_text(0xf0000001, 0xe0000000, "NOP");
    expect_text(0xf0000001, 0xe0000001, "NOP"); /* END has no field name */
    expect_text(0x20000405, 0x0400c780, "IADD R1, R2, R3");
}

static void test_hidden_bits_in_order(void **state) {
    (void)state;
    char bits[ISA_BITS_MAX];
    isa_print_bits((uint64_t)1 << 31 | (uint64_t)3 << 32, bits, sizeof bits);
    assert_string_equal(bits, "l31, h0, h1");
}

/* The words of a listing count only if they match the text. */
static void test_hidden_bits_of_other_instructions_do_not_count(void **state) {
    (void)state;
    const char *text = "/*0000*/ /*0x00000801e4420780*/ R2G.U16.U8 g [0x4], R9;\n";
    struct messages m;
    struct assembly a;
    messages_init(&m, "listing", text, strlen(text));
    assert_int_equal(assemble_text(NULL, &a, &m), STATUS_OK);
    assert_int_equal(a.image->code[1] >> 26 & 1, 0);
    assembly_release(&a);
    messages_release(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hidden_listings_are_the_identity),
        cmocka_unit_test(test_hidden_bits_are_named),
        cmocka_unit_test(test_hidden_bits_in_order),
        cmocka_unit_test(test_hidden_bits_of_other_instructions_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

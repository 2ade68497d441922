/* SPDX-License-Identifier: Apache-2.0 */
/* The many spellings of one instruction: spacing, case of hex digits, decimal numbers, order of modifiers. Random words
 * of every row are printed, rewritten, and must parse to the same word. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../isa/isa.h"
#include "random_word.h"
#include "support.h"

enum { ROUNDS = 20, REWRITTEN_MAX = 4 * ISA_TEXT_MAX };

typedef void rewrite_fn(const char *text, char *out);

/* No unnecessary space: only one after the mnemonic. */
static void rewrite_tight(const char *text, char *out) {
    bool first = true;
    for (; *text != '\0'; text++) {
        if (*text == ' ' && !first) continue;
        if (*text == ' ') first = false;
        *out++ = *text;
    }
    *out = '\0';
}

/* Blanks around all punctuation, except inside names and modifiers. */
static void rewrite_wide(const char *text, char *out) {
    *out++ = '\t';
    for (; *text != '\0'; text++) {
        bool mark = strchr("[](),|~-+", *text) != NULL;
        if (mark) out += sprintf(out, "  ");
        *out++ = *text;
        if (mark) out += sprintf(out, "\t ");
    }
    strcpy(out, " ; /* a comment */ // and another");
}

/* 0x1f becomes 0x1F */
static void rewrite_upper(const char *text, char *out) {
    for (bool hex = false; *text != '\0'; text++) {
        bool begins = text[0] == '0' && text[1] == 'x';
        hex = begins || (hex && (isxdigit((unsigned char)*text) || *text == 'x'));
        *out++ = hex ? (char)toupper((unsigned char)*text) : *text;
    }
    *out = '\0';
}

/* 0x1f becomes 31 */
static void rewrite_decimal(const char *text, char *out) {
    while (*text != '\0') {
        if (text[0] == '0' && text[1] == 'x') {
            char *end;
            out += sprintf(out, "%lu", strtoul(text, &end, 16));
            text = end;
        } else {
            *out++ = *text++;
        }
    }
    *out = '\0';
}

static bool is_type(const char *m) { return strchr("USBF", m[0]) != NULL && isdigit((unsigned char)m[1]); }

/* The modifiers in reverse order, with types in their places. */
static void rewrite_backwards(const char *text, char *out) {
    size_t name = strcspn(text, " ."), end = strcspn(text, " "), count = 0;
    char modifiers[ISA_TEXT_MAX], *m[ISA_TEXT_MAX], *save = NULL;
    snprintf(modifiers, sizeof modifiers, "%.*s", (int)(end - name), text + name);
    for (char *s = strtok_r(modifiers, ".", &save); s != NULL; s = strtok_r(NULL, ".", &save)) m[count++] = s;
    out += sprintf(out, "%.*s", (int)name, text);
    size_t type = 0;
    for (size_t i = count; i-- > 0;) {
        if (!is_type(m[i])) {
            out += sprintf(out, ".%s", m[i]);
            continue;
        }
        while (!is_type(m[type])) type++;
        out += sprintf(out, ".%s", m[type++]);
    }
    strcpy(out, text + end);
}

/* .S goes to the end of the modifiers, .C0 to their front. */
static void rewrite_order(const char *text, char *out) {
    size_t name = strcspn(text, " ."), end = strcspn(text, " ");
    char modifiers[ISA_TEXT_MAX], front[8] = "", back[8] = "", middle[ISA_TEXT_MAX] = "", *save = NULL;
    snprintf(modifiers, sizeof modifiers, "%.*s", (int)(end - name), text + name);
    for (char *m = strtok_r(modifiers, ".", &save); m != NULL; m = strtok_r(NULL, ".", &save)) {
        bool join = strcmp(m, "S") == 0, flags = m[0] == 'C' && isdigit((unsigned char)m[1]);
        char *to = join ? back : flags ? front : middle;
        strcat(strcat(to, "."), m);
    }
    sprintf(out, "%.*s%s%s%s%s", (int)name, text, front, middle, back, text + end);
}

static void check(const char *text, uint32_t lo, uint32_t hi) {
    struct isa_error error;
    uint32_t got_lo = 0, got_hi = 0;
    if (!isa_parse(text, strlen(text), NULL, &got_lo, &got_hi, &error))
        fail_msg("'%s' does not parse: %s", text, error.text);
    if (got_lo != lo || got_hi != hi) fail_msg("'%s' is %08x %08x, but gives %08x %08x", text, lo, hi, got_lo, got_hi);
}

static void check_all_rows(rewrite_fn *rewrite) {
    uint64_t seed = random_seed();
    for (size_t row = 0; row < isa_row_count(); row++) {
        for (unsigned i = 0; i < ROUNDS && !random_word_is_twin(row); i++) {
            char text[ISA_TEXT_MAX], rewritten[REWRITTEN_MAX];
            struct isa_insn insn;
            uint32_t lo, hi;
            if (!random_word(row, &seed, NULL, &lo, &hi)) continue;
            assert_int_equal(isa_decode(lo, hi, &insn), ISA_OK);
            isa_print(&insn, i % 2 == 0 ? ISA_DIALECT_3 : ISA_DIALECT_5, text, sizeof text);
            rewrite(text, rewritten);
            check(rewritten, lo, hi);
        }
    }
}

static void test_text_without_spaces(void **state) {
    (void)state;
    check_all_rows(rewrite_tight);
}

static void test_text_with_many_spaces(void **state) {
    (void)state;
    check_all_rows(rewrite_wide);
}

static void test_text_upper_case_hex(void **state) {
    (void)state;
    check_all_rows(rewrite_upper);
}

static void test_text_decimal_numbers(void **state) {
    (void)state;
    check_all_rows(rewrite_decimal);
}

static void check_same(const char *text, const char *same) {
    struct isa_error error;
    uint32_t lo, hi;
    if (!isa_parse(same, strlen(same), NULL, &lo, &hi, &error)) fail_msg("'%s' does not parse: %s", same, error.text);
    check(text, lo, hi);
}

/* MOV writes all four lanes of a quad by default. */
static void test_text_lane_masks(void **state) {
    (void)state;
    check_same("MOV.LANEf R1, R2", "MOV R1, R2");
}

static void test_text_order_of_modifiers(void **state) {
    (void)state;
    check_all_rows(rewrite_order);
    check_all_rows(rewrite_backwards);
    check_same("LOP.U16.AND R1L, R2L, R3L", "LOP.AND.U16 R1L, R2L, R3L");
    check_same("LOP.U16.PASS_B.C1 R1L, R2L, R3L", "LOP.C1.PASS_B.U16 R1L, R2L, R3L");
    check_same("MOV.LANE5.U16.S R1L, R2L", "MOV.U16.S.LANE5 R1L, R2L");
    check_same("BAR.WAIT.ARV b0, 0xfff", "BAR.ARV.WAIT b0, 0xfff");
    check_same("I2I.BEXT.U32.U16 R1, R2L", "I2I.U32.U16.BEXT R1, R2L");
    check("ISET.C0.S32 o [0x7f], R2, R124, LE", 0x307c05fd, 0x6c00c7c8); /* words from the corpus */
    check("I2I.C1.S32.S32 o [0x7f], R1", 0xa00003fd, 0x0c0147d8);
}

/* Where the order of types is significant, another order is another instruction. */
static void test_text_order_of_types_counts(void **state) {
    (void)state;
    uint32_t lo, hi, other_lo, other_hi;
    struct isa_error error;
    const char *one = "I2I.U32.U16 R1, R2L", *other = "I2I.S.U16.U32 R1L, R2", *mixed = "I2I.U16.U32.S R1L, R2";
    assert_true(isa_parse(one, strlen(one), NULL, &lo, &hi, &error));
    assert_true(isa_parse(other, strlen(other), NULL, &other_lo, &other_hi, &error));
    assert_true(other_hi != hi);
    check(mixed, other_lo, other_hi);
    assert_false(isa_parse("I2I.U16.U32.S R1, R2L", 21, NULL, &lo, &hi, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_without_spaces),     cmocka_unit_test(test_text_with_many_spaces),
        cmocka_unit_test(test_text_upper_case_hex),     cmocka_unit_test(test_text_decimal_numbers),
        cmocka_unit_test(test_text_order_of_modifiers), cmocka_unit_test(test_text_order_of_types_counts),
        cmocka_unit_test(test_text_lane_masks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The assembler's messages: the files of diag/ announce in comments "error@COL: text" or "error@COL: text (help:
 * suggestion)" the messages of each line. An unannounced message fails the test, and so does a missing one. */
#include <ctype.h>
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../base/file.h"
#include "../check/warn.h"
#include "../isa/mnemonic.h"
#include "support.h"

static const char DIRECTORY[] = "assembler/test/diag/";

/* Finds the announcement `kind`@column on the line that begins at s and compares its text. */
static bool is_announced(const char *s, const struct message *m, unsigned column) {
    size_t length = strcspn(s, "\n");
    char mark[32];
    snprintf(mark, sizeof mark, "%s@%u: ", m->kind == MESSAGE_ERROR ? "error" : "warning", column);
    const char *found = strstr(s, mark);
    if (found == NULL || found >= s + length) return false;
    found += strlen(mark);
    size_t left = length - (size_t)(found - s);
    char full[400];
    snprintf(full, sizeof full, "%s (help: %s)", m->text, m->help);
    return (strlen(m->text) == left && memcmp(found, m->text, left) == 0) ||
           (strlen(full) == left && memcmp(found, full, left) == 0);
}

static size_t count_announced(const char *text) {
    size_t count = 0;
    for (const char *s = text; (s = strstr(s, "error@")) != NULL; s++) count++;
    for (const char *s = text; (s = strstr(s, "warning@")) != NULL; s++) count++;
    return count;
}

static size_t check_messages(const char *path, const char *text, size_t size) {
    struct messages m;
    struct assembly a;
    size_t unannounced = 0, announced = 0;
    messages_init(&m, path, text, size);
    if (assemble_text(NULL, &a, &m) == STATUS_OK) warn_kernel(&a, &m);
    for (size_t i = 0; i < m.count; i++) {
        struct source_place p = sources_locate(&m.sources, m.list[i].offset);
        const char *line = m.sources.file[p.file].text + p.offset - (p.column - 1);
        if (is_announced(line, &m.list[i], p.column)) continue;
        print_message("%s:%u:%u: not announced: %s\n", p.path, p.line, p.column, m.list[i].text);
        unannounced++;
    }
    for (size_t i = 0; i < m.sources.file_count; i++) announced += count_announced(m.sources.file[i].text);
    if (m.count != announced) print_message("%s: %zu messages, %zu announced\n", path, m.count, announced);
    unannounced += m.count != announced ? 1 : 0;
    assembly_release(&a);
    messages_release(&m);
    return unannounced;
}

static void test_diag_every_message_is_announced(void **state) {
    (void)state;
    DIR *directory = opendir(DIRECTORY);
    unsigned files = 0;
    size_t bad = 0;
    assert_non_null(directory);
    for (struct dirent *e; (e = readdir(directory)) != NULL;) {
        char path[512], *text;
        size_t size;
        if (strstr(e->d_name, ".sass") == NULL) continue;
        snprintf(path, sizeof path, "%s%s", DIRECTORY, e->d_name);
        struct diag d;
        assert_int_equal(file_read(path, &text, &size, &d), STATUS_OK);
        bad += check_messages(path, text, size);
        free(text);
        files++;
    }
    closedir(directory);
    assert_true(files >= 40);
    assert_int_equal(bad, 0);
}

/* Output on a terminal: place, source line, caret with tildes, suggestion. */
static void test_diag_shows_source_caret_and_suggestion(void **state) {
    (void)state;
    const char *text = "    NOP\n\tIMUL.S23.S24 R4, R2, R3\n";
    struct messages m;
    struct assembly a;
    char shown[600] = "";
    messages_init(&m, "f.sass", text, strlen(text));
    assert_int_equal(assemble_text(NULL, &a, &m), STATUS_BAD_INPUT);
    FILE *out = fmemopen(shown, sizeof shown, "w");
    messages_print(&m, out);
    fclose(out);
    messages_release(&m);
    assert_string_equal(
        shown, "f.sass:2:6: error: unknown modifier '.S23' on IMUL; expected .S, .HI, .S24, .U24, .S16 or .U16\n"
               "    2 | \tIMUL.S23.S24 R4, R2, R3\n"
               "      | \t    ^~~~ help: did you mean '.S24'?\n");
}

static void expect_help(const char *text, const char *help) {
    struct messages m;
    struct assembly a;
    messages_init(&m, "f.sass", text, strlen(text));
    assemble_text(NULL, &a, &m);
    assert_true(m.count > 0);
    assert_string_equal(m.list[0].help, help);
    assembly_release(&a);
    messages_release(&m);
}

static void test_diag_suggests(void **state) {
    (void)state;
    expect_help("MOV R1, 5", "MVI takes a number");
    expect_help("IMULL R1, R2", "did you mean 'IMUL'?");
    expect_help("MOB R1, R2", ""); /* short names are close to each other */
    expect_help(".kernal k\nNOP", "did you mean '.kernel'?");
    expect_help("b: BRA xy\nNOP", ""); /* no letter in common: not a slip */
    expect_help("loop: BRA loup", "did you mean 'loop'?");
    expect_help("MOV.U16 R1, R2L", "write R1L or R1H");
    expect_help("MOV R1, R2L", "write R2");
    expect_help("BRK (C0.NE)", "flow instructions have their guard first and bare: BRA C0.NE, TARGET");
    expect_help("MOV32 R1, R2\nNOP", "write MOV, its long form");
    expect_help("MVI R1, 0x1", "add NOP after it");
    expect_help(".macro load r\n.endm\nlaod R1", "did you mean 'load'?");
}

/* A type, .S and short names are no slips of each other. */
static void test_diag_guesses_nothing_else(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"ISET.S64 R1, R2, R3, LT",
                                        "IMUL.U32.U32 R1, R2, R3",
                                        "IADD.T R1, R2, R3",
                                        "IADD.SS R1, R2, R3",
                                        "JAL R1",
                                        "LIT R1, R2",
                                        "ISET.C0.XX R1, R2, R3"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) expect_help(TEXTS[i], "");
    expect_help("IADD.s R1, R2, R3", "did you mean '.S'?");
    expect_help("IADD.SATT R1, R2, R3", "did you mean '.SAT'?");
}

static void test_diag_places_guards(void **state) {
    (void)state;
    static const char GUARD[] = "a guard stands behind the first operand: MOV R1 (C0.NE), R2",
                      FLOW[] = "flow instructions have their guard first and bare: BRA C0.NE, TARGET",
                      NONE[] = "it has no guard: branch around it, BRA C0.EQ, TARGET";
    static const struct {
        const char *text, *help;
    } ROWS[] = {
        {"@p0 bra L1",              FLOW },
        {"@!P0 BRA L1",             FLOW },
        {"BRA.C0.NE 0x8",           FLOW },
        {"BRA C0.NE 0x8",           FLOW },
        {"BRA 0x8, C0.NE",          FLOW },
        {"(C0.NE) BRA 0x8",         FLOW },
        {"RET (C0.NE)",             FLOW },
        {"@P0 MOV R1, R2",          GUARD},
        {"(C0.NE) MOV R1, R2",      GUARD},
        {"IADD (C0.NE) R1, R2, R3", GUARD},
        {"IADD R1 C0.NE, R2, R3",   GUARD},
        {"IADD R1, R2, R3 (C0.NE)", GUARD},
        {"IADD R1, R2, R3, C0.NE",  GUARD},
        {"@P0 CAL L1",              NONE },
        {"NOP (C0.NE)",             NONE },
        {"CAL C0.NE, 0x8",          NONE },
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) expect_help(ROWS[i].text, ROWS[i].help);
    expect_help("MOV R1 (C4.NE), R2", "");
}

static void test_diag_floating_point(void **state) {
    (void)state;
    static const char BITS[] = "floating point is written as its bits, 0x3f800000 for 1.0: MVI R1, 0x3f800000";
    static const char *const TEXTS[] = {
        "MOV R1, 1.0", "MOV R1, 1.",         "MVI R1, 0.5",          "MVI R1, .5", "FADD32I R1, R2, -1.5",
        "MVI R1, 1e6", "MVI R1, 0f3f800000", "FMAD R1, R2, 1.0, R4", ".param 1.0", ".global 0 = 1.5, 2"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) expect_help(TEXTS[i], BITS);
    expect_help("FADD R1, R2, 1.0", "write its bits, 0x3f800000 for 1.0: FADD32I R1, R2, 0x3f800000");
    expect_help("FADD R1, R2, -.5", "write its bits, 0x3f800000 for 1.0: FADD32I R1, R2, 0x3f800000");
    expect_help("FMUL R1, R2, 2.0f", "write its bits, 0x3f800000 for 1.0: FMUL32I R1, R2, 0x3f800000");
    expect_help("MVI R1, 12ab", "");
}

/* The unit of a number in brackets, and other text in the wrong place. */
static void test_diag_says_what_stands_there(void **state) {
    (void)state;
    static const char SHARED[] = "it counts cells of 4 bytes (.U16 2, .U8 1), byte 0x40 is g [0x10]; "
                                 "beyond: R2A A1, R2 (bytes), then g [A1+0x0]",
                      CONSTANT[] = "it counts cells of 4 bytes (.U16 2, .U8 1); "
                                   "beyond: R2A A1, R2 (bytes), then c [0x1] [A1+0x0]",
                      REGISTER[] = "this is PTX: registers are R0 to R127, without %",
                      TARGET[] = "it takes a label or an address, no register";
    static const struct {
        const char *text, *help;
    } ROWS[] = {
        {"MOV R1, g [0x40]",            SHARED                                                                     },
        {"MOV R1, g [A1+0x40]",         SHARED                                                                     },
        {"R2G.U32.U32 g [0x4000], R1",  SHARED                                                                     },
        {"IADD R1, R2, c [0x1] [0x80]", CONSTANT                                                                   },
        {"MVC R1, c [0x10] [0x0]",      ""                                                                         },
        {"MOV g [0x10], R1",            "write R2G: R2G.U32.U32 g [0x10], R1"                                      },
        {"ISET R1, R2, R3",             "a comparison comes last: ISET.S32 R1, R2, R3, LT (without .S32: unsigned)"},
        {"FSET R1, R2, R3",             "a comparison comes last: FSET R1, R2, R3, LT"                             },
        {"IADD32I R1, R2, R3",          "it takes a number; without 32I it takes a register"                       },
        {"MVI R1, R2",                  "MVI takes a number; MOV takes a register"                                 },
        {"BRA R1",                      TARGET                                                                     },
        {"BRA C0.NE, R1",               TARGET                                                                     },
        {"CAL R1",                      TARGET                                                                     },
        {"LOP.XOR R1, R2, -1",          "LOP32I takes a number"                                                    },
        {"FMAD R1, R2, 0x3f800000, R4", "FMAD32I takes a number, and its third source must be the destination"     },
        {"IMAD.U24 R1, R2, 0x3, R4",    "IMAD32I takes a number, and its third source must be the destination"     },
        {"IADD R1, R2, %r3",            REGISTER                                                                   },
        {"IADD %r1, %r2, %r3",          REGISTER                                                                   },
        {"MOV R1, %rd3",                REGISTER                                                                   },
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) expect_help(ROWS[i].text, ROWS[i].help);
}

/* Labels of another kernel are not suggested. */
static void test_diag_suggests_names_of_the_kernel(void **state) {
    (void)state;
    static const char text[] = ".kernel a\nloop: NOP\n.kernel b\nleave: NOP\nBRA loup\nBRA leav\n";
    struct messages m;
    struct assembly a;
    messages_init(&m, "f.sass", text, strlen(text));
    assert_int_equal(assemble_text("b", &a, &m), STATUS_BAD_INPUT);
    assert_int_equal(m.count, 2);
    assert_string_equal(m.list[0].help, "");
    assert_string_equal(m.list[1].help, "did you mean 'leave'?");
    messages_release(&m);
}

/* After twenty warnings only their number follows; the tildes of a message end with its line. */
static void test_diag_prints_twenty_warnings(void **state) {
    (void)state;
    char source[25 * 4 + 1] = "", shown[8192] = "";
    for (size_t i = 0; i < 25; i++) strcat(source, "NOP\n");
    for (unsigned count = 20; count < 22; count++) {
        struct messages m;
        messages_init(&m, "f.sass", source, strlen(source));
        for (unsigned i = 0; i < count; i++) messages_warn(&m, WARN_REGISTERS, 4 * i + 1, 40, "n");
        FILE *out = fmemopen(shown, sizeof shown, "w");
        messages_print(&m, out);
        fclose(out);
        messages_release(&m);
        assert_non_null(strstr(shown, "    1 | NOP\n      |  ^~\n"));
        assert_null(strstr(shown, "   21 | NOP"));
        assert_int_equal(strstr(shown, "too many") != NULL, count == 21);
        if (count == 21) assert_non_null(strstr(shown, "too many warnings, 21 in all"));
    }
}

/* Of more than 20 errors 20 are shown, with the total. */
static void test_diag_shows_twenty_errors(void **state) {
    (void)state;
    for (unsigned errors = 19; errors <= 21; errors++) {
        char text[128] = "", shown[8192] = "";
        struct messages m;
        struct assembly a;
        for (unsigned i = 0; i < errors; i++) strcat(text, "MOB\n");
        messages_init(&m, "f.sass", text, strlen(text));
        assert_int_equal(assemble_text(NULL, &a, &m), STATUS_BAD_INPUT);
        FILE *out = fmemopen(shown, sizeof shown, "w");
        messages_print(&m, out);
        fclose(out);
        unsigned lines = 0;
        for (const char *s = shown; (s = strstr(s, "unknown instruction 'MOB'")) != NULL; s++) lines++;
        assert_int_equal(lines, errors < 20 ? errors : 20);
        assert_int_equal(strstr(shown, "f.sass: error: too many errors, 21 in all\n") != NULL, errors > 20);
        assert_int_equal(strstr(shown, "too many") != NULL, errors > 20);
        assert_int_equal(m.count, lines);
        assert_int_equal(m.errors, errors);
        messages_release(&m);
    }
}

static bool is_comparison(const char *word, size_t length) {
    static const char *const COMPARISONS[] = {"LT", "EQ", "LE", "GT", "NE", "GE"};
    for (size_t i = 0; i < sizeof COMPARISONS / sizeof COMPARISONS[0]; i++)
        if (length == 2 && strncmp(word, COMPARISONS[i], 2) == 0) return true;
    return false;
}

/* The text after an instruction is its first operand. */
static bool has_operands(const char *s) {
    static const char *const OPERANDS[] = {" o [", " g [", " global14 [", " local ["};
    for (size_t i = 0; i < sizeof OPERANDS / sizeof OPERANDS[0]; i++)
        if (strncmp(s, OPERANDS[i], strlen(OPERANDS[i])) == 0) return true;
    return s[0] == ' ' && s[1] != '\0' && strchr("RACb", s[1]) != NULL && isdigit((unsigned char)s[2]);
}

/* An instruction with operands in a hint must be valid. */
static void check_form(const char *name, const char *form) {
    const size_t modifiers = strcspn(form, " ,;:)");
    struct isa_error error;
    uint32_t lo, hi;
    if (!has_operands(form + modifiers)) return;
    for (size_t length = strlen(form); length > modifiers; length--)
        if (isa_parse(form, length, NULL, &lo, &hi, &error)) return;
    fail_msg("%s: not to be assembled: %s", name, form);
}

/* Upper-case words in a hint, except modifiers, registers, numbers and comparisons, are instructions. */
static void check_hint(const char *name, const char *help) {
    static const char CAPITALS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", DIGITS[] = "0123456789";
    const char *s = help;
    while ((s += strcspn(s, CAPITALS), *s != '\0')) {
        const char before = s == help ? ' ' : s[-1];
        const size_t capitals = strspn(s, CAPITALS);
        size_t length = capitals;
        while (s[length] != '\0' && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", s[length]) != NULL) length++;
        const bool half = s[length - 1] == 'L' || s[length - 1] == 'H';
        const bool is_register = capitals == 1 && strspn(s + 1, DIGITS) + 1 + half == length;
        const bool is_special = strncmp(s, "SR", capitals) == 0;
        if (before != '.' && !is_register && !is_comparison(s, length) && !is_special &&
            strncmp(s, "PTX", length) != 0 && isa_mnemonic_bytes(s, length) == 0)
            fail_msg("%s: '%.*s' is no instruction", name, (int)length, s);
        if (before != '.' && isa_mnemonic_bytes(s, length) != 0) check_form(name, s);
        s += length;
    }
}

/* Where no register is possible, the message does not mention registers. */
static void test_diag_gives_no_hint_of_registers_elsewhere(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"S2R R1, 5", "GLD.U32 R1, 4", "GLD.U32 R1, g [0x4]", "C2R R1, g [0x4]",
                                        "NOP 5"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        struct isa_error error;
        uint32_t lo, hi;
        assert_false(isa_parse(TEXTS[i], strlen(TEXTS[i]), NULL, &lo, &hi, &error));
        assert_string_equal(error.help, "");
    }
}

/* Names of PTX and of later machines: none is ours, each gets its hint in either case, which names the replacement. */
static void test_diag_dialects(void **state) {
    (void)state;
    static const struct {
        const char *name, *help;
    } FOREIGN[] = {
#define FOREIGN(name, help) {name, help},
#include "../isa/dialects.def"
    };
    for (size_t i = 0; i < sizeof FOREIGN / sizeof FOREIGN[0]; i++) {
        char name[16];
        struct isa_error error;
        uint32_t lo, hi;
        snprintf(name, sizeof name, "%s", FOREIGN[i].name);
        for (unsigned round = 0; round < 2; round++) {
            assert_false(isa_parse(name, strlen(name), NULL, &lo, &hi, &error));
            assert_int_equal(error.kind, ISA_ERROR_UNKNOWN_INSTRUCTION);
            assert_string_equal(error.help, FOREIGN[i].help);
            for (char *c = name; *c != '\0'; c++) *c = (char)tolower((unsigned char)*c);
        }
        check_hint(FOREIGN[i].name, FOREIGN[i].help);
    }
}

/* Operands and modifiers of another machine get the same help, in lines that are otherwise correct. */
static void check_foreign(const char *line, const char *name, const char *help) {
    char text[64];
    struct isa_error error;
    uint32_t lo, hi;
    snprintf(text, sizeof text, line, name);
    assert_false(isa_parse(text, strlen(text), NULL, &lo, &hi, &error));
    assert_string_equal(error.help, help);
    check_hint(name, help);
}

static void test_diag_dialects_of_operands(void **state) {
    (void)state;
    static const struct {
        const char *mnemonic, *name, *help;
    } FOREIGN[] = {
#define FOREIGN_OPERAND(name, help)            {NULL, name, help},
#define FOREIGN_MODIFIER(mnemonic, name, help) {mnemonic, name, help},
#include "../isa/dialects.def"
    };
    for (size_t i = 0; i < sizeof FOREIGN / sizeof FOREIGN[0]; i++) {
        const char *mnemonic = FOREIGN[i].mnemonic, *name = FOREIGN[i].name, *help = FOREIGN[i].help;
        char line[32];
        if (mnemonic == NULL) {
            check_foreign("MOV R1, %s", name, help);
            check_foreign("IADD R1, R2, %%%s.x", name, help);
            check_foreign("S2R R1, %s", name, help);
        } else {
            snprintf(line, sizeof line, "%s%%s R1, R2, R3", mnemonic[0] != '\0' ? mnemonic : "FADD");
            check_foreign(line, name, help);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diag_every_message_is_announced),
        cmocka_unit_test(test_diag_shows_source_caret_and_suggestion),
        cmocka_unit_test(test_diag_suggests),
        cmocka_unit_test(test_diag_guesses_nothing_else),
        cmocka_unit_test(test_diag_places_guards),
        cmocka_unit_test(test_diag_floating_point),
        cmocka_unit_test(test_diag_says_what_stands_there),
        cmocka_unit_test(test_diag_gives_no_hint_of_registers_elsewhere),
        cmocka_unit_test(test_diag_dialects),
        cmocka_unit_test(test_diag_dialects_of_operands),
        cmocka_unit_test(test_diag_suggests_names_of_the_kernel),
        cmocka_unit_test(test_diag_prints_twenty_warnings),
        cmocka_unit_test(test_diag_shows_twenty_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

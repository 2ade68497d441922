/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the hints of reports: the section of docs/isa.md names the operation, the files exist, the fields are those of
 * a record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../record/field.h"
#include "../record/look.h"

/* True if "### 3.1 IADD, IADD32, IADD32I" is the heading of this section and has this mnemonic. */
static bool is_heading(const char *line, const char *section, const char *op) {
    char start[32], word[32];
    snprintf(start, sizeof start, "### %s ", section);
    snprintf(word, sizeof word, " %s", op);
    const char *at = strncmp(line, start, strlen(start)) == 0 ? strstr(line, word) : NULL;
    return at != NULL && strchr(",\n", at[strlen(word)]) != NULL;
}

static bool has_section(const char *section, const char *op) {
    char *line = NULL;
    size_t size = 0;
    bool found = false;
    FILE *page = fopen("docs/isa.md", "r");
    assert_non_null(page);
    while (!found && getline(&line, &size, page) >= 0) found = is_heading(line, section, op);
    free(line);
    fclose(page);
    return found;
}

static void check_files(const char *directory, const char *files) {
    while (*files != '\0') {
        char path[128];
        const size_t length = strcspn(files, ",");
        snprintf(path, sizeof path, "%s/%.*s", directory, (int)length, files);
        if (access(path, R_OK) != 0) fail_msg("look.def names %s, which is not there", path);
        files += length;
        files += strspn(files, ", ");
    }
}

static void test_look_names_a_rule_and_files_of_each_operation(void **state) {
    (void)state;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        const struct look look = look_for(&(struct isa_insn){.op = (enum isa_op)op, .bytes = 8}, "dst");
        const char *name = isa_op_name((enum isa_op)op);
        if (look.section == NULL || look.stages == NULL) fail_msg("look.def has no %s", name);
        if (!has_section(look.section, name)) fail_msg("section %s of docs/isa.md is not about %s", look.section, name);
        check_files("rtl", look.rtl);
        check_files("cmodel/core", look.model);
    }
}

enum {
    OWN = 0 /* fields with a hint of their own */
#define FIELD(name, stages, rtl) +1
#include "../record/look.def"
};

static struct isa_insn parsed(const char *text) {
    struct isa_insn insn;
    struct isa_error error;
    uint32_t lo, hi;
    if (!isa_parse(text, strlen(text), NULL, &lo, &hi, &error)) fail_msg("%s: %s", text, error.text);
    assert_int_equal(isa_decode(lo, hi, &insn), ISA_OK);
    return insn;
}

static struct look look_text(const char *text, const char *field) {
    const struct isa_insn insn = parsed(text);
    return look_for(&insn, field);
}

static void test_look_knows_where_fields_are_made(void **state) {
    (void)state;
    unsigned own = 0;
    for (size_t i = 0; i < retire_field_count(); i++) {
        const struct retire_field *f = retire_field_at(i);
        const struct look look = look_for(NULL, f->name);
        assert_null(look.section);
        if (look.rtl == NULL) continue;
        check_files("rtl", look.rtl);
        own++;
    }
    assert_int_equal(own, OWN);
    const struct look next_pc = look_text("IADD R1, R2, R3", "next_pc");
    assert_string_equal(next_pc.rtl, "branch/branch_early.vhd, branch/branch_pkg.vhd, branch/branch.vhd");
    assert_string_equal(next_pc.operands, "");
    assert_string_equal(look_text("IADD R1, R2, R3", "dst").rtl, "execute/alu.vhd");
}

/* Not the unit that contains them. */
static void test_look_names_the_stages_of_floating_point(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"FADD R1, R2, R3", "FSET R1, R2, R3, LT", "FMIN R1, R2, R3",
                                        "FMAX R1, R2, R3", "FCMP R1, R2, R3, R4", "RRO R1, R2, SIN"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        const struct look look = look_text(TEXTS[i], "dst");
        assert_null(strstr(look.rtl, "float_unit"));
        assert_non_null(strstr(look.rtl, "float/float_operands.vhd"));
        assert_string_equal(look.decode, "front/decode_float.vhd, front/decode_operands.vhd");
    }
}

/* A trap of one side: what raises it, and for a word that is taken for none what decodes it. */
static void test_look_knows_what_traps(void **state) {
    (void)state;
    for (unsigned trap = TRAP_NONE + 1; trap <= TRAP_BREAKPOINT; trap++) {
        const struct look look = look_for_trap(NULL, (enum trap)trap);
        assert_non_null(look.stages);
        check_files("rtl", look.rtl);
    }
    struct isa_insn insn;
    assert_int_equal(isa_decode(0x2102e800, 0, &insn), ISA_OK); /* IADD32 R0, g [0x4], R2 */
    const struct look undefined = look_for_trap(&insn, TRAP_UNDEFINED);
    assert_string_equal(undefined.decode, "front/decode_half.vhd, front/decode_operands.vhd, front/decode_cells.vhd");
    assert_string_equal(undefined.section, "3.1");
    assert_string_equal(undefined.operands, "");
    assert_string_equal(look_for_trap(&insn, TRAP_SHARED_RANGE).decode, "");
}

/* The A register after a post-increment comes with the operands, not from the operation. */
static void test_look_knows_what_increments(void **state) {
    (void)state;
    assert_memory_equal(look_text("IADD R1, g [A2+++0x4], R3", "a").rtl, "operands/lane_operand.vhd", 25);
    assert_string_equal(look_text("R2A A1, R2", "a").rtl, "execute/alu.vhd, execute/lane_writeback.vhd");
}

/* Files that read the operands, by operand kind, unless they are listed already; files that decode, by unit. */
static void test_look_follows_the_operands(void **state) {
    (void)state;
#define LANES     "operands/lane_operand.vhd, operands/lane_files.vhd, front/scoreboard.vhd"
#define ROWS      ", operands/operand.vhd, operands/lane_files.vhd, front/scoreboard.vhd"
#define REGISTERS "operands/lane_operand.vhd" ROWS
#define SHARED    "operands/shared_memory.vhd, " REGISTERS
#define CONSTANT  "operands/const_memory.vhd, operands/operand.vhd, " LANES
#define IMMEDIATE "operands/operand.vhd, front/decode_operands.vhd, " LANES
#define DECODE    "front/decode_"
    static const struct {
        const char *text, *operands, *decoder;
    } CASES[] = {
        {"IADD R1, R2, R3",           REGISTERS, DECODE "integer.vhd"},
        {"IADD32 R1, R2, R3",         REGISTERS, DECODE "half.vhd"   },
        {"IADD R1, g [0x4], R3",      SHARED,    DECODE "integer.vhd"},
        {"IADD R1, R2, c [1] [0x4]",  CONSTANT,  DECODE "integer.vhd"},
        {"IADD32I R1, R2, 0x12",      IMMEDIATE, DECODE "half.vhd"   },
        {"MOV R1, R2",                LANES,     DECODE "move.vhd"   },
        {"GST.U32 global14 [R1], R2", REGISTERS, DECODE "memory.vhd" },
        {"R2G.U32.U32 g [0x1], R1",   REGISTERS, DECODE "memory.vhd" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct look look = look_text(CASES[i].text, "dst");
        assert_string_equal(look.operands, CASES[i].operands);
        assert_memory_equal(look.decode, CASES[i].decoder, strlen(CASES[i].decoder));
        check_files("rtl", look.operands);
        check_files("rtl", look.decode);
        check_files("rtl", look.writer);
        check_files("rtl", look.past);
    }
}

/* A cell has fewer bits than a register, and its sign decides the others: in a cell of a word there are none. */
static void test_look_knows_what_extends(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t bits;
        bool is_extension;
    } CASES[] = {
        {"GLD.S8 R1, global14 [R2]",  0xffffff00, true },
        {"GLD.U8 R1, global14 [R2]",  0xffffff00, true },
        {"GLD.S16 R1, global14 [R2]", 0xffff0000, true },
        {"GLD.S16 R1, global14 [R2]", 0xffffff00, false},
        {"GLD.S8 R1, global14 [R2]",  0x00000100, false},
        {"GLD.U32 R1, global14 [R2]", 0xffff0000, false},
        {"LLD.S8 R1, local [0x4]",    0xffffff00, true },
        {"G2R.U32.S16 R1, g [0x2]",   0xffff0000, true },
        {"SHL R1, R2, R3",            0xffff0000, false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct isa_insn insn = parsed(CASES[i].text);
        assert_int_equal(look_is_extension(&insn, CASES[i].bits), CASES[i].is_extension);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_look_names_a_rule_and_files_of_each_operation),
        cmocka_unit_test(test_look_knows_where_fields_are_made),
        cmocka_unit_test(test_look_names_the_stages_of_floating_point),
        cmocka_unit_test(test_look_knows_what_traps),
        cmocka_unit_test(test_look_knows_what_increments),
        cmocka_unit_test(test_look_follows_the_operands),
        cmocka_unit_test(test_look_knows_what_extends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

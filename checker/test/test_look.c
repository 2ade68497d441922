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
#define RESULT(op, section, stages, rtl, model)
#define FIELD(name, stages, rtl) +1
#define OPERAND(kind, rtl)
#define DECODER(unit, rtl)
#include "../record/look.def"
};

static struct look look_text(const char *text, const char *field) {
    struct isa_insn insn;
    struct isa_error error;
    uint32_t lo, hi;
    if (!isa_parse(text, strlen(text), NULL, &lo, &hi, &error)) fail_msg("%s: %s", text, error.text);
    assert_int_equal(isa_decode(lo, hi, &insn), ISA_OK);
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

/* What brings the operands, by their kinds in this instruction; what decodes it, by its unit and size. */
static void test_look_follows_the_operands(void **state) {
    (void)state;
#define REGISTERS "operands/lane_operand.vhd, operands/lane_files.vhd"
#define SHARED    "operands/shared_memory.vhd, operands/lane_operand.vhd"
    static const struct {
        const char *text, *operands, *decoder;
    } CASES[] = {
        {"IADD R1, R2, R3",           REGISTERS,                                                     "front/decode_integer.vhd"},
        {"IADD32 R1, R2, R3",         REGISTERS,                                                     "front/decode_half.vhd"   },
        {"IADD R1, g [0x4], R3",      SHARED ", operands/lane_files.vhd",                            "front/decode_integer.vhd"},
        {"IADD R1, R2, c [1] [0x4]",  "operands/const_memory.vhd, operands/operand.vhd, " REGISTERS,
         "front/decode_integer.vhd"                                                                                            },
        {"IADD32I R1, R2, 0x12",      "operands/operand.vhd, front/decode_operands.vhd, " REGISTERS,
         "front/decode_integer.vhd"                                                                                            },
        {"MOV R1, R2",                REGISTERS,                                                     "front/decode_move.vhd"   },
        {"GST.U32 global14 [R1], R2", REGISTERS,                                                     "front/decode_memory.vhd" },
        {"R2G.U32.U32 g [0x1], R1",   SHARED ", operands/lane_files.vhd",                            "front/decode_memory.vhd" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct look look = look_text(CASES[i].text, "dst");
        assert_string_equal(look.operands, CASES[i].operands);
        assert_memory_equal(look.decode, CASES[i].decoder, strlen(CASES[i].decoder));
        check_files("rtl", look.operands);
        check_files("rtl", look.decode);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_look_names_a_rule_and_files_of_each_operation),
        cmocka_unit_test(test_look_knows_where_fields_are_made),
        cmocka_unit_test(test_look_names_the_stages_of_floating_point),
        cmocka_unit_test(test_look_follows_the_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

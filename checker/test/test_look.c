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
        const struct look look = look_for((enum isa_op)op, "dst");
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
#include "../record/look.def"
};

static void test_look_knows_where_fields_are_made(void **state) {
    (void)state;
    unsigned own = 0;
    for (size_t i = 0; i < retire_field_count(); i++) {
        const struct retire_field *f = retire_field_at(i);
        const struct look look = look_for(OP_COUNT, f->name);
        assert_null(look.section);
        if (look.rtl == NULL) continue;
        check_files("rtl", look.rtl);
        own++;
    }
    assert_int_equal(own, OWN);
    assert_string_equal(look_for(OP_IADD, "next_pc").rtl,
                        "branch/branch_early.vhd, branch/branch_pkg.vhd, branch/branch.vhd");
    assert_string_equal(look_for(OP_IADD, "dst").rtl, "execute/alu.vhd");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_look_names_a_rule_and_files_of_each_operation),
        cmocka_unit_test(test_look_knows_where_fields_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

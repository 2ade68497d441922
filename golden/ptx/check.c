/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the interpreter against rules.tsv: an instruction or a few, values, and the contents of register d afterwards.
 * Prints TAP. A row becomes a kernel of one thread that stores d. */
#include "../float/reference.h"
#include "arguments.h"
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 4, MOST_SOURCES = 4 };

struct row {
    char *columns[COLUMNS]; /* code; sources, as type:value separated by commas; type:value of d, or ! and a message;
                             * source */
    int line;
};

struct typed {
    char type[8];
    char value[32];
};

static bool split_row(char *text, struct row *row) {
    for (int k = 0; k < COLUMNS; k++) {
        row->columns[k] = text;
        text += strcspn(text, "\t\n");
        if (k + 1 < COLUMNS && *text != '\t') return false;
        if (*text != '\0') *text++ = '\0';
    }
    return true;
}

/* b32:0x1,p:0: the number of values; 0 for "-". */
static unsigned split_values(const char *text, struct typed *values) {
    unsigned count = 0;
    while (count < MOST_SOURCES && sscanf(text, "%7[^:,]:%31[^,]", values[count].type, values[count].value) == 2) {
        count++;
        text += strcspn(text, ",");
        if (*text == ',') text++;
    }
    return count;
}

/* Registers are at least 16 bits wide. */
static const char *register_type(const char *type) {
    return strcmp(type, "p") == 0 ? "pred" : strcmp(type, "b8") == 0 ? "b16" : type;
}

static void write_kernel(const struct row *row, const struct typed *d, const struct typed *s, unsigned count,
                         char text[2000]) {
    size_t at = (size_t)snprintf(text, 2000,
                                 ".version 3.2\n.target sm_20\n.address_size 64\n"
                                 ".entry k(.param .u64 out)\n{\n.reg .u64 %%o; .reg .b32 q; .reg .%s d, x;\n",
                                 register_type(d->type));
    for (unsigned k = 0; k < count; k++) {
        const char name = "abce"[k];
        const char *type = register_type(s[k].type);
        at += (size_t)snprintf(text + at, 2000 - at, ".reg .%s %c;\n", type, name);
        if (strcmp(s[k].type, "p") == 0)
            at += (size_t)snprintf(text + at, 2000 - at, "setp.ne.u32 %c, %s, 0;\n", name, s[k].value);
        else
            at += (size_t)snprintf(text + at, 2000 - at, "mov.%s %c, %s;\n", type, name, s[k].value);
    }
    snprintf(text + at, 2000 - at, "%s;\nld.param.u64 %%o, [out];\n%s}\n", row->columns[0],
             strcmp(d->type, "p") == 0     ? ".reg .b32 t; selp.u32 t, 1, 0, d; st.global.b32 [%o], t; ret;\n"
             : strcmp(d->type, "b64") == 0 ? "st.global.b64 [%o], d;\n"
             : strcmp(d->type, "b32") == 0 ? "st.global.b32 [%o], d;\n"
             : strcmp(d->type, "b8") == 0  ? "st.global.b8 [%o], d;\n"
                                           : "st.global.b16 [%o], d;\n");
}

/* The contents of d, or the problem. */
static bool run_kernel(const char *text, uint64_t *result, struct problem *problem) {
    struct module *module = module_read("row", text, problem);
    if (module == NULL) return false;
    struct machine *m = machine_create(module, problem);
    const uint64_t out = machine_add_buffer(m, "out", NULL, 8);
    uint8_t parameters[8];
    const uint8_t *bytes = NULL;
    memcpy(parameters, &out, sizeof out);
    const struct launch launch = {
        module_kernel(module, "k"), {1, 1, 1},
          {1, 1, 1},
          0, parameters, 1000
    };
    const bool good =
        machine_launch(m, &launch) == FINISHED && machine_defined(m, out) && machine_buffer(m, out, &bytes);
    if (good) memcpy(result, bytes, sizeof *result);
    machine_free(m);
    module_free(module);
    return good;
}

static bool check_row(const struct row *row) {
    struct typed d = {"b32", ""};
    struct typed s[MOST_SOURCES];
    char text[2000];
    uint64_t result = 0;
    struct problem problem = {""};
    const char *wanted = row->columns[2];
    const bool refused = *wanted == '!';
    if (!refused && split_values(wanted, &d) != 1) return false;
    write_kernel(row, &d, s, split_values(row->columns[1], s), text);
    const bool ran = run_kernel(text, &result, &problem);
    if (refused && !ran && strstr(problem.text, wanted + 1) != NULL) return true;
    if (!refused && ran && result == strtoull(d.value, NULL, 0)) return true;
    printf("# rules.tsv:%d: %s (%s): wanted %s, got 0x%llx %s\n", row->line, row->columns[0], row->columns[1], wanted,
           (unsigned long long)result, problem.text);
    return false;
}

int main(int argc, char **argv) {
    char line[1000];
    struct row row = {.line = 0};
    unsigned rows = 0;
    unsigned failed = 0;
    FILE *f = argc == 3 && float_reference_open(argv[2]) ? fopen(argv[1], "r") : NULL;
    if (f == NULL) {
        fputs("usage: check rules.tsv sfu-tables.csv\n", stderr);
        return 2;
    }
    while (fgets(line, sizeof line, f) != NULL) {
        row.line++;
        if (*line == '#' || row.line == 1) continue;
        const bool good = split_row(line, &row) && check_row(&row);
        rows++;
        if (!good) failed++;
    }
    fclose(f);
    printf("%sok 1 - %u rows of rules.tsv, %u of them wrong\n", failed == 0 ? "" : "not ", rows, failed);
    return failed == 0 ? 0 : 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the rules with the canonical rows of golden/vectors: registers, flags and memory after the instruction.
 *
 *     vectors int_NAME.tsv...    prints TAP, one test a file; exits with 1 if rows differ */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "envydis.h"
#include "text.h"

enum { MAX_COLUMNS = 64, COMPARED = 8, GLOBAL_BYTES = 1 << 16 };

static uint8_t global[GLOBAL_BYTES];

struct row {
    const char *file;
    char *const *names, *const *fields;
};

/* NULL if the column does not exist. */
static const char *find_field(const struct row *row, const char *name) {
    for (size_t n = 0; row->names[n]; n++)
        if (strcmp(row->names[n], name) == 0) return row->fields[n];
    return NULL;
}

static const char *field(const struct row *row, const char *name) {
    const char *text = find_field(row, name);
    if (!text) fail(row->file, 0, "no such column", name);
    return text;
}

static uint32_t hex(const struct row *row, const char *name) { return (uint32_t)strtoul(field(row, name), NULL, 16); }

/* Splits a line at its tabs. */
static void split(char *line, char **fields) {
    size_t n = 0;
    for (char *rest = line; rest && n < MAX_COLUMNS - 1;) fields[n++] = strsep(&rest, "\t");
    fields[n] = NULL;
}

/* The word of memory that an atomic acts on; NULL in rows of other instructions. */
static uint8_t *word_of(const struct row *row) {
    if (!find_field(row, "addr")) return NULL;
    uint32_t address = hex(row, "addr") & ~UINT32_C(3);
    if (address >= GLOBAL_BYTES) fail(row->file, 0, "far address", field(row, "id"));
    return global + address;
}

static void set_state(const struct row *row, struct thread *t) {
    *t = (struct thread){
        .registers = REGISTERS, .global = {global, sizeof global}
    };
    uint8_t *word = word_of(row);
    for (size_t n = 0; word && n < 4; n++) word[n] = (uint8_t)(hex(row, "mem_before") >> 8 * n);
    for (unsigned n = 0; n < COMPARED; n++) {
        char name[] = {'r', (char)('0' + n), 0};
        t->r[n] = hex(row, name);
    }
    t->c[0] = (uint8_t)hex(row, "c0_in");
    if (find_field(row, "c1_in")) t->c[1] = (uint8_t)hex(row, "c1_in");
}

/* True if the instruction writes exactly what the row lists. */
static bool agrees(const struct row *row, const struct thread *before, const struct thread *after) {
    struct thread expected = *before;
    const char *dst = field(row, "dst");
    if (dst[0] == 'r') {
        uint32_t mask = hex(row, "dst_mask"), *destination = &expected.r[dst[1] - '0'];
        *destination = (*destination & ~mask) | (hex(row, "dst_val") & mask);
    }
    const uint8_t *word = word_of(row);
    for (size_t n = 0; word && n < 4; n++)
        if (word[n] != (uint8_t)(hex(row, "mem_after") >> 8 * n)) return false;
    unsigned counts = 15;
    const char *creg = field(row, "cc_reg");
    if (creg[0] == 'c' && strcmp(field(row, "cc_wr"), "1") == 0) {
        counts = hex(row, "cc_mask");
        expected.c[creg[1] - '0'] = (uint8_t)hex(row, "cc_val");
    }
    for (size_t n = 0; n < CREGS; n++)
        if (((expected.c[n] ^ after->c[n]) & counts) != 0) return false;
    return memcmp(expected.r, after->r, sizeof expected.r) == 0;
}

static bool check(const struct row *row) {
    struct instruction i;
    struct thread before, after;
    const char *text = field(row, "asm"), *wrong = envydis_read(text, &i);
    if (wrong) fail(row->file, 0, wrong, text);
    set_state(row, &before);
    after = before;
    wrong = calculator_execute(&i, &after);
    if (wrong) fail(row->file, 0, wrong, text);
    if (agrees(row, &before, &after)) return true;
    printf("# %s: %s differs\n", field(row, "id"), text);
    return false;
}

static void read_rows(const char *path, unsigned *rows, unsigned *differ) {
    char *text = read_file(path), *names[MAX_COLUMNS] = {NULL}, *fields[MAX_COLUMNS] = {NULL};
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;) {
        struct row row = {path, names, fields};
        if (line[0] == 0 || line[0] == '#') continue;
        split(line, names[0] ? fields : names);
        if (!rest || strcmp(names[0], "id") != 0) fail(path, 0, "no heading", line);
        if (line == names[0] || strcmp(field(&row, "canon"), "1") != 0) continue;
        ++*rows;
        *differ += !check(&row);
    }
    free(text);
}

int main(int argc, char **argv) {
    unsigned all = 0, failed = 0;
    for (int n = 1; n < argc; n++) {
        unsigned rows = 0, differ = 0;
        read_rows(argv[n], &rows, &differ);
        bool ok = rows > 0 && differ == 0;
        printf("%sok %d - %s: %u of %u rows\n", ok ? "" : "not ", n, argv[n], rows - differ, rows);
        all += rows;
        failed += !ok;
    }
    printf("1..%d\n# %u rows\n", argc - 1, all);
    return failed > 0;
}

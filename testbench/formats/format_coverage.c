/* SPDX-License-Identifier: Apache-2.0 */
/* The encodings that the kernels of kernels/formats execute. Each kernel runs on the model; the retired words are
 * looked up in the instruction table. Prints TAP:
 *
 *   one test for each format T1..T85 of the thesis (thesis.def): a kernel whose name begins with that number executes
 *   the format's row, and, if the format has a guard, once with a guard that is true in some of the lanes only;
 *   one test for all rows of the table: some kernel executes each row that an sm_10 executes. Rows of sm_11 that no
 *   kernel executes are listed, too.
 *
 *     format_coverage KERNEL...
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assembler/isa/isa.h"
#include "cmodel/model.h"
#include "cmodel/run/launch.h"

enum { FORMATS = 85, ROWS_MAX = 1024 };

/* A row's executions in the kernels. */
struct seen {
    bool executed;
    bool guarded; /* the row has a guard that is obeyed */
    bool mixed;   /* a guard was true in some active lanes and false in others */
};

struct coverage {
    struct seen row[ROWS_MAX];       /* by all kernels */
    struct seen format[FORMATS + 1]; /* of the format's row, by the kernels named after the format */
    const char *kernel[FORMATS + 1]; /* the last of these, NULL if none */
    const char *row_id[FORMATS + 1];
};

static const struct {
    unsigned number;
    const char *row_id;
} THESIS_ROWS[] = {
#define THESIS(number, row, seen) {number, #row},
#include "spec/thesis.def"
#undef THESIS
};

/* Operations that trap on this machine: graphics only. */
static bool never_executes(const struct isa_insn *insn) {
    return insn->unit == UNIT_TEXTURE || isa_unit_is_extension(insn->unit) || insn->op == OP_KIL ||
           insn->op == OP_QUADON || insn->op == OP_QUADPOP;
}

static bool needs_sm_11(const struct isa_insn *insn) { return insn->op == OP_GRED || insn->op == OP_GATOM; }

/* "kernels/formats/T17-i2i-abs.sass": 17; 0 if the name does not begin with a format. */
static unsigned format_of_path(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    char *end;
    const unsigned long number = *name == 'T' ? strtoul(name + 1, &end, 10) : 0;
    return number >= 1 && number <= FORMATS && *end == '-' ? (unsigned)number : 0;
}

static void note(struct seen *seen, const struct isa_insn *insn, const struct retire *r) {
    seen->executed = true;
    seen->guarded |= insn->guarded;
    seen->mixed |= insn->guarded && r->exec != 0 && r->exec != r->active;
}

static void note_record(struct coverage *c, unsigned format, const struct retire *r) {
    struct isa_insn insn;
    const bool acted = r->exec != 0 || r->trap == TRAP_BREAKPOINT;
    if (!acted || isa_decode(r->word_lo, r->word_hi, &insn) != ISA_OK) return;
    note(&c->row[insn.row], &insn, r);
    if (format != 0 && strcmp(isa_row_id(insn.row), c->row_id[format]) == 0) note(&c->format[format], &insn, r);
}

static enum status run_launch(struct coverage *c, unsigned format, struct launch *run, struct diag *d) {
    struct machine machine = MACHINE_DEFAULT;
    machine.has_atomics = launch_has_atomics(run);
    struct model *m = model_create(&machine);
    enum status status = m == NULL ? STATUS_NO_MEMORY : launch_check(run, &machine, d);
    if (status == STATUS_OK) status = model_launch(m, run->image, d);
    if (status == STATUS_OK) {
        struct retire record;
        for (uint64_t i = 0; i < run->max_cycles && model_run_step(m, &record) == MODEL_RETIRED; i++)
            note_record(c, format, &record);
    }
    model_destroy(m);
    return status;
}

static enum status run_kernel(struct coverage *c, char *path, struct diag *d) {
    struct launch run;
    char *arguments[] = {"format_coverage", path, NULL};
    const unsigned format = format_of_path(path);
    const struct machine machine = MACHINE_DEFAULT;
    enum status status = launch_parse(2, arguments, NULL, NULL, &machine, NULL, &run, d);
    if (status != STATUS_OK) return status;
    status = run_launch(c, format, &run, d);
    c->kernel[format] = path;
    launch_release(&run);
    return status;
}

/* T72 and T73, T75 and T76 share a row: one of the two is the form without a guard. */
static bool has_guard(const struct coverage *c, unsigned number) {
    return c->format[number].guarded && number != 73 && number != 75;
}

static bool report_format(const struct coverage *c, unsigned number) {
    const struct seen *seen = &c->format[number];
    const bool good = seen->executed && (!has_guard(c, number) || seen->mixed);
    printf("%sok %u - T%u %s\n", good ? "" : "not ", number, number, c->row_id[number]);
    if (c->kernel[number] == NULL)
        printf("# no kernel is named T%02u-...\n", number);
    else if (!seen->executed)
        printf("# %s does not execute it\n", c->kernel[number]);
    else if (!good)
        printf("# %s has no guard on it that is true in some lanes only\n", c->kernel[number]);
    return good;
}

/* The row decoded from the word that the assembler writes for its default fields. */
static bool decode_row(size_t row, struct isa_insn *insn) {
    struct isa_fields fields;
    uint32_t lo, hi;
    isa_default_fields(row, &fields);
    return isa_encode(row, &fields, &lo, &hi) && isa_decode(lo, hi, insn) == ISA_OK;
}

static bool report_rows(const struct coverage *c) {
    size_t missing = 0, all = 0;
    for (size_t row = 0; row < isa_row_count(); row++) {
        struct isa_insn insn = {0};
        if (decode_row(row, &insn) && never_executes(&insn)) continue;
        const bool later = needs_sm_11(&insn);
        if (!c->row[row].executed) {
            printf("# no kernel executes %s (%c, %s%s)\n", isa_row_id(row), isa_row_class(row), isa_row_mnemonic(row),
                   later ? ", sm_11" : "");
        }
        all += !later;
        missing += !later && !c->row[row].executed;
    }
    printf("%sok %d - all rows of sm_10 are executed: %zu of %zu\n", missing == 0 ? "" : "not ", FORMATS + 1,
           all - missing, all);
    return missing == 0;
}

int main(int argc, char **argv) {
    static const struct coverage EMPTY;
    struct coverage c = EMPTY;
    struct diag d = {0};
    bool good = true;
    assert(isa_row_count() <= ROWS_MAX);
    for (size_t i = 0; i < sizeof THESIS_ROWS / sizeof *THESIS_ROWS; i++)
        c.row_id[THESIS_ROWS[i].number] = THESIS_ROWS[i].row_id;
    for (int i = 1; i < argc; i++)
        if (run_kernel(&c, argv[i], &d) != STATUS_OK) return diag_report(stderr, &d);
    for (unsigned number = 1; number <= FORMATS; number++) good &= report_format(&c, number);
    good &= report_rows(&c);
    printf("1..%d\n", FORMATS + 1);
    return good ? 0 : 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* what_to_report PAGE: prints docs/evidence/records.md with its table of fields by kind of operation made anew. The
 * table comes from the model, whose records the comparison takes for right: each row is an instruction that it has
 * executed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../assembler/isa/isa.h"
#include "../../../cmodel/model.h"

enum { CELL_BYTES = 64, STEPS_MOST = 1000, SLOTS = 2, CODE_PC = 0x10 };

static const char BEGIN[] = "<!-- made by checker/record/doc/what_to_report.c: make generated -->\n";
static const char END[] = "<!-- end of what is made -->\n";

/* Code before the shown instruction: C0 is not zero in lanes 16 to 31, C1 in none. */
static const char *const PROLOGUE[] = {"SHR.C0 R1, R0, 0x4", "SHR.C1 R2, R0, 0x10"};

/* One row: an instruction in its code. See situations.def. */
struct situation {
    const char *kind, *code;
    uint32_t pc;
    unsigned skip, threads;
};

static const struct situation SITUATIONS[] = {
#define SITUATION(kind, pc, skip, threads, code) {kind, code, pc, skip, threads},
#include "situations.def"
#undef SITUATION
};

/* A record and the state of its warp before. */
struct observed {
    struct retire r;
    unsigned depth;
    char text[CELL_BYTES];
};

/* ----------------------------------------------------------------------------------------------------------- runs */

static void stop(const char *what, const char *detail) {
    fprintf(stderr, "what_to_report: error: %s: %s\n", what, detail);
    exit(2);
}

static void add_text(struct image *image, const char *text) {
    struct isa_error error;
    uint32_t lo, hi;
    const bool end = text[0] == '!';
    if (!isa_parse(text + end, strlen(text + end), NULL, &lo, &hi, &error)) stop(text, error.text);
    if (image_add_code(image, lo) != STATUS_OK) stop(text, "out of memory");
    if (isa_is_long(lo) && image_add_code(image, end ? hi | 1 : hi) != STATUS_OK) stop(text, "out of memory");
}

/* Instruction `i` of the code; false after the last. */
static bool find_text(const struct situation *s, unsigned i, char text[CELL_BYTES]) {
    const char *at = s->code;
    for (; i > 0 && at != NULL; i--) {
        at = strchr(at, ';');
        if (at != NULL) at += strspn(at, "; ");
    }
    snprintf(text, CELL_BYTES, "%.*s", at != NULL ? (int)strcspn(at, ";") : 0, at != NULL ? at : "");
    return at != NULL;
}

static struct image *make_image(const struct situation *s) {
    struct image *image = image_create();
    if (image == NULL) stop(s->kind, "out of memory");
    for (size_t i = 0; i < sizeof PROLOGUE / sizeof PROLOGUE[0]; i++) add_text(image, PROLOGUE[i]);
    char text[CELL_BYTES];
    for (unsigned i = 0; find_text(s, i, text); i++) add_text(image, text);
    image->grid[0] = image->grid[1] = image->block[1] = image->block[2] = 1;
    image->block[0] = s->threads;
    image->regs = 8;
    image->shared_bytes = 64;
    image->local_bytes = 16;
    return image;
}

static struct observed observe(const struct situation *s) {
    struct machine machine = MACHINE_DEFAULT;
    machine.has_atomics = true;
    struct model *m = model_create(&machine);
    struct image *image = make_image(s);
    struct diag d = {0};
    struct observed o = {.depth = 0};
    unsigned depth[SLOTS] = {0}, skip = s->skip;
    if (m == NULL || model_launch(m, image, &d) != STATUS_OK) stop(s->kind, "no model");
    for (unsigned step = 0;; step++) {
        if (step == STEPS_MOST || model_run_step(m, &o.r) != MODEL_RETIRED) stop(s->kind, "does not get there");
        if (o.r.pc == s->pc && skip-- == 0) break;
        depth[o.r.slot] = o.r.depth;
    }
    o.depth = depth[o.r.slot];
    find_text(s, (s->pc - CODE_PC) / 8, o.text);
    image_destroy(image);
    model_destroy(m);
    return o;
}

/* ----------------------------------------------------------------------------------------------------------- cells */

static const char *mask_cell(uint32_t mask, uint32_t active) {
    if (mask == 0) return "0";
    return mask == active ? "active" : "guard";
}

/* A register; its lanes are those of exec. */
static void register_cell(const struct situation *s, bool there, const char *number, uint32_t mask, uint32_t exec,
                          char cell[CELL_BYTES]) {
    if (mask != (there ? exec : 0)) stop(s->kind, "writes other lanes than it executes");
    snprintf(cell, CELL_BYTES, "%s", there ? number : "0");
}

static void pc_cell(const struct retire *r, char cell[CELL_BYTES]) {
    struct isa_insn insn;
    const bool jumps = isa_decode(r->word_lo, r->word_hi, &insn) == ISA_OK && insn.target != 0;
    if (r->next_pc == 0)
        snprintf(cell, CELL_BYTES, "0");
    else if (r->next_pc == r->pc + 8)
        snprintf(cell, CELL_BYTES, "pc + 8");
    else
        snprintf(cell, CELL_BYTES, "%s", jumps && insn.target == r->next_pc ? "target" : "of the entry");
}

static const char *lanes_cell(const struct retire *r) {
    if (r->next_active == 0) return "0";
    if (r->next_active == r->active) return "active";
    if (r->next_active == r->exec) return "exec";
    return r->next_active == (r->active & ~r->exec) ? "active, not exec" : "of the entry";
}

static void print_row(const struct situation *s, const struct observed *o, FILE *out) {
    const struct retire *r = &o->r;
    char number[CELL_BYTES], dst[CELL_BYTES], c[CELL_BYTES], a[CELL_BYTES], pc[CELL_BYTES];
    snprintf(number, sizeof number, "%" PRIu32 ", %" PRIu32, r->dst_kind, r->dst_reg);
    if (r->mem_mask != (r->mem_kind != RETIRE_MEM_NONE ? r->exec : 0)) stop(s->kind, "accesses other lanes");
    register_cell(s, r->dst_kind != RETIRE_DST_NONE, number, r->dst_mask, r->exec, dst);
    snprintf(number, sizeof number, "%" PRIu32, r->c_reg);
    register_cell(s, r->c_reg != 0 || r->c_mask != 0, number, r->c_mask, r->exec, c);
    snprintf(number, sizeof number, "%" PRIu32, r->a_reg);
    register_cell(s, r->a_reg != 0, number, r->a_mask, r->exec, a);
    pc_cell(r, pc);
    fprintf(out, "| %s | %s%s%s | %s | %s | %s | %s | ", s->kind, o->text[0] != 0 ? "`" : "",
            o->text + (o->text[0] == '!'), o->text[0] != 0 ? "`" : "", mask_cell(r->exec, r->active), dst, c, a);
    if (r->mem_kind != RETIRE_MEM_NONE)
        fprintf(out, "%" PRIu32 ", %" PRIu32, r->mem_kind, r->mem_bytes);
    else
        fputs("0", out);
    fprintf(out, " | %s | %s | ", pc, lanes_cell(r));
    if (r->depth == o->depth)
        fputs("same", out);
    else
        fprintf(out, "%+d", (int)r->depth - (int)o->depth);
    fprintf(out, " | %" PRIu32 " |\n", r->state);
}

static void print_table(FILE *out) {
    fputs("| instruction | for example | `exec` | `dst_kind`, `dst_reg` | `c_reg` | `a_reg` | `mem_kind`, `mem_bytes` |"
          " `next_pc` | `next_active` | `depth` | `state` |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < sizeof SITUATIONS / sizeof SITUATIONS[0]; i++) {
        const struct observed o = observe(&SITUATIONS[i]);
        print_row(&SITUATIONS[i], &o, out);
    }
}

/* ------------------------------------------------------------------------------------------------------------ page */

int main(int argc, char **argv) {
    FILE *page = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (page == NULL) stop(argc == 2 ? argv[1] : "usage", argc == 2 ? "cannot be read" : "what_to_report PAGE");
    char *line = NULL;
    size_t size = 0;
    bool made = false, inside = false;
    while (page != NULL && getline(&line, &size, page) >= 0) {
        if (strcmp(line, END) == 0) inside = false;
        if (!inside) fputs(line, stdout);
        if (strcmp(line, BEGIN) != 0) continue;
        made = inside = true;
        print_table(stdout);
    }
    free(line);
    if (page != NULL) fclose(page);
    if (!made || inside) stop(argv[1], "has no place for the table");
    return fflush(stdout) == 0 ? 0 : 2;
}

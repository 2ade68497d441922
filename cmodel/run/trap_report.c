/* SPDX-License-Identifier: Apache-2.0 */
/* Traps in words, see trap_report.h. */
#include "trap_report.h"

#include <inttypes.h>
#include <stdarg.h>

#include "../../spec/memory.h"
#include "../core/lanes.h"
#include "operands.h"

/* Each memory has a pair of traps, misaligned and out of range. */
static const char *memory_name(enum trap trap) {
    static const char *const NAMES[] = {"shared", "constant", "global", "local"};
    return trap >= TRAP_SHARED_ALIGN && trap <= TRAP_LOCAL_RANGE ? NAMES[(trap - TRAP_SHARED_ALIGN) / 2] : "";
}

/* The bank of the constant operand, of which an instruction has one. */
static unsigned bank_of(const struct isa_insn *insn) {
    unsigned i = 0;
    while (i < 2 && insn->src[i].kind != ISA_CONST) i++;
    return insn->src[i].bank;
}

static void append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(char *text, const char *format, ...) {
    const size_t length = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + length, TRAP_REPORT_MAX - length, format, args);
    va_end(args);
}

/* A load from behind the parameters, where the launch defines nothing else: usually too few parameters. */
static bool beyond_parameters(const struct model_access *a, const struct isa_insn *insn, const struct image *image) {
    return a->trap == TRAP_SHARED_RANGE && insn->dst.kind != ISA_SHARED &&
           a->limit == HEADER_BYTES + 4 * image->param_count;
}

const char *trap_report_access(const struct model_trap *trap, const struct image *image, char *text) {
    const struct model_access *a = &trap->access;
    struct isa_insn insn;
    text[0] = '\0';
    if (a->lanes == 0 || isa_decode(trap->word_lo, trap->word_hi, &insn) != ISA_OK) return text;
    append(text, "lane %u", lanes_first(a->lanes));
    if (lanes_rest(a->lanes) != 0) append(text, " of lanes %08" PRIx32, a->lanes);
    append(text, ": %" PRIu32 " byte%s at 0x%" PRIx32 ", ", a->bytes, a->bytes == 1 ? "" : "s", a->addr);
    if ((a->trap - TRAP_SHARED_ALIGN) % 2 == 0) {
        append(text, "which is no multiple of %" PRIu32, a->bytes);
        return text;
    }
    append(text, "%s ", memory_name(a->trap));
    if (a->trap == TRAP_CONST_RANGE)
        append(text, "bank %u ends at 0x%" PRIx32, bank_of(&insn), a->limit);
    else
        append(text, "memory ends at 0x%" PRIx32, a->limit);
    const size_t words = image->param_count;
    if (beyond_parameters(a, &insn, image))
        append(text, ": a read beyond the parameters, the launch has %zu word%s", words, words == 1 ? "" : "s");
    return text;
}

/* ---------------------------------------------------------------------------- operands */

/* Finds the instruction, and the warp before it; false if no access is known. */
static bool fetch(const struct model *m, const struct model_trap *t, struct isa_insn *insn, struct model_saved *warp) {
    if (t->access.lanes == 0 || isa_decode(t->word_lo, t->word_hi, insn) != ISA_OK) return false;
    model_save_warp(m, t->sm, t->slot, warp);
    return true;
}

const char *trap_report_operands(const struct model *m, const struct model_trap *trap, char *text) {
    struct model_saved warp;
    struct isa_insn insn;
    text[0] = '\0';
    if (!fetch(m, trap, &insn, &warp)) return text;
    return operands_print(&(struct operand_place){.warp = &warp}, &insn, lanes_first(trap->access.lanes), text);
}

/* Reports a program that runs on behind its end. */
static void print_fetch(const struct model_trap *trap, const struct image *image, FILE *out) {
    const size_t end = 4 * image->code_words;
    fprintf(out, "  the code ends at 0x%zx%s\n", end,
            trap->pc == end ? "; the instruction before neither ends the warp (RET, .end) nor branches" : "");
}

/* Says which of its two causes a partial barrier has: options come before lanes. */
static void print_barrier(const struct model *m, const struct model_trap *trap, FILE *out) {
    struct isa_insn insn;
    struct model_warp warp;
    if (isa_decode(trap->word_lo, trap->word_hi, &insn) != ISA_OK) return;
    model_peek_warp(m, trap->sm, trap->slot, &warp);
    if (isa_barrier_is_partial(&insn))
        fprintf(out, "  its options are undefined: only .ARV.WAIT of all warps and .ARV alone are defined\n");
    else
        fprintf(out, "  a part of the warp reaches it: lanes %08" PRIx32 " of %08" PRIx32 " that have not ended\n",
                warp.active, warp.alive);
}

void trap_report_print(const struct model *m, const struct model_trap *trap, const struct image *image, FILE *out) {
    if (trap->code == TRAP_FETCH) print_fetch(trap, image, out);
    if (trap->code == TRAP_BARRIER_PARTIAL) print_barrier(m, trap, out);
    char text[TRAP_REPORT_MAX];
    if (trap_report_access(trap, image, text)[0] != '\0') fprintf(out, "  %s\n", text);
    if (trap_report_operands(m, trap, text)[0] != '\0')
        fprintf(out, "  operands in lane %u: %s\n", lanes_first(trap->access.lanes), text);
}

/* ---------------------------------------------------------------------------- JSON */

struct json_members {
    FILE *out;
    const char *separator;
};

static void print_member(void *state, const char *name, unsigned digits, uint32_t value) {
    struct json_members *members = state;
    (void)digits;
    fprintf(members->out, "%s\"%s\":%" PRIu32, members->separator, name, value);
    members->separator = ",";
}

void trap_report_json(const struct model *m, const struct model_trap *trap, const struct image *image, FILE *out) {
    const struct model_access *a = &trap->access;
    struct json_members members = {out, ""};
    struct model_saved warp;
    struct isa_insn insn;
    fprintf(out, "{\"code\":%u,\"name\":\"%s\",\"sm\":%u,\"slot\":%u,\"pc\":%" PRIu32, (unsigned)trap->code,
            trap_name(trap->code), trap->sm, trap->slot, trap->pc);
    if (a->lanes != 0) {
        fprintf(out,
                ",\"memory\":\"%s\",\"lane\":%u,\"lanes\":%" PRIu32 ",\"address\":%" PRIu32 ",\"bytes\":%" PRIu32
                ",\"limit\":%" PRIu32 ",\"operands\":{",
                memory_name(a->trap), lanes_first(a->lanes), a->lanes, a->addr, a->bytes, a->limit);
        const bool known = fetch(m, trap, &insn, &warp);
        if (known)
            operands_visit(&(struct operand_place){.warp = &warp}, &insn, lanes_first(a->lanes), print_member,
                           &members);
        fputc('}', out);
        if (known && beyond_parameters(a, &insn, image)) fprintf(out, ",\"parameters\":%zu", image->param_count);
    }
    fputc('}', out);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* See state_report.h. */
#include "state_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../spec/memory.h"
#include "../turns.h"
#include "trace.h"

void state_report_place(const struct image *image, uint32_t pc, uint32_t lo, uint32_t hi, FILE *out) {
    char text[TRACE_TEXT_MAX];
    unsigned line = 0;
    const char *file = image_find_line(image, pc, &line);
    fprintf(out, "pc 0x%x: %s", pc, trace_instruction(pc, lo, trace_second_word(image, pc, lo, hi), text));
    if (file != NULL) fprintf(out, " (%s:%u)", file, line);
    fputc('\n', out);
}

void state_report_code(const struct image *image, uint32_t pc, FILE *out) {
    const size_t word = pc / 4;
    if (word >= image->code_words) {
        fprintf(out, "pc 0x%x: beyond the code\n", pc);
        return;
    }
    state_report_place(image, pc, image->code[word], word + 1 < image->code_words ? image->code[word + 1] : 0, out);
}

bool state_report_read_line(const char *path, unsigned number, char line[STATE_REPORT_LINE_MAX]) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    unsigned at = 0;
    if (file == NULL) return false;
    while (at < number && getline(&text, &size, file) >= 0) at++;
    fclose(file);
    const bool found = number > 0 && at == number && text != NULL;
    if (found) {
        snprintf(line, STATE_REPORT_LINE_MAX, "%s", text);
        line[strcspn(line, "\r\n")] = '\0';
    }
    free(text);
    return found;
}

bool state_report_source(const struct image *image, uint32_t pc, const char *indent, FILE *out) {
    unsigned number = 0;
    char line[STATE_REPORT_LINE_MAX];
    const char *path = image->has_signature ? image_find_line(image, pc, &number) : NULL;
    if (path == NULL || !state_report_read_line(path, number, line)) return false;
    fprintf(out, "%s%s:%u: %s\n", indent, path, number, line);
    return true;
}

const char *state_report_state(const struct model_warp *warp) {
    static const char *const STATES[] = {"ready", "waits at barrier", "finished", "trapped"};
    return warp->repeats ? "loops for ever" : STATES[warp->state];
}

const char *state_report_token(enum model_token token) {
    static const char *const TOKENS[] = {"SYNC", "DIVERGE", "CALL", "BREAK"};
    return TOKENS[token & 3];
}

const char *state_report_access(enum model_access_kind kind) {
    static const char *const NAMES[] = {[MODEL_LOAD] = "load", [MODEL_STORE] = "store", [MODEL_ATOMIC] = "atomic"};
    return NAMES[kind];
}

/* A warp that waits continues behind its BAR, unless the BAR's marker sends it elsewhere. */
static uint32_t waits_at(const struct image *image, const struct model_warp *warp) {
    const size_t word = warp->pc / 4;
    struct isa_insn insn;
    if (warp->state != RETIRE_BARRIER || word < 2 || word > image->code_words) return warp->pc;
    const bool found = isa_decode(image->code[word - 2], image->code[word - 1], &insn) == ISA_OK && insn.op == OP_BAR;
    return found ? warp->pc - 8 : warp->pc;
}

void state_report_warp(const struct model *m, const struct image *image, unsigned sm, unsigned slot, FILE *out) {
    struct model_warp warp;
    model_peek_warp(m, sm, slot, &warp);
    if (!warp.present) return;
    fprintf(out, "  sm %u slot %u block (%u,%u) warp %u: %s", sm, slot, warp.block_x, warp.block_y, warp.warp,
            state_report_state(&warp));
    if (warp.state == RETIRE_BARRIER) fprintf(out, " %u", warp.barrier);
    fprintf(out, ", active %08x of %08x, stack %u", warp.active, warp.alive, warp.depth);
    if (warp.state == RETIRE_FINISHED) {
        fputc('\n', out);
        return;
    }
    fputs(", ", out);
    state_report_code(image, waits_at(image, &warp), out);
}

void state_report_warps(const struct model *m, const struct image *image, const struct machine *machine, FILE *out) {
    for (unsigned sm = 0; sm < machine->sms; sm++)
        for (unsigned slot = 0; slot < machine->warps; slot++) state_report_warp(m, image, sm, slot, out);
}

void state_report_loops(const struct model *m, const struct image *image, FILE *out) {
    struct model_turns most[3];
    const size_t count = model_turns(m, most, sizeof most / sizeof most[0]);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "  %" PRIu64 " times back to ", most[i].count);
        state_report_code(image, most[i].pc, out);
        state_report_source(image, most[i].pc, "    ", out);
    }
}

/* An unwritten word of shared memory may be a missing parameter. */
static void print_parameters(const struct model_undefined *u, const struct launch *run, FILE *out) {
    const size_t words = run->image->param_count;
    if (strncmp(u->what, "shared", 6) == 0)
        fprintf(out, "; the launch has %zu parameter word%s, up to 0x%zx", words, words == 1 ? "" : "s",
                HEADER_BYTES + 4 * words);
}

/* True if the assembler has warned of this register, or of a half of it: one warning for one cause. */
static bool was_told(const struct model_undefined *u, const struct launch *run) {
    char name[sizeof u->what + 1];
    const char *told = run->image->unwritten;
    if (told == NULL || run->strict || strchr("RCA", u->what[0]) == NULL) return false;
    snprintf(name, sizeof name, " %s", u->what);
    name[strcspn(name, "LH")] = '\0';
    for (const char *at = told; (at = strstr(at, name)) != NULL; at++)
        if (strchr(" LH", at[strlen(name)]) != NULL) return true;
    return false;
}

/* Of a value read at many places the first; at most a screen of values. */
void state_report_undefined(const struct model *m, const struct launch *run, FILE *out) {
    enum { SHOWN_MAX = 20 };
    const struct model_undefined *shown[SHOWN_MAX];
    size_t count = 0, more = 0;
    if (run->quiet && !run->strict) return;
    for (size_t i = 0; i < model_undefined_count(m); i++) {
        const struct model_undefined *u = model_undefined_at(m, i);
        size_t same = 0;
        if (was_told(u, run)) continue;
        while (same < count && strcmp(shown[same]->what, u->what) != 0) same++;
        if (same < count || count == SHOWN_MAX) {
            more++;
            continue;
        }
        shown[count++] = u;
        fprintf(out, "%s: %s: %s is read before it is written (sm %u slot %u lane %u", run->path,
                run->strict ? "error" : "warning", u->what, u->sm, u->slot, u->lane);
        print_parameters(u, run, out);
        fputs("), ", out);
        state_report_code(run->image, u->pc, out);
    }
    if (more > 0) fprintf(out, "  and at %zu more place%s, see --json\n", more, more == 1 ? "" : "s");
}

void state_report_undefined_json(const struct model *m, FILE *out) {
    fputs(",\"undefined\":[", out);
    for (size_t i = 0; i < model_undefined_count(m); i++) {
        const struct model_undefined *u = model_undefined_at(m, i);
        fprintf(out, "%s{\"pc\":%u,\"what\":\"%s\"}", i == 0 ? "" : ",", u->pc, u->what);
    }
    fputc(']', out);
}

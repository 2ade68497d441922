/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <inttypes.h>
#include <string.h>

#include "../../cmodel/run/state_report.h"
#include "../../cmodel/run/trace.h"
#include "../../cmodel/run/trap_report.h"
#include "difference.h"
#include "wave_view.h"

/* --------------------------------------------------------------------------------------------- the instruction */

static void print_instruction(const struct lockstep *l, uint32_t pc, uint32_t lo, uint32_t hi, FILE *out) {
    char text[TRACE_TEXT_MAX], line[STATE_REPORT_LINE_MAX], fields[ISA_FIELDS_MAX];
    unsigned number = 0;
    struct isa_insn insn;
    fprintf(out, "  %s    pc 0x%" PRIx32 ", words 0x%08" PRIx32 " 0x%08" PRIx32 "\n",
            trace_instruction(pc, lo, hi, text), pc, lo, hi);
    const char *file = image_find_line(lockstep_get_options(l)->run->image, pc, &number);
    if (file != NULL && state_report_read_line(file, number, line))
        fprintf(out, "    %s:%u: %s\n", file, number, line + strspn(line, " \t"));
    else if (file != NULL)
        fprintf(out, "    %s:%u\n", file, number);
    if (isa_decode(lo, hi, &insn) == ISA_UNDEFINED) return;
    isa_print_fields(&insn, fields, sizeof fields);
    fprintf(out, "    fields: %s\n", fields);
}

static void print_place(const struct lockstep *l, const struct retire *r, FILE *out) {
    char lanes[DIFFERENCE_LANES_TEXT];
    const struct image *image = lockstep_get_options(l)->run->image;
    const struct lockstep_result *result = lockstep_result(l);
    const uint32_t differ = difference_lanes(result);
    fprintf(out, "  kernel %s, block (%" PRIu32 ",%" PRIu32 "), warp %" PRIu32 ", sm %" PRIu64 " slot %" PRIu32,
            image->name != NULL ? image->name : "?", r->block_x, r->block_y, r->warp, r->sm, r->slot);
    if (differ != 0) fprintf(out, ", lanes %s", difference_lane_list(differ, lanes));
    fprintf(out, "\n");
}

/* -------------------------------------------------------------------------------------------------- the warp */

static void print_history(const struct lockstep *l, const struct retire *r, FILE *out) {
    struct lockstep_step steps[LOCKSTEP_HISTORY];
    char text[TRACE_TEXT_MAX];
    const unsigned count = lockstep_history(l, r, steps);
    if (count == 0) {
        fprintf(out, "  no instruction of this warp before\n");
        return;
    }
    fprintf(out, "  last instructions of this warp, which %s:\n",
            lockstep_result(l)->amended == 0 ? "agreed" : "were compared");
    for (unsigned i = 0; i < count; i++) {
        const struct lockstep_step *s = &steps[i];
        fprintf(out, "    cycle %8" PRIu64 "  pc 0x%06" PRIx32 "  executed 0x%08" PRIx32 " of 0x%08" PRIx32 "  %s\n",
                s->cycle, s->pc, s->exec, s->active, trace_instruction(s->pc, s->word_lo, s->word_hi, text));
    }
}

void lockstep_report_warps(const struct lockstep *l, FILE *out) {
    const struct machine *machine = &lockstep_get_options(l)->machine;
    fprintf(out, "  state of every warp, by the model:\n");
    state_report_warps(lockstep_model(l), lockstep_get_options(l)->run->image, machine, out);
    if (lockstep_result(l)->status == LOCKSTEP_HANG)
        state_report_loops(lockstep_model(l), lockstep_get_options(l)->run->image, out);
}

/* ------------------------------------------------------------------------------------------------------ the whole */

static void print_record_report(const struct lockstep *l, const struct stack_watch *stack, FILE *out) {
    const struct lockstep_result *r = lockstep_result(l);
    const struct retire *shown = r->fault == FAULT_REFUSED || r->fault == FAULT_LATE ? &r->actual : &r->expected;
    print_place(l, &r->actual, out);
    print_instruction(l, shown->pc, shown->word_lo, shown->word_hi, out);
    fprintf(out, "  active mask before: 0x%08" PRIx32 "\n", shown->active);
    difference_print(l, stack, out);
    last_store_print(&lockstep_result(l)->last_store, lockstep_get_options(l)->run->image, out);
    print_history(l, &r->actual, out);
}

static void print_bytes(const char *label, const uint8_t *bytes, unsigned count, FILE *out) {
    fprintf(out, "    %-17s", label);
    for (unsigned i = 0; i < count; i++) fprintf(out, " %02x", bytes[i]);
    fprintf(out, "\n");
}

static void print_memory_report(const struct lockstep_memory_diff *m, FILE *out) {
    fprintf(out, "  from address 0x%" PRIx32 ":\n", m->first);
    print_bytes("expected (model)", m->expected, m->shown, out);
    print_bytes("actual (RTL)", m->actual, m->shown, out);
}

static void print_trap_report(const struct lockstep *l, FILE *out) {
    const struct model *m = lockstep_model(l);
    const struct model_trap t = model_get_trap(m);
    struct model_warp w;
    model_peek_warp(m, t.sm, t.slot, &w);
    fprintf(out, "  kernel %s, block (%u,%u), warp %u, sm %u slot %u, active mask 0x%08" PRIx32 "\n",
            lockstep_get_options(l)->run->image->name != NULL ? lockstep_get_options(l)->run->image->name : "?",
            w.block_x, w.block_y, w.warp, t.sm, t.slot, w.active);
    print_instruction(l, t.pc, t.word_lo, t.word_hi, out);
    trap_report_print(m, &t, lockstep_get_options(l)->run->image, out);
}

static void print_extra(const struct lockstep_report_extra *extra, FILE *out) {
    if (extra->wave != NULL)
        fprintf(out, "  waves: %s, cycles %" PRIu64 " to %" PRIu64 "\n", extra->wave, extra->wave_from, extra->wave_to);
    if (extra->wave_trouble != NULL) fprintf(out, "  no waves: %s\n", extra->wave_trouble);
    char path[WAVE_VIEW_PATH];
    if (extra->view != NULL) {
        fprintf(out, "  look: gtkwave %s\n", wave_view_path(extra->view, ".gtkw", path));
        fprintf(out, "    or: surfer %s -c %s\n", extra->view, wave_view_path(extra->view, ".sucl", path));
    }
    if (extra->command != NULL) fprintf(out, "  repeat: %s\n", extra->command);
}

/* An assertion of the RTL, "...u_execute.u_ldst: assertion failure RULE": the entity of the innermost instance. */
static void print_assertion(const char *text, FILE *out) {
    static const char MARK[] = ": assertion failure ", INSTANCE[] = ".u_";
    const char *end = strstr(text, MARK), *name = NULL;
    if (end == NULL) return;
    for (const char *at = text; (at = strstr(at, INSTANCE)) != NULL && at < end; at++) name = at + strlen(INSTANCE);
    if (name == NULL || name + strcspn(name, ".:") != end) return;
    const char *rule = end + strlen(MARK);
    fprintf(out, "  look at: rule %.*s of %.*s.vhd, and what drives its inputs\n", (int)strcspn(rule, " \n%"), rule,
            (int)(end - name), name);
}

static void print_body(const struct lockstep *l, const struct stack_watch *stack, FILE *out) {
    const struct lockstep_result *r = lockstep_result(l);
    switch (r->fault) {
    case FAULT_FIELD:
    case FAULT_REPEATED:
    case FAULT_SKIPPED:
    case FAULT_REFUSED:
    case FAULT_LATE: print_record_report(l, stack, out); break;
    case FAULT_MEMORY:
        print_memory_report(&r->memory, out);
        last_store_print(&r->last_store, lockstep_get_options(l)->run->image, out);
        break;
    case FAULT_FAILED:
        print_assertion(r->text, out);
        lockstep_report_warps(l, out);
        break;
    case FAULT_EARLY:
    case FAULT_SILENT:
    case FAULT_STUCK:
    case FAULT_INTERRUPTED:
    case FAULT_CYCLES: lockstep_report_warps(l, out); break;
    case FAULT_NONE:
    case FAULT_TRAP:
    case FAULT_COUNTERS:
    case FAULT_FINDINGS:
    case FAULT_EMPTY:
    case FAULT_BEFORE:
        if (r->status == LOCKSTEP_TRAP || r->fault == FAULT_TRAP) print_trap_report(l, out);
        break;
    }
}

void lockstep_report(const struct lockstep *l, const struct lockstep_report_extra *extra, FILE *out) {
    const struct lockstep_result *r = lockstep_result(l);
    fprintf(out, "%s: %s\n", lockstep_status_name(r->status), r->text[0] != 0 ? r->text : "RTL and model agree");
    if (r->sim_name[0] != 0)
        fprintf(out, "  simulation %s,", r->sim_name); /* nameless: a testbench that calls the
                                                                             * checker */
    fprintf(out, "%s cycle %" PRIu64 ", %" PRIu64 " warp instruction%s %s", r->sim_name[0] != 0 ? "" : " ", r->cycle,
            r->compared, r->compared == 1 ? "" : "s", r->amended == 0 ? "agreed" : "compared");
    if (r->cycle != r->last_record_cycle) fprintf(out, ", the last record in cycle %" PRIu64, r->last_record_cycle);
    fputc('\n', out);
    print_body(l, extra != NULL ? extra->stack : NULL, out);
    if (extra != NULL) print_extra(extra, out);
}

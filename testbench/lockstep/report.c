/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/run/state_report.h"
#include "../../cmodel/run/trace.h"
#include "../../cmodel/run/trap_report.h"

enum { MAX_LANES_SHOWN = 8, MAX_LINE = 400, MAX_LANE_TEXT = 100 };

typedef unsigned long long ull;

/* "0-3,7" */
static const char *lane_list(uint32_t lanes, char text[MAX_LANE_TEXT]) {
    size_t length = 0;
    text[0] = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if ((lanes >> lane & 1) == 0) continue;
        unsigned last = lane;
        while (last + 1 < WARP_LANES && (lanes >> (last + 1) & 1) != 0) last++;
        const char *comma = length > 0 ? "," : "";
        const int added = last == lane ? snprintf(text + length, MAX_LANE_TEXT - length, "%s%u", comma, lane)
                                       : snprintf(text + length, MAX_LANE_TEXT - length, "%s%u-%u", comma, lane, last);
        length += (size_t)added;
        lane = last;
    }
    return text;
}

static uint32_t differing_lanes(const struct compare_result *differences) {
    uint32_t lanes = 0;
    for (size_t i = 0; i < differences->count; i++) lanes |= differences->diff[i].lanes;
    return lanes;
}

/* --------------------------------------------------------------------------------------------- the instruction */

/* Copies line `number` of a file without the spaces around it; false when it cannot be read. */
static bool read_source_line(const char *path, unsigned number, char line[MAX_LINE]) {
    FILE *f = fopen(path, "r");
    if (f == NULL) return false;
    char *text = NULL;
    size_t size = 0;
    unsigned at = 0;
    while (at < number && getline(&text, &size, f) >= 0) at++;
    fclose(f);
    const bool found = at == number && text != NULL;
    if (found) {
        snprintf(line, MAX_LINE, "%s", text + strspn(text, " \t"));
        line[strcspn(line, "\r\n")] = 0;
    }
    free(text);
    return found;
}

static void print_instruction(const struct lockstep *l, uint32_t pc, uint32_t lo, uint32_t hi, FILE *out) {
    char text[TRACE_TEXT_MAX], line[MAX_LINE], fields[ISA_FIELDS_MAX];
    unsigned number = 0;
    struct isa_insn insn;
    fprintf(out, "  %s    pc 0x%" PRIx32 ", words 0x%08" PRIx32 " 0x%08" PRIx32 "\n",
            trace_instruction(pc, lo, hi, text), pc, lo, hi);
    const char *file = image_find_line(lockstep_get_options(l)->run->image, pc, &number);
    if (file != NULL && read_source_line(file, number, line))
        fprintf(out, "    %s:%u: %s\n", file, number, line);
    else if (file != NULL)
        fprintf(out, "    %s:%u\n", file, number);
    if (isa_decode(lo, hi, &insn) == ISA_UNDEFINED) return;
    isa_print_fields(&insn, fields, sizeof fields);
    fprintf(out, "    fields: %s\n", fields);
}

static void print_place(const struct lockstep *l, const struct retire *r, FILE *out) {
    char lanes[MAX_LANE_TEXT];
    const struct image *image = lockstep_get_options(l)->run->image;
    const struct lockstep_result *result = lockstep_result(l);
    const uint32_t differ = differing_lanes(&result->differences);
    fprintf(out,
            "  kernel %s, block (%" PRIu32 ",%" PRIu32 "), warp %" PRIu32 ", sm %" PRIu64 " slot %" PRIu32
            ", cycle %" PRIu64,
            image->name != NULL ? image->name : "?", r->block_x, r->block_y, r->warp, r->sm, r->slot, r->cycle);
    if (differ != 0) fprintf(out, ", lanes %s", lane_list(differ, lanes));
    fprintf(out, "\n");
}

/* ------------------------------------------------------------------------------------------------ the differences */

/* What a number means, where the field is an enumeration; "" elsewhere. */
static const char *value_name(const struct retire_field *f, uint64_t value) {
    static const char *const STATE[] = {"ready", "barrier", "finished", "trapped"};
    static const char *const DST[] = {"none", "32-bit register", "16-bit register"};
    static const char *const MEM[] = {"none",       "global load", "global store", "shared store",
                                      "local load", "local store", "global atomic"};
    if (strcmp(f->name, "state") == 0 && value < 4) return STATE[value];
    if (strcmp(f->name, "dst_kind") == 0 && value < 3) return DST[value];
    if (strcmp(f->name, "mem_kind") == 0 && value < 7) return MEM[value];
    if (strcmp(f->name, "trap") == 0) return trap_name((enum trap)value);
    return "";
}

static void print_value(const struct retire_field *f, uint64_t value, FILE *out) {
    const char *name = value_name(f, value);
    char text[64];
    if (name[0] != 0)
        snprintf(text, sizeof text, "%llu %s", (ull)value, name);
    else
        snprintf(text, sizeof text, "0x%0*llx", (int)((f->bits + 3) / 4), (ull)value);
    fprintf(out, "%-24s", text);
}

static void print_row(const struct retire_field *f, const char *label, uint64_t expected, uint64_t actual, FILE *out) {
    fprintf(out, "    %-16s", label);
    print_value(f, expected, out);
    print_value(f, actual, out);
    fprintf(out, "0x%0*llx\n", (int)((f->bits + 3) / 4), (ull)(expected ^ actual));
}

static void print_lanes(const struct compare_diff *d, const struct retire *expected, const struct retire *actual,
                        FILE *out) {
    const uint32_t *e = field_lanes(d->field, expected), *a = field_lanes(d->field, actual);
    unsigned shown = 0;
    uint32_t left = d->lanes;
    for (unsigned lane = 0; lane < WARP_LANES && shown < MAX_LANES_SHOWN; lane++) {
        char label[32];
        if ((left >> lane & 1) == 0) continue;
        snprintf(label, sizeof label, "%s lane %u", d->field->name, lane);
        print_row(d->field, label, e[lane], a[lane], out);
        left &= ~((uint32_t)1 << lane);
        shown++;
    }
    char text[MAX_LANE_TEXT];
    if (left != 0) fprintf(out, "    %s also in lanes %s\n", d->field->name, lane_list(left, text));
}

static void print_differences(const struct lockstep_result *r, FILE *out) {
    if (r->differences.count == 0) return;
    fprintf(out, "    %-16s%-24s%-24s%s\n", "", "expected (model)", "actual (RTL)", "bits that differ");
    for (size_t i = 0; i < r->differences.count; i++) {
        const struct compare_diff *d = &r->differences.diff[i];
        if (d->field->kind == FIELD_LANES)
            print_lanes(d, &r->expected, &r->actual, out);
        else
            print_row(d->field, d->field->name, field_scalar(d->field, &r->expected),
                      field_scalar(d->field, &r->actual), out);
    }
}

static void print_opinion(const struct lockstep_result *r, FILE *out) {
    if (r->differences.count == 0) return;
    if (r->opinion == OPINION_NONE)
        fprintf(out, "  the third opinion: has none\n");
    else
        fprintf(out, "  the third opinion agrees with: %s\n", opinion_side_name(r->opinion));
}

/* -------------------------------------------------------------------------------------------------- the warp */

static void print_stack(const struct lockstep *l, unsigned sm, unsigned slot, FILE *out) {
    static const char *const TOKEN[] = {"SYNC", "DIVERGE", "CALL", "BREAK"};
    const struct model *m = lockstep_model(l);
    struct model_warp w;
    model_peek_warp(m, sm, slot, &w);
    if (w.depth == 0) {
        fprintf(out, "  stack of the model: empty\n");
        return;
    }
    fprintf(out, "  stack of the model, top first:\n");
    for (unsigned i = w.depth; i-- > 0;) {
        const struct model_stack_entry e = model_peek_stack(m, sm, slot, i);
        fprintf(out, "    %2u %-8s mask 0x%08" PRIx32 " pc 0x%" PRIx32 "\n", i, TOKEN[e.token & 3], e.mask, e.pc);
    }
}

static void print_history(const struct lockstep *l, const struct retire *r, FILE *out) {
    struct lockstep_step steps[LOCKSTEP_HISTORY];
    char text[TRACE_TEXT_MAX];
    const unsigned count = lockstep_history(l, r, steps);
    if (count == 0) {
        fprintf(out, "  no instruction of this warp before\n");
        return;
    }
    fprintf(out, "  last instructions of this warp, which agreed:\n");
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
}

/* ------------------------------------------------------------------------------------------------------ the whole */

static void print_record_report(const struct lockstep *l, FILE *out) {
    const struct lockstep_result *r = lockstep_result(l);
    const struct retire *shown = r->fault == FAULT_REFUSED || r->fault == FAULT_LATE ? &r->actual : &r->expected;
    const unsigned sm = (unsigned)r->actual.sm, slot = r->actual.slot;
    print_place(l, &r->actual, out);
    print_instruction(l, shown->pc, shown->word_lo, shown->word_hi, out);
    print_differences(r, out);
    print_opinion(r, out);
    fprintf(out, "  active mask before: 0x%08" PRIx32 "\n", shown->active);
    print_stack(l, sm, slot, out);
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
    if (extra->command != NULL) fprintf(out, "  repeat: %s\n", extra->command);
}

static void print_body(const struct lockstep *l, FILE *out) {
    const struct lockstep_result *r = lockstep_result(l);
    switch (r->fault) {
    case FAULT_FIELD:
    case FAULT_REPEATED:
    case FAULT_SKIPPED:
    case FAULT_REFUSED:
    case FAULT_LATE: print_record_report(l, out); break;
    case FAULT_MEMORY: print_memory_report(&r->memory, out); break;
    case FAULT_EARLY:
    case FAULT_SILENT:
    case FAULT_STUCK:
    case FAULT_FAILED:
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
    fprintf(out,
            "  simulation %s, %" PRIu64 " warp instructions agreed, cycle %" PRIu64 ", last record in cycle %" PRIu64
            "\n",
            r->sim_name, r->compared, r->cycle, r->last_record_cycle);
    print_body(l, out);
    if (extra != NULL) print_extra(extra, out);
}

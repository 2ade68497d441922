/* SPDX-License-Identifier: Apache-2.0 */
#include "difference.h"

#include <inttypes.h>
#include <string.h>

#include "../../cmodel/core/lanes.h"
#include "../../cmodel/run/operands.h"
#include "../../cmodel/run/trace.h"
#include "../record/look.h"

enum { LANES_SHOWN = 8, OPERAND_LANES_SHOWN = 4, NAME_BYTES = 32, VALUE_BYTES = 64 };

typedef unsigned long long ull;

const char *difference_lane_list(uint32_t lanes, char text[DIFFERENCE_LANES_TEXT]) {
    size_t length = 0;
    text[0] = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if ((lanes >> lane & 1) == 0) continue;
        unsigned last = lane;
        while (last + 1 < WARP_LANES && (lanes >> (last + 1) & 1) != 0) last++;
        const char *comma = length > 0 ? "," : "";
        const size_t room = DIFFERENCE_LANES_TEXT - length;
        const int added = last == lane ? snprintf(text + length, room, "%s%u", comma, lane)
                                       : snprintf(text + length, room, "%s%u-%u", comma, lane, last);
        length += (size_t)added;
        lane = last;
    }
    return text;
}

static bool is_field(const struct retire_field *f, const char *const *names) {
    while (*names != NULL && strcmp(f->name, *names) != 0) names++;
    return *names != NULL;
}

const char *difference_guard_note(const struct retire_field *f, uint32_t lo, uint32_t hi,
                                  char text[DIFFERENCE_NOTE_TEXT]) {
    static const char *const EXEC[] = {"exec", NULL};
    struct isa_insn insn;
    text[0] = 0;
    if (is_field(f, EXEC) && isa_decode(lo, hi, &insn) == ISA_OK && !insn.guarded)
        snprintf(text, DIFFERENCE_NOTE_TEXT, "%s has no guard: all active lanes execute it",
                 isa_row_mnemonic(insn.row));
    return text;
}

uint32_t difference_lanes(const struct lockstep_result *r) {
    static const char *const MASKS[] = {"active", "next_active", NULL};
    uint32_t lanes = 0;
    for (size_t i = 0; i < r->differences.count; i++) {
        const struct compare_diff *d = &r->differences.diff[i];
        lanes |= d->lanes;
        if (d->field->kind == FIELD_MASK || is_field(d->field, MASKS))
            lanes |= (uint32_t)(field_scalar(d->field, &r->expected) ^ field_scalar(d->field, &r->actual));
    }
    return lanes;
}

/* ------------------------------------------------------------------------------------------------------ the values */

/* "dst R5", "c C0", "a A1", or the field's name alone. */
static void name_value(const struct retire_field *f, const struct retire *r, char text[NAME_BYTES]) {
    static const char *const DST[] = {"dst", "dst_mask", "dst.1", "dst.2", "dst.3", NULL};
    static const char *const C[] = {"c", "c_mask", NULL}, *const A[] = {"a", "a_mask", NULL};
    char name[TRACE_REGISTER_MAX];
    if (is_field(f, DST) && r->dst_kind != RETIRE_DST_NONE)
        snprintf(text, NAME_BYTES, "%.8s %s", f->name, trace_destination(r, f->word, name));
    else if (is_field(f, C))
        snprintf(text, NAME_BYTES, "%s C%" PRIu32, f->name, r->c_reg);
    else if (is_field(f, A) && r->a_reg != 0)
        snprintf(text, NAME_BYTES, "%s A%" PRIu32, f->name, r->a_reg);
    else
        snprintf(text, NAME_BYTES, "%s", f->name);
}

/* The name of a number, if the field is an enumeration; otherwise NULL. */
static const char *value_name(const struct retire_field *f, uint64_t value) {
    static const char *const STATE[] = {"ready", "barrier", "finished", "trapped"};
    static const char *const DST[] = {"none", "32-bit register", "16-bit register"};
    static const char *const MEM[] = {"none",       "global load", "global store", "shared store",
                                      "local load", "local store", "global atomic"};
    if (strcmp(f->name, "state") == 0 && value < 4) return STATE[value];
    if (strcmp(f->name, "dst_kind") == 0 && value < 3) return DST[value];
    if (strcmp(f->name, "mem_kind") == 0 && value < 7) return MEM[value];
    if (strcmp(f->name, "trap") == 0) return trap_name((enum trap)value);
    return NULL;
}

static void format_value(const struct retire_field *f, const struct retire *r, uint64_t value, char text[VALUE_BYTES]) {
    const char *name = value_name(f, value);
    char reg[TRACE_REGISTER_MAX];
    if (name != NULL)
        snprintf(text, VALUE_BYTES, "%llu %s", (ull)value, name);
    else if (strcmp(f->name, "dst_reg") == 0)
        snprintf(text, VALUE_BYTES, "0x%02llx %s", (ull)value, trace_destination(r, 0, reg));
    else if (strcmp(f->name, "c") == 0)
        snprintf(text, VALUE_BYTES, "0x%llx %c%c%c%c", (ull)value, value & 8 ? 'O' : '-', value & 4 ? 'C' : '-',
                 value & 2 ? 'S' : '-', value & 1 ? 'Z' : '-');
    else
        snprintf(text, VALUE_BYTES, "0x%0*llx", (int)((f->bits + 3) / 4), (ull)value);
}

static void print_row(const struct lockstep_result *r, const struct retire_field *f, const char *label,
                      uint64_t expected, uint64_t actual, FILE *out) {
    char text[VALUE_BYTES];
    fprintf(out, "    %-17s ", label);
    format_value(f, &r->expected, expected, text);
    fprintf(out, "%-23s ", text);
    format_value(f, &r->actual, actual, text);
    fprintf(out, "%-23s 0x%0*llx\n", text, (int)((f->bits + 3) / 4), (ull)(expected ^ actual));
}

static void print_lanes(const struct lockstep_result *r, const struct compare_diff *d, const char *name, FILE *out) {
    const uint32_t *e = field_lanes(d->field, &r->expected), *a = field_lanes(d->field, &r->actual);
    unsigned shown = 0;
    uint32_t left = d->lanes;
    for (; left != 0 && shown < LANES_SHOWN; left = lanes_rest(left), shown++) {
        char label[NAME_BYTES + 16];
        const unsigned lane = lanes_first(left);
        snprintf(label, sizeof label, "%s lane %u", name, lane);
        print_row(r, d->field, label, e[lane], a[lane], out);
    }
    char text[DIFFERENCE_LANES_TEXT];
    if (left != 0) fprintf(out, "    %s also in lanes %s\n", name, difference_lane_list(left, text));
}

static void print_values(const struct lockstep_result *r, FILE *out) {
    char name[NAME_BYTES];
    fprintf(out, "    %-18s%-24s%-24s%s\n", "", "expected (model)", "actual (RTL)", "bits that differ");
    for (size_t i = 0; i < r->differences.count; i++) {
        const struct compare_diff *d = &r->differences.diff[i];
        name_value(d->field, &r->expected, name);
        if (d->field->kind == FIELD_LANES)
            print_lanes(r, d, name, out);
        else
            print_row(r, d->field, name, field_scalar(d->field, &r->expected), field_scalar(d->field, &r->actual), out);
    }
}

static void print_guard_note(const struct lockstep_result *r, FILE *out) {
    char note[DIFFERENCE_NOTE_TEXT];
    for (size_t i = 0; i < r->differences.count; i++)
        if (difference_guard_note(r->differences.diff[i].field, r->expected.word_lo, r->expected.word_hi, note)[0] != 0)
            fprintf(out, "  %s\n", note);
}

/* -------------------------------------------------------------------------------------------------------- operands */

/* In the first lanes that differ; if the whole warp does, in the first lanes that executed the instruction. */
static void print_operands(const struct lockstep *l, const struct isa_insn *insn, FILE *out) {
    const struct lockstep_result *r = lockstep_result(l);
    const struct operand_place at = {.warp = lockstep_warp_before(l),
                                     .image = lockstep_get_options(l)->run->image,
                                     .shared = model_shared(lockstep_model(l), (unsigned)r->actual.sm, r->actual.slot)};
    char text[OPERANDS_TEXT_MAX];
    uint32_t lanes = difference_lanes(r);
    if (at.warp == NULL) return;
    if (lanes == 0) lanes = r->expected.active & -r->expected.active;
    for (unsigned shown = 0; lanes != 0 && shown < OPERAND_LANES_SHOWN; shown++, lanes = lanes_rest(lanes)) {
        if (operands_print(&at, insn, lanes_first(lanes), text)[0] == 0) return;
        fprintf(out, "  %s %2u: %s\n", shown == 0 ? "operands in lane" : "            lane", lanes_first(lanes), text);
    }
    if (lanes != 0) fprintf(out, "              and %u more\n", lanes_count(lanes));
}

/* ------------------------------------------------------------------------------------------------------- the stack */

enum { ENTRY_TEXT = 48 };

static void print_entry(unsigned token, uint32_t mask, uint32_t pc, char text[ENTRY_TEXT]) {
    static const char *const TOKEN[] = {"SYNC", "DIVERGE", "CALL", "BREAK"};
    snprintf(text, ENTRY_TEXT, "%-8s mask 0x%08" PRIx32 " pc 0x%" PRIx32, TOKEN[token & 3], mask, pc);
}

static void entry_of_model(const struct model_stack_entry *stack, unsigned i, unsigned depth, char text[ENTRY_TEXT]) {
    text[0] = 0;
    if (i < depth) print_entry(stack[i].token, stack[i].mask, stack[i].pc, text);
}

static void entry_of_rtl(const struct stack_watch_stack *stack, unsigned i, unsigned depth, char text[ENTRY_TEXT]) {
    text[0] = 0;
    if (i < depth && i < STACK_WATCH_ENTRIES)
        print_entry(stack->entry[i].token, stack->entry[i].mask, stack->entry[i].pc, text);
}

/* Both stacks, or only the model's if they are equal. False if they differ. */
static bool print_stack(const char *when, const struct model_stack_entry *model, unsigned depth,
                        const struct stack_watch_stack *rtl, unsigned rtl_depth, FILE *out) {
    char expected[ENTRY_TEXT], actual[ENTRY_TEXT];
    bool all_same = true;
    const unsigned most = rtl != NULL && rtl_depth > depth ? rtl_depth : depth;
    fprintf(out, "  stack%s of the model%s%s\n", when, rtl != NULL ? " and of the RTL" : "",
            most == 0 ? ": empty" : ", top first:");
    for (unsigned i = most; i-- > 0;) {
        entry_of_model(model, i, depth, expected);
        if (rtl == NULL) {
            fprintf(out, "    %2u %s\n", i, expected);
            continue;
        }
        entry_of_rtl(rtl, i, rtl_depth, actual);
        const bool same = strcmp(expected, actual) == 0;
        fprintf(out, "    %2u %-39s  %s", i, expected[0] != 0 ? expected : "none", actual[0] != 0 ? actual : "none");
        fputs(same ? "\n" : "  differs\n", out);
        all_same = all_same && same;
    }
    return all_same;
}

static void print_stack_after(const struct lockstep *l, const char *when, const struct stack_watch *stack, FILE *out) {
    const struct lockstep_result *r = lockstep_result(l);
    const struct model *m = lockstep_model(l);
    const unsigned sm = (unsigned)r->actual.sm, slot = r->actual.slot;
    struct model_stack_entry entries[MODEL_SAVED_STACK];
    struct model_warp w;
    model_peek_warp(m, sm, slot, &w);
    const unsigned depth = w.depth < MODEL_SAVED_STACK ? w.depth : MODEL_SAVED_STACK;
    for (unsigned i = 0; i < depth; i++) entries[i] = model_peek_stack(m, sm, slot, i);
    print_stack(when, entries, depth, stack != NULL ? &stack->after : NULL, r->actual.depth, out);
}

bool difference_is_flow(const struct lockstep_result *r) {
    static const char *const FLOW[] = {"exec", "next_pc", "next_active", "depth", "state", NULL};
    bool flow = false;
    for (size_t i = 0; i < r->differences.count; i++) flow |= is_field(r->differences.diff[i].field, FLOW);
    return flow;
}

static void print_stacks(const struct lockstep *l, const struct stack_watch *stack, FILE *out) {
    const struct lockstep_result *r = lockstep_result(l);
    const struct model_saved *before = lockstep_warp_before(l);
    if (!difference_is_flow(r) || before == NULL) {
        print_stack_after(l, "", NULL, out);
        return;
    }
    if (stack != NULL && !stack->found) stack = NULL;
    const unsigned depth = before->warp.depth < MODEL_SAVED_STACK ? before->warp.depth : MODEL_SAVED_STACK;
    if (!print_stack(" before,", before->stack, depth, stack != NULL ? &stack->before : NULL, depth, out))
        fprintf(out, "    so the fault is that of an instruction before, which pushed the differing entry\n");
    print_stack_after(l, " after,", stack, out);
    if (stack == NULL)
        fprintf(out, "    of the RTL: %" PRIu32 " entr%s after%s\n", r->actual.depth,
                r->actual.depth == 1 ? "y" : "ies",
                r->actual.depth == 0 ? "" : "; which, a run with --sim verilator shows");
}

/* --------------------------------------------------------------------------------------------------- where to look */

/* The marker of a marked instruction decides the next pc, for any operation; NULL: the operation decides it. */
static const char *rule_of_marker(const struct retire_field *field, const struct isa_insn *insn) {
    static const char *const PLACE[] = {"next_pc", "next_active", "depth", "state", NULL};
    if (insn == NULL || !is_field(field, PLACE)) return NULL;
    if (insn->marker == ISA_MARK_JOIN) return "6.1, rule 3: .S";
    return insn->marker == ISA_MARK_END ? "6.1, rule 5: END" : NULL;
}

/* "as if R2 were R3 in these lanes" */
static void print_operand(const struct opinion_operand *operand, FILE *out) {
    if (operand->change == OPINION_PAST) {
        fprintf(out, "  as if R%u had the value before its last write (pc 0x%x) in these lanes: it is read too early\n",
                operand->reg, operand->by);
        return;
    }
    fprintf(out, "  as if R%u were ", operand->reg);
    switch (operand->change) {
    case OPINION_REGISTER: fprintf(out, "R%u", operand->by); break;
    case OPINION_LANE: fprintf(out, "that of the lane %u further, of 32,", operand->by); break;
    case OPINION_BIT: fprintf(out, "R%u with bit %u inverted", operand->reg, operand->by); break;
    case OPINION_PAST:
    case OPINION_SAME: break;
    }
    fprintf(out, " in these lanes: an operand is wrong\n");
}

static const char *plural(const char *stages) { return strpbrk(stages, " ,") != NULL ? "s" : ""; }

/* The files to look at first, if the difference shows more than that the result is wrong. */
static bool print_suspect(const struct look *look, const struct opinion_operand *operand, bool extension, FILE *out) {
    if (operand->change != OPINION_SAME && look->operands[0] != '\0') {
        print_operand(operand, out);
        if (operand->change == OPINION_PAST)
            fprintf(out, "  look at: stage CHECK, in rtl/: %s\n", look->past);
        else
            fprintf(out, "  look at: stages CHECK to SOURCES, in rtl/: %s\n", look->operands);
    } else if (extension) {
        fprintf(out, "  the value is extended by the wrong sign\n  look at: decode, in rtl/: %s\n", look->decode);
    } else {
        return false;
    }
    fprintf(out, "    its operation, %s: %s\n", look->stages, look->rtl);
    return true;
}

static void print_rtl(const struct look *look, const struct opinion_operand *operand, bool extension, FILE *out) {
    if (!print_suspect(look, operand, extension, out))
        fprintf(out, "  look at: stage%s %s, in rtl/: %s\n", plural(look->stages), look->stages, look->rtl);
    if (look->operands[0] != '\0' && (operand->change == OPINION_SAME || operand->change == OPINION_PAST))
        fprintf(out, "    its operands, CHECK to SOURCES: %s\n", look->operands);
    if (look->decode[0] != '\0' && !extension) fprintf(out, "    its decoding: %s\n", look->decode);
    if (look->writer != NULL) fprintf(out, "    its writing, WRITE: %s\n", look->writer);
}

/* A load's register is wrong, and nothing else: in all wrong lanes in the bits that its cell lacks. */
static bool is_extension(const struct lockstep_result *r, const struct isa_insn *insn) {
    static const char *const DST[] = {"dst", NULL};
    const struct compare_diff *d = r->differences.diff;
    if (insn == NULL || r->operand.change != OPINION_SAME || r->differences.count != 1 || !is_field(d->field, DST))
        return false;
    const uint32_t *e = field_lanes(d->field, &r->expected), *a = field_lanes(d->field, &r->actual);
    for (uint32_t left = d->lanes; left != 0; left = lanes_rest(left))
        if (!look_is_extension(insn, e[lanes_first(left)] ^ a[lanes_first(left)])) return false;
    return true;
}

/* The first field that differs shows the origin: fields have the order in which the pipeline makes them. But a trap, or
 * an instruction that is taken for another one, changes most fields. */
static struct look find_look(const struct lockstep_result *r, const struct isa_insn *insn,
                             const struct retire_field **field) {
    static const char *const DECODED[] = {"dst_kind", "dst_reg", "c_reg", "a_reg", "mem_kind", "mem_bytes", NULL};
    const struct compare_diff *diff = r->differences.diff;
    *field = diff[0].field;
    if (r->expected.trap != r->actual.trap && r->expected.pc == r->actual.pc)
        return look_for_trap(insn, (enum trap)(r->actual.trap != TRAP_NONE ? r->actual.trap : r->expected.trap));
    for (size_t i = 0; i < r->differences.count; i++)
        if (is_field(diff[i].field, DECODED) && strcmp((*field)->name, "exec") == 0) *field = diff[i].field;
    return look_for(insn, (*field)->name);
}

static void print_look(const struct lockstep_result *r, const struct isa_insn *insn, FILE *out) {
    const struct retire_field *field;
    const struct look look = find_look(r, insn, &field);
    const char *marker = rule_of_marker(field, insn);
    if (marker != NULL)
        fprintf(out, "  the rule: docs/isa.md %s\n", marker);
    else if (insn != NULL && look.section != NULL)
        fprintf(out, "  the rule: docs/isa.md %s, %s\n", look.section, isa_op_name(insn->op));
    if (r->opinion == OPINION_RTL && look.model != NULL)
        fprintf(out, "  look at: cmodel/core/%s\n", look.model);
    else if (look.rtl != NULL)
        print_rtl(&look, &r->operand, is_extension(r, insn), out);
}

void difference_print(const struct lockstep *l, const struct stack_watch *stack, FILE *out) {
    const struct lockstep_result *r = lockstep_result(l);
    struct isa_insn insn;
    if (r->differences.count == 0) {
        print_stack_after(l, "", NULL, out);
        return;
    }
    const bool known = isa_decode(r->expected.word_lo, r->expected.word_hi, &insn) == ISA_OK;
    print_values(r, out);
    print_guard_note(r, out);
    if (known) print_operands(l, &insn, out);
    if (r->opinion == OPINION_NONE)
        fprintf(out, "  the third opinion: has none\n");
    else
        fprintf(out, "  the third opinion agrees with: %s\n", opinion_side_name(r->opinion));
    print_look(r, known ? &insn : NULL, out);
    print_stacks(l, stack, out);
}

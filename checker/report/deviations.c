/* SPDX-License-Identifier: Apache-2.0 */
#include "deviations.h"

#include <inttypes.h>

#include "../../cmodel/run/json_string.h"
#include "../../cmodel/run/trace.h"
#include "difference.h"

static const struct waivers *waivers_of(const struct lockstep *l) { return lockstep_get_options(l)->waivers; }

static void print_tally(const struct tally *t, FILE *out) {
    fprintf(out, "%" PRIu64 " instruction%s", t->records, t->records == 1 ? "" : "s");
    if (t->lanes > 0) fprintf(out, ", %" PRIu64 " lane%s", t->lanes, t->lanes == 1 ? "" : "s");
    fprintf(out, ", bits 0x%" PRIx64, t->bits);
}

/* The side that the third opinion agrees with, with the number of values if it is not the same in all. */
static void print_judged(const struct lockstep_finding *f, FILE *out) {
    unsigned sides = 0;
    const char *comma = "";
    for (unsigned side = 0; side < OPINION_SIDES; side++) sides += f->judged[side] > 0;
    if (sides == 1 && f->judged[OPINION_NONE] > 0) {
        fputs("    the third opinion: has none\n", out);
        return;
    }
    fputs("    the third opinion agrees with: ", out);
    for (unsigned side = OPINION_NONE + 1; side < OPINION_SIDES; side++) {
        if (f->judged[side] == 0) continue;
        fprintf(out, "%s%s", comma, opinion_side_name((enum opinion_side)side));
        if (sides > 1) fprintf(out, " (%" PRIu64 ")", f->judged[side]);
        comma = ", ";
    }
    if (f->judged[OPINION_NONE] > 0) fprintf(out, "; has none on %" PRIu64, f->judged[OPINION_NONE]);
    fputc('\n', out);
}

static void print_finding(const struct lockstep_finding *f, size_t number, FILE *out) {
    char text[TRACE_TEXT_MAX];
    fprintf(out, "found %zu: %s:%s: ", number, f->op, f->field->name);
    print_tally(&f->met, out);
    fprintf(out,
            "\n    first at pc 0x%" PRIx32 ": %s, cycle %" PRIu64 ", block (%" PRIu32 ",%" PRIu32 "), warp %" PRIu32,
            f->pc, trace_instruction(f->pc, f->word_lo, f->word_hi, text), f->cycle, f->block_x, f->block_y, f->warp);
    if (f->lane >= 0) fprintf(out, ", lane %d", f->lane);
    fprintf(out, ": expected 0x%" PRIx64 ", actual 0x%" PRIx64 "\n", f->expected, f->actual);
    char note[DIFFERENCE_NOTE_TEXT];
    if (difference_guard_note(f->field, f->word_lo, f->word_hi, note)[0] != 0) fprintf(out, "    %s\n", note);
    print_judged(f, out);
}

void deviations_print_text(const struct lockstep *l, FILE *out) {
    const struct lockstep_findings *findings = lockstep_result(l)->findings;
    const struct waivers *w = waivers_of(l);
    for (size_t i = 0; findings != NULL && i < findings->count; i++) print_finding(&findings->list[i], i + 1, out);
    for (size_t i = 0; w != NULL && i < w->count; i++) {
        const struct waiver *waiver = &w->list[i];
        fprintf(out, "waiver %s: ", waiver->text);
        if (waiver->covered.records == 0)
            fputs("covered nothing", out);
        else
            print_tally(&waiver->covered, out);
        if (waiver->reason[0] != 0) fprintf(out, " (%s)", waiver->reason);
        fputc('\n', out);
    }
}

static void print_tally_json(const struct tally *t, FILE *out) {
    fprintf(out, "\"instructions\":%" PRIu64 ",\"lanes\":%" PRIu64 ",\"bits\":\"0x%" PRIx64 "\"", t->records, t->lanes,
            t->bits);
}

static void print_finding_json(const struct lockstep_finding *f, FILE *out) {
    char text[TRACE_TEXT_MAX];
    fprintf(out, "{\"op\":\"%s\",\"field\":\"%s\",", f->op, f->field->name);
    print_tally_json(&f->met, out);
    fprintf(out, ",\"pc\":%" PRIu32 ",\"instruction\":", f->pc);
    json_print_string(trace_instruction(f->pc, f->word_lo, f->word_hi, text), out);
    fprintf(out, ",\"cycle\":%" PRIu64 ",\"block\":[%" PRIu32 ",%" PRIu32 "],\"warp\":%" PRIu32, f->cycle, f->block_x,
            f->block_y, f->warp);
    if (f->lane >= 0) fprintf(out, ",\"lane\":%d", f->lane);
    fprintf(out, ",\"expected\":%" PRIu64 ",\"actual\":%" PRIu64 ",\"third_opinion\":", f->expected, f->actual);
    for (unsigned side = 0; side < OPINION_SIDES; side++)
        fprintf(out, "%s\"%s\":%" PRIu64, side == 0 ? "{" : ",", opinion_side_name((enum opinion_side)side),
                f->judged[side]);
    fputc('}', out);
    char note[DIFFERENCE_NOTE_TEXT];
    if (difference_guard_note(f->field, f->word_lo, f->word_hi, note)[0] != 0) {
        fputs(",\"note\":", out);
        json_print_string(note, out);
    }
    fputc('}', out);
}

void deviations_print_json(const struct lockstep *l, FILE *out) {
    const struct lockstep_result *r = lockstep_result(l);
    const struct waivers *w = waivers_of(l);
    if (w != NULL || r->findings != NULL) fprintf(out, ",\"overruled\":%" PRIu64, r->amended);
    for (size_t i = 0; w != NULL && i < w->count; i++) {
        fprintf(out, "%s{\"waiver\":", i == 0 ? ",\"waivers\":[" : ",");
        json_print_string(w->list[i].text, out);
        fprintf(out, ",\"reason\":");
        json_print_string(w->list[i].reason, out);
        fputc(',', out);
        print_tally_json(&w->list[i].covered, out);
        fputs(i + 1 == w->count ? "}]" : "}", out);
    }
    if (r->findings == NULL) return;
    fputs(",\"findings\":[", out);
    for (size_t i = 0; i < r->findings->count; i++) {
        if (i > 0) fputc(',', out);
        print_finding_json(&r->findings->list[i], out);
    }
    fputc(']', out);
}

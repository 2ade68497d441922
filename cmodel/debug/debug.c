/* SPDX-License-Identifier: Apache-2.0 */
/* The conditions under which the prompt appears, see debug.h. */
#include "debug.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../core/lanes.h"
#include "../run/state_report.h"
#include "../run/trace.h"
#include "state.h"

struct debug *debug_create(const struct debug_options *options) {
    struct debug *d = calloc(1, sizeof *d);
    if (d != NULL) d->options = *options;
    return d;
}

void debug_destroy(struct debug *d) {
    if (d != NULL) free(d->repeat);
    free(d);
}

void debug_interrupt(struct debug *d) { d->interrupted = true; }

enum status debug_status(const struct debug *d, struct diag *diag) {
    if (d->options.script == NULL || d->mistake[0] == '\0') return STATUS_OK;
    return diag_set(diag, STATUS_BAD_INPUT, d->options.script, d->line, 1, "%s", d->mistake);
}

/* ---------------------------------------------------------------------------- the prompt */

/* An empty line repeats the previous one; false: no more lines. */
static bool read_command(struct debug *d, char **line) {
    *line = d->options.read(d->options.reader, "(warp) ");
    if (*line == NULL) return false;
    d->line++;
    if (d->options.script != NULL) return true;
    if ((*line)[strspn(*line, " \t")] == '\0' && d->repeat != NULL) {
        free(*line);
        *line = strdup(d->repeat);
        return *line != NULL;
    }
    free(d->repeat);
    d->repeat = strdup(*line);
    return true;
}

/* Executes commands until one resumes the run; false: end the run. */
static bool prompt(struct debug *d) {
    const bool typed = d->options.script == NULL;
    for (d->mode = PROMPT; d->mode == PROMPT;) {
        char *line;
        fflush(d->options.out);
        if (!read_command(d, &line)) {
            d->mode = QUIT;
            break;
        }
        if (!typed) fprintf(d->options.out, "(warp) %s\n", line);
        debug_command(d, line);
        free(line);
        if (d->mistake[0] == '\0') continue;
        d->mode = typed ? PROMPT : QUIT;
        if (typed) fprintf(d->options.out, "%s\n", d->mistake);
    }
    return d->mode != QUIT;
}

bool debug_execute(struct debug *d, const char *line) {
    char *copy = strdup(line);
    d->mode = PROMPT;
    if (copy == NULL) return false;
    debug_command(d, copy);
    free(copy);
    if (d->mistake[0] != '\0') fprintf(d->options.out, "%s\n", d->mistake);
    return d->mode != PROMPT && d->mode != QUIT;
}

void debug_get_warp(const struct debug *d, unsigned *sm, unsigned *slot) {
    *sm = d->sm;
    *slot = d->slot;
}

bool debug_start(struct debug *d) {
    fprintf(d->options.out, "before the first instruction; help lists the commands\n");
    return prompt(d);
}

/* ---------------------------------------------------------------------------- stops */

static bool compare(enum relation relation, uint32_t a, uint32_t b) {
    switch (relation) {
    case RELATION_EQ: return a == b;
    case RELATION_NE: return a != b;
    case RELATION_LT: return a < b;
    case RELATION_LE: return a <= b;
    case RELATION_GT: return a > b;
    case RELATION_GE: return a >= b;
    case RELATION_NONE: break;
    }
    return true;
}

/* True in the lane of the value, or in any active lane if the value has none. */
static bool holds(struct debug *d, const struct stop *s, uint32_t active) {
    uint32_t lanes = s->value.lane >= 0 ? (uint32_t)1 << s->value.lane : active, word;
    if (s->relation == RELATION_NONE) return true;
    for (; lanes != 0; lanes = lanes_rest(lanes))
        if (debug_fetch(d, &s->value, lanes_first(lanes), &word) && compare(s->relation, word, s->operand)) return true;
    return false;
}

/* Reports the changes of a watched value. */
static bool has_changed(struct debug *d, struct stop *s) {
    unsigned changes = 0;
    const unsigned count = value_has_lanes(&s->value) ? WARP_LANES : 1, sm = d->sm, slot = d->slot;
    d->sm = s->sm;
    d->slot = s->slot;
    for (unsigned lane = 0; lane < count; lane++) {
        uint32_t word = s->seen[lane];
        if (s->value.lane >= 0 && (unsigned)s->value.lane != lane) continue;
        if (!debug_fetch(d, &s->value, lane, &word) || word == s->seen[lane]) continue;
        const int digits = (int)value_digits(&s->value);
        if (changes++ == 0) {
            fprintf(d->options.out, "watch: %s", s->value.text);
            if (count > 1) fprintf(d->options.out, " lane %u", lane);
            fprintf(d->options.out, ": 0x%0*" PRIx32 " -> 0x%0*" PRIx32, digits, s->seen[lane], digits, word);
        }
        s->seen[lane] = word;
    }
    if (changes > 1) fprintf(d->options.out, ", and in %u more lane%s", changes - 1, changes == 2 ? "" : "s");
    if (changes > 0) fputc('\n', d->options.out);
    d->sm = sm;
    d->slot = slot;
    return changes > 0;
}

/* True if the record's warp stands before an instruction with a breakpoint, or another stop condition holds. */
static bool is_stop(struct debug *d, struct stop *s, const struct retire *r, const struct model_warp *warp) {
    switch (s->kind) {
    case STOP_UNUSED: return false;
    case STOP_PC: return warp->present && warp->state == RETIRE_READY && warp->pc == s->at && holds(d, s, warp->active);
    case STOP_CYCLE:
        if (r->cycle < s->at) return false;
        s->kind = STOP_UNUSED; /* a temporary breakpoint */
        return true;
    case STOP_WATCH: return has_changed(d, s);
    }
    return false;
}

static bool wants_prompt(struct debug *d, const struct retire *r) {
    const unsigned sm = (unsigned)r->sm, slot = r->slot;
    const bool mine = sm == d->sm && slot == d->slot;
    const unsigned old_sm = d->sm, old_slot = d->slot;
    struct model_warp warp;
    bool stop = d->interrupted;
    if (d->mode == STEP || (d->mode == NEXT && mine)) stop |= --d->left == 0;
    model_peek_warp(d->options.model, sm, slot, &warp);
    d->sm = sm; /* the condition applies to this warp */
    d->slot = slot;
    for (unsigned i = 0; i < DEBUG_STOPS_MAX; i++) stop |= is_stop(d, &d->stops[i], r, &warp);
    if (stop) return true;
    d->sm = old_sm;
    d->slot = old_slot;
    return false;
}

/* Shows the executed instruction, and the new position of its warp. */
static void show_record(struct debug *d, const struct retire *r) {
    FILE *out = d->options.out;
    char name[TRACE_REGISTER_MAX];
    fprintf(out, "cycle %" PRIu64 ", sm %u slot %u, executed by %08" PRIx32 " of %08" PRIx32 ", ", r->cycle,
            (unsigned)r->sm, r->slot, r->exec, r->active);
    state_report_place(d->options.image, r->pc, r->word_lo, r->word_hi, out);
    if (r->dst_kind != RETIRE_DST_NONE && r->dst_mask != 0)
        fprintf(out, "  %s lane %u = 0x%08" PRIx32 "\n", trace_destination(r, 0, name), lanes_first(r->dst_mask),
                r->dst[lanes_first(r->dst_mask)]);
    if (r->trap != TRAP_NONE) fprintf(out, "  trap: %s\n", trap_name((enum trap)r->trap));
    debug_show_warp(d);
}

bool debug_stops(struct debug *d, const struct retire *r) {
    if (!wants_prompt(d, r)) return false;
    d->interrupted = false;
    show_record(d, r);
    return true;
}

bool debug_record(struct debug *d, const struct retire *r) {
    if (d->mode == QUIT) return false;
    return !debug_stops(d, r) || prompt(d);
}

void debug_end(struct debug *d, const char *how) {
    if (d->mode == QUIT) return;
    fprintf(d->options.out, "%s\n", how);
    while (prompt(d)) fprintf(d->options.out, "the run has ended; quit leaves the prompt\n");
}

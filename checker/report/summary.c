/* SPDX-License-Identifier: Apache-2.0 */
#include "summary.h"

#include <inttypes.h>

#include "../../cmodel/run/json_string.h"
#include "../../cmodel/run/race_report.h"
#include "../../cmodel/run/state_report.h"
#include "../../cmodel/run/trap_report.h"
#include "../port/cause.h"
#include "deviations.h"

static uint64_t cycles_of(const struct lockstep_result *r) { return r->has_counters ? r->counters.cycles : r->cycle; }

/* The RTL's counters, with the number of instructions printed beside them. */
static struct sim_counters counters_of(const struct lockstep_result *r, uint64_t warp_instructions) {
    struct sim_counters c = r->counters;
    c.cycles = cycles_of(r);
    c.warp_instructions = warp_instructions;
    return c;
}

static void print_finding(const struct lockstep_result *r, FILE *out) {
    if (r->text[0] == 0) return;
    fprintf(out, ",\"message\":");
    json_print_string(r->text, out);
    if (r->differences.count == 0) return;
    fprintf(out, ",\"differs\":[");
    for (size_t i = 0; i < r->differences.count; i++)
        fprintf(out, "%s\"%s\"", i == 0 ? "" : ",", r->differences.diff[i].field->name);
    fprintf(out, "],\"third_opinion\":\"%s\"", opinion_side_name(r->opinion));
    fprintf(out, ",\"pc\":%" PRIu32 ",\"block\":[%" PRIu32 ",%" PRIu32 "],\"warp\":%" PRIu32 ",\"cycle\":%" PRIu64,
            r->actual.pc, r->actual.block_x, r->actual.block_y, r->actual.warp, r->actual.cycle);
}

static void print_trap(const struct lockstep *l, FILE *out) {
    const struct model_trap t = model_get_trap(lockstep_model(l));
    if (t.code == TRAP_NONE) return;
    fprintf(out, ",\"trap\":");
    trap_report_json(lockstep_model(l), &t, lockstep_get_options(l)->run->image, out);
}

void summary_print_json(const struct summary *s, FILE *out) {
    const struct lockstep_result *r = lockstep_result(s->lockstep);
    const struct launch *run = lockstep_get_options(s->lockstep)->run;
    struct model_counts counts;
    model_get_counts(lockstep_model(s->lockstep), &counts);
    fprintf(out, "{\"status\":\"%s\",\"sim\":", s->status);
    json_print_string(r->sim_name, out);
    fprintf(out, ",\"kernel\":");
    json_print_string(run->image->name != NULL ? run->image->name : "", out);
    fprintf(out,
            ",\"cores\":%u,\"sms\":%u,\"seed\":%" PRIu32 ",\"compared\":%" PRIu64 ",\"records\":\"%016" PRIx64
            "\",\"cycles\":%" PRIu64,
            s->sim->cores, s->sim->machine.sms, s->sim->seed, r->compared, r->digest, cycles_of(r));
    fprintf(out, ",\"warp_instructions\":%" PRIu64 ",\"thread_instructions\":%" PRIu64 ",\"executed_threads\":%" PRIu64,
            counts.warp_instructions, counts.thread_instructions, counts.executed_threads);
    const struct sim_counters c = counters_of(r, counts.warp_instructions);
    cause_print_json(&c, s->sim, r->has_counters, out);
    fprintf(out,
            ",\"undefined_reads\":%" PRIu64 ",\"adopted\":%" PRIu64 ",\"raced\":%" PRIu64
            ",\"expect_bytes_wrong\":%" PRIu64,
            counts.undefined_reads, counts.adopted, r->raced, s->expect_wrong);
    state_report_undefined_json(lockstep_model(s->lockstep), out);
    print_trap(s->lockstep, out);
    print_finding(r, out);
    if (lockstep_get_options(s->lockstep)->check_races) race_report_json(lockstep_model(s->lockstep), out);
    reported_print_json(&r->reported, out);
    deviations_print_json(s->lockstep, out);
    if (s->wave != NULL) {
        fprintf(out, ",\"wave\":");
        json_print_string(s->wave, out);
    }
    fprintf(out, "}\n");
}

/* "value was", "values were". */
static const char *were(uint64_t count) { return count == 1 ? " was" : "s were"; }

void summary_print_text(const struct summary *s, FILE *out) {
    const struct lockstep_result *r = lockstep_result(s->lockstep);
    struct model_counts counts;
    model_get_counts(lockstep_model(s->lockstep), &counts);
    const struct sim_counters c = counters_of(r, r->compared);
    fprintf(out,
            "%s: %s: %" PRIu64 " warp instruction%s compared, %" PRIu64
            " cycles%s, ipc %.3f, on %s with %u cores, %u SM%s, seed %" PRIu32,
            lockstep_get_options(s->lockstep)->run->path, s->status, r->compared, r->compared == 1 ? "" : "s", c.cycles,
            r->has_counters ? " from launch to end" : "",
            c.cycles == 0 ? 0 : (double)c.warp_instructions / (double)c.cycles, r->sim_name, s->sim->cores,
            s->sim->machine.sms, s->sim->machine.sms == 1 ? "" : "s", s->sim->seed);
    reported_print_text(&r->reported, out);
    fputc('\n', out);
    if (r->has_counters) cause_print_text(&c, s->sim, out);
    if (counts.adopted > 0)
        fprintf(out, "%" PRIu64 " undefined lane value%s taken over from the RTL\n", counts.adopted,
                were(counts.adopted));
    if (r->raced > 0)
        fprintf(out, "%" PRIu64 " lane value%s taken over from the RTL, as a race between SMs decides\n", r->raced,
                were(r->raced));
    if (r->amended > 0)
        fprintf(out, "in %" PRIu64 " warp instruction%s the RTL's side was taken\n", r->amended,
                r->amended == 1 ? "" : "s");
    deviations_print_text(s->lockstep, out);
}

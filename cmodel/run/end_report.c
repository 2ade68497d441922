/* SPDX-License-Identifier: Apache-2.0 */
#include "end_report.h"

#include <inttypes.h>

#include "state_report.h"
#include "trap_report.h"

void end_report_trap(const struct model *m, const struct launch *run, const struct machine *machine, FILE *out) {
    const struct model_trap trap = model_get_trap(m);
    struct model_warp warp;
    model_peek_warp(m, trap.sm, trap.slot, &warp);
    fprintf(out, "%s: trap: %s\n", run->path, trap_name(trap.code));
    fprintf(out, "  block (%u,%u) warp %u, sm %u slot %u, active %08x, words %08x %08x\n  ", warp.block_x, warp.block_y,
            warp.warp, trap.sm, trap.slot, warp.active, trap.word_lo, trap.word_hi);
    state_report_place(run->image, trap.pc, trap.word_lo, trap.word_hi, out);
    state_report_source(run->image, trap.pc, "  ", out);
    trap_report_print(m, &trap, run->image, out);
    const char *absent = launch_absent_unit(machine, trap.word_lo, trap.word_hi);
    if (absent != NULL) fprintf(out, "  it executes %s\n", launch_remedy(absent));
}

void end_report_hang(const struct model *m, const struct launch *run, const struct machine *machine, bool timeout,
                     FILE *out) {
    if (timeout) {
        fprintf(out, "%s: hang: not finished after %" PRIu64 " warp instruction%s (--max-cycles)\n", run->path,
                run->max_cycles, run->max_cycles == 1 ? "" : "s");
    } else {
        fprintf(out, "%s: hang: every remaining warp %s\n", run->path,
                model_is_hung(m) ? "loops for ever or waits at a barrier" : "waits at a barrier");
    }
    state_report_warps(m, run->image, machine, out);
    state_report_loops(m, run->image, out);
}

void end_report_summary(const struct model *m, const struct launch *run, const char *status, FILE *out) {
    struct model_counts counts;
    model_get_counts(m, &counts);
    fprintf(out, "%s: %s: %" PRIu64 " warp instruction%s, %" PRIu64 " thread instruction%s, %" PRIu64 " executed\n",
            run->path, status, counts.warp_instructions, counts.warp_instructions == 1 ? "" : "s",
            counts.thread_instructions, counts.thread_instructions == 1 ? "" : "s", counts.executed_threads);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "model_end.h"

#include <inttypes.h>
#include <stdio.h>

enum { STEPS_MOST = 4000000 };

enum status model_end_find(const struct launch *run, const struct machine *machine, struct model_end *end,
                           struct diag *d) {
    uint64_t steps;
    struct model *m = model_create(machine);
    *end = (struct model_end){.known = false};
    if (m == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    const enum status status = model_launch(m, run->image, d);
    if (status == STATUS_OK) {
        const enum model_result result = model_run(m, STEPS_MOST, &steps);
        end->known = result == MODEL_DONE || result == MODEL_TRAPPED;
        end->trap = model_get_trap(m);
        model_get_counts(m, &end->counts);
    }
    model_destroy(m);
    return status;
}

static const char *judge_trap(const struct model_end *end, const struct board_result *r, char text[MODEL_END_TEXT]) {
    if (r->end == BOARD_TRAPPED && r->trap.code == end->trap.code && r->trap.pc == end->trap.pc) return NULL;
    snprintf(text, MODEL_END_TEXT, "must trap: %s, at pc 0x%" PRIx32, trap_name(end->trap.code), end->trap.pc);
    return text;
}

static const char *judge_counts(const struct model_end *end, const struct sim_counters *c, char text[MODEL_END_TEXT]) {
    const bool warps = c->warp_instructions == (uint32_t)end->counts.warp_instructions;
    const uint64_t must = warps ? end->counts.thread_instructions : end->counts.warp_instructions;
    const uint64_t is = warps ? c->thread_instructions : c->warp_instructions;
    if (warps && is == (uint32_t)must) return NULL;
    snprintf(text, MODEL_END_TEXT, "counts %" PRIu64 " %s instructions, not %" PRIu64, is, warps ? "thread" : "warp",
             must);
    return text;
}

static const char *judge_causes(const struct machine *machine, const struct sim_counters *c,
                                char text[MODEL_END_TEXT]) {
    for (unsigned sm = 0; sm < machine->sms && sm < SIM_MAX_SMS; sm++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < SIM_CAUSES; i++) sum += c->cause[sm][i];
        if (sum == c->cycles) continue;
        snprintf(text, MODEL_END_TEXT, "cycles by cause of SM %u are %" PRIu64 " in sum, not %" PRIu64, sm, sum,
                 c->cycles);
        return text;
    }
    return NULL;
}

const char *model_end_judge(const struct model_end *end, const struct machine *machine,
                            const struct board_result *result, char text[MODEL_END_TEXT]) {
    const char *why = NULL;
    if (!end->known) return NULL;
    if (end->trap.code != TRAP_NONE)
        why = judge_trap(end, result, text);
    else if (result->end == BOARD_DONE)
        why = judge_counts(end, &result->counters, text);
    if (why == NULL && result->end != BOARD_HUNG) why = judge_causes(machine, &result->counters, text);
    return why;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Stepping by the model's own scheduling, see model.h. */
#include "../core/execute.h"

enum model_result model_run_step(struct model *m, struct retire *out) {
    if (m->trap.code != TRAP_NONE) return MODEL_TRAPPED;
    if (m->mode == MODE_FOLLOW) return MODEL_REFUSED;
    if (m->hung) return MODEL_STUCK;
    m->mode = MODE_OWN;
    struct warp *warp = sched_next_warp(&m->grid);
    if (warp == NULL) return sched_is_done(&m->grid) ? MODEL_DONE : MODEL_STUCK;
    const uint64_t finished = m->grid.finished_blocks;
    step_best(m)(m, warp, NULL, out);
    if (m->grid.finished_blocks != finished) sched_dispatch(&m->grid);
    return MODEL_RETIRED;
}

enum model_result model_run(struct model *m, uint64_t limit, uint64_t *steps) {
    enum model_result result = MODEL_RETIRED;
    const uint64_t before = m->counts.warp_instructions;
    while (result == MODEL_RETIRED && m->counts.warp_instructions - before < limit) result = model_run_step(m, NULL);
    *steps = m->counts.warp_instructions - before;
    return result;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* See outlook.h. */
#include "outlook.h"

#include "../../cmodel/turns.h"

enum { STEPS = 1 << 16 /* warp instructions between two looks at the model */ };
/* Of max_cycles, and of the model's warp instructions, which take some minutes, but less than the RTL's cycles. */
static const uint64_t MOST = 100000000, MOST_STEPS = 1000000000;

static bool is_asked(const struct lockstep_options *o) {
    return o->look_ahead && o->before == NULL && o->lasting == NULL && o->waivers == NULL && o->keep_going == 0 &&
           o->machine.sms == 1 && o->max_cycles != 0 && o->max_cycles <= MOST;
}

static uint64_t warps_of(const struct image *image) {
    const uint64_t blocks =
        (uint64_t)(image->grid[0] > 0 ? image->grid[0] : 1) * (image->grid[1] > 0 ? image->grid[1] : 1);
    const uint64_t warps = block_warps(image->block);
    return blocks * (warps > 0 ? warps : 1);
}

/* Warp instructions of the model after which each warp that goes on has executed max_cycles, about; just max_cycles if
 * that would take too long. */
static uint64_t steps_allowed(const struct lockstep_options *o) {
    const uint64_t all = warps_of(o->run->image), warps = all < o->machine.warps ? all : o->machine.warps;
    return o->max_cycles <= MOST_STEPS / warps ? o->max_cycles * warps : o->max_cycles;
}

static void name_loop(const struct model *m, const struct image *image, char *text, size_t size) {
    struct model_turns most;
    unsigned line = 0;
    text[0] = 0;
    if (model_turns(m, &most, 1) == 0) return;
    const char *file = image_find_line(image, most.pc, &line);
    if (file != NULL)
        snprintf(text, size, ", %llu times back to %.120s:%u", (unsigned long long)most.count, file, line);
    else
        snprintf(text, size, ", %llu times back to pc 0x%x", (unsigned long long)most.count, (unsigned)most.pc);
}

/* Values of the RTL's own may have led it elsewhere. */
static bool reads_unknown(const struct model *m) {
    struct model_counts counts;
    model_get_counts(m, &counts);
    return counts.undefined_reads != 0 || counts.clock_reads != 0;
}

/* The lanes of one instruction store in the same order on every machine. */
static bool shows_order(const struct model *m, const struct model_counts *counts) {
    size_t count;
    const struct model_race *races = model_races(m, &count);
    for (size_t i = 0; i < count; i++)
        if (!races[i].lanes) return true;
    return counts->atomics > 0 || model_races_failed(m);
}

static bool has_block(const struct lockstep *l, const struct model_warp *of) {
    for (unsigned slot = 0; slot < l->options.machine.warps; slot++) {
        struct model_warp w;
        model_peek_warp(l->model, 0, slot, &w);
        if (w.present && w.block_x == of->block_x && w.block_y == of->block_y) return true;
    }
    return false;
}

/* True if the blocks that the model has not placed yet will find no place in the RTL either: it has those that keep the
 * place. */
static bool is_closed(const struct lockstep *l, const struct model *m) {
    for (unsigned slot = 0; slot < l->options.machine.warps; slot++) {
        struct model_warp w;
        model_peek_warp(m, 0, slot, &w);
        if (w.present && !has_block(l, &w)) return model_has_placed_all(m);
    }
    return true;
}

/* True if each warp has executed as many instructions as the RTL has cycles, has ended, or waits for such warps. */
static bool is_late(const struct lockstep *l, const struct model *m) {
    for (unsigned slot = 0; slot < l->options.machine.warps; slot++) {
        struct model_warp w;
        model_peek_warp(m, 0, slot, &w);
        if (w.present && w.state == RETIRE_READY && w.steps < l->options.max_cycles) return false;
    }
    return true;
}

/* Judges the run after a piece of it that ended with this result. */
static void judge(const struct lockstep *l, const struct model *m, enum model_result result, struct outlook *outlook) {
    struct model_counts counts;
    model_get_counts(m, &counts);
    const bool is_alone = warps_of(l->options.run->image) == 1;
    if (counts.places > 0 || (!is_alone && shows_order(m, &counts)))
        outlook->is = OUTLOOK_ORDER;
    else if (result == MODEL_STUCK)
        outlook->is = is_closed(l, m) ? OUTLOOK_REPEATS : OUTLOOK_ORDER;
    else if (outlook->steps >= steps_allowed(&l->options))
        outlook->is = is_closed(l, m) && is_late(l, m) ? OUTLOOK_LATE : OUTLOOK_UNKNOWN;
}

/* Runs up to `limit` warp instructions. */
static enum model_result run(struct model *m, uint64_t limit, struct outlook *outlook) {
    uint64_t steps;
    const enum model_result result = model_run(m, limit, &steps);
    outlook->steps += steps;
    return result;
}

/* A state that repeats has repeated twice when it counts: then accesses of one turn have met those of the next. */
static void look(const struct lockstep *l, uint64_t cycle, struct model *m, struct outlook *outlook) {
    const struct lockstep_options *o = &l->options;
    bool repeats = false;
    while (outlook->is == OUTLOOK_OPEN && (o->go_on == NULL || o->go_on(o->observer, cycle))) {
        const uint64_t left = steps_allowed(o) - outlook->steps;
        enum model_result result = run(m, left < STEPS ? left : STEPS, outlook);
        if (reads_unknown(m) || model_finished(m)) return;
        if (result == MODEL_STUCK && !repeats) {
            model_forget_loops(m);
            repeats = true;
            result = MODEL_RETIRED;
        }
        judge(l, m, result, outlook);
    }
}

struct outlook outlook_of(const struct lockstep *l, uint64_t cycle) {
    const struct lockstep_options *o = &l->options;
    struct outlook outlook = {.is = OUTLOOK_OPEN};
    if (!is_asked(o)) return outlook;
    struct diag d = {0};
    struct model *m = model_create(&o->machine);
    if (m != NULL && model_launch(m, o->run->image, &d) == STATUS_OK && model_check_races(m))
        look(l, cycle, m, &outlook);
    if (outlook.is != OUTLOOK_OPEN) name_loop(m, o->run->image, outlook.loop, sizeof outlook.loop);
    model_destroy(m);
    return outlook;
}

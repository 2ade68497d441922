/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a run: checks that both sides finished, for the same reason, with the same memories and consistent
 * counters. */
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/run/launch.h"
#include "../port/cause.h"
#include "../port/host_plan.h"
#include "../record/partial.h"
#include "lasting_state.h"
#include "state.h"

bool lockstep_model_could_go_on(const struct lockstep *l) {
    if (model_finished(l->model)) return false;
    unsigned present = 0;
    for (unsigned sm = 0; sm < l->options.machine.sms; sm++) {
        for (unsigned slot = 0; slot < l->options.machine.warps; slot++) {
            struct model_warp w;
            model_peek_warp(l->model, sm, slot, &w);
            if (w.present && w.state == RETIRE_READY) return true;
            present += w.present;
        }
    }
    return present == 0; /* blocks are left that the RTL never started */
}

static bool finish_done(struct lockstep *l) {
    if (l->result.compared == 0)
        return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_EMPTY, "the RTL says done, but nothing was compared");
    if (model_get_trap(l->model).code != TRAP_NONE)
        return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_TRAP, "the RTL says done after an instruction that trapped");
    if (!model_finished(l->model))
        return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_EARLY, "the RTL says done, but the model has work left");
    l->result.status = LOCKSTEP_PASS;
    return true;
}

static bool finish_trapped(struct lockstep *l, const struct sim_trap *trap) {
    const struct model_trap m = model_get_trap(l->model);
    if (m.code == TRAP_NONE)
        return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_TRAP,
                              "the RTL says a trap (%s) stopped it, but no instruction trapped",
                              trap != NULL ? trap_name((enum trap)trap->code) : "unknown");
    if (trap != NULL && (trap->code != m.code || trap->sm != m.sm || trap->slot != m.slot || trap->pc != m.pc))
        return lockstep_fault(
            l, LOCKSTEP_MISMATCH, FAULT_TRAP,
            "the RTL's status says '%s' in sm %u slot %u at pc 0x%x; it was '%s' in sm %u slot %u at pc 0x%x",
            trap_name((enum trap)trap->code), trap->sm, trap->slot, trap->pc, trap_name(m.code), m.sm, m.slot, m.pc);
    l->result.status = LOCKSTEP_TRAP;
    l->result.cycle = l->trap_cycle[m.sm];
    const char *absent = launch_absent_unit(&l->options.machine, m.word_lo, m.word_hi);
    snprintf(l->result.text, sizeof l->result.text, "%s at pc 0x%x, sm %u slot %u%s%s", trap_name(m.code), m.pc, m.sm,
             m.slot, absent != NULL ? "; it executes " : "", absent != NULL ? launch_remedy(absent) : "");
    return true;
}

static bool finish_silent(struct lockstep *l, const char *why) {
    const uint64_t silence = l->options.silence;
    const char *note = why != NULL && why[0] != 0 ? why : "";
    const char *colon = note[0] != 0 ? "; " : "";
    if (model_finished(l->model))
        return lockstep_fault(l, LOCKSTEP_HANG, FAULT_SILENT,
                              "all work is done, but the RTL does not say so for %llu cycles%s%s",
                              (unsigned long long)silence, colon, note);
    if (lockstep_model_could_go_on(l))
        return lockstep_fault(l, LOCKSTEP_HANG, FAULT_SILENT,
                              "the RTL retires nothing for %llu cycles while the model could go on%s%s",
                              (unsigned long long)silence, colon, note);
    return lockstep_fault(l, LOCKSTEP_HANG, FAULT_STUCK,
                          "the kernel hangs: every warp that is left waits at a barrier");
}

bool lockstep_finish(struct lockstep *l, enum sim_event event, const struct sim_trap *trap, const char *why) {
    if (!lockstep_good(l) || !lockstep_races_settled(l, UINT64_MAX)) return false;
    switch (event) {
    case SIM_DONE: return finish_done(l);
    case SIM_TRAPPED: return finish_trapped(l, trap);
    case SIM_SILENT: return finish_silent(l, why);
    case SIM_FAILED:
        return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_FAILED, "%s",
                              why != NULL && why[0] != 0 ? why : "the simulation failed");
    case SIM_RECORD: break;
    }
    return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_FAILED, "the simulation answered with an unknown event");
}

bool lockstep_conclude(struct lockstep *l) {
    const struct lockstep_findings *f = l->result.findings;
    if (!lockstep_good(l) || f == NULL || f->count == 0) return lockstep_good(l);
    l->result.cycle = l->result.last_record_cycle; /* and not the time when the machine's registers were read */
    return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_FINDINGS,
                          "RTL and model differ in %zu way%s, in %llu of %llu warp instruction%s", f->count,
                          f->count == 1 ? "" : "s", (unsigned long long)l->result.amended,
                          (unsigned long long)l->result.compared, l->result.compared == 1 ? "" : "s");
}

/* -------------------------------------------------------------------------------------------------------- memories */

static size_t const_bytes(const struct image *img) {
    size_t size = 0;
    for (unsigned b = 0; b < IMAGE_CONST_BANKS; b++) size += (img->bank[b].size + 3) & ~(size_t)3;
    return size;
}

size_t lockstep_memory_size(const struct lockstep *l, enum sim_memory memory) {
    switch (memory) {
    case SIM_GLOBAL: return l->options.machine.global_bytes;
    case SIM_CODE: return l->options.run->image->code_words * 4;
    case SIM_CONST: return const_bytes(l->options.run->image);
    }
    return 0;
}

static void expect_code(const struct image *img, uint8_t *bytes) {
    for (size_t i = 0; i < img->code_words * 4; i++) bytes[i] = (uint8_t)(img->code[i / 4] >> (8 * (i % 4)));
}

static void expect_const(const struct image *img, uint8_t *bytes) {
    size_t at = 0;
    for (unsigned b = 0; b < IMAGE_CONST_BANKS; b++) {
        const size_t size = img->bank[b].size;
        if (size > 0) memcpy(bytes + at, img->bank[b].bytes, size);
        at += (size + 3) & ~(size_t)3;
    }
}

/* Bytes of a memory from `from` on. */
struct part {
    uint32_t from;
    size_t size;
    uint8_t *expected;
    const uint8_t *actual;
};

/* Takes allowed differences from the RTL: `count` bytes from addr on, as far as they lie in the part. */
static void forgive(const struct part *p, uint64_t addr, uint64_t count) {
    const uint64_t end = addr + count < p->from + p->size ? addr + count : p->from + p->size;
    const uint64_t from = addr > p->from ? addr : p->from;
    if (from < end) memcpy(p->expected + (from - p->from), p->actual + (from - p->from), (size_t)(end - from));
}

static void forgive_partial(const struct partial *stored, const struct part *p) {
    if (stored->anywhere) forgive(p, p->from, p->size);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((stored->lanes >> lane & 1) != 0) forgive(p, stored->addr[lane], stored->bytes);
}

static void expect_global(const struct lockstep *l, const struct part *p) {
    struct partial partial;
    memcpy(p->expected, model_global(l->model) + p->from, p->size);
    for (unsigned sm = 0; sm < l->options.machine.sms; sm++)
        if (partial_of(l->model, sm, &partial)) forgive_partial(&partial, p);
    for (uint32_t i = 0; l->races != NULL && i < p->size; i++)
        if (p->expected[i] != p->actual[i] && races_may_hold(l->races, p->from + i, p->actual[i]))
            p->expected[i] = p->actual[i];
    struct host_local local;
    host_plan_local(l->options.run, &l->options.machine, &local);
    forgive(p, local.base, local.size);
    if (l->options.lasting != NULL) forgive(p, l->options.lasting->host_bytes, UINT32_MAX);
}

/* Adds the differences in the part to `diff`, which keeps the first ones. */
static void note_difference(struct lockstep_memory_diff *diff, const struct part *p) {
    const uint32_t before = diff->count;
    size_t first = 0;
    if (memcmp(p->expected, p->actual, p->size) == 0) return;
    for (size_t i = 0; i < p->size; i++) {
        if (p->expected[i] == p->actual[i]) continue;
        if (diff->count++ == before) first = i;
    }
    if (before != 0) return;
    diff->first = p->from + (uint32_t)first;
    diff->shown = p->size - first < sizeof diff->expected ? (unsigned)(p->size - first) : sizeof diff->expected;
    memcpy(diff->expected, p->expected + first, diff->shown);
    memcpy(diff->actual, p->actual + first, diff->shown);
}

static bool report_difference(struct lockstep *l, const struct lockstep_memory_diff *diff) {
    static const char *const NAMES[] = {"global", "code", "constant"};
    if (diff->count == 0) return true;
    l->result.memory = *diff;
    return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_MEMORY,
                          "%s memory differs at the end: %u bytes, the first at 0x%x", NAMES[diff->memory], diff->count,
                          diff->first);
}

uint8_t *lockstep_expect_words(struct lockstep *l, enum sim_memory memory) {
    const size_t size = lockstep_memory_size(l, memory);
    uint8_t *expected = size > 0 ? calloc(size, 1) : NULL;
    if (expected == NULL && size > 0) lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_FAILED, "out of memory");
    if (expected != NULL && memory == SIM_CODE) expect_code(l->options.run->image, expected);
    if (expected != NULL && memory == SIM_CONST) expect_const(l->options.run->image, expected);
    return expected;
}

static bool compare_memory(struct lockstep *l, enum sim_memory memory, const uint8_t *actual, size_t size) {
    uint8_t *expected = lockstep_expect_words(l, memory);
    if (expected == NULL) return false;
    struct lockstep_memory_diff diff = {.memory = memory};
    const struct part all = {0, size, expected, actual};
    if (memory == SIM_GLOBAL) expect_global(l, &all);
    note_difference(&diff, &all);
    free(expected);
    return report_difference(l, &diff);
}

bool lockstep_check_page(struct lockstep *l, uint32_t from, const uint8_t *actual, size_t size) {
    uint8_t expected[SIM_PAGE_BYTES];
    const struct part page = {from, size, expected, actual};
    expect_global(l, &page);
    note_difference(&l->memory, &page);
    if (memcmp(expected, actual, size) == 0) memcpy(model_global(l->model) + from, actual, size);
    return l->memory.count == 0;
}

bool lockstep_check_words(struct lockstep *l, enum sim_memory memory, uint32_t from, uint8_t *expected,
                          const uint8_t *actual, size_t size) {
    struct lockstep_memory_diff diff = {.memory = memory};
    note_difference(&diff, &(struct part){from, size, expected, actual});
    return report_difference(l, &diff);
}

bool lockstep_report_pages(struct lockstep *l) { return report_difference(l, &l->memory); }

bool lockstep_check_memory(struct lockstep *l, enum sim_memory memory, const uint8_t *bytes, size_t size) {
    const size_t needed = lockstep_memory_size(l, memory);
    if (!lockstep_good(l)) return false;
    if (size < needed)
        return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_MEMORY, "the RTL's memory is too small: %zu of %zu bytes",
                              size, needed);
    return needed == 0 || compare_memory(l, memory, bytes, needed);
}

/* -------------------------------------------------------------------------------------------------------- counters */

/* The counts that the RTL may have: the model's, plus optionally the instructions that trapped, at most one an SM. */
static void add_trapped(const struct lockstep *l, const struct sim_counters *c, struct model_counts *counts) {
    if (c->warp_instructions == counts->warp_instructions) return;
    for (unsigned sm = 0; sm < l->options.machine.sms; sm++) {
        const struct model_trap trap = model_get_sm_trap(l->model, sm);
        struct model_warp warp;
        if (trap.code == TRAP_NONE) continue;
        model_peek_warp(l->model, trap.sm, trap.slot, &warp);
        counts->warp_instructions++;
        counts->thread_instructions += (unsigned)__builtin_popcount(warp.active);
    }
}

/* Each cycle of an SM has exactly one cause. A row of a warp is issued in one cycle, so the records of an SM give its
 * number of issue cycles, unless a trap discarded some. */
static bool check_causes(struct lockstep *l, const struct sim_counters *c, unsigned sm) {
    const uint64_t sum = cause_sum(c, sm);
    if (sum != c->cycles)
        return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_COUNTERS,
                              "the RTL's cycles by cause sum to %llu on sm %u, not to the %llu cycles of the run",
                              (unsigned long long)sum, sm, (unsigned long long)c->cycles);
    const uint64_t issued = c->cause[sm][SIM_CAUSE_ISSUE];
    const uint64_t rows = l->cores == 0 ? issued : l->passes[sm] * WARP_LANES / l->cores;
    if (l->result.status == LOCKSTEP_PASS && issued != rows)
        return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_COUNTERS,
                              "the RTL counted %llu issue cycles on sm %u, what it retired has %llu rows",
                              (unsigned long long)issued, sm, (unsigned long long)rows);
    return true;
}

bool lockstep_check_counters(struct lockstep *l, const struct sim_counters *c) {
    struct model_counts model;
    if (!lockstep_good(l)) return false;
    l->result.counters = *c;
    l->result.has_counters = true;
    model_get_counts(l->model, &model);
    add_trapped(l, c, &model);
    if (c->warp_instructions != model.warp_instructions)
        return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_COUNTERS,
                              "the RTL counted %llu warp instructions, it retired %llu",
                              (unsigned long long)c->warp_instructions, (unsigned long long)model.warp_instructions);
    if (c->thread_instructions != model.thread_instructions)
        return lockstep_fault(
            l, LOCKSTEP_MISMATCH, FAULT_COUNTERS, "the RTL counted %llu thread instructions, it retired %llu",
            (unsigned long long)c->thread_instructions, (unsigned long long)model.thread_instructions);
    for (unsigned sm = 0; sm < l->options.machine.sms && sm < SIM_MAX_SMS; sm++)
        if (!check_causes(l, c, sm)) return false;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Creation of the checker, and its main function: one record of the RTL against one step of the model. */
#include "lockstep.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/run/progress.h"
#include "../port/host_plan.h"
#include "../record/digest.h"
#include "judge.h"
#include "lasting_state.h"

enum { DEFAULT_SILENCE = 20000 };

/* The RTL's local memory is a part of its global memory; the model's is separate. */
static bool local_memory_fits(const struct lockstep_options *options, struct diag *d) {
    struct host_local local;
    if (host_plan_local(options->run, &options->machine, &local)) return true;
    diag_set(d, STATUS_BAD_INPUT, options->run->path != NULL ? options->run->path : "", 0, 0,
             "launch does not fit: local memory of one block on each of %u sm takes %llu bytes of global memory, the"
             " largest part that the launch leaves free has %u",
             options->machine.sms,
             (unsigned long long)local.bytes * block_warps(options->run->image->block) * WARP_LANES *
                 options->machine.sms,
             local.room);
    return false;
}

struct lockstep *lockstep_create(const struct lockstep_options *options, struct diag *d) {
    if (!local_memory_fits(options, d)) return NULL;
    struct lockstep *l = calloc(1, sizeof *l);
    if (l != NULL) {
        l->options = *options;
        if (l->options.silence == 0) l->options.silence = DEFAULT_SILENCE;
        l->model = options->lasting != NULL ? options->lasting->model : model_create(&options->machine);
        l->opinion = opinion_create(options->run->image, &options->machine);
        l->history = calloc((size_t)options->machine.sms * options->machine.warps, sizeof *l->history);
        l->result.sim_name = "";
        l->result.digest = DIGEST_EMPTY;
    }
    const bool has_races = options->machine.sms > 1;
    if (l != NULL && has_races) l->races = races_create(&options->machine);
    const bool goes_on = options->waivers != NULL || options->keep_going > 0;
    if (l != NULL && goes_on) l->overrule = overrule_create(&options->machine, options->waivers, options->keep_going);
    const bool incomplete = l == NULL || l->model == NULL || l->opinion == NULL || l->history == NULL ||
                            (has_races && l->races == NULL) ||
                            (goes_on && (l->overrule == NULL || !model_keep_steps(l->model)));
    if (incomplete) {
        lockstep_destroy(l);
        diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for the checker");
        return NULL;
    }
    enum status status = options->lasting != NULL ? model_relaunch(l->model, options->run->image, d)
                                                  : model_launch(l->model, options->run->image, d);
    if (status == STATUS_OK && options->check_races && !model_check_races(l->model))
        status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for races");
    if (status != STATUS_OK) {
        lockstep_destroy(l);
        return NULL;
    }
    if (l->overrule != NULL) l->result.findings = l->overrule->findings;
    return l;
}

void lockstep_destroy(struct lockstep *l) {
    if (l == NULL) return;
    if (l->options.lasting == NULL) model_destroy(l->model);
    races_destroy(l->races);
    overrule_destroy(l->overrule);
    opinion_destroy(l->opinion);
    free(l->history);
    free(l->result.global);
    free(l);
}

const struct lockstep_result *lockstep_result(const struct lockstep *l) { return &l->result; }
struct model *lockstep_model(const struct lockstep *l) {
    return l->model;
}
const struct model_saved *lockstep_warp_before(const struct lockstep *l) {
    const struct lockstep_result *r = &l->result;
    const struct model_saved *w = opinion_warp(l->opinion);
    /* An older record, a load that no race explained, is no longer at its warp's present position. */
    const bool last = r->cycle == r->last_record_cycle && w != NULL && w->warp.warp == r->expected.warp;
    return last && w->warp.block_x == r->expected.block_x && w->warp.block_y == r->expected.block_y ? w : NULL;
}
const struct lockstep_options *lockstep_get_options(const struct lockstep *l) { return &l->options; }

bool lockstep_good(const struct lockstep *l) { return l->result.fault == FAULT_NONE; }

bool lockstep_fault(struct lockstep *l, enum lockstep_status status, enum lockstep_fault fault, const char *format,
                    ...) {
    if (!lockstep_good(l)) return false;
    va_list args;
    va_start(args, format);
    vsnprintf(l->result.text, sizeof l->result.text, format, args);
    va_end(args);
    l->result.status = status;
    l->result.fault = fault;
    return false;
}

const char *lockstep_status_name(enum lockstep_status status) {
    switch (status) {
    case LOCKSTEP_RUNNING: return "running";
    case LOCKSTEP_PASS: return "pass";
    case LOCKSTEP_MISMATCH: return "mismatch";
    case LOCKSTEP_TRAP: return "trap";
    case LOCKSTEP_HANG: return "hang";
    case LOCKSTEP_INTERRUPTED: return "interrupted";
    }
    return "unknown";
}

int lockstep_exit_code(const struct lockstep_result *result) {
    if (result->status == LOCKSTEP_PASS) return 0;
    if (result->status == LOCKSTEP_TRAP) return 3;
    if (result->status == LOCKSTEP_INTERRUPTED) return PROGRESS_INTERRUPTED;
    return result->fault == FAULT_STUCK || result->fault == FAULT_CYCLES ? 3 : 1;
}

/* --------------------------------------------------------------------------------------------------------- history */

static struct history *history_of(const struct lockstep *l, const struct retire *r) {
    const struct machine *machine = &l->options.machine;
    const bool is_slot = r->sm < machine->sms && r->slot < machine->warps;
    return is_slot ? &l->history[(size_t)r->sm * machine->warps + r->slot] : NULL;
}

static bool same_warp(const struct history *h, const struct retire *r) {
    return h->count > 0 && h->block_x == r->block_x && h->block_y == r->block_y && h->warp == r->warp;
}

static void remember(struct lockstep *l, const struct retire *r) {
    struct history *h = history_of(l, r);
    if (!same_warp(h, r)) {
        h->count = h->next = 0;
        h->block_x = (uint16_t)r->block_x;
        h->block_y = (uint16_t)r->block_y;
        h->warp = (uint8_t)r->warp;
    }
    h->steps[h->next] = (struct lockstep_step){r->cycle, r->pc, r->word_lo, r->word_hi, r->active, r->exec};
    h->next = (h->next + 1) % LOCKSTEP_HISTORY;
    if (h->count < LOCKSTEP_HISTORY) h->count++;
}

unsigned lockstep_history(const struct lockstep *l, const struct retire *record, struct lockstep_step *steps) {
    const struct history *h = history_of(l, record);
    if (h == NULL || !same_warp(h, record)) return 0;
    for (unsigned i = 0; i < h->count; i++)
        steps[i] = h->steps[(h->next + LOCKSTEP_HISTORY - h->count + i) % LOCKSTEP_HISTORY];
    return h->count;
}

/* --------------------------------------------------------------------------------------------------------- records */

/* A wrong pc has a useful explanation: the instruction was repeated, or one is missing. */
static enum lockstep_fault classify(const struct lockstep *l) {
    const struct retire *expected = &l->result.expected, *actual = &l->result.actual;
    if (expected->pc == actual->pc) return FAULT_FIELD;
    struct lockstep_step steps[LOCKSTEP_HISTORY];
    const unsigned count = lockstep_history(l, actual, steps);
    if (count > 0 && steps[count - 1].pc == actual->pc) return FAULT_REPEATED;
    if (expected->trap == TRAP_NONE && expected->next_pc == actual->pc) return FAULT_SKIPPED;
    return FAULT_FIELD;
}

bool lockstep_differs(struct lockstep *l) {
    const struct retire *expected = &l->result.expected, *actual = &l->result.actual;
    const enum lockstep_fault fault = classify(l);
    const struct compare_result *differences = &l->result.differences;
    char names[128] = "";
    for (size_t i = 0; i < differences->count; i++) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i == 0 ? "" : ", ", differences->diff[i].field->name);
    }
    if (fault == FAULT_REPEATED)
        return lockstep_fault(l, LOCKSTEP_MISMATCH, fault, "the RTL retired pc 0x%x twice; the warp is at pc 0x%x",
                              actual->pc, expected->pc);
    if (fault == FAULT_SKIPPED)
        return lockstep_fault(l, LOCKSTEP_MISMATCH, fault, "the RTL skipped pc 0x%x and retired pc 0x%x", expected->pc,
                              actual->pc);
    return lockstep_fault(l, LOCKSTEP_MISMATCH, fault, "RTL and model differ in %s", names);
}

enum status lockstep_declare(struct lockstep *l, const char *unreported, const char *filled, struct diag *d) {
    struct reported *r = &l->result.reported;
    const enum status status = reported_declare(r, unreported, REPORTED_NOT, "", d);
    return status == STATUS_OK ? reported_declare(r, filled, REPORTED_FILLED, "", d) : status;
}

static bool observe(struct lockstep *l, const struct retire *rtl) {
    if (l->options.observe != NULL) l->options.observe(l->options.observer, rtl);
    return true;
}
static const struct judge OBSERVER = {.after = observe};

static const struct judge *const JUDGES[] = {&judge_incomplete, &judge_races, &judge_waivers, &judge_opinion,
                                             &judge_drain,      &OBSERVER,    &judge_hang};
enum { JUDGE_COUNT = sizeof JUDGES / sizeof JUDGES[0] };

static bool excused(struct lockstep *l, const struct retire *rtl) {
    for (size_t i = 0; i < JUDGE_COUNT; i++)
        if (JUDGES[i]->excuse != NULL && JUDGES[i]->excuse(l, rtl)) return true;
    return false;
}

/* The model has executed the same step. */
static bool compare(struct lockstep *l, const struct retire *rtl) {
    struct lockstep_result *r = &l->result;
    if (compare_records(&r->expected, rtl, &r->differences) || excused(l, rtl)) return true;
    if (!lockstep_races_settled(l, UINT64_MAX)) return false;
    r->actual = *rtl;
    for (size_t i = 0; i < JUDGE_COUNT; i++)
        if (JUDGES[i]->accuse != NULL) JUDGES[i]->accuse(l, rtl);
    return lockstep_differs(l);
}

static bool step(struct lockstep *l, const struct retire *rtl) {
    struct lockstep_result *r = &l->result;
    const enum model_result result = model_step_follow(l->model, rtl, &r->expected);
    if (result == MODEL_RETIRED) return true;
    if (!lockstep_races_settled(l, UINT64_MAX)) return false;
    const bool late = result != MODEL_REFUSED || model_finished(l->model);
    r->actual = *rtl;
    return lockstep_fault(l, LOCKSTEP_MISMATCH, late ? FAULT_LATE : FAULT_REFUSED,
                          "the RTL retired an instruction that cannot be: %s", model_why(l->model));
}

static void count(struct lockstep *l, const struct retire *rtl) {
    struct lockstep_result *r = &l->result;
    remember(l, rtl);
    r->compared++;
    r->digest = digest_record(r->digest, rtl);
    if (rtl->sm < SIM_MAX_SMS) l->passes[rtl->sm] += retire_words(rtl);
}

static bool check(struct lockstep *l, const struct retire *rtl) {
    if (!lockstep_good(l) || !lockstep_races_settled(l, rtl->cycle)) return false;
    l->result.cycle = l->result.last_record_cycle = rtl->cycle;
    for (size_t i = 0; i < JUDGE_COUNT; i++)
        if (JUDGES[i]->before != NULL && !JUDGES[i]->before(l, rtl)) return false;
    if (!step(l, rtl)) return false;
    for (size_t i = JUDGE_COUNT; i-- > 0;)
        if (JUDGES[i]->behind != NULL && !JUDGES[i]->behind(l, rtl)) return false;
    if (!compare(l, rtl)) return false;
    count(l, rtl);
    for (size_t i = 0; i < JUDGE_COUNT; i++)
        if (JUDGES[i]->after != NULL && !JUDGES[i]->after(l, rtl)) return false;
    return true;
}

bool lockstep_check(struct lockstep *l, const struct retire *rtl) {
    if (!l->result.reported.incomplete) return check(l, rtl);
    l->own = *rtl;
    return check(l, &l->own);
}

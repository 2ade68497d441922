/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a simulation under the checker from its opening to its end. */
#include <stdlib.h>
#include <string.h>

#include "outlook.h"

enum {
    LATE_CYCLES = 64,        /* cycles for which the machine is watched after done */
    LOOK_AHEAD_CYCLE = 10000 /* cycle from which a run counts as long */
};

/* Cycles that the simulation may run without a record: the silence, limited by the remaining allowed cycles, if any. */
static uint64_t cycles_allowed(const struct lockstep *l, uint64_t end, uint64_t now) {
    if (end == 0) return l->options.silence;
    const uint64_t left = now < end ? end - now : 0;
    return left < l->options.silence ? left : l->options.silence;
}

static bool goes_on(const struct lockstep *l, uint64_t cycle) {
    const struct lockstep_options *o = &l->options;
    return o->go_on == NULL || o->go_on(o->observer, cycle);
}

bool lockstep_goes_on(struct lockstep *l, uint64_t cycle) {
    if (goes_on(l, cycle)) return true;
    l->result.cycle = cycle;
    return lockstep_fault(l, LOCKSTEP_INTERRUPTED, FAULT_INTERRUPTED, "in cycle %llu", (unsigned long long)cycle);
}

static bool load(struct lockstep *l, const struct sim_api *api, struct sim *s, const struct launch *run) {
    const bool loaded = api->load(s, run) == 0;
    return lockstep_goes_on(l, api->cycle(s)) && (loaded || lockstep_finish(l, SIM_FAILED, NULL, api->why(s)));
}

/* Runs the first launch to its end, if there is one. */
static bool run_before(struct lockstep *l, const struct sim_api *api, struct sim *s) {
    const struct launch *before = l->options.before;
    if (before == NULL) return true;
    if (!load(l, api, s, before)) return false;
    struct retire record;
    enum sim_event event = SIM_RECORD;
    while (event == SIM_RECORD) {
        event = api->next(s, &record, cycles_allowed(l, before->max_cycles, api->cycle(s)));
        if (!lockstep_goes_on(l, api->cycle(s))) return false;
    }
    if (event != SIM_FAILED && event != SIM_SILENT) return true;
    if (lockstep_good(l)) l->result.cycle = api->cycle(s);
    if (event == SIM_FAILED) return lockstep_finish(l, event, NULL, api->why(s));
    return lockstep_fault(l, LOCKSTEP_HANG, FAULT_BEFORE, "%s, launched first, did not end", before->path);
}

static bool start(struct lockstep *l, const struct sim_api *api, struct sim *s) {
    return run_before(l, api, s) && load(l, api, s, l->options.run);
}

/* False, with the fault noted, if the kernel will not end. */
static bool may_end(struct lockstep *l, const struct outlook *outlook) {
    if (outlook->is == OUTLOOK_LATE)
        return lockstep_fault(l, LOCKSTEP_HANG, FAULT_CYCLES,
                              "the kernel will not end within %llu cycles: the model alone has not ended after %llu "
                              "warp instructions%s",
                              (unsigned long long)l->options.max_cycles, (unsigned long long)outlook->steps,
                              outlook->loop);
    if (outlook->is == OUTLOOK_REPEATS)
        return lockstep_fault(l, LOCKSTEP_HANG, FAULT_STUCK,
                              "the kernel loops for ever: the model alone repeats its state after %llu warp "
                              "instructions%s, and no order of the warps changes that",
                              (unsigned long long)outlook->steps, outlook->loop);
    return true;
}

static void note_too_long(struct lockstep *l, const struct outlook *outlook) {
    l->result.cycle = l->options.max_cycles;
    lockstep_fault(l, LOCKSTEP_HANG, FAULT_CYCLES, "the kernel did not end within %llu cycles%s",
                   (unsigned long long)l->options.max_cycles,
                   outlook->is == OUTLOOK_ORDER ? "; whether it ends may depend on the order of its warps" : "");
}

static void run_records(struct lockstep *l, const struct sim_api *api, struct sim *s) {
    struct retire record;
    const uint64_t end = l->options.max_cycles;
    struct outlook outlook = {.is = OUTLOOK_OPEN};
    bool looked = false;
    for (;;) {
        const uint64_t limit = cycles_allowed(l, end, api->cycle(s));
        const enum sim_event event = api->next(s, &record, limit);
        if (!lockstep_goes_on(l, api->cycle(s))) return; /* a simulation that was interrupted also reports failure */
        const bool late = event == SIM_RECORD && end != 0 && record.cycle > end;
        if (event == SIM_RECORD && !late) {
            if (!lockstep_check(l, &record)) return;
            if (!looked && record.cycle >= LOOK_AHEAD_CYCLE) {
                looked = true;
                outlook = outlook_of(l, record.cycle);
                if (!may_end(l, &outlook)) return;
            }
            continue;
        }
        l->result.cycle = api->cycle(s);
        const bool over = event == SIM_SILENT && (limit < l->options.silence || (end != 0 && l->result.cycle >= end));
        if (late || over) {
            note_too_long(l, &outlook);
            return;
        }
        struct sim_trap trap = {0};
        if (event == SIM_TRAPPED) api->trap(s, &trap);
        lockstep_finish(l, event, &trap, api->why(s));
        return;
    }
}

/* A machine that is done must stay silent. */
static void watch_silence(struct lockstep *l, const struct sim_api *api, struct sim *s) {
    struct retire record;
    const enum sim_event event = api->next(s, &record, LATE_CYCLES);
    if (event == SIM_FAILED) lockstep_finish(l, SIM_FAILED, NULL, api->why(s));
    if (event != SIM_RECORD) return;
    l->result.actual = record;
    lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_LATE,
                   "the RTL retired an instruction after it reported that the grid is done");
}

void lockstep_run_records(struct lockstep *l, const struct sim_api *api, struct sim *s) {
    run_records(l, api, s);
    if (lockstep_good(l)) watch_silence(l, api, s);
}

static void check_memory(struct lockstep *l, const struct sim_api *api, struct sim *s, enum sim_memory memory) {
    const size_t size = lockstep_memory_size(l, memory);
    if (!lockstep_good(l) || size == 0) return;
    uint8_t *bytes = malloc(size);
    if (bytes == NULL || api->peek(s, memory, 0, bytes, size) != 0)
        lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_FAILED, "the RTL's memory cannot be read: %s",
                       bytes == NULL ? "out of memory" : api->why(s));
    else
        lockstep_check_memory(l, memory, bytes, size);
    if (memory == SIM_GLOBAL && bytes != NULL) {
        free(l->result.global);
        l->result.global = bytes;
        return;
    }
    free(bytes);
}

void lockstep_read_counters(struct lockstep *l, const struct sim_api *api, struct sim *s) {
    if (api->counters == NULL || !lockstep_good(l)) return;
    struct sim_counters counters = {0};
    api->counters(s, &counters);
    lockstep_check_counters(l, &counters);
}

bool lockstep_run(struct lockstep *l, const struct sim_api *api, const struct sim_options *options, struct diag *d) {
    char why[256] = "";
    if (api->version < SIM_API_OLDEST || api->version > SIM_API_VERSION) {
        diag_set(d, STATUS_BAD_INPUT, "", 0, 0,
                 "the simulation has version %u of the interface, the checker has version %u", api->version,
                 (unsigned)SIM_API_VERSION);
        return false;
    }
    if (api->version >= 4 && lockstep_declare(l, api->unreported, api->filled, d) != STATUS_OK) return false;
    struct sim *s = api->open(options, why, sizeof why);
    if (s == NULL) {
        diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "simulation '%s': %s", api->name, why);
        return false;
    }
    l->result.sim_name = api->name;
    l->cores = options->cores;
    if (start(l, api, s)) lockstep_run_records(l, api, s);
    check_memory(l, api, s, SIM_GLOBAL);
    check_memory(l, api, s, SIM_CODE);
    check_memory(l, api, s, SIM_CONST);
    lockstep_read_counters(l, api, s);
    lockstep_conclude(l);
    api->close(s);
    return true;
}

bool lockstep_record_wave(struct lockstep *l, const struct sim_api *api, const struct sim_options *options,
                          uint64_t from, uint64_t to, const char *path, char *why, size_t why_size) {
    struct sim_options with_wave = *options;
    with_wave.wave_path = path;
    with_wave.wave_from = from;
    with_wave.wave_to = to;
    struct sim *s = api->open(&with_wave, why, why_size);
    if (s == NULL) return false;
    struct retire record;
    enum sim_event event = start(l, api, s) ? SIM_RECORD : SIM_FAILED;
    last_store_ask(&l->result.last_store, &l->result);
    while (event == SIM_RECORD && api->cycle(s) <= to && goes_on(l, api->cycle(s))) {
        event = api->next(s, &record, to + 1 - api->cycle(s));
        if (event == SIM_RECORD) last_store_see(&l->result.last_store, &record);
    }
    const bool interrupted = !goes_on(l, api->cycle(s));
    api->close(s);
    if (interrupted) {
        remove(path);
        snprintf(why, why_size, "interrupted");
        return false;
    }
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        snprintf(why, why_size, "the simulation wrote no wave file");
        return false;
    }
    fclose(f);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL in Verilator or GHDL, in lockstep with the model, as engines. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../checker/port/machine_build.h"
#include "../checker/port/sim_library.h"
#include "../checker/report/report.h"
#include "../checker/verdict/lasting.h"
#include "../cmodel/run/argument.h"
#include "../cmodel/run/race_report.h"
#include "engine_api.h"

enum { LARGE_BYTES = 1 << 26, LOCAL_PART = 8, SMALL_LOCAL_PART = 4, USUAL_LIMIT = 1 << 28 /* cycles */ };

struct engine_of_rtl {
    struct engine engine;
    struct sim_library library;
    struct lasting *memory;
    char *wave; /* file for the waves of all launches, or NULL */
    bool wave_each;
};

static struct engine_of_rtl *rtl_of(struct engine *engine) { return (struct engine_of_rtl *)engine; }

/* ----------------------------------------------------------------------------------------------- choice of the
 * build */

struct build {
    unsigned cores, bus_words;
    struct machine machine;
};

/* Parses the name of a machine, with or without its C: "8", "8-S2-G1048576-B8". */
static bool parse_build(const char *text, struct build *b) {
    char name[MACHINE_NAME_BYTES];
    struct machine_build named;
    const bool is_long = text[0] == 'C';
    if ((size_t)snprintf(name, sizeof name, "%s%s", is_long ? "" : "C", text) >= sizeof name) return false;
    if (!machine_name_read(name, &named)) return false;
    *b = (struct build){named.cores, named.bus_words, machine_of_build(&named)};
    return b->cores == 8 || b->cores == 16 || b->cores == 32;
}

/* If only the number of cores is given for Verilator, opens the build with a large memory behind a bus, else the one
 * with a small memory in block RAM. If neither exists, reports the large one as missing. */
static enum status open_library(struct engine_of_rtl *e, const char *simulator, bool only_cores, struct build *b,
                                struct diag *d) {
    struct build large = *b;
    struct diag absent = {0};
    large.bus_words = b->cores;
    large.machine.global_bytes = LARGE_BYTES;
    if (!only_cores || strcmp(simulator, "verilator") != 0)
        return sim_library_open(&e->library, simulator, b->cores, &b->machine, b->bus_words, d);
    if (sim_library_open(&e->library, simulator, b->cores, &large.machine, large.bus_words, &absent) == STATUS_OK) {
        *b = large;
        return STATUS_OK;
    }
    snprintf(e->engine.properties.larger, sizeof e->engine.properties.larger, "%s", absent.text);
    const enum status status = sim_library_open(&e->library, simulator, b->cores, &b->machine, b->bus_words, d);
    if (status != STATUS_OK) *d = absent;
    return status == STATUS_OK ? STATUS_OK : absent.status;
}

/* ------------------------------------------------------------------------------------------------------ open, close */

static bool is_directory(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* A single file for all launches is passed to the simulation when it is opened. */
static bool open_wave(struct engine_of_rtl *e, const struct engine_options *options) {
    if (options->wave == NULL) return true;
    const struct sim_api *api = e->library.api;
    const bool directory = is_directory(options->wave);
    e->wave_each = directory && api->version >= SIM_API_AGAIN && api->wave != NULL;
    if (e->wave_each) return true;
    const char *suffix = api->version >= SIM_API_WAVES && api->waves != NULL ? api->waves : ".fst";
    const int size = directory
                         ? asprintf(&e->wave, "%s/%s%.*s", options->wave, api->name, (int)strcspn(suffix, " "), suffix)
                         : asprintf(&e->wave, "%s", options->wave);
    if (size < 0) e->wave = NULL;
    return size >= 0;
}

static void close_rtl(struct engine *engine) {
    struct engine_of_rtl *e = rtl_of(engine);
    lasting_close(e->memory);
    if (e->library.handle != NULL) sim_library_close(&e->library);
    free(e->wave);
    free(e);
}

/* Local memory is at the top of global memory: an eighth if it is large, else a quarter. */
static uint32_t host_bytes_of(const struct machine *machine) {
    return machine->global_bytes -
           machine->global_bytes / (machine->global_bytes < LARGE_BYTES ? SMALL_LOCAL_PART : LOCAL_PART);
}

static void set_properties(struct engine_of_rtl *e, const struct build *b) {
    struct engine_properties *p = &e->engine.properties;
    p->machine = b->machine;
    p->cores = b->cores;
    p->clock_hz = ENGINE_CLOCK_HZ;
    p->lockstep = true;
    p->host_bytes = host_bytes_of(&b->machine);
    snprintf(p->name, sizeof p->name, "Warpstep RTL, %u SM%s of %u cores, %s, lockstep", b->machine.sms,
             b->machine.sms == 1 ? "" : "s", b->cores, e->library.api->name);
}

static enum status open_simulation(const char *simulator, const char *rest, const struct engine_options *options,
                                   struct engine **engine, struct diag *d) {
    struct build b;
    if (!parse_build(rest, &b))
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0,
                        "no machine '%.60s': expected 8, 16 or 32 cores, or the name of a build, as in 8-S2", rest);
    struct engine_of_rtl *e = calloc(1, sizeof *e);
    if (e == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    enum status status = open_library(e, simulator, strchr(rest, '-') == NULL, &b, d);
    if (status == STATUS_OK && !open_wave(e, options))
        status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    if (status == STATUS_OK) {
        set_properties(e, &b);
        const struct sim_options sim = {
            .cores = b.cores,
            .machine = b.machine,
            .seed = 1,
            .wave_path = e->wave,
            .wave_to = UINT64_MAX,
            .bus = {.used = b.bus_words != 0, .words = b.bus_words}
        };
        status = lasting_open(e->library.api, &sim, e->engine.properties.host_bytes, &e->memory, d);
    }
    if (status == STATUS_OK)
        *engine = &e->engine;
    else
        close_rtl(&e->engine);
    return status;
}

static enum status open_verilator(const char *rest, const struct engine_options *options, struct engine **engine,
                                  struct diag *d) {
    return open_simulation("verilator", rest, options, engine, d);
}

static enum status open_ghdl(const char *rest, const struct engine_options *options, struct engine **engine,
                             struct diag *d) {
    return open_simulation("ghdl", rest, options, engine, d);
}

static enum status write_rtl(struct engine *engine, uint32_t addr, const uint8_t *bytes, size_t size, struct diag *d) {
    return lasting_write(rtl_of(engine)->memory, addr, bytes, size, d);
}

static enum status read_rtl(struct engine *engine, uint32_t addr, uint8_t *bytes, size_t size, struct diag *d) {
    return lasting_read(rtl_of(engine)->memory, addr, bytes, size, d);
}

/* --------------------------------------------------------------------------------------------------------- launches */

/* Observers of a launch. */
struct watch {
    struct engine_of_rtl *e;
    struct lockstep *lockstep;
    struct trace *trace;
};

static void record_retire(void *observer, const struct retire *record) {
    struct watch *w = observer;
    if (w->trace != NULL) trace_record(w->trace, record, lockstep_model(w->lockstep));
}

static bool may_continue(void *observer, uint64_t cycle) {
    struct watch *w = observer;
    (void)cycle;
    return !atomic_load(&w->e->engine.stops);
}

static enum engine_outcome outcome_of(const struct lockstep_result *r) {
    switch (r->status) {
    case LOCKSTEP_PASS: return ENGINE_DONE;
    case LOCKSTEP_TRAP: return ENGINE_TRAPPED;
    case LOCKSTEP_INTERRUPTED: return ENGINE_STOPPED;
    case LOCKSTEP_HANG: return r->fault == FAULT_STUCK || r->fault == FAULT_CYCLES ? ENGINE_HUNG : ENGINE_MISMATCH;
    default: return ENGINE_MISMATCH;
    }
}

static void report_run(struct watch *w, const struct launch *launch, struct engine_report *report, FILE *text) {
    const struct lockstep_result *r = lockstep_result(w->lockstep);
    struct model_counts counts;
    model_get_counts(lockstep_model(w->lockstep), &counts);
    report->outcome = outcome_of(r);
    report->cycles = r->has_counters ? r->counters.cycles : r->cycle;
    report->warp_instructions = counts.warp_instructions;
    report->thread_instructions = counts.thread_instructions;
    race_report_print(lockstep_model(w->lockstep), launch, text);
    if (report->outcome == ENGINE_DONE) return;
    fprintf(text, "%s, launch %u of this engine: ", launch->path, w->e->engine.launches);
    lockstep_report(w->lockstep, NULL, text);
}

static bool record_wave(struct engine_of_rtl *e, const struct image *image) {
    if (!e->wave_each) return true;
    char *path = engine_file(&e->engine, e->engine.options.wave, image, "fst");
    const bool fine = path != NULL && lasting_wave(e->memory, path);
    free(path);
    return fine;
}

static enum status run_launch(struct watch *w, const struct launch *launch, struct engine_report *report, FILE *text,
                              struct diag *d) {
    struct engine_of_rtl *e = w->e;
    struct diag lost = {0};
    enum status status = engine_open_trace(&e->engine, launch->image, &w->trace, d);
    if (status == STATUS_OK && !record_wave(e, launch->image))
        status = diag_set(d, STATUS_BAD_INPUT, e->engine.options.wave, 0, 0, "cannot write waves to this path");
    if (status == STATUS_OK) {
        const bool stays = lasting_run(e->memory, w->lockstep, &lost);
        report_run(w, launch, report, text);
        if (!stays) {
            report->outcome = ENGINE_LOST;
            fprintf(text, "%s\n", lost.text);
        }
    }
    const enum status closed = trace_close(w->trace, status == STATUS_OK, status == STATUS_OK ? d : NULL);
    return status != STATUS_OK ? status : closed;
}

static enum status launch_rtl(struct engine *engine, const struct launch *launch, struct engine_report *report,
                              FILE *text, struct diag *d) {
    struct watch w = {.e = rtl_of(engine)};
    const struct lockstep_options options = {.run = launch,
                                             .machine = engine->properties.machine,
                                             .max_cycles = launch->max_cycles,
                                             .check_races = engine->options.races,
                                             .observe = record_retire,
                                             .go_on = may_continue,
                                             .observer = &w,
                                             .lasting = w.e->memory};
    w.lockstep = lockstep_create(&options, d);
    if (w.lockstep == NULL) return d->status;
    const enum status status = run_launch(&w, launch, report, text, d);
    lockstep_destroy(w.lockstep);
    return status;
}

const struct engine_api engine_rtl = {.name = "rtl",
                                      .usual_limit = USUAL_LIMIT,
                                      .open = open_verilator,
                                      .write = write_rtl,
                                      .read = read_rtl,
                                      .launch = launch_rtl,
                                      .close = close_rtl};
const struct engine_api engine_ghdl = {.name = "ghdl",
                                       .usual_limit = USUAL_LIMIT,
                                       .open = open_ghdl,
                                       .write = write_rtl,
                                       .read = read_rtl,
                                       .launch = launch_rtl,
                                       .close = close_rtl};

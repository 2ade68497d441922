/* SPDX-License-Identifier: Apache-2.0 */
/* warp-lockstep: runs a kernel on a simulation of the RTL and on the C model, and compares every instruction. */
// link: -ledit
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../assembler/base/outfile.h"
#include "../../assembler/base/stop.h"
#include "../../cmodel/debug/session.h"
#include "../../cmodel/run/bounds_report.h"
#include "../../cmodel/run/print.h"
#include "../../cmodel/run/progress.h"
#include "../../cmodel/run/race_report.h"
#include "../../cmodel/run/results.h"
#include "../../cmodel/run/state_report.h"
#include "../../cmodel/run/trace.h"
#include "../coverage/coverage.h"
#include "../port/sim_library.h"
#include "../report/difference.h"
#include "../report/report.h"
#include "../report/stage_trace.h"
#include "../report/summary.h"
#include "../report/wave_view.h"
#include "../verdict/audit.h"
#include "../verdict/check_trace.h"
#include "../verdict/free_run.h"
#include "tool_options.h"

static const char TOOL[] = "warp-lockstep";

enum { EXIT_DIFFERS = 1, WAVE_CYCLES = 200, WAVE_PATH_BYTES = 512 };

/* The observers of agreed records; each may be NULL. */
struct watch {
    struct trace *trace;
    struct stage_trace *stages; /* writer of the stages */
    struct coverage *coverage;
    const struct lockstep *lockstep;
    struct progress progress;
    struct session *session; /* the prompt */
    bool quit;               /* the prompt has ended the run */
    bool again;              /* the run with waves */
};

/* Waves of the fault. */
struct wave {
    char path[WAVE_PATH_BYTES];
    char trouble[256];
    uint64_t from, to;
    bool written;
    struct stack_watch stack; /* the stack in the run with waves */
    const char *viewed;       /* the wave file beside which wave_view.h has written its files, or NULL */
};

/* A word for a shell, quoted if necessary. */
static void print_word(const char *word, FILE *out) {
    const bool plain = word[0] != 0 && word[strcspn(word, " \t\n'\"\\$&|;<>()*?[]#~`!{}")] == 0;
    if (!plain) fputc('\'', out);
    for (const char *c = word; *c != 0; c++)
        if (*c == '\'')
            fputs("'\\''", out);
        else
            fputc(*c, out);
    if (!plain) fputc('\'', out);
}

/* The command line; NULL if out of memory. A character takes 4 at most, a word two quotes and a separator. */
static char *join_command(int argc, char **argv) {
    size_t size = 0;
    for (int i = 0; i < argc; i++) size += 4 * strlen(argv[i]) + 3;
    char *text = malloc(size);
    FILE *out = text == NULL ? NULL : fmemopen(text, size, "w");
    for (int i = 0; i < argc && out != NULL; i++) {
        if (i > 0) fputc(' ', out);
        print_word(argv[i], out);
    }
    if (out != NULL && fclose(out) == 0) return text;
    free(text);
    return NULL;
}

/* ---------------------------------------------------------------------------------------------------------- waves */

/* The cycles of interest: up to the finding; for silence, around the last record. */
static void choose_window(const struct lockstep_result *r, struct wave *wave) {
    const bool silent = r->fault == FAULT_SILENT || r->fault == FAULT_STUCK;
    const uint64_t end = silent ? r->last_record_cycle + WAVE_CYCLES / 4 : r->cycle;
    wave->to = end;
    wave->from = end > WAVE_CYCLES ? end - WAVE_CYCLES : 1;
}

/* Suffixes of the wave files that a simulation can write. */
static const char *wave_suffixes(const struct sim_api *api) {
    return api->version >= SIM_API_WAVES && api->waves != NULL ? api->waves : ".fst";
}

/* Simulations do not report write errors. An existing file stays; a missing one is created, and removed again. */
static enum status check_writable(const char *path, struct diag *d) {
    const bool there = access(path, F_OK) == 0;
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return diag_errno(d, path, "cannot write");
    close(file);
    if (!there) remove(path);
    return STATUS_OK;
}

static enum status check_wave_path(const struct sim_api *api, const char *path, struct diag *d) {
    const char *suffixes = wave_suffixes(api);
    if (path == NULL) return STATUS_OK;
    if (strstr(suffixes, strrchr(path, '.')) != NULL) return check_writable(path, d);
    return suffixes[0] == 0 ? diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "this simulation was built without waves")
                            : diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "%s writes waves as %s", api->name, suffixes);
}

static void make_wave_path(const struct launch *run, const struct sim_api *api, struct wave *wave) {
    const char *directory = getenv("TMPDIR");
    const char *name = run->image->name != NULL ? run->image->name : "kernel";
    const char *suffixes = wave_suffixes(api);
    snprintf(wave->path, sizeof wave->path, "%s/warpstep-%.64s-%ld%.*s",
             directory != NULL && directory[0] != 0 ? directory : "/tmp", name, (long)getpid(),
             (int)strcspn(suffixes, " "), suffixes);
    for (char *c = strrchr(wave->path, '/') + 1; *c != 0; c++)
        if (strchr(" \t'\"\\$&|;<>()*?[]#~`!{}", *c) != NULL) *c = '_';
}

/* Wave files being written, which a signal that ends the process removes: they cannot be read without their end. An
 * .fst has a second file until then. */
struct wave_files {
    const char *path;
    char names[WAVE_PATH_BYTES + sizeof ".hier"];
};

static void note_wave(struct wave_files *w, const char *path) {
    *w = (struct wave_files){.path = path};
    if (path == NULL) return;
    snprintf(w->names, sizeof w->names, "%s.hier", path);
    stop_note_file(w->path);
    stop_note_file(w->names);
}

static void forget_wave(const struct wave_files *w) {
    stop_forget_file(w->names);
    stop_forget_file(w->path);
}

static void record_wave(struct lockstep *l, const struct sim_api *api, const struct options *o, struct wave *wave) {
    const struct lockstep_result *r = lockstep_result(l);
    const bool one = r->fault != FAULT_FINDINGS; /* not many */
    const bool wanted = (one && r->status == LOCKSTEP_MISMATCH) || r->status == LOCKSTEP_HANG;
    if (!wanted || o->no_wave || o->sim.wave_path != NULL || r->cycle == 0) return;
    choose_window(r, wave);
    make_wave_path(lockstep_get_options(l)->run, api, wave);
    struct sim_options sim = o->sim;
    wave->stack = (struct stack_watch){.api = api,
                                       .launch = o->before != NULL ? 2 : 1,
                                       .sm = (unsigned)r->actual.sm,
                                       .slot = r->actual.slot,
                                       .pc = r->actual.pc,
                                       .cycle = r->actual.cycle};
    if (r->fault == FAULT_FIELD && difference_is_flow(r) && stack_watch_can(api)) {
        sim.look = stack_watch_look;
        sim.looker = &wave->stack;
    }
    struct wave_files files;
    note_wave(&files, wave->path);
    wave->written =
        lockstep_record_wave(l, api, &sim, wave->from, wave->to, wave->path, wave->trouble, sizeof wave->trouble);
    forget_wave(&files);
    if (!wave->written && wave->trouble[0] == 0) snprintf(wave->trouble, sizeof wave->trouble, "the second run failed");
}

/* The viewers' files for existing waves: the finding; for a passed run, its last record. */
static void write_view(const struct lockstep *l, const struct sim_api *api, const struct options *o,
                       struct wave *wave) {
    const struct lockstep_result *r = lockstep_result(l);
    const bool wrong = r->status != LOCKSTEP_PASS && r->fault != FAULT_SILENT && r->fault != FAULT_STUCK;
    const uint32_t lanes = difference_lanes(r);
    const struct wave_view view = {.path = wave->written ? wave->path : o->sim.wave_path,
                                   .sim = api->name,
                                   .image = lockstep_get_options(l)->run->image,
                                   .cycle = wrong ? r->cycle : r->last_record_cycle,
                                   .second = lockstep_get_options(l)->before != NULL,
                                   .cores = o->sim.cores,
                                   .sm = (unsigned)r->actual.sm,
                                   .slot = r->actual.slot,
                                   .lanes = lanes != 0 ? lanes : 1};
    struct diag d = {0};
    if (view.path == NULL || o->sim.bus.used || !wave_view_knows(&view)) return;
    if (wave_view_write(&view, &d) == STATUS_OK)
        wave->viewed = view.path;
    else
        snprintf(wave->trouble, sizeof wave->trouble, "%.200s", d.text);
}

/* ------------------------------------------------------------------------------------------------------------ run */

static void observe(void *observer, const struct retire *record) {
    struct watch *watch = observer;
    if (watch->stages != NULL && !trace_is_cut(watch->trace))
        stage_trace_record(watch->stages, record, lockstep_model(watch->lockstep));
    else if (watch->stages == NULL && watch->trace != NULL)
        trace_record(watch->trace, record, lockstep_model(watch->lockstep));
    if (watch->coverage != NULL) coverage_note(watch->coverage, &lockstep_result(watch->lockstep)->expected, record);
    if (watch->session->debug != NULL && !watch->quit) watch->quit = !debug_record(watch->session->debug, record);
}

static void look(void *looker, struct sim *sim, const struct sim_look *shown) {
    const struct watch *watch = looker;
    (void)sim;
    if (!trace_is_cut(watch->trace)) stage_trace_look(watch->stages, shown);
}

static bool go_on(void *observer, uint64_t cycle) {
    struct watch *watch = observer;
    watch->progress.instructions = watch->again ? 0 : lockstep_result(watch->lockstep)->compared;
    if (watch->session->debug == NULL) return progress_go_on(&watch->progress, cycle);
    if (!progress_go_on(&watch->progress, cycle)) {
        if (!stop_take_interrupt()) return false;
        debug_interrupt(watch->session->debug);
    }
    return !watch->quit;
}

static enum status save_coverage(const struct coverage *c, const struct launch *run, const struct options *o,
                                 struct diag *d) {
    char test[512];
    snprintf(test, sizeof test, "%.400s C%u-S%u", run->path, o->sim.cores, o->sim.machine.sms);
    return coverage_save(c, o->coverage, test, d);
}

/* RTL and model agree: checks the kernel's expectations, and with --strict that nothing undefined was used. Undefined
 * values are shown if they may explain a failure. Returns the exit code. */
static int conclude_agreed(const struct lockstep *l, const struct launch *run, struct summary *s) {
    const struct lockstep_result *r = lockstep_result(l);
    const struct model *m = lockstep_model(l);
    const bool raced = run->strict && r->raced > 0, undefined = run->strict && model_undefined_count(m) > 0;
    if (r->global != NULL) s->expect_wrong = results_compare(run, r->global, stderr);
    if (s->expect_wrong != 0 || run->strict) state_report_undefined(m, run, stderr);
    const bool strayed = bounds_report_print(m, run, stderr) > 0;
    if (raced)
        fprintf(stderr, "%s: error: %" PRIu64 " lane value%s on a race between SMs\n", run->path, r->raced,
                r->raced == 1 ? " depends" : "s depend");
    if (s->expect_wrong == 0 && !raced && !undefined && !strayed) return 0;
    s->status = s->expect_wrong != 0 ? "failed" : raced ? "race" : undefined ? "undefined" : "out of bounds";
    return EXIT_DIFFERS;
}

/* Reports the end of the run, on stderr for readers and on stdout as requested; returns the exit code. */
static int conclude(const struct lockstep *l, const struct options *o, const struct launch *run,
                    const struct wave *wave, const char *command) {
    const struct lockstep_result *r = lockstep_result(l);
    const struct model *m = lockstep_model(l);
    int code = lockstep_exit_code(r);
    struct summary s = {.lockstep = l, .sim = &o->sim, .status = lockstep_status_name(r->status)};
    s.wave = wave->written ? wave->path : o->sim.wave_path;
    if (r->status != LOCKSTEP_PASS) {
        const struct lockstep_report_extra extra = {.command = command,
                                                    .wave = wave->written ? wave->path : NULL,
                                                    .wave_from = wave->from,
                                                    .wave_to = wave->to,
                                                    .wave_trouble = wave->trouble[0] != 0 ? wave->trouble : NULL,
                                                    .view = wave->viewed,
                                                    .stack = &wave->stack};
        fprintf(stderr, "%s: ", run->path);
        lockstep_report(l, &extra, stderr);
    } else {
        code = conclude_agreed(l, run, &s);
    }
    size_t races;
    race_report_print(m, run, stderr);
    (void)model_races(m, &races);
    if (races > 0 && code == 0) {
        s.status = "race";
        code = EXIT_DIFFERS;
    }
    if (run->json)
        summary_print_json(&s, stdout);
    else
        summary_print_text(&s, stdout);
    return code;
}

/* Runs the simulation, or the trace in its place if api is NULL. */
static enum status run_checker(struct lockstep *l, const struct options *o, const struct sim_api *api,
                               struct watch *watch, struct diag *d) {
    const struct trace_check trace = {o->check_trace, o->final_memory};
    if (api == NULL) return check_trace(l, &trace, d);
    struct wave_files files;
    struct sim_options sim = o->sim;
    sim.look = watch->stages != NULL ? look : NULL;
    sim.looker = watch;
    note_wave(&files, sim.wave_path);
    const bool ran = lockstep_run(l, api, &sim, d);
    forget_wave(&files);
    return ran ? STATUS_OK : d->status;
}

static enum status run_lockstep(const struct launch *run, const struct options *o, const struct sim_api *api,
                                struct watch *watch, const char *command, int *exit_code, struct diag *d) {
    struct machine machine = o->sim.machine;
    machine.has_atomics = launch_has_atomics(run);
    const struct lockstep_options options = {.run = run,
                                             .machine = machine,
                                             .silence = o->silence,
                                             .max_cycles = run->max_cycles,
                                             .before = o->before,
                                             .waivers = o->waivers,
                                             .keep_going = o->keep_going,
                                             .check_races = o->check_races,
                                             .look_ahead = !watch->session->wanted,
                                             .observe = observe,
                                             .go_on = go_on,
                                             .observer = watch};
    struct wave wave = {0};
    struct lockstep *l = lockstep_create(&options, d);
    if (l == NULL) return d->status;
    watch->lockstep = l;
    enum status status = session_open(watch->session, lockstep_model(l), run->image, &options.machine, d);
    if (status == STATUS_OK && !bounds_report_begin(lockstep_model(l), run))
        status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    if (status != STATUS_OK) {
        lockstep_destroy(l);
        return status;
    }
    struct debug *debug = watch->session->debug;
    watch->quit = debug != NULL && !debug_start(debug);
    if (debug != NULL)
        progress_start_quietly(&watch->progress);
    else
        progress_start(&watch->progress, "cycles");
    status = run_checker(l, o, api, watch, d);
    if (status == STATUS_OK && model_races_failed(lockstep_model(l)))
        status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for races");
    if (status == STATUS_OK && api != NULL) {
        watch->again = true;
        record_wave(l, api, o, &wave);
        write_view(l, api, o, &wave);
    }
    progress_end(&watch->progress);
    if (status != STATUS_OK) {
        lockstep_destroy(l);
        return status;
    }
    const struct lockstep_result *r = lockstep_result(l);
    *exit_code = conclude(l, o, run, &wave, command);
    if (debug != NULL) debug_end(debug, "the run has ended");
    status = session_close(watch->session, d);
    if (status == STATUS_OK && watch->coverage != NULL) status = save_coverage(watch->coverage, run, o, d);
    FILE *out = run->json ? stderr : stdout;
    if (status == STATUS_OK && r->global != NULL)
        status = print_results(run, r->global, machine.global_bytes, out, stderr, d);
    if (status == STATUS_OK && r->global != NULL) status = results_dump(run, r->global, out, d);
    lockstep_destroy(l);
    return status;
}

/* A Konata trace has the stages, if the simulation offers them. */
static enum status open_trace(struct watch *watch, const struct launch *run, const struct options *o,
                              const struct sim_api *api, struct diag *d) {
    if (run->trace_path == NULL) return STATUS_OK;
    const enum status status = trace_open(run->trace_path, run->image, &watch->trace, d);
    if (status == STATUS_OK) trace_set_limit(watch->trace, run->trace_limit);
    if (status != STATUS_OK || api == NULL || api->version < SIM_API_LOOK || api->stages == NULL) return status;
    struct kanata *kanata = trace_take_kanata(watch->trace);
    if (kanata == NULL) return STATUS_OK;
    watch->stages = stage_trace_create(kanata, api->stages, o->sim.cores, o->before != NULL ? 2 : 1, run->image);
    return watch->stages != NULL ? STATUS_OK : diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for the trace");
}

/* A run with its observers: trace, stages, prompt. */
static enum status run_watched(const struct launch *run, const struct options *o, const struct sim_api *api,
                               struct session *session, const char *command, int *exit_code, struct diag *d) {
    struct watch watch = {.session = session};
    enum status status = open_trace(&watch, run, o, api, d);
    if (status == STATUS_OK && o->coverage != NULL) {
        watch.coverage = coverage_create(run, &o->sim.machine, o->sim.cores);
        if (watch.coverage == NULL) status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for coverage");
    }
    if (status == STATUS_OK) status = run_lockstep(run, o, api, &watch, command, exit_code, d);
    coverage_destroy(watch.coverage);
    struct diag later = {0};
    if (!stage_trace_close(watch.stages) && status == STATUS_OK)
        status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for the trace");
    if (status == STATUS_OK && *exit_code == PROGRESS_INTERRUPTED) trace_cut(watch.trace, stop_name());
    trace_report_cut(watch.trace, run->trace_path, stderr);
    const enum status closed = trace_close(watch.trace, status == STATUS_OK, &later);
    if (status == STATUS_OK && closed != STATUS_OK) {
        *d = later;
        status = closed;
    }
    if (*exit_code == PROGRESS_INTERRUPTED) *exit_code = stop_code();
    return status;
}

static enum status run_unchecked(const struct launch *run, const struct options *o, const struct sim_api *api,
                                 int *exit_code, struct diag *d) {
    struct wave_files files;
    note_wave(&files, o->sim.wave_path);
    const enum status status = free_run(api, &o->sim, run, exit_code, d);
    forget_wave(&files);
    return status;
}

static enum status run_simulation(const struct launch *run, const struct options *o, struct session *session,
                                  const char *command, int *exit_code, struct diag *d) {
    struct sim_library lib;
    const char *name = o->sim_name != NULL ? o->sim_name : options_default_sim;
    enum status status = sim_library_open(&lib, name, o->sim.cores, &o->sim.machine, o->sim.bus.words, d);
    if (status != STATUS_OK) return status;
    status = check_wave_path(lib.api, o->sim.wave_path, d);
    if (status == STATUS_OK)
        status = o->sim.unchecked ? run_unchecked(run, o, lib.api, exit_code, d)
                                  : run_watched(run, o, lib.api, session, command, exit_code, d);
    sim_library_close(&lib);
    return status;
}

static enum status run_audit(const struct launch *run, const struct options *o, int *exit_code, struct diag *d) {
    struct machine machine = o->sim.machine;
    machine.has_atomics = launch_has_atomics(run);
    const struct audit audit = {.run = run,
                                .machine = machine,
                                .path = o->audit,
                                .changes = o->audit_changes,
                                .seed = o->sim.seed,
                                .waivers = o->waivers};
    return audit_run(&audit, stdout, exit_code, d);
}

/* A path that cannot be written costs no simulation. */
static enum status check_outputs(const struct launch *run, const struct options *o, struct diag *d) {
    char path[WAVE_PATH_BYTES];
    const enum status status = results_check(run, d);
    if (status != STATUS_OK || o->coverage == NULL) return status;
    snprintf(path, sizeof path, "%.400s/run", o->coverage);
    return outfile_check(path, d);
}

static enum status run_as_asked(const struct launch *run, const struct options *o, struct session *session,
                                const char *command, int *exit_code, struct diag *d) {
    if (session->wanted && (o->sim.unchecked || o->audit != NULL || run->json))
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0,
                        "--debug cannot be combined with --unchecked, --audit or --json");
    if (session_check(session, run->path, d) != STATUS_OK || check_outputs(run, o, d) != STATUS_OK) return d->status;
    if (o->audit != NULL) return run_audit(run, o, exit_code, d);
    stop_hold(); /* a signal ends the run, and all files are then complete */
    const enum status status = o->check_trace != NULL ? run_watched(run, o, NULL, session, command, exit_code, d)
                                                      : run_simulation(run, o, session, command, exit_code, d);
    stop_release();
    return status;
}

/* The choices on the command line. */
struct choice {
    struct options options;
    struct session session;
};

static int take_option(void *state, const char *option, const char *value, struct diag *d) {
    struct choice *choice = state;
    const int used = session_take_option(&choice->session, option, value, d);
    return used != 0 ? used : options_take(&choice->options, option, value, d);
}

static void print_help(void) {
    options_print_help();
    session_print_help(stdout);
}

int main(int argc, char **argv) {
    struct choice choice = {.session.wanted = false};
    struct options *options = &choice.options;
    struct launch run, before = {0};
    struct diag d = {0};
    int exit_code = 0;
    const char *directory = getenv(COVERAGE_VARIABLE);
    stop_install();
    options_init(options);
    if (directory != NULL && directory[0] != 0) options->coverage = directory;
    if (launch_answer(argc, argv, TOOL, print_help)) return outfile_finish(0);
    if (launch_parse(argc, argv, take_option, &choice, &options->sim.machine, stderr, &run, &d) != STATUS_OK) {
        options_release(options);
        return launch_report(TOOL, &d);
    }
    options->sim.machine.has_atomics = launch_has_atomics(&run);
    char *command = join_command(argc, argv);
    enum status status = options_check_launch(options, &run, &d);
    if (status == STATUS_OK) launch_warn(&run, &options->sim.machine, stderr);
    if (status == STATUS_OK) status = options_check(options, &run, &d);
    if (status == STATUS_OK) status = options_read_before(options, &run, &before, &d);
    if (status == STATUS_OK) status = run_as_asked(&run, options, &choice.session, command, &exit_code, &d);
    launch_release(&before);
    launch_release(&run);
    options_release(options);
    free(command);
    return status == STATUS_OK ? outfile_finish(exit_code) : launch_report(TOOL, &d);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* warp-lockstep: runs a kernel on a simulation of the RTL and on the C model, and holds every instruction of one
 * against the other. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../assembler/base/outfile.h"
#include "../../cmodel/run/results.h"
#include "../../cmodel/run/trace.h"
#include "../coverage/coverage.h"
#include "free_run.h"
#include "report.h"
#include "sim_library.h"
#include "summary.h"

static const char TOOL[] = "warp-lockstep";

enum { EXIT_DIFFERS = 1, WAVE_CYCLES = 200, WAVE_PATH_BYTES = 512 };
enum { MIN_GLOBAL_BYTES = 4096 };

struct options {
    struct sim_options sim;
    const char *sim_name;
    uint64_t silence;
    bool relaunch, no_wave;
    const char *after;           /* file of the kernel that is launched first; NULL: none */
    const struct launch *before; /* what is */
    const char *coverage;        /* directory, NULL: none */
};

/* Who sees the records that agreed; each may be NULL. */
struct watch {
    struct trace *trace;
    struct coverage *coverage;
    const struct lockstep *lockstep;
};

/* Waves of what went wrong. */
struct wave {
    char path[WAVE_PATH_BYTES];
    char trouble[256];
    uint64_t from, to;
    bool written;
};

/* ------------------------------------------------------------------------------------------------------ arguments */

static void print_help(void) {
    puts("usage: warp-lockstep KERNEL [options]\n"
         "Runs a kernel on RTL and C model, instruction by instruction. Exit code: 0 agreed, 1 they differ or memory "
         "is not as\n"
         "expected, 2 bad input, 3 the kernel itself trapped or hung.\n");
    launch_print_help(stdout);
    puts("  --sim verilator|ghdl|LIB.so simulation of the RTL, default verilator\n"
         "  --cores 8|16|32             scalar processors of an SM, default 8\n"
         "  --sms N                     streaming multiprocessors, 1 to 8, default 1\n"
         "  --global-bytes N            size of global memory, a power of two, default 262144; Verilator\n"
         "                              has a build for each number of cores, of SMs and of bytes\n"
         "  --seed N                    contents of what the launch leaves undefined, default 1\n"
         "  --silence N                 cycles without an instruction that are a hang, default 20000\n"
         "  --after KERNEL              launches this kernel first, as its file says, and no reset behind it:\n"
         "                              what is compared begins with what that has left\n"
         "  --relaunch                  the same of the kernel itself: the second of two launches is compared\n"
         "  --unchecked                 without the model: what the RTL retires is not looked at\n"
         "  --wave FILE.fst             waves of the whole run\n"
         "  --coverage DIR              writes what the run covers into a file there, for the report of `make\n"
         "                              coverage\n"
         "  --no-wave                   no second run with waves when something differs\n"
         "  --help                      this text");
}

static bool parse_number(const char *option, const char *value, uint64_t low, uint64_t high, uint64_t *number,
                         struct diag *d) {
    char *end = NULL;
    errno = 0;
    const bool digits = value != NULL && value[0] >= '0' && value[0] <= '9';
    *number = digits ? strtoull(value, &end, 0) : 0;
    if (digits && errno == 0 && *end == 0 && *number >= low && *number <= high) return true;
    diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s '%.40s': expected a number from %" PRIu64 " to %" PRIu64, option,
             value != NULL ? value : "", low, high);
    return false;
}

static bool is_suffix(const char *text, const char *suffix) {
    const size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && strcmp(text + length - tail, suffix) == 0;
}

static bool take_text(struct options *o, const char *option, const char *value, struct diag *d) {
    if (value == NULL) {
        diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s: a value is missing", option);
        return false;
    }
    if (strcmp(option, "--sim") == 0) {
        o->sim_name = value;
    } else if (strcmp(option, "--coverage") == 0) {
        o->coverage = value;
    } else if (strcmp(option, "--after") == 0) {
        if (value[0] == '-') {
            diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "--after '%.60s': expected a kernel", value);
            return false;
        }
        o->after = value;
    } else {
        if (!is_suffix(value, ".fst")) {
            diag_set(d, STATUS_BAD_INPUT, value, 0, 0, "waves are written as .fst only");
            return false;
        }
        o->sim.wave_path = value;
    }
    return true;
}

static bool take_number(struct options *o, const char *option, const char *value, struct diag *d) {
    uint64_t n = 0;
    if (strcmp(option, "--cores") == 0) {
        if (!parse_number(option, value, 8, 32, &n, d)) return false;
        if (n != 8 && n != 16 && n != 32) {
            diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "--cores '%.40s': expected 8, 16 or 32", value);
            return false;
        }
        o->sim.cores = (unsigned)n;
    } else if (strcmp(option, "--sms") == 0) {
        if (!parse_number(option, value, 1, 8, &n, d)) return false;
        o->sim.machine.sms = (unsigned)n;
    } else if (strcmp(option, "--global-bytes") == 0) {
        if (!parse_number(option, value, MIN_GLOBAL_BYTES, MACHINE_GLOBAL_MOST, &n, d)) return false;
        if ((n & (n - 1)) != 0) {
            diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "--global-bytes '%.40s': expected a power of two", value);
            return false;
        }
        o->sim.machine.global_bytes = (uint32_t)n;
    } else if (strcmp(option, "--seed") == 0) {
        if (!parse_number(option, value, 0, UINT32_MAX, &n, d)) return false;
        o->sim.seed = (uint32_t)n;
    } else {
        if (!parse_number(option, value, 1, UINT32_MAX, &n, d)) return false;
        o->silence = n;
    }
    return true;
}

static int take_option(void *state, const char *option, const char *value, struct diag *d) {
    static const char *const TEXTS[] = {"--sim", "--after", "--wave", "--coverage"};
    static const char *const NUMBERS[] = {"--cores", "--sms", "--global-bytes", "--seed", "--silence"};
    struct options *o = state;
    const struct {
        const char *name;
        bool *given;
    } flags[] = {
        {"--unchecked", &o->sim.unchecked},
        {"--relaunch",  &o->relaunch     },
        {"--no-wave",   &o->no_wave      }
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(option, flags[i].name) == 0) {
            *flags[i].given = true;
            return 1;
        }
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        if (strcmp(option, TEXTS[i]) == 0) return take_text(o, option, value, d) ? 2 : -1;
    for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++)
        if (strcmp(option, NUMBERS[i]) == 0) return take_number(o, option, value, d) ? 2 : -1;
    return 0;
}

/* Reads the launch that comes first into `before`, where it is another one; the simulation must have what it needs. */
static enum status read_before(struct options *o, const struct launch *run, struct launch *before, struct diag *d) {
    char *arguments[] = {(char *)TOOL, (char *)o->after, NULL};
    if (o->after == NULL && !o->relaunch) return STATUS_OK;
    if (o->sim.unchecked || (o->after != NULL && o->relaunch))
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s goes with no %s",
                        o->after != NULL ? "--after" : "--relaunch", o->sim.unchecked ? "--unchecked" : "--relaunch");
    o->before = o->relaunch ? run : before;
    if (o->relaunch) return STATUS_OK;
    enum status status = launch_parse(2, arguments, NULL, NULL, &o->sim.machine, before, d);
    if (status == STATUS_OK) status = launch_check(before, &o->sim.machine, d);
    if (status != STATUS_OK) return status;
    launch_warn(before, stderr);
    o->sim.machine.has_atomics |= launch_has_atomics(before);
    return STATUS_OK;
}

static bool wants_help(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    return false;
}

/* A word for a shell, in quotes where it must be. */
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

/* The command line; NULL when memory is out. A letter takes 4 at most, a word two quotes and what follows it. */
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

/* The cycles worth seeing: up to the finding; for silence, around the last thing that happened. */
static void choose_window(const struct lockstep_result *r, struct wave *wave) {
    const bool silent = r->fault == FAULT_SILENT || r->fault == FAULT_STUCK;
    const uint64_t end = silent ? r->last_record_cycle + WAVE_CYCLES / 4 : r->cycle;
    wave->to = end;
    wave->from = end > WAVE_CYCLES ? end - WAVE_CYCLES : 1;
}

static void make_wave_path(const struct launch *run, struct wave *wave) {
    const char *directory = getenv("TMPDIR");
    const char *name = run->image->name != NULL ? run->image->name : "kernel";
    snprintf(wave->path, sizeof wave->path, "%s/warpstep-%.64s-%ld.fst",
             directory != NULL && directory[0] != 0 ? directory : "/tmp", name, (long)getpid());
    for (char *c = strrchr(wave->path, '/') + 1; *c != 0; c++)
        if (strchr(" \t'\"\\$&|;<>()*?[]#~`!{}", *c) != NULL) *c = '_';
}

static void record_wave(struct lockstep *l, const struct sim_api *api, const struct options *o, struct wave *wave) {
    const struct lockstep_result *r = lockstep_result(l);
    const bool wanted = r->status == LOCKSTEP_MISMATCH || r->status == LOCKSTEP_HANG;
    if (!wanted || o->no_wave || o->sim.wave_path != NULL || r->cycle == 0) return;
    choose_window(r, wave);
    make_wave_path(lockstep_get_options(l)->run, wave);
    wave->written =
        lockstep_record_wave(l, api, &o->sim, wave->from, wave->to, wave->path, wave->trouble, sizeof wave->trouble);
    if (!wave->written && wave->trouble[0] == 0) snprintf(wave->trouble, sizeof wave->trouble, "the second run failed");
}

/* ------------------------------------------------------------------------------------------------------------ run */

static void observe(void *observer, const struct retire *record) {
    const struct watch *watch = observer;
    if (watch->trace != NULL) trace_record(watch->trace, record);
    if (watch->coverage != NULL) coverage_note(watch->coverage, &lockstep_result(watch->lockstep)->expected, record);
}

static enum status save_coverage(const struct coverage *c, const struct launch *run, const struct options *o,
                                 struct diag *d) {
    char test[512];
    snprintf(test, sizeof test, "%.400s C%u-S%u", run->path, o->sim.cores, o->sim.machine.sms);
    return coverage_save(c, o->coverage, test, d);
}

static void report_undefined(const struct model *m, const struct launch *run) {
    for (size_t i = 0; i < model_undefined_count(m); i++) {
        const struct model_undefined *u = model_undefined_at(m, i);
        fprintf(stderr, "%s: error: pc 0x%" PRIx32 ": %s is read before it is written (sm %u slot %u lane %u)\n",
                run->path, u->pc, u->what, u->sm, u->slot, u->lane);
    }
}

/* Says how the run ended, on stderr for people and on stdout as asked; returns the exit code. */
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
                                                    .wave_trouble = wave->trouble[0] != 0 ? wave->trouble : NULL};
        fprintf(stderr, "%s: ", run->path);
        lockstep_report(l, &extra, stderr);
    } else if ((s.expect_wrong = results_compare(run, r->global, stderr)) != 0) {
        s.status = "expect";
        code = EXIT_DIFFERS;
    } else if (run->strict && (model_undefined_count(m) > 0 || r->raced > 0)) {
        report_undefined(m, run);
        if (r->raced > 0)
            fprintf(stderr, "%s: error: %" PRIu64 " lane values depend on a race between sms\n", run->path, r->raced);
        s.status = "mismatch";
        code = EXIT_DIFFERS;
    }
    if (run->json)
        summary_print_json(&s, stdout);
    else
        summary_print_text(&s, stdout);
    return code;
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
                                             .observe = observe,
                                             .observer = watch};
    struct wave wave = {0};
    struct lockstep *l = lockstep_create(&options, d);
    if (l == NULL) return d->status;
    watch->lockstep = l;
    if (!lockstep_run(l, api, &o->sim, d)) {
        lockstep_destroy(l);
        return d->status;
    }
    const struct lockstep_result *r = lockstep_result(l);
    record_wave(l, api, o, &wave);
    *exit_code = conclude(l, o, run, &wave, command);
    enum status status = STATUS_OK;
    if (watch->coverage != NULL) status = save_coverage(watch->coverage, run, o, d);
    if (status == STATUS_OK && r->global != NULL) status = results_dump(run, r->global, run->json ? stderr : stdout, d);
    lockstep_destroy(l);
    return status;
}

static enum status run_simulation(const struct launch *run, const struct options *o, const char *command,
                                  int *exit_code, struct diag *d) {
    struct sim_library lib;
    struct watch watch = {0};
    enum status status = sim_library_open(&lib, o->sim_name, o->sim.cores, &o->sim.machine, d);
    if (status != STATUS_OK) return status;
    if (o->sim.unchecked) {
        status = free_run(lib.api, &o->sim, run, exit_code, d);
        sim_library_close(&lib);
        return status;
    }
    if (run->trace_path != NULL) status = trace_open(run->trace_path, run->image, &watch.trace, d);
    if (status == STATUS_OK && o->coverage != NULL) {
        watch.coverage = coverage_create(run, &o->sim.machine, o->sim.cores);
        if (watch.coverage == NULL) status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for coverage");
    }
    if (status == STATUS_OK) status = run_lockstep(run, o, lib.api, &watch, command, exit_code, d);
    coverage_destroy(watch.coverage);
    struct diag later = {0};
    const enum status closed = trace_close(watch.trace, status == STATUS_OK, &later);
    if (status == STATUS_OK && closed != STATUS_OK) {
        *d = later;
        status = closed;
    }
    sim_library_close(&lib);
    return status;
}

int main(int argc, char **argv) {
    struct options options = {
        .sim = {.cores = 8, .machine = MACHINE_DEFAULT, .seed = 1, .wave_to = UINT64_MAX},
          .sim_name = "verilator"
    };
    struct launch run, before = {0};
    struct diag d = {0};
    int exit_code = 0;
    const char *directory = getenv(COVERAGE_VARIABLE);
    if (directory != NULL && directory[0] != 0) options.coverage = directory;
    if (wants_help(argc, argv)) {
        print_help();
        return outfile_finish(0);
    }
    if (launch_parse(argc, argv, take_option, &options, &options.sim.machine, &run, &d) != STATUS_OK)
        return launch_report(TOOL, &d);
    options.sim.machine.has_atomics = launch_has_atomics(&run);
    char *command = join_command(argc, argv);
    enum status status = launch_check(&run, &options.sim.machine, &d);
    if (status == STATUS_OK) launch_warn(&run, stderr);
    if (status == STATUS_OK) status = read_before(&options, &run, &before, &d);
    if (status == STATUS_OK) status = run_simulation(&run, &options, command, &exit_code, &d);
    launch_release(&before);
    launch_release(&run);
    free(command);
    return status == STATUS_OK ? outfile_finish(exit_code) : launch_report(TOOL, &d);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "trial.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../assembler/base/stop.h"
#include "../coverage/coverage.h"
#include "../report/deviations.h"
#include "../report/report.h"
#include "../verdict/lockstep.h"
#include "judge.h"

enum { CONTENTS = 1000000, WALL_FACTOR = 30, LOOK_MS = 200 };

const char *verdict_name(enum verdict verdict) {
    static const char *const names[] = {"pass",    "mismatch", "hang",      "trap",  "cycles",
                                        "records", "before",   "generator", "crash", "timeout"};
    return names[verdict];
}

uint32_t trial_contents(const struct kernel *k) { return 1 + (uint32_t)(k->seed % CONTENTS); }

static struct machine machine_of(const struct trial *t, const struct kernel *k) {
    struct machine machine = judge_machine(k);
    machine.sms = t->sms;
    return machine;
}

enum status trial_open(struct trial *t, struct diag *d) {
    struct machine machine = MACHINE_DEFAULT;
    if (t->table->declared != NULL) machine = t->table->declared->machine;
    machine.sms = t->sms;
    machine.wide = t->table->wide;
    machine.dividers = t->table->dividers;
    for (unsigned i = 0; i < t->sims; i++)
        if (sim_library_open(&t->lib[i], t->sim[i], t->cores, &machine, t->bus.words, d) != STATUS_OK) return d->status;
    return STATUS_OK;
}

/* ------------------------------------------------------------------------------------------------------- one run */

static void judge_result(const struct kernel *k, const struct lockstep *l, struct trial_result *result) {
    const struct lockstep_result *r = lockstep_result(l);
    const enum trap trap = model_get_trap(lockstep_model(l)).code;
    snprintf(result->text, sizeof result->text, "%s", r->text);
    switch (r->status) {
    case LOCKSTEP_PASS:
        result->verdict = k->trap == TRAP_NONE ? VERDICT_PASS : VERDICT_TRAP;
        if (k->trap != TRAP_NONE)
            snprintf(result->text, sizeof result->text, "it must trap (%s) and does not", trap_name(k->trap));
        break;
    case LOCKSTEP_TRAP: result->verdict = k->wild || trap == k->trap ? VERDICT_PASS : VERDICT_TRAP; break;
    case LOCKSTEP_HANG:
        result->verdict = r->fault == FAULT_BEFORE             ? VERDICT_BEFORE
                          : k->wild && r->fault == FAULT_STUCK ? VERDICT_PASS
                                                               : VERDICT_HANG;
        break;
    case LOCKSTEP_RUNNING:
    case LOCKSTEP_INTERRUPTED:
    case LOCKSTEP_MISMATCH: result->verdict = VERDICT_MISMATCH; break;
    }
}

/* Records the coverage of the run, if the environment requests it. */
struct watch {
    const char *directory;
    struct coverage *coverage;
    const struct lockstep *lockstep;
};

static void observe(void *observer, const struct retire *record) {
    const struct watch *watch = observer;
    if (watch->coverage != NULL) coverage_note(watch->coverage, &lockstep_result(watch->lockstep)->expected, record);
}

static void watch_open(struct watch *watch, const struct launch *run, const struct machine *machine, unsigned cores) {
    watch->directory = getenv(COVERAGE_VARIABLE);
    const bool wanted = watch->directory != NULL && watch->directory[0] != 0;
    watch->coverage = wanted ? coverage_create(run, machine, cores) : NULL;
}

static void watch_close(struct watch *watch, const struct trial *t, const struct kernel *k) {
    char test[64];
    struct diag d = {0};
    if (watch->coverage == NULL) return;
    snprintf(test, sizeof test, "warp-fuzz --seed %" PRIu64 " C%u-S%u", k->seed, t->cores, t->sms);
    if (coverage_save(watch->coverage, watch->directory, test, &d) != STATUS_OK) diag_report(stderr, &d);
    coverage_destroy(watch->coverage);
}

static void run_on(const struct trial *t, unsigned i, const struct kernel *k, const struct launch *run,
                   const struct launch *before, struct trial_result *result, FILE *report) {
    const struct machine machine = machine_of(t, k);
    struct sim_options sim = {
        .cores = t->cores, .machine = machine, .seed = trial_contents(k), .wave_to = UINT64_MAX, .bus = t->bus};
    sim.machine.has_atomics |= before != NULL && launch_has_atomics(before);
    struct watch watch = {0};
    const struct lockstep_options options = {.run = run,
                                             .machine = machine,
                                             .max_cycles = run->max_cycles,
                                             .before = before,
                                             .waivers = t->waivers,
                                             .keep_going = t->keep_going,
                                             .observe = observe,
                                             .observer = &watch};
    struct diag d = {0};
    struct lockstep *l = lockstep_create(&options, &d);
    watch.lockstep = l;
    watch_open(&watch, run, &machine, t->cores);
    if (l == NULL || !lockstep_run(l, t->lib[i].api, &sim, &d)) {
        result->verdict = VERDICT_GENERATOR;
        snprintf(result->text, sizeof result->text, "%s", d.text);
    } else {
        judge_result(k, l, result);
        symptoms_find(l, &result->symptoms);
        result->compared = lockstep_result(l)->compared;
        result->cycles = lockstep_result(l)->counters.cycles;
        struct model_counts counts;
        model_get_counts(lockstep_model(l), &counts);
        result->digest = counts.adopted == 0 ? lockstep_result(l)->digest : 0;
        if (report != NULL) lockstep_report(l, NULL, report);
        if (report != NULL) deviations_print_text(l, report);
    }
    watch_close(&watch, t, k);
    lockstep_destroy(l);
}

static void prepare(const struct kernel *k, struct launch *run, struct trial_result *result) {
    if (!judge_launch(k, run, result->text)) result->verdict = VERDICT_GENERATOR;
}

bool trial_make_before(const struct trial *t, uint64_t seed, struct kernel *before, char *why) {
    const bool traps = t->table->declared == NULL || !t->table->declared->no_traps;
    const struct make_options options = {traps && seed % 2 != 0 ? MAKE_TRAP : MAKE_RUNS, JUDGE_STEPS};
    return make_kernel(before, seed + 1, &options, t->table, why);
}

static void prepare_before(const struct trial *t, uint64_t seed, struct launch *run, struct trial_result *result) {
    char why[JUDGE_WHY] = "out of memory";
    struct kernel *k = malloc(sizeof *k);
    if (k != NULL && trial_make_before(t, seed, k, why)) {
        prepare(k, run, result);
    } else {
        snprintf(result->text, sizeof result->text, "what is launched first: %s", why);
        result->verdict = VERDICT_GENERATOR;
    }
    free(k);
}

/* Run i must equal the first one. */
static void compare_runs(const struct trial *t, unsigned i, const struct trial_result *first,
                         struct trial_result *result) {
    const char *sim = t->sim[i % t->sims], *after = i < t->sims ? "" : ", launched after another";
    if (result->digest != 0 && result->cycles != first->cycles) {
        result->verdict = VERDICT_CYCLES;
        snprintf(result->text, sizeof result->text, "%" PRIu64 " cycles on %s, %" PRIu64 " on %s%s", first->cycles,
                 t->sim[0], result->cycles, sim, after);
    } else if (result->digest != first->digest) {
        result->verdict = VERDICT_RECORDS;
        snprintf(result->text, sizeof result->text, "other records on %s%s than on %s", sim, after, t->sim[0]);
    }
}

void trial_run_here(const struct trial *t, const struct kernel *k, struct trial_result *result, FILE *report) {
    struct launch run = {0}, before = {0};
    *result = (struct trial_result){.verdict = VERDICT_PASS};
    prepare(k, &run, result);
    if (t->after) prepare_before(t, k->seed, &before, result);
    struct trial_result first = {0};
    const unsigned runs = t->after ? 2 * t->sims : t->sims;
    for (unsigned i = 0; i < runs && result->verdict == VERDICT_PASS; i++) {
        run_on(t, i % t->sims, k, &run, i < t->sims ? NULL : &before, result, report);
        if (i == 0)
            first = *result;
        else if (result->verdict == VERDICT_PASS)
            compare_runs(t, i, &first, result);
    }
    launch_release(&before);
    launch_release(&run);
}

/* ----------------------------------------------------------------------------------------------------- processes */

static void make_and_run(const struct trial *t, uint64_t seed, struct trial_result *result) {
    char why[JUDGE_WHY] = "out of memory";
    struct kernel *k = malloc(sizeof *k);
    *result = (struct trial_result){.verdict = VERDICT_GENERATOR};
    if (k != NULL && make_kernel(k, seed, t->make, t->table, why))
        trial_run_here(t, k, result, NULL);
    else
        snprintf(result->text, sizeof result->text, "%s", why);
    free(k);
}

void trial_limit(const struct trial *t) {
    const struct rlimit limit = {t->seconds, t->seconds + 1};
    setrlimit(RLIMIT_CPU, &limit);
    const unsigned most = t->seconds * WALL_FACTOR;
    alarm(t->wall != 0 && t->wall < most ? t->wall : most);
}

pid_t trial_start(const struct trial *t, uint64_t seed, const struct kernel *k, int *from) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    const pid_t process = fork();
    if (process != 0) {
        close(ends[1]);
        *from = ends[0];
        return process;
    }
    struct trial_result result;
    close(ends[0]);
    stop_ignore(); /* the parent ends it */
    trial_limit(t);
    if (k != NULL)
        trial_run_here(t, k, &result, NULL);
    else
        make_and_run(t, seed, &result);
    _exit(write(ends[1], &result, sizeof result) == (ssize_t)sizeof result ? 0 : 1);
}

void trial_finish(pid_t process, int from, struct trial_result *result) {
    size_t got = 0;
    while (got < sizeof *result) {
        struct pollfd file = {.fd = from, .events = POLLIN};
        if (poll(&file, 1, LOOK_MS) <= 0) {
            if (stop_signal() != 0) kill(process, SIGKILL);
            continue;
        }
        const ssize_t more = read(from, (char *)result + got, sizeof *result - got);
        if (more == 0 || (more < 0 && errno != EINTR)) break;
        got += more > 0 ? (size_t)more : 0;
    }
    close(from);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
    if (got == sizeof *result) return;
    *result = (struct trial_result){.verdict = VERDICT_CRASH};
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == SIGXCPU || signal == SIGALRM) {
        result->verdict = VERDICT_TIMEOUT;
        snprintf(result->text, sizeof result->text, "the process took too long");
    } else if (signal != 0) {
        snprintf(result->text, sizeof result->text, "the process died of %s", strsignal(signal));
    } else {
        snprintf(result->text, sizeof result->text, "the process ended with exit code %d", WEXITSTATUS(status));
    }
}

bool trial_shows(const struct trial *t, const struct trial_result *result, const struct trial_result *than,
                 const struct symptom *target) {
    if (result->verdict != than->verdict) return false;
    if (result->verdict == VERDICT_CRASH) return strcmp(result->text, than->text) == 0;
    return symptoms_show(&result->symptoms, &than->symptoms, target, t->keep_going > 0);
}

void trial_run(const struct trial *t, const struct kernel *k, struct trial_result *result) {
    int from = -1;
    const pid_t process = trial_start(t, k->seed, k, &from);
    if (process < 0) {
        *result = (struct trial_result){.verdict = VERDICT_CRASH};
        snprintf(result->text, sizeof result->text, "no process: %s", strerror(errno));
        return;
    }
    trial_finish(process, from, result);
}

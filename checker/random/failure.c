/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a failure: SEED.sass, shrunk, with the command that repeats it; SEED.full.sass as drawn; SEED.txt, the
 * checker's report; with --after SEED.before.sass, the kernel launched first, as drawn. With --keep-going operation and
 * field follow SEED. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../assembler/base/outfile.h"
#include "../../assembler/base/stop.h"
#include "../port/bus_option.h"
#include "bounds.h"
#include "campaign.h"
#include "judge.h"
#include "shrink.h"

static const char BEFORE_SUFFIX[] = ".before.sass";

enum { TRIES_MOST = 3000 };

struct failure {
    const struct campaign *c;
    const struct trial *t;
    const struct trial_result *result, *shown; /* of the kernel as drawn; as reported */
    const struct symptom *target;              /* the difference that must stay; NULL: none has an operation and a
                                                * field */
    struct trial_result last;                  /* of the smallest kernel so far */
    const char *name;                          /* rest of the file names, after the seed */
    time_t end;                                /* of shrinking */
};

static bool still_fails(void *state, const struct kernel *k) {
    struct failure *f = state;
    char why[JUDGE_WHY];
    struct trial_result result;
    const time_t now = time(NULL);
    if (now >= f->end || stop_signal() != 0 || bounds_find_lacking(k) != NULL) return false;
    if (judge_kernel(k, 2 * f->c->make.steps, why) != JUDGED_LEGAL) return false;
    struct trial in_time = *f->t;
    in_time.wall = (unsigned)(f->end - now); /* a try that takes longer does not count */
    trial_run(&in_time, k, &result);
    if (stop_signal() != 0 || time(NULL) >= f->end || !trial_shows(f->t, &result, f->result, f->target)) return false;
    f->last = result;
    f->shown = &f->last;
    return true;
}

static void make_path(const struct failure *f, uint64_t seed, const char *suffix, char path[PATH_MAX]) {
    snprintf(path, PATH_MAX, "%s/%" PRIu64 "%s%s", f->c->out, seed, f->name, suffix);
}

static void print_memory(const struct trial *t, FILE *out) {
    if (!t->bus.used) return;
    fputs(" --memory ", out);
    bus_print(&t->bus, out);
}

static void print_machine(const struct failure *f, FILE *out) {
    if (f->c->machine != NULL) fprintf(out, " --machine %s", f->c->machine);
    if (f->t->table->wide != 0) fprintf(out, " --wide %u", f->t->table->wide);
    if (f->t->table->dividers != 0) fprintf(out, " --dividers %u", f->t->table->dividers);
}

static void print_deviations(const struct failure *f, FILE *out) {
    for (unsigned i = 0; i < f->c->waiver_files; i++) fprintf(out, " --waivers %s", f->c->waiver_file[i]);
    if (f->t->keep_going != 0) fprintf(out, " --keep-going %u", f->t->keep_going);
}

static void print_commands(const struct failure *f, const struct kernel *k, const char *path, FILE *out) {
    const struct trial *t = f->t;
    fprintf(out, "// %s: %s\n", verdict_name(f->shown->verdict), f->shown->text);
    if (f->target != NULL) {
        fputs("// ", out);
        symptom_print(f->target, out);
        fputc('\n', out);
    }
    fprintf(out, "// warp-fuzz --seed %" PRIu64 " --count 1 --sim %s --cores %u --sms %u%s", k->seed,
            t->sims > 1 ? "both" : t->sim[0], t->cores, t->sms, t->after ? " --after" : "");
    print_memory(t, out);
    print_machine(f, out);
    print_deviations(f, out);
    if (f->c->make.steps != JUDGE_STEPS) fprintf(out, " --steps %u", f->c->make.steps);
    static const char *const kinds[] = {"any", "runs", "trap", "wild"};
    if (f->c->make.kind != MAKE_ANY) fprintf(out, " --kind %s", kinds[f->c->make.kind]);
    fputc('\n', out);
    for (unsigned i = 0; i < t->sims; i++) {
        fprintf(out, "// warp-lockstep %s --sim %s --cores %u --sms %u --seed %u", path, t->sim[i], t->cores, t->sms,
                trial_contents(k));
        print_memory(t, out);
        print_machine(f, out);
        print_deviations(f, out);
        if (t->after) {
            char before[PATH_MAX];
            make_path(f, k->seed, BEFORE_SUFFIX, before);
            fprintf(out, " --after %s", before);
        }
        fputc('\n', out);
    }
}

static void write_kernel(const struct failure *f, const struct kernel *k, const char *suffix) {
    char path[PATH_MAX];
    make_path(f, k->seed, suffix, path);
    struct outfile out;
    struct diag d = {0};
    if (outfile_open(&out, path, &d) == STATUS_OK) {
        print_commands(f, k, path, out.stream);
        kernel_print(k, out.stream);
        outfile_close(&out, true, &d);
    }
    if (d.status != STATUS_OK) {
        printf("  ");
        diag_report(stdout, &d);
    }
}

/* Runs a job in its own process, which it may crash. True if it completed. */
static bool apart(const struct failure *f, bool (*job)(const struct failure *f, uint64_t seed, struct kernel *k),
                  uint64_t seed, struct kernel *k) {
    int status = 0;
    fflush(stdout);
    const pid_t process = fork();
    if (process == 0) {
        stop_ignore();
        trial_limit(f->t);
        _exit(job(f, seed, k) ? 0 : 1);
    }
    waitpid(process, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool write_report(const struct failure *f, uint64_t seed, struct kernel *k) {
    char path[PATH_MAX];
    struct trial_result again;
    make_path(f, seed, ".txt", path);
    FILE *out = fopen(path, "w"); /* an existing file stays if the run is interrupted */
    if (out != NULL) {
        trial_run_here(f->t, k, &again, out);
        fclose(out);
    }
    return out != NULL;
}

static bool write_before(const struct failure *f, uint64_t seed, struct kernel *k) {
    char path[PATH_MAX], why[JUDGE_WHY];
    make_path(f, seed, BEFORE_SUFFIX, path);
    struct outfile out;
    struct diag d = {0};
    if (!trial_make_before(f->t, seed, k, why) || outfile_open(&out, path, &d) != STATUS_OK) return false;
    kernel_print(k, out.stream);
    return outfile_close(&out, true, &d) == STATUS_OK;
}

static bool make_drawn(const struct failure *f, uint64_t seed, struct kernel *k) {
    char why[JUDGE_WHY];
    return make_kernel(k, seed, &f->c->make, f->t->table, why);
}

static void shrink(struct failure *f, struct kernel *k) {
    const size_t lines = k->line_count;
    f->end = time(NULL) + (time_t)f->c->shrink_seconds;
    fflush(stdout);
    const unsigned tries = shrink_kernel(k, still_fails, f, TRIES_MOST);
    printf("  shrunk from %zu to %zu lines in %u tries\n", lines, k->line_count, tries);
}

void failure_investigate(const struct campaign *c, const struct trial *t, uint64_t seed,
                         const struct trial_result *result, const struct symptom *target) {
    char name[64] = "";
    if (target != NULL && t->keep_going > 0)
        snprintf(name, sizeof name, ".%s.%s", target->op, retire_field_at(target->field)->name);
    struct failure f = {.c = c, .t = t, .result = result, .shown = result, .target = target, .name = name};
    struct kernel *k = malloc(sizeof *k);
    char path[PATH_MAX];
    printf("seed %" PRIu64 ": %s: %s\n", seed, verdict_name(result->verdict), result->text);
    if (target != NULL) {
        fputs("  ", stdout);
        symptom_print(target, stdout);
        fputc('\n', stdout);
    }
    if (k == NULL || !apart(&f, make_drawn, seed, k) || !make_drawn(&f, seed, k)) {
        printf("  the kernel cannot be made\n");
        free(k);
        return;
    }
    mkdir(c->out, 0777);
    make_path(&f, seed, BEFORE_SUFFIX, path);
    if (t->after && !apart(&f, write_before, seed, k)) printf("  %s: not written\n", path);
    write_kernel(&f, k, ".full.sass");
    if (c->shrink && result->verdict != VERDICT_GENERATOR && result->verdict != VERDICT_BEFORE) shrink(&f, k);
    write_kernel(&f, k, ".sass");
    apart(&f, write_report, seed, k);
    make_path(&f, seed, ".sass", path);
    printf("  written to %s; to repeat:\n", path);
    print_commands(&f, k, path, stdout);
    fflush(stdout);
    free(k);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of a failure: SEED.sass, shrunk, with the command that repeats it; SEED.full.sass as it was drawn;
 * SEED.txt, the checker's report; with --after SEED.before.sass, what was launched first, as it was drawn. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "campaign.h"
#include "judge.h"
#include "shrink.h"

static const char BEFORE_SUFFIX[] = ".before.sass";

enum { TRIES_MOST = 3000, SHRINK_SECONDS = 600, WHY_BYTES = 256 };

struct failure {
    const struct campaign *c;
    const struct trial *t;
    const struct trial_result *result;
    time_t end; /* of shrinking */
};

static bool still_fails(void *state, const struct kernel *k) {
    const struct failure *f = state;
    char why[WHY_BYTES];
    struct trial_result result;
    if (time(NULL) > f->end || judge_kernel(k, 2 * f->c->make.steps, why) != JUDGED_LEGAL) {
        return false;
    }
    trial_run(f->t, k, &result);
    return result.verdict == f->result->verdict;
}

static void make_path(const struct failure *f, uint64_t seed, const char *suffix, char path[PATH_MAX]) {
    snprintf(path, PATH_MAX, "%s/%" PRIu64 "%s", f->c->out, seed, suffix);
}

static void print_commands(const struct failure *f, const struct kernel *k, const char *path, FILE *out) {
    const struct trial *t = f->t;
    fprintf(out, "// %s: %s\n", verdict_name(f->result->verdict), f->result->text);
    fprintf(out, "// warp-fuzz --seed %" PRIu64 " --count 1 --sim %s --cores %u --sms %u%s", k->seed,
            t->sims > 1 ? "both" : t->sim[0], t->cores, t->sms, t->after ? " --after" : "");
    if (f->c->make.steps != JUDGE_STEPS) {
        fprintf(out, " --steps %u", f->c->make.steps);
    }
    static const char *const kinds[] = {"any", "runs", "trap", "wild"};
    if (f->c->make.kind != MAKE_ANY) {
        fprintf(out, " --kind %s", kinds[f->c->make.kind]);
    }
    fputc('\n', out);
    for (unsigned i = 0; i < t->sims; i++) {
        fprintf(out, "// warp-lockstep %s --sim %s --cores %u --sms %u --seed %u", path, t->sim[i], t->cores, t->sms,
                trial_contents(k));
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
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        printf("  %s: %s\n", path, strerror(errno));
        return;
    }
    print_commands(f, k, path, out);
    kernel_print(k, out);
    fclose(out);
}

/* In a process of its own, as the kernel may be one that ends it. */
static void write_report(const struct failure *f, const struct kernel *k) {
    char path[PATH_MAX];
    make_path(f, k->seed, ".txt", path);
    const pid_t process = fork();
    if (process == 0) {
        FILE *out = fopen(path, "w");
        struct trial_result again;
        trial_limit(f->t);
        if (out != NULL) {
            trial_run_here(f->t, k, &again, out);
            fclose(out);
        }
        _exit(0);
    }
    waitpid(process, NULL, 0);
}

/* In a process of its own, as making it may be what ends it. */
static void write_before(const struct failure *f, uint64_t seed, struct kernel *before) {
    char path[PATH_MAX], why[WHY_BYTES];
    make_path(f, seed, BEFORE_SUFFIX, path);
    const pid_t process = fork();
    if (process == 0) {
        trial_limit(f->t);
        FILE *out = trial_make_before(f->t, seed, before, why) ? fopen(path, "w") : NULL;
        if (out == NULL) {
            printf("  %s: not written\n", path);
            fflush(stdout);
            _exit(1);
        }
        kernel_print(before, out);
        fclose(out);
        _exit(0);
    }
    waitpid(process, NULL, 0);
}

/* Can the kernel be made at all, without the end of the process that makes it? */
static bool is_makeable(const struct failure *f, uint64_t seed, struct kernel *k) {
    char why[WHY_BYTES];
    int status = 0;
    const pid_t process = fork();
    if (process == 0) {
        trial_limit(f->t);
        _exit(make_kernel(k, seed, &f->c->make, f->t->table, why) ? 0 : 1);
    }
    waitpid(process, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void shrink(struct failure *f, struct kernel *k) {
    const size_t lines = k->line_count;
    f->end = time(NULL) + SHRINK_SECONDS;
    fflush(stdout);
    const unsigned tries = shrink_kernel(k, still_fails, f, TRIES_MOST);
    printf("  shrunk from %zu to %zu lines in %u tries\n", lines, k->line_count, tries);
}

void failure_investigate(const struct campaign *c, const struct trial *t, uint64_t seed,
                         const struct trial_result *result) {
    struct failure f = {.c = c, .t = t, .result = result};
    struct kernel *k = malloc(sizeof *k);
    char why[WHY_BYTES];
    printf("seed %" PRIu64 ": %s: %s\n", seed, verdict_name(result->verdict), result->text);
    fflush(stdout);
    if (k == NULL || !is_makeable(&f, seed, k) || !make_kernel(k, seed, &c->make, t->table, why)) {
        printf("  the kernel cannot be made\n");
        free(k);
        return;
    }
    mkdir(c->out, 0777);
    if (t->after) {
        write_before(&f, seed, k);
    }
    write_kernel(&f, k, ".full.sass");
    if (c->shrink && result->verdict != VERDICT_GENERATOR && result->verdict != VERDICT_BEFORE) {
        shrink(&f, k);
    }
    write_kernel(&f, k, ".sass");
    write_report(&f, k);
    char path[PATH_MAX];
    make_path(&f, seed, ".sass", path);
    printf("  written to %s; to repeat:\n", path);
    print_commands(&f, k, path, stdout);
    fflush(stdout);
    free(k);
}

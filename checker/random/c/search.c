/* SPDX-License-Identifier: Apache-2.0 */
#include "search.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../assembler/base/stop.h"
#include "../jobs.h"
#include "reduce.h"

static const char TOOL[] = "warp-fuzz";

enum { BAD = 2 };

struct running {
    const struct c_search *s;
    struct c_tools tools;
    struct jobs jobs;
    uint64_t started, done;
    uint64_t given_up; /* least seed of the programs that a signal has ended */
    unsigned failures;
    bool broken;
    time_t begin;
};

/* one program, in its own process */

static bool copy_file(const char *from, const char *to) {
    char room[4096];
    size_t n;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    while (in != NULL && out != NULL && (n = fread(room, 1, sizeof room, in)) > 0) fwrite(room, 1, n, out);
    const bool good = in != NULL && out != NULL;
    if (in != NULL) fclose(in);
    return (out == NULL || fclose(out) == 0) && good;
}

/* Keeps the source under another name. */
static void keep(const struct c_tools *t, const char *name, const char *as) {
    char from[C_PATH * 2], to[C_PATH * 2];
    snprintf(from, sizeof from, "%s/%s.cl", t->folder, name);
    snprintf(to, sizeof to, "%s/%s", t->folder, as);
    copy_file(from, to);
}

static void print_source(const struct program *p, FILE *to) {
    fputc('\n', to);
    program_print(p, to);
}

static void report(const struct c_tools *t, const struct program *p, const char *name, const struct c_outcome *o) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL) return;
    fprintf(to, "seed %s: ", name);
    c_trial_explain(t, p, name, o, to);
    print_source(p, to);
    if (fclose(to) == 0) fputs(text, stdout);
    fflush(stdout);
    char path[C_PATH * 2];
    snprintf(path, sizeof path, "%s/%s.txt", t->folder, name);
    FILE *file = fopen(path, "w");
    if (file != NULL) fputs(text, file), fclose(file);
    free(text);
}

static int run_program(const struct c_search *s, const struct c_tools *t, uint64_t seed) {
    struct program *p = malloc(sizeof *p);
    struct c_outcome o;
    char name[32], full[40];
    if (p == NULL) return BAD;
    snprintf(name, sizeof name, "%" PRIu64, seed);
    program_draw(p, seed);
    c_trial(t, p, name, &o);
    int code = o.verdict == C_SAME ? 0 : o.verdict == C_BROKEN ? BAD : 1;
    if (stop_signal() != 0) code = 0;
    if (code == 1) {
        snprintf(full, sizeof full, "%s.full.cl", name);
        keep(t, name, full);
        if (s->shrink) program_reduce(t, p, name, s->shrink_seconds, &o);
        report(t, p, name, &o);
    } else {
        if (code == BAD) fprintf(stderr, "%s: error: seed %s: %s: %s\n", TOOL, name, c_verdict_name(o.verdict), o.said);
        c_trial_clean(t, name);
    }
    free(p);
    return code;
}

/* ---- many ---- */

static bool wants_more(const void *state) {
    const struct running *r = state;
    const struct c_search *s = r->s;
    return stop_signal() == 0 && r->started < s->count && r->failures < s->failures && !r->broken &&
           (s->seconds == 0 || time(NULL) - r->begin < (time_t)s->seconds);
}

/* The process sends nothing: the end of the process closes its end of the pipe. */
static bool start(void *state, struct job *job) {
    struct running *r = state;
    int ends[2];
    job->seed = r->s->seed + r->started;
    r->broken = pipe(ends) != 0;
    if (r->broken) return false;
    fflush(stdout);
    job->process = fork();
    if (job->process == 0) _exit(run_program(r->s, &r->tools, job->seed));
    close(ends[1]);
    job->from = ends[0];
    r->broken = job->process < 0;
    if (r->broken) close(ends[0]);
    r->started += !r->broken;
    return !r->broken;
}

static void finish(void *state, struct job *job) {
    struct running *r = state;
    int result = 0;
    close(job->from);
    while (waitpid(job->process, &result, 0) < 0 && errno == EINTR) {}
    if (stop_signal() != 0 && job->seed < r->given_up) r->given_up = job->seed;
    const int code = WIFEXITED(result) ? WEXITSTATUS(result) : 1;
    r->done++;
    r->failures += code == 1;
    r->broken |= code == BAD;
    if (WIFSIGNALED(result)) printf("seed %" PRIu64 ": the generator ends by signal %d\n", job->seed, WTERMSIG(result));
}

/* Running programs are completed after a signal. */
static void finish_all(struct running *r) {
    for (unsigned i = 0; i < r->jobs.count; i++)
        if (r->jobs.job[i].busy) finish(r, &r->jobs.job[i]);
}

static void clean(const struct c_tools *t) {
    static const char *const NAMES[] = {"opencl.h", "host.c", "host.o", "host.log"};
    char path[C_PATH * 2];
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", t->folder, NAMES[i]);
        unlink(path);
    }
    rmdir(t->folder);
}

static bool make_folder(const char *path) {
    char part[C_PATH];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0777);
        *slash = '/';
    }
    return mkdir(part, 0777) == 0 || errno == EEXIST;
}

int c_search(const struct c_search *s) {
    struct running r = {.s = s, .given_up = UINT64_MAX, .begin = time(NULL)};
    char said[C_SAID];
    bool is_absent = false;
    r.tools = (struct c_tools){.races = s->races, .sim = s->sim, .cores = s->cores, .level = 9};
    snprintf(r.tools.folder, sizeof r.tools.folder, "%s/c-%" PRIu64 "-%d", s->out, s->seed, (int)getpid());
    if (!make_folder(r.tools.folder) || !c_tools_open(&r.tools, said, &is_absent)) {
        fprintf(stderr, "%s: error: %s\n", TOOL, said);
        clean(&r.tools);
        return BAD;
    }
    printf("seeds from %" PRIu64 " on\n", s->seed);
    stop_hold();
    r.jobs = (struct jobs){.count = s->jobs, .state = &r, .wants_more = wants_more, .start = start, .finish = finish};
    jobs_run(&r.jobs);
    finish_all(&r);
    if (stop_signal() != 0)
        printf("interrupted by %s; to go on: --seed %" PRIu64 "\n", stop_name(),
               r.given_up < s->seed + r.started ? r.given_up : s->seed + r.started);
    const double seconds = (double)(time(NULL) - r.begin);
    printf("%" PRIu64 " programs in C, %u failed; %.0f seconds%s%s\n", r.done, r.failures, seconds,
           r.failures > 0 ? "; see " : "", r.failures > 0 ? r.tools.folder : "");
    fflush(stdout);
    if (r.failures == 0) clean(&r.tools);
    stop_release();
    if (stop_signal() != 0) return stop_code();
    return r.broken ? BAD : r.failures > 0 ? 1 : 0;
}

int c_print(const struct c_search *s) {
    struct program *p = malloc(sizeof *p);
    if (p == NULL) return BAD;
    for (uint64_t i = 0; i < s->count; i++) {
        program_draw(p, s->seed + i);
        program_print(p, stdout);
    }
    free(p);
    return 0;
}

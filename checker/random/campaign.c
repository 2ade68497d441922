/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "../../assembler/base/stop.h"
#include "jobs.h"

struct search {
    const struct campaign *c;
    struct campaign_result *result;
    struct jobs jobs;
    uint64_t next; /* number of started kernels */
    double begin;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool wants_more(const void *state) {
    const struct search *s = state;
    const struct campaign *c = s->c;
    return stop_signal() == 0 && s->next < c->count && s->result->failures < c->failures &&
           (c->seconds == 0 || now() - s->begin < c->seconds);
}

static const struct trial *trial_of(const struct search *s, const struct job *job) {
    return &s->c->trial[job->seed % s->c->trials];
}

static bool start(void *state, struct job *job) {
    struct search *s = state;
    job->seed = s->c->seed + s->next++;
    job->process = trial_start(trial_of(s, job), job->seed, NULL, &job->from);
    if (job->process > 0) return true;
    s->result->failures++;
    printf("seed %" PRIu64 ": no process for it\n", job->seed);
    return false;
}

static void investigate(struct search *s, const struct job *job, const struct trial_result *result,
                        const struct symptom *target) {
    s->result->failures++;
    failure_investigate(s->c, trial_of(s, job), job->seed, result, target);
}

/* The findings of a kernel: those that no earlier kernel showed are failures. */
static void note_findings(struct search *s, const struct job *job, const struct trial_result *result) {
    struct campaign_result *r = s->result;
    for (unsigned i = 0; i < result->symptoms.count; i++) {
        const struct symptom *one = &result->symptoms.list[i];
        unsigned at = 0;
        while (at < r->findings && !symptom_is(&r->finding[at].symptom, one)) at++;
        if (at < r->findings) {
            r->finding[at].kernels++;
        } else if (r->failures < s->c->failures && r->findings < FINDINGS_MOST) {
            r->finding[r->findings++] = (struct campaign_finding){*one, job->seed, 1};
            investigate(s, job, result, one);
        }
    }
}

static void finish(void *state, struct job *job) {
    struct search *s = state;
    struct trial_result result;
    trial_finish(job->process, job->from, &result);
    s->result->kernels++;
    s->result->compared += result.compared;
    s->result->cycles += result.cycles;
    if (result.verdict == VERDICT_PASS) return;
    if (trial_of(s, job)->keep_going > 0 && result.symptoms.count > 0)
        note_findings(s, job, &result);
    else if (s->result->failures < s->c->failures)
        investigate(s, job, &result, result.symptoms.count > 0 ? &result.symptoms.list[0] : NULL);
}

/* The running kernels are dropped, and run again when the search resumes at the least of their seeds. */
static void give_up(struct search *s) {
    for (unsigned i = 0; i < s->jobs.count; i++) {
        struct trial_result result;
        struct job *job = &s->jobs.job[i];
        if (!job->busy) continue;
        kill(job->process, SIGKILL);
        trial_finish(job->process, job->from, &result);
        job->busy = false;
        if (job->seed < s->result->next) s->result->next = job->seed;
    }
}

void campaign_run(const struct campaign *c, struct campaign_result *result) {
    struct search s = {.c = c, .result = result, .begin = now()};
    s.jobs = (struct jobs){.count = c->jobs, .state = &s, .wants_more = wants_more, .start = start, .finish = finish};
    *result = (struct campaign_result){0};
    jobs_run(&s.jobs);
    result->next = c->seed + s.next;
    give_up(&s);
    result->seconds = now() - s.begin;
}

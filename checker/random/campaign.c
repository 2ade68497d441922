/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "../../assembler/base/stop.h"

enum { LOOK_MS = 200 /* between two looks at the signals: one that comes just before poll does not end it */ };

/* A process that runs the kernel of a seed. */
struct slot {
    bool busy;
    pid_t process;
    int from;
    uint64_t seed;
    const struct trial *trial;
};

struct search {
    const struct campaign *c;
    struct campaign_result *result;
    struct slot slot[CAMPAIGN_JOBS];
    uint64_t next; /* how many were started */
    double begin;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool wants_more(const struct search *s) {
    const struct campaign *c = s->c;
    return stop_signal() == 0 && s->next < c->count && s->result->failures < c->failures &&
           (c->seconds == 0 || now() - s->begin < c->seconds);
}

static void start(struct search *s, struct slot *slot) {
    const uint64_t seed = s->c->seed + s->next;
    slot->seed = seed;
    slot->trial = &s->c->trial[seed % s->c->trials];
    slot->process = trial_start(slot->trial, seed, NULL, &slot->from);
    slot->busy = slot->process > 0;
    s->next++;
    if (!slot->busy) {
        s->result->failures++;
        printf("seed %" PRIu64 ": no process for it\n", seed);
    }
}

static void investigate(struct search *s, const struct slot *slot, const struct trial_result *result,
                        const struct symptom *target) {
    s->result->failures++;
    failure_investigate(s->c, slot->trial, slot->seed, result, target);
}

/* The findings of a kernel: those that no kernel has shown before are failures. */
static void note_findings(struct search *s, const struct slot *slot, const struct trial_result *result) {
    struct campaign_result *r = s->result;
    for (unsigned i = 0; i < result->symptoms.count; i++) {
        const struct symptom *one = &result->symptoms.list[i];
        unsigned at = 0;
        while (at < r->findings && !symptom_is(&r->finding[at].symptom, one)) at++;
        if (at < r->findings) {
            r->finding[at].kernels++;
        } else if (r->failures < s->c->failures && r->findings < FINDINGS_MOST) {
            r->finding[r->findings++] = (struct campaign_finding){*one, slot->seed, 1};
            investigate(s, slot, result, one);
        }
    }
}

static void finish(struct search *s, struct slot *slot) {
    struct trial_result result;
    trial_finish(slot->process, slot->from, &result);
    slot->busy = false;
    s->result->kernels++;
    s->result->compared += result.compared;
    s->result->cycles += result.cycles;
    if (result.verdict == VERDICT_PASS) return;
    if (slot->trial->keep_going > 0 && result.symptoms.count > 0)
        note_findings(s, slot, &result);
    else if (s->result->failures < s->c->failures)
        investigate(s, slot, &result, result.symptoms.count > 0 ? &result.symptoms.list[0] : NULL);
}

/* The kernels that run are given up, and run again when the search goes on at the least of their seeds. */
static void give_up(struct search *s) {
    for (unsigned i = 0; i < s->c->jobs; i++) {
        struct trial_result result;
        struct slot *slot = &s->slot[i];
        if (!slot->busy) continue;
        kill(slot->process, SIGKILL);
        trial_finish(slot->process, slot->from, &result);
        slot->busy = false;
        if (slot->seed < s->result->next) s->result->next = slot->seed;
    }
}

/* Waits until one of the processes has something to say; false when there is none. */
static bool step(struct search *s) {
    struct pollfd files[CAMPAIGN_JOBS];
    nfds_t busy = 0;
    for (unsigned i = 0; i < s->c->jobs; i++) {
        struct slot *slot = &s->slot[i];
        if (!slot->busy && wants_more(s)) start(s, slot);
        files[i] = (struct pollfd){.fd = slot->busy ? slot->from : -1, .events = POLLIN};
        busy += slot->busy;
    }
    if (busy == 0) return wants_more(s);
    const int ready = poll(files, s->c->jobs, LOOK_MS);
    for (unsigned i = 0; i < s->c->jobs && ready > 0 && stop_signal() == 0; i++)
        if (s->slot[i].busy && files[i].revents != 0) finish(s, &s->slot[i]);
    return stop_signal() == 0;
}

void campaign_run(const struct campaign *c, struct campaign_result *result) {
    struct search s = {.c = c, .result = result, .begin = now()};
    *result = (struct campaign_result){0};
    while (step(&s)) {}
    result->next = c->seed + s.next;
    give_up(&s);
    result->seconds = now() - s.begin;
}

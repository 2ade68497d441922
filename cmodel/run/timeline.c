/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 256, SMS = 256 }; /* as many as a record can number */

/* The last record of a slot. */
struct track {
    bool open; /* its warp goes on */
    uint32_t block_x, block_y, warp;
    uint64_t cycle;
    bool barrier, redirected;
};

struct timeline {
    struct track *tracks; /* SLOTS tracks for each SM in use */
    size_t sms;
};

struct timeline *timeline_create(void) {
    return calloc(1, sizeof(struct timeline));
}

void timeline_destroy(struct timeline *t) {
    if (t != NULL) free(t->tracks);
    free(t);
}

static struct track *track_of(struct timeline *t, const struct retire *r) {
    const size_t sms = (size_t)(r->sm % SMS) + 1;
    if (sms > t->sms) {
        struct track *tracks = realloc(t->tracks, sms * SLOTS * sizeof *tracks);
        if (tracks == NULL) return NULL;
        memset(tracks + t->sms * SLOTS, 0, (sms - t->sms) * SLOTS * sizeof *tracks);
        t->tracks = tracks;
        t->sms = sms;
    }
    return &t->tracks[(sms - 1) * SLOTS + r->slot % SLOTS];
}

static bool is_load(const struct retire *r) {
    return r->mem_kind == RETIRE_MEM_GLOBAL_LOAD || r->mem_kind == RETIRE_MEM_LOCAL_LOAD ||
           r->mem_kind == RETIRE_MEM_GLOBAL_ATOMIC;
}

static enum timeline_wait wait_of(const struct track *before, const struct retire *r) {
    if (before->barrier) return TIMELINE_BARRIER;
    if (is_load(r)) return TIMELINE_MEMORY;
    return before->redirected ? TIMELINE_BRANCH : TIMELINE_ISSUE;
}

bool timeline_add(struct timeline *t, const struct retire *r, struct timeline_slice *s) {
    static const struct track NEW = {.open = false};
    struct track *track = track_of(t, r);
    if (track == NULL) return false;
    s->first = !track->open || track->block_x != r->block_x || track->block_y != r->block_y || track->warp != r->warp;
    s->wait = wait_of(s->first ? &NEW : track, r);
    s->to = r->cycle;
    s->from = r->cycle > 0 ? r->cycle - 1 : 0;
    if (!s->first && track->cycle < s->from) s->from = track->cycle;
    s->last = r->state == RETIRE_FINISHED || r->state == RETIRE_TRAPPED || r->trap != 0;
    const uint32_t next = r->pc + ((r->word_lo & 1) != 0 ? 8 : 4);
    *track = (struct track){.open = !s->last,
                            .block_x = r->block_x,
                            .block_y = r->block_y,
                            .warp = r->warp,
                            .cycle = r->cycle,
                            .barrier = r->state == RETIRE_BARRIER,
                            .redirected = r->next_pc != next};
    return true;
}

void timeline_visit_open(const struct timeline *t, timeline_open_fn *visit, void *state) {
    for (size_t i = 0; i < t->sms * SLOTS; i++)
        if (t->tracks[i].open) visit(state, (unsigned)(i / SLOTS), (unsigned)(i % SLOTS), t->tracks[i].cycle);
}

const char *timeline_wait_name(enum timeline_wait wait) {
    static const char *const NAMES[TIMELINE_WAITS] = {"issue", "memory", "barrier", "branch"};
    return NAMES[wait];
}

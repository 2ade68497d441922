/* SPDX-License-Identifier: Apache-2.0 */
#include "coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "collect.h"
#include "runfile.h"

struct coverage {
    struct space *space;
    struct words *words;
    struct collector *side[SIDES];
};

struct coverage *coverage_create(const struct launch *run, const struct machine *machine, unsigned cores) {
    const struct setting setting = {
        .cores = cores, .sms = machine->sms, .warps = machine->warps, .block_warps = block_warps(run->image->block)};
    struct coverage *c = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    c->space = space_create();
    c->words = c->space != NULL ? words_create(c->space) : NULL;
    for (unsigned side = 0; side < SIDES && c->words != NULL; side++)
        c->side[side] = collector_create(c->space, &setting);
    if (c->side[SIDE_MODEL] == NULL || c->side[SIDE_RTL] == NULL) {
        coverage_destroy(c);
        return NULL;
    }
    return c;
}

void coverage_destroy(struct coverage *c) {
    if (c == NULL) return;
    for (unsigned side = 0; side < SIDES; side++) collector_destroy(c->side[side]);
    words_destroy(c->words);
    space_destroy(c->space);
    free(c);
}

static void note_side(struct coverage *c, enum side side, const struct retire *r) {
    collector_note(c->side[side], words_at(c->words, r->pc, r->word_lo, r->word_hi), r);
}

void coverage_note(struct coverage *c, const struct retire *model, const struct retire *rtl) {
    note_side(c, SIDE_MODEL, model);
    note_side(c, SIDE_RTL, rtl);
}

enum status coverage_save(const struct coverage *c, const char *directory, const char *test, struct diag *d) {
    char path[512];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(path, sizeof path, "%.400s/%ld-%lld%09ld.run", directory, (long)getpid(), (long long)now.tv_sec,
             now.tv_nsec);
    const uint64_t *const bits[SIDES] = {collector_bits(c->side[SIDE_MODEL]), collector_bits(c->side[SIDE_RTL])};
    return runfile_write(path, c->space, test, bits, d);
}

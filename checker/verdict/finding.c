/* SPDX-License-Identifier: Apache-2.0 */
#include "finding.h"

#include <stdlib.h>
#include <string.h>

bool findings_create(struct lockstep_findings *f, size_t most) {
    *f = (struct lockstep_findings){.most = most};
    f->list = calloc(most > 0 ? most : 1, sizeof *f->list);
    return f->list != NULL;
}

void findings_destroy(struct lockstep_findings *f) {
    free(f->list);
    *f = (struct lockstep_findings){0};
}

static struct lockstep_finding *find(const struct lockstep_findings *f, const char *op,
                                     const struct retire_field *field) {
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->list[i].op, op) == 0 && f->list[i].field == field) return &f->list[i];
    return NULL;
}

struct lockstep_finding *findings_note(struct lockstep_findings *f, const char *op, const struct retire_field *field,
                                       int lane, uint64_t expected, uint64_t actual, const struct retire *rtl,
                                       uint64_t record) {
    struct lockstep_finding *finding = find(f, op, field);
    if (finding == NULL && f->count == f->most) return NULL;
    if (finding == NULL) {
        finding = &f->list[f->count++];
        *finding = (struct lockstep_finding){.op = op,
                                             .field = field,
                                             .cycle = rtl->cycle,
                                             .pc = rtl->pc,
                                             .word_lo = rtl->word_lo,
                                             .word_hi = rtl->word_hi,
                                             .block_x = rtl->block_x,
                                             .block_y = rtl->block_y,
                                             .warp = rtl->warp,
                                             .lane = lane,
                                             .expected = expected,
                                             .actual = actual};
    }
    finding->met.bits |= expected ^ actual;
    finding->met.lanes += lane >= 0;
    finding->met.records += finding->last != record;
    finding->last = record;
    return finding;
}

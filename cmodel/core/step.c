/* SPDX-License-Identifier: Apache-2.0 */
/* Traps of memory and reads of undefined values, see step.h. */
#include "step.h"

#include <stdio.h>

static void log_undefined(struct step *s, uint32_t lanes, const char *format, unsigned value) {
    struct undefined_log *log = &s->m->undefined;
    const uint32_t index = s->pc / 4;
    log->seen[index / 32] |= (uint32_t)1 << index % 32;
    struct model_undefined *entry = &log->entries[log->count++];
    *entry = (struct model_undefined){
        .pc = s->pc, .sm = s->warp->sm, .slot = s->warp->slot, .lane = (uint8_t)lanes_first(lanes)};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* the callers' formats are literals with one %u or %x */
    snprintf(entry->what, sizeof entry->what, format, value);
#pragma GCC diagnostic pop
}

void step_raise_access(struct step *s, const struct model_access *access) {
    step_raise(s, access->trap);
    if (s->trap != access->trap) return;
    if (s->access.trap == access->trap)
        s->access.lanes |= access->lanes;
    else
        s->access = *access;
}

void step_note_undefined(struct step *s, uint32_t lanes, const char *format, unsigned value) {
    const uint32_t index = s->pc / 4;
    s->undefined |= lanes;
    s->m->counts.undefined_reads += lanes_count(lanes);
    if ((s->m->undefined.seen[index / 32] >> index % 32 & 1u) == 0) log_undefined(s, lanes, format, value);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "perfetto.h"

#include <inttypes.h>
#include <stdlib.h>

#include "json_string.h"
#include "timeline.h"

enum { SMS = 256, SLOTS = 256 }; /* as many as a record can number */

/* The last counter values of an SM. */
struct processor {
    bool named;
    unsigned present, waiting, lanes;
    bool slot_named[SLOTS], slot_waits[SLOTS];
    uint32_t depth[SLOTS];
};

struct perfetto {
    FILE *out;
    const struct image *image;
    struct timeline *timeline;
    struct processor *processors[SMS];
    bool begun, failed;
};

struct perfetto *perfetto_create(FILE *out, const struct image *image) {
    struct perfetto *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->out = out;
    p->image = image;
    p->timeline = timeline_create();
    if (p->timeline == NULL) {
        free(p);
        return NULL;
    }
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", out);
    return p;
}

/* ---------------------------------------------------------------------------- events */

static unsigned process_of(unsigned sm) { return sm + 1; }
static unsigned thread_of(unsigned sm, unsigned slot) { return sm * SLOTS + slot + 1; }

/* An event up to its name, which the caller writes, followed by end_event. */
static void begin_event(struct perfetto *p, char phase, uint64_t cycle, unsigned process, unsigned thread) {
    fprintf(p->out, "%s{\"ph\":\"%c\",\"ts\":%" PRIu64 ",\"pid\":%u", p->begun ? ",\n" : "\n", phase, cycle, process);
    if (thread != 0) fprintf(p->out, ",\"tid\":%u", thread);
    fputs(",\"name\":", p->out);
    p->begun = true;
}

static void name_track(struct perfetto *p, const char *what, unsigned process, unsigned thread, const char *name,
                       unsigned number) {
    begin_event(p, 'M', 0, process, thread);
    fprintf(p->out, "\"%s\",\"args\":{\"name\":\"%s %u\"}}", what, name, number);
}

/* Writes a counter if its value has changed. */
static void count_change(struct perfetto *p, uint64_t cycle, unsigned process, const char *what, unsigned *before,
                         unsigned value) {
    if (*before == value) return;
    *before = value;
    begin_event(p, 'C', cycle, process, 0);
    fprintf(p->out, "\"%s\",\"args\":{\"value\":%u}}", what, value);
}

static void end_warp(struct perfetto *p, unsigned sm, unsigned slot, uint64_t cycle) {
    begin_event(p, 'E', cycle, process_of(sm), thread_of(sm, slot));
    fputs("\"\"}", p->out);
}

static struct processor *processor_of(struct perfetto *p, unsigned sm) {
    struct processor **at = &p->processors[sm];
    if (*at == NULL) *at = calloc(1, sizeof **at);
    if (*at == NULL) return NULL;
    if (!(*at)->named) name_track(p, "process_name", process_of(sm), 0, "SM", sm);
    (*at)->named = true;
    return *at;
}

/* ---------------------------------------------------------------------------- records */

/* Position of a record. */
struct place {
    unsigned slot, process, thread;
};

static void write_instruction(struct perfetto *p, const struct place *at, const struct retire *r,
                              const struct timeline_slice *s, const char *instruction, const char *trap) {
    unsigned line = 0;
    const char *file = p->image != NULL ? image_find_line(p->image, r->pc, &line) : NULL;
    begin_event(p, 'X', s->from, at->process, at->thread);
    json_print_string(instruction, p->out);
    fprintf(p->out, ",\"dur\":%" PRIu64 ",\"args\":{\"block\":\"%u,%u\",\"warp\":%u,\"pc\":\"0x%x\"", s->to - s->from,
            r->block_x, r->block_y, r->warp, r->pc);
    fprintf(p->out, ",\"active\":\"%08x\",\"exec\":\"%08x\",\"depth\":%u", r->active, r->exec, r->depth);
    if (file != NULL) {
        fputs(",\"source\":", p->out);
        json_print_string(file, p->out);
        fprintf(p->out, ",\"line\":%u", line);
    }
    if (trap[0] != '\0') {
        fputs(",\"trap\":", p->out);
        json_print_string(trap, p->out);
    }
    fputs("}}", p->out);
}

/* All cycles but the last, in which the instruction leaves the pipeline. */
static void write_wait(struct perfetto *p, const struct place *at, const struct timeline_slice *s) {
    if (s->to - s->from < 2) return;
    begin_event(p, 'X', s->from, at->process, at->thread);
    fprintf(p->out, "\"wait: %s\",\"dur\":%" PRIu64 "}", timeline_wait_name(s->wait), s->to - s->from - 1);
}

static void write_counters(struct perfetto *p, const struct place *at, struct processor *now, const struct retire *r,
                           const struct timeline_slice *s) {
    char stack[32];
    const bool waits = r->state == RETIRE_BARRIER;
    const unsigned waiting = now->waiting + (waits ? 1 : 0) - (now->slot_waits[at->slot] ? 1 : 0);
    now->slot_waits[at->slot] = waits;
    if (s->first) count_change(p, s->from, at->process, "warps", &now->present, now->present + 1);
    if (s->last) count_change(p, s->to, at->process, "warps", &now->present, now->present - 1);
    count_change(p, s->to, at->process, "warps at barriers", &now->waiting, waiting);
    count_change(p, s->to, at->process, "lanes", &now->lanes, (unsigned)__builtin_popcount(r->exec));
    snprintf(stack, sizeof stack, "stack of slot %u", at->slot);
    count_change(p, s->to, at->process, stack, &now->depth[at->slot], s->last ? 0 : r->depth);
}

void perfetto_record(struct perfetto *p, const struct retire *r, const char *instruction, const char *trap) {
    struct timeline_slice s;
    const unsigned sm = (unsigned)r->sm % SMS, slot = r->slot % SLOTS;
    const struct place at = {.slot = slot, .process = process_of(sm), .thread = thread_of(sm, slot)};
    struct processor *processor = processor_of(p, sm);
    if (processor == NULL || !timeline_add(p->timeline, r, &s)) {
        p->failed = true;
        return;
    }
    if (!processor->slot_named[slot]) name_track(p, "thread_name", at.process, at.thread, "warp slot", slot);
    processor->slot_named[slot] = true;
    if (s.first) {
        begin_event(p, 'B', s.from, at.process, at.thread);
        fprintf(p->out, "\"block (%u,%u) warp %u\"}", r->block_x, r->block_y, r->warp);
    }
    write_instruction(p, &at, r, &s, instruction, trap);
    write_wait(p, &at, &s);
    if (s.last) end_warp(p, sm, slot, s.to);
    write_counters(p, &at, processor, r, &s);
}

static void end_open(void *state, unsigned sm, unsigned slot, uint64_t cycle) { end_warp(state, sm, slot, cycle); }

bool perfetto_finish(struct perfetto *p, const char *cut) {
    if (p == NULL) return true;
    const bool whole = !p->failed;
    timeline_visit_open(p->timeline, end_open, p);
    if (cut[0] == '\0') {
        fputs("\n]}\n", p->out);
    } else {
        fputs("\n],\"otherData\":{\"cut\":", p->out);
        json_print_string(cut, p->out);
        fputs("}}\n", p->out);
    }
    timeline_destroy(p->timeline);
    for (unsigned i = 0; i < SMS; i++) free(p->processors[i]);
    free(p);
    return whole;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "stage_trace.h"

#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/grow.h"
#include "../../cmodel/run/trace.h"

enum {
    NAME_BYTES = 8,
    LANES = 16,  /* rows of each word of an access */
    AWAY = -1,   /* a lane that is in no stage yet */
    PASSED = -2, /* a lane that has left the last stage */
};

/* An instruction, from the scheduler's choice on. */
struct flight {
    struct flight *next; /* of its SM, younger */
    unsigned sm, slot;
    uint32_t pc;
    bool knows_pc, issued, held; /* more of it is in HOLD */
    bool last;                   /* its last beat has been in WRITE */
    bool left;                   /* it has left all stages */
    unsigned first_part;         /* the word that issued first */
    int now[LANES], seen[LANES]; /* stage in the last cycle, in this one */
    uint64_t resolved[LANES];    /* the last cycle in RESOLVE */
    char *label;                 /* NULL: its record is outstanding */
    uint64_t id;
};

enum event_kind { EVENT_BEGIN, EVENT_STAGE, EVENT_END, EVENT_LEAVE };

struct event {
    uint64_t cycle;
    struct flight *flight;
    enum event_kind kind;
    int lane, stage;
};

struct stage_trace {
    struct kanata *out;
    const struct image *image;
    char name[SIM_STAGES_MOST + 1][NAME_BYTES];
    int beats, resolve, floats, write; /* the first stage with beats, the last ones */
    uint64_t delay;                    /* cycles from RESOLVE to WRITE */
    unsigned rows, launch;
    uint64_t cycle;
    struct flight *oldest[SIM_MAX_SMS];
    struct event *event;
    size_t first, end, room; /* events that are not written yet */
    bool failed;
};

struct stage_trace *stage_trace_create(struct kanata *out, const char *stages, unsigned cores, unsigned launch,
                                       const struct image *image) {
    struct stage_trace *t = calloc(1, sizeof *t);
    if (t == NULL) return NULL;
    t->out = out;
    t->image = image;
    t->launch = launch;
    t->rows = WARP_LANES / cores;
    for (const char *s = stages + strspn(stages, " "); *s != 0 && t->write < SIM_STAGES_MOST; s += strspn(s, " ")) {
        const int length = (int)strcspn(s, " ");
        snprintf(t->name[t->write], NAME_BYTES, "%.*s", length, s);
        if (strcmp(t->name[t->write], "ROWS") == 0) t->beats = t->write;
        t->write++;
        s += length;
    }
    t->floats = t->write--;
    t->resolve = t->write - 1;
    snprintf(t->name[t->floats], NAME_BYTES, "FLOAT");
    return t;
}

/* --------------------------------------------------------------------------------------------------------- writing */

static void note(struct stage_trace *t, struct flight *f, enum event_kind kind, int lane, int stage) {
    if (t->end == t->room && t->first > t->room / 2) {
        memmove(t->event, t->event + t->first, (t->end - t->first) * sizeof *t->event);
        t->end -= t->first;
        t->first = 0;
    }
    struct event *grown = grow_array(t->event, t->end, &t->room, sizeof *grown);
    if (grown == NULL) {
        t->failed = true;
        return;
    }
    t->event = grown;
    t->event[t->end++] = (struct event){t->cycle, f, kind, lane, stage};
}

static void write_event(struct stage_trace *t, const struct event *e) {
    struct flight *f = e->flight;
    kanata_go_to(t->out, e->cycle);
    switch (e->kind) {
    case EVENT_BEGIN: f->id = kanata_begin(t->out, trace_thread(f->sm, f->slot), f->label); break;
    case EVENT_STAGE: kanata_stage(t->out, f->id, (unsigned)e->lane, t->name[e->stage]); break;
    case EVENT_END: kanata_end(t->out, f->id, (unsigned)e->lane, t->name[e->stage]); break;
    case EVENT_LEAVE:
        kanata_leave(t->out, f->id, f->last ? KANATA_RETIRED : KANATA_FLUSHED);
        free(f->label);
        free(f);
        break;
    }
}

static void write_events(struct stage_trace *t) {
    while (t->first < t->end) {
        const struct event *e = &t->event[t->first];
        if (e->kind == EVENT_BEGIN && e->flight->label == NULL) return;
        write_event(t, e);
        t->first++;
    }
}

/* The label of an instruction that will have no record. */
static void label_without_record(struct stage_trace *t, struct flight *f) {
    const size_t at = f->pc / 4;
    char text[TRACE_TEXT_MAX] = "", label[TRACE_LABEL_MAX];
    if (f->knows_pc && at < t->image->code_words) {
        const uint32_t lo = t->image->code[at];
        const bool is_long = isa_is_long(lo) && at + 1 < t->image->code_words;
        trace_instruction(f->pc, lo, is_long ? t->image->code[at + 1] : 0, text);
    }
    snprintf(label, sizeof label, "sm%u slot %u %06x: %s, %s", f->sm, f->slot, (unsigned)f->pc, text,
             f->issued ? "stopped" : "turned away");
    f->label = strdup(label);
    t->failed |= f->label == NULL;
}

/* ---------------------------------------------------------------------------------------------------------- looking */

static struct flight *begin(struct stage_trace *t, unsigned sm, unsigned slot) {
    struct flight *f = calloc(1, sizeof *f);
    if (f == NULL) {
        t->failed = true;
        return NULL;
    }
    f->sm = sm;
    f->slot = slot;
    for (int lane = 0; lane < LANES; lane++) f->now[lane] = f->seen[lane] = AWAY;
    struct flight **end = &t->oldest[sm];
    while (*end != NULL) end = &(*end)->next;
    *end = f;
    note(t, f, EVENT_BEGIN, 0, 0);
    return f;
}

/* A stage before ROWS: the youngest instruction of the warp that has not issued completely. */
static void see_early(struct stage_trace *t, unsigned sm, const struct sim_stage *stage, int number) {
    struct flight *found = NULL;
    for (struct flight *f = t->oldest[sm]; f != NULL && number > 0; f = f->next)
        if (f->slot == stage->slot && (f->issued ? number == t->beats - 1 : f->now[0] <= number)) found = f;
    if (found == NULL) found = begin(t, sm, stage->slot);
    if (found == NULL) return;
    if (number >= t->beats - 2) {
        found->pc = stage->pc;
        found->knows_pc = true;
    }
    if (!found->issued)
        found->seen[0] = number;
    else
        found->held = true;
}

/* True if a beat of the instruction can be in this stage: one of its lanes, or a further one. */
static bool takes(const struct stage_trace *t, const struct flight *f, const struct sim_stage *stage, int number,
                  unsigned lane) {
    if (f->slot != stage->slot || f->pc != stage->pc || !f->knows_pc || lane >= LANES) return false;
    const int now = f->now[lane];
    if (now == PASSED) return false;
    if (number == t->write) return f->resolved[lane] != 0 && f->resolved[lane] + t->delay >= t->cycle;
    if (now >= t->beats) return now <= number;
    return number == t->beats && (f->issued || now == t->beats - 1);
}

static void see_beat(struct stage_trace *t, unsigned sm, const struct sim_stage *stage, int number) {
    for (struct flight *f = t->oldest[sm]; f != NULL; f = f->next) {
        const unsigned pass = f->issued ? stage->part ^ f->first_part : 0;
        const unsigned lane = pass * t->rows + stage->row;
        if (!takes(t, f, stage, number, lane)) continue;
        if (!f->issued) f->first_part = stage->part;
        f->issued = true;
        if (number < t->write) f->seen[lane] = number;
        if (number == t->resolve) f->resolved[lane] = t->cycle;
        f->last |= number == t->write && stage->last;
        return;
    }
}

/* The stage of a lane that was in a stage and is in none of those shown. */
static int behind_resolve(const struct stage_trace *t, uint64_t resolved) {
    if (resolved == 0) return PASSED;
    if (t->cycle < resolved + t->delay) return t->floats;
    return t->cycle == resolved + t->delay ? t->write : PASSED;
}

/* Moves a lane in this cycle. False if it is in no stage. */
static bool move(struct stage_trace *t, struct flight *f, int lane) {
    const int before = f->now[lane];
    int now = f->seen[lane];
    f->seen[lane] = AWAY;
    if (before == PASSED || (before == AWAY && now == AWAY)) return false;
    if (now == AWAY) now = behind_resolve(t, f->resolved[lane]);
    f->now[lane] = now;
    if (now == before) return true;
    if (now == PASSED)
        note(t, f, EVENT_END, lane, before);
    else
        note(t, f, EVENT_STAGE, lane, now);
    return now != PASSED;
}

static void move_all(struct stage_trace *t, unsigned sm) {
    for (struct flight **at = &t->oldest[sm]; *at != NULL;) {
        struct flight *f = *at;
        bool stays = f->held;
        f->held = false;
        for (int lane = 0; lane < LANES; lane++) stays |= move(t, f, lane);
        if (!stays && !f->left) {
            f->left = true;
            note(t, f, EVENT_LEAVE, 0, 0);
            if (!f->issued) label_without_record(t, f);
        }
        if (f->left && f->label != NULL)
            *at = f->next;
        else
            at = &f->next;
    }
}

void stage_trace_look(struct stage_trace *t, const struct sim_look *look) {
    if (t->failed || look->launch != t->launch) return;
    t->cycle = look->cycle;
    t->delay = look->delay;
    for (int i = t->write; i >= 0; i--) {
        if (!look->stage[i].valid) continue;
        if (i >= t->beats)
            see_beat(t, look->sm, &look->stage[i], i);
        else
            see_early(t, look->sm, &look->stage[i], i);
    }
    move_all(t, look->sm);
    write_events(t);
}

void stage_trace_record(struct stage_trace *t, const struct retire *record, const struct model *m) {
    char text[TRACE_TEXT_MAX], trap[TRACE_TRAP_MAX], label[TRACE_LABEL_MAX];
    struct flight **at = &t->oldest[record->sm % SIM_MAX_SMS];
    while (*at != NULL && (!(*at)->issued || (*at)->label != NULL)) at = &(*at)->next;
    struct flight *f = *at;
    if (f == NULL || t->failed) return;
    trace_label(t->image, record, trace_instruction(record->pc, record->word_lo, record->word_hi, text),
                trace_trap(t->image, record, m, trap), label);
    f->label = strdup(label);
    t->failed |= f->label == NULL;
    if (f->left) *at = f->next;
}

/* Instructions stay in the list until they have left and have a name; then only their events are kept. */
static void forget(struct stage_trace *t) {
    for (size_t i = t->first; i < t->end; i++) {
        struct flight *f = t->event[i].flight;
        if (t->event[i].kind != EVENT_LEAVE || !f->left || f->label == NULL) continue;
        free(f->label);
        free(f);
    }
    for (int sm = 0; sm < SIM_MAX_SMS; sm++) {
        for (struct flight *f = t->oldest[sm]; f != NULL;) {
            struct flight *next = f->next;
            free(f->label);
            free(f);
            f = next;
        }
    }
}

bool stage_trace_close(struct stage_trace *t) {
    if (t == NULL) return true;
    t->cycle++;
    for (int sm = 0; sm < SIM_MAX_SMS; sm++) {
        for (struct flight *f = t->oldest[sm]; f != NULL && !t->failed; f = f->next) {
            for (int lane = 0; lane < LANES; lane++)
                if (f->now[lane] >= 0) note(t, f, EVENT_END, lane, f->now[lane]);
            if (!f->left) note(t, f, EVENT_LEAVE, 0, 0);
            if (f->label == NULL) label_without_record(t, f);
        }
    }
    const bool whole = !t->failed;
    if (whole)
        write_events(t);
    else
        forget(t);
    free(t->event);
    free(t);
    return whole;
}

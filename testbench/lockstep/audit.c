/* SPDX-License-Identifier: Apache-2.0 */
#include "audit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json_string.h"
#include "lockstep.h"
#include "trace_read.h"

enum { EXIT_DIFFERS = 1 };

/* The trace, whole, and what was tried on it. */
struct trial {
    const struct audit *audit;
    struct retire *records;
    size_t count, room;
    const char *unreported, *filled;
    struct reported reported;
    uint64_t changes[RETIRE_FIELD_COUNT], noticed[RETIRE_FIELD_COUNT];
    uint64_t random;
};

/* ------------------------------------------------------------------------------------------------------- the trace */

static enum status keep(struct trial *t, const struct retire *record, struct diag *d) {
    if (t->count == t->room) {
        const size_t room = t->room == 0 ? 1024 : 2 * t->room;
        struct retire *records = realloc(t->records, room * sizeof *records);
        if (records == NULL) return diag_set(d, STATUS_NO_MEMORY, t->audit->path, 0, 0, "out of memory for the trace");
        t->records = records;
        t->room = room;
    }
    t->records[t->count++] = *record;
    return STATUS_OK;
}

static enum status read_records(struct trial *t, struct trace_reader *reader, struct diag *d) {
    struct retire record;
    bool more = true;
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        status = trace_reader_next(reader, &record, &more, d);
        if (status != STATUS_OK || !more) break;
        status = keep(t, &record, d);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- a run */

static bool check_all(const struct trial *t, struct lockstep *l) {
    bool trapped = false;
    for (size_t i = 0; i < t->count; i++) {
        if (!lockstep_check(l, &t->records[i])) return false;
        trapped |= t->records[i].trap != TRAP_NONE;
    }
    trapped |= model_get_trap(lockstep_model(l)).code != TRAP_NONE;
    return lockstep_finish(l, trapped ? SIM_TRAPPED : SIM_DONE, NULL, NULL);
}

/* Runs the records as they are now against a new model; *agree says whether all is as it should be, `why` (320 bytes,
 * or NULL) what is not. */
static enum status run_once(const struct trial *t, bool *agree, char *why, struct diag *d) {
    const struct lockstep_options options = {.run = t->audit->run, .machine = t->audit->machine};
    struct lockstep *l = lockstep_create(&options, d);
    if (l == NULL) return d->status;
    const enum status status = lockstep_declare(l, t->unreported, t->filled, d);
    *agree = status == STATUS_OK && check_all(t, l);
    if (why != NULL) snprintf(why, sizeof lockstep_result(l)->text, "%s", lockstep_result(l)->text);
    lockstep_destroy(l);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- changes */

/* Marsaglia's xorshift64; below `limit`. */
static uint32_t draw(struct trial *t, uint32_t limit) {
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    return (uint32_t)((t->random >> 32) * limit >> 32);
}

/* A record that has a value of the field, from a random one on; NULL: none has. */
static struct retire *draw_record(struct trial *t, const struct retire_field *f) {
    const size_t from = draw(t, (uint32_t)t->count);
    for (size_t i = 0; i < t->count; i++) {
        struct retire *r = &t->records[(from + i) % t->count];
        if (f->kind != FIELD_LANES || (field_mask(f, r) != 0 && field_is_in(f, r))) return r;
    }
    return NULL;
}

static unsigned draw_lane(struct trial *t, uint32_t mask) {
    for (uint32_t left = draw(t, (uint32_t)__builtin_popcount(mask)); left > 0; left--) mask &= mask - 1;
    return (unsigned)__builtin_ctz(mask);
}

/* Bits that make another hexadecimal digit of one of those of a value of `bits` bits. */
static uint64_t draw_change(struct trial *t, unsigned bits) {
    const unsigned low = 4 * draw(t, (bits + 3) / 4);
    const uint32_t digits = bits - low < 4 ? (uint32_t)1 << (bits - low) : 16;
    return (uint64_t)(1 + draw(t, digits - 1)) << low;
}

/* Flips bits of a value in place: what it does twice is undone. */
static void flip(struct retire *r, const struct retire_field *f, unsigned lane, uint64_t bits) {
    char *at = (char *)r + f->offset;
    if (f->kind == FIELD_HARNESS)
        *(uint64_t *)(void *)at ^= bits;
    else
        ((uint32_t *)(void *)at)[lane] ^= (uint32_t)bits;
}

static enum status try_change(struct trial *t, size_t index, struct diag *d) {
    const struct retire_field *f = retire_field_at(index);
    struct retire *r = draw_record(t, f);
    bool agree = true;
    if (r == NULL) return STATUS_OK;
    const unsigned lane = f->kind == FIELD_LANES ? draw_lane(t, field_mask(f, r)) : 0;
    const uint64_t bits = draw_change(t, f->bits);
    flip(r, f, lane, bits);
    const enum status status = run_once(t, &agree, NULL, d);
    flip(r, f, lane, bits);
    t->changes[index]++;
    t->noticed[index] += !agree;
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- results */

static const char *note_of(const struct trial *t, size_t index) {
    const enum reported_how how = (enum reported_how)t->reported.how[index];
    if (how == REPORTED_NOT) return "not reported";
    if (how == REPORTED_FILLED) return "filled from the instruction word";
    if (t->changes[index] == 0) return "no value in this trace";
    return retire_field_at(index)->compare == FIELD_INFO ? "where and when, not what" : "";
}

static uint64_t sum(const uint64_t *counts) {
    uint64_t total = 0;
    for (size_t i = 0; i < RETIRE_FIELD_COUNT; i++) total += counts[i];
    return total;
}

static void print_text(const struct trial *t, FILE *out) {
    fprintf(out, "%s: %zu records agree; of %" PRIu64 " changes of a digit %" PRIu64 " are noticed, seed %" PRIu32 "\n",
            t->audit->path, t->count, sum(t->changes), sum(t->noticed), t->audit->seed);
    fprintf(out, "%-12s %8s %8s %8s\n", "field", "changes", "noticed", "share");
    for (size_t i = 0; i < retire_field_count(); i++) {
        const char *note = note_of(t, i);
        fprintf(out, "%-12s %8" PRIu64 " %8" PRIu64, retire_field_at(i)->name, t->changes[i], t->noticed[i]);
        if (t->changes[i] == 0)
            fprintf(out, " %8s", "-");
        else
            fprintf(out, " %6.1f %%", 100.0 * (double)t->noticed[i] / (double)t->changes[i]);
        fprintf(out, "%s%s\n", note[0] != 0 ? "  " : "", note);
    }
}

static void print_json(const struct trial *t, FILE *out) {
    fprintf(out, "{\"trace\":");
    json_print_string(t->audit->path, out);
    fprintf(out, ",\"records\":%zu,\"changes\":%" PRIu64 ",\"noticed\":%" PRIu64 ",\"seed\":%" PRIu32 ",\"fields\":[",
            t->count, sum(t->changes), sum(t->noticed), t->audit->seed);
    for (size_t i = 0; i < retire_field_count(); i++)
        fprintf(out, "%s{\"field\":\"%s\",\"changes\":%" PRIu64 ",\"noticed\":%" PRIu64 ",\"note\":\"%s\"}",
                i == 0 ? "" : ",", retire_field_at(i)->name, t->changes[i], t->noticed[i], note_of(t, i));
    fputs("]}\n", out);
}

static enum status try_all(struct trial *t, FILE *out, int *exit_code, struct diag *d) {
    char why[sizeof((struct lockstep_result *)0)->text];
    bool agree = false;
    enum status status = run_once(t, &agree, why, d);
    if (status != STATUS_OK) return status;
    if (!agree) {
        fprintf(stderr, "%s: error: the trace does not agree as it is: %s\n", t->audit->path, why);
        *exit_code = EXIT_DIFFERS;
        return STATUS_OK;
    }
    /* One field after the other; `cycle` is in every record. */
    for (size_t i = 0; sum(t->changes) < t->audit->changes && status == STATUS_OK; i++)
        status = try_change(t, i % retire_field_count(), d);
    if (status != STATUS_OK) return status;
    if (t->audit->run->json)
        print_json(t, out);
    else
        print_text(t, out);
    return STATUS_OK;
}

enum status audit_run(const struct audit *audit, FILE *out, int *exit_code, struct diag *d) {
    struct trace_reader *reader = NULL;
    struct trial t = {.audit = audit, .random = audit->seed ^ UINT64_C(0x9e3779b97f4a7c15)};
    *exit_code = 0;
    enum status status = trace_reader_open(audit->path, &reader, d);
    if (status != STATUS_OK) return status;
    t.unreported = trace_reader_unreported(reader);
    t.filled = trace_reader_filled(reader);
    status = reported_declare(&t.reported, t.unreported, REPORTED_NOT, audit->path, d);
    if (status == STATUS_OK) status = reported_declare(&t.reported, t.filled, REPORTED_FILLED, audit->path, d);
    if (status == STATUS_OK) status = read_records(&t, reader, d);
    if (status == STATUS_OK) status = try_all(&t, out, exit_code, d);
    trace_reader_close(reader);
    free(t.records);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "audit.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../cmodel/run/json_string.h"
#include "../record/trace_read.h"
#include "lockstep.h"

enum { EXIT_DIFFERS = 1, BATCH = 1 << 16 };

/* Changed bits of a field, of one lane, in one record. */
struct change {
    size_t record, field;
    unsigned lane;
    uint64_t bits;
};

/* The whole trace, and the trials on it. */
struct trial {
    const struct audit *audit;
    struct retire *records;
    size_t count, room;
    uint64_t waived; /* records that agree only with waivers */
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

static enum status open_checker(const struct trial *t, struct lockstep **l, struct diag *d) {
    const struct lockstep_options options = {
        .run = t->audit->run, .machine = t->audit->machine, .waivers = t->audit->waivers};
    *l = lockstep_create(&options, d);
    if (*l == NULL) return d->status;
    const enum status status = lockstep_declare(*l, t->unreported, t->filled, d);
    if (status == STATUS_OK) return STATUS_OK;
    lockstep_destroy(*l);
    *l = NULL;
    return status;
}

/* Checks the present records from number `from` on, and the end: true if all agree. */
static bool check_rest(const struct trial *t, struct lockstep *l, size_t from) {
    bool trapped = false;
    for (size_t i = 0; i < t->count; i++) {
        if (i >= from && !lockstep_check(l, &t->records[i])) return false;
        trapped |= t->records[i].trap != TRAP_NONE;
    }
    trapped |= model_get_trap(lockstep_model(l)).code != TRAP_NONE;
    return lockstep_finish(l, trapped ? SIM_TRAPPED : SIM_DONE, NULL, NULL);
}

/* `why` (as large as a result's text) describes the disagreement. */
static enum status check_unchanged(struct trial *t, bool *agree, char *why, struct diag *d) {
    struct lockstep *l = NULL;
    const enum status status = open_checker(t, &l, d);
    if (status != STATUS_OK) return status;
    *agree = check_rest(t, l, 0);
    t->waived = lockstep_result(l)->amended;
    snprintf(why, sizeof lockstep_result(l)->text, "%s", lockstep_result(l)->text);
    lockstep_destroy(l);
    return STATUS_OK;
}

/* --------------------------------------------------------------------------------------------------------- changes */

/* Marsaglia's xorshift64; below `limit`. */
static uint32_t draw(struct trial *t, uint32_t limit) {
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    return (uint32_t)((t->random >> 32) * limit >> 32);
}

/* A record that has a value of the field, from a random one on; t->count: none. */
static size_t draw_record(struct trial *t, const struct retire_field *f) {
    const size_t from = draw(t, (uint32_t)t->count);
    for (size_t i = 0; i < t->count; i++) {
        const struct retire *r = &t->records[(from + i) % t->count];
        if (f->kind != FIELD_LANES || (field_mask(f, r) != 0 && field_is_in(f, r))) return (from + i) % t->count;
    }
    return t->count;
}

static unsigned draw_lane(struct trial *t, uint32_t mask) {
    for (uint32_t left = draw(t, (uint32_t)__builtin_popcount(mask)); left > 0; left--) mask &= mask - 1;
    return (unsigned)__builtin_ctz(mask);
}

/* Bits that change one hexadecimal digit of a value of `bits` bits. */
static uint64_t draw_change(struct trial *t, unsigned bits) {
    const unsigned low = 4 * draw(t, (bits + 3) / 4);
    const uint32_t digits = bits - low < 4 ? (uint32_t)1 << (bits - low) : 16;
    return (uint64_t)(1 + draw(t, digits - 1)) << low;
}

/* False: no record has a value of the field. */
static bool draw_next(struct trial *t, size_t field, struct change *c) {
    const struct retire_field *f = retire_field_at(field);
    *c = (struct change){.record = draw_record(t, f), .field = field};
    if (c->record == t->count) return false;
    if (f->kind == FIELD_LANES) c->lane = draw_lane(t, field_mask(f, &t->records[c->record]));
    c->bits = draw_change(t, f->bits);
    return true;
}

static void apply(const struct trial *t, const struct change *c) {
    const struct retire_field *f = retire_field_at(c->field);
    char *at = (char *)&t->records[c->record] + f->offset;
    if (f->kind == FIELD_HARNESS)
        *(uint64_t *)(void *)at ^= c->bits;
    else
        ((uint32_t *)(void *)at)[c->lane] ^= (uint32_t)c->bits;
}

/* Tries a change from the checker's present state, which is kept: a child process has a copy of everything. */
static enum status try_change(struct trial *t, struct lockstep *l, const struct change *c, struct diag *d) {
    const pid_t process = fork();
    if (process < 0) return diag_errno(d, t->audit->path, "no process for a change");
    if (process == 0) {
        apply(t, c);
        _exit(check_rest(t, l, c->record) ? 0 : EXIT_DIFFERS);
    }
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
    if (!WIFEXITED(status))
        return diag_set(d, STATUS_DIFFERS, t->audit->path, 0, 0, "a change of %s in record %zu ends the checker",
                        retire_field_at(c->field)->name, c->record + 1);
    t->changes[c->field]++;
    t->noticed[c->field] += WEXITSTATUS(status) != 0;
    return STATUS_OK;
}

static int compare_places(const void *a, const void *b) {
    const struct change *x = a, *y = b;
    return (x->record > y->record) - (x->record < y->record);
}

/* One walk through the trace, for any number of changes. */
static enum status try_batch(struct trial *t, struct change *changes, size_t count, struct diag *d) {
    struct lockstep *l = NULL;
    size_t at = 0;
    enum status status = open_checker(t, &l, d);
    if (status != STATUS_OK) return status;
    qsort(changes, count, sizeof *changes, compare_places);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        for (; at < changes[i].record; at++) {
            const bool agrees = lockstep_check(l, &t->records[at]);
            assert(agrees); /* the unchanged trace was checked */
            (void)agrees;
        }
        status = try_change(t, l, &changes[i], d);
    }
    /* The trials elsewhere have not changed this process's state. */
    if (status == STATUS_OK && !check_rest(t, l, at))
        status = diag_set(d, STATUS_DIFFERS, t->audit->path, 0, 0, "the trace no longer agrees: %s",
                          lockstep_result(l)->text);
    lockstep_destroy(l);
    return status;
}

/* One field after the other; `cycle` is in every record. */
static enum status try_changes(struct trial *t, struct diag *d) {
    struct change *changes = malloc(BATCH * sizeof *changes);
    if (changes == NULL) return diag_set(d, STATUS_NO_MEMORY, t->audit->path, 0, 0, "out of memory for changes");
    enum status status = STATUS_OK;
    size_t field = 0;
    for (unsigned left = t->audit->changes; left > 0 && status == STATUS_OK;) {
        size_t count = 0;
        for (; count < BATCH && count < left; field = (field + 1) % retire_field_count())
            count += draw_next(t, field, &changes[count]);
        status = try_batch(t, changes, count, d);
        left -= (unsigned)count;
    }
    free(changes);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- results */

/* True if some waiver has covered it. */
static bool is_waived(const struct trial *t, size_t index) {
    const struct waivers *w = t->audit->waivers;
    for (size_t i = 0; w != NULL && i < w->count; i++)
        if (retire_field_is_meant(w->list[i].field, retire_field_at(index)->name) && w->list[i].covered.records > 0)
            return true;
    return false;
}

static const char *note_of(const struct trial *t, size_t index) {
    const enum reported_how how = (enum reported_how)t->reported.how[index];
    if (how == REPORTED_NOT) return "not reported";
    if (how == REPORTED_FILLED) return "filled from the instruction word";
    if (t->changes[index] == 0) return "no value in this trace";
    if (is_waived(t, index)) return "waived in some instructions";
    return retire_field_at(index)->compare == FIELD_INFO ? "where and when, not what" : "";
}

static uint64_t sum(const uint64_t *counts) {
    uint64_t total = 0;
    for (size_t i = 0; i < RETIRE_FIELD_COUNT; i++) total += counts[i];
    return total;
}

static void print_text(const struct trial *t, FILE *out) {
    fprintf(out, "%s: %zu records agree", t->audit->path, t->count);
    if (t->audit->waivers != NULL) fprintf(out, ", %" PRIu64 " of them by waivers", t->waived);
    fprintf(out, "; of %" PRIu64 " changes of a digit %" PRIu64 " are noticed, seed %" PRIu32 "\n", sum(t->changes),
            sum(t->noticed), t->audit->seed);
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
    if (t->audit->waivers != NULL) fprintf(out, ",\"waived\":%" PRIu64, t->waived);
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
    enum status status = check_unchanged(t, &agree, why, d);
    if (status != STATUS_OK) return status;
    if (!agree) {
        fprintf(stderr, "%s: error: the trace does not agree as it is: %s\n", t->audit->path, why);
        *exit_code = EXIT_DIFFERS;
        return STATUS_OK;
    }
    status = try_changes(t, d);
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

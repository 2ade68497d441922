/* SPDX-License-Identifier: Apache-2.0 */
#include "reported.h"

#include <string.h>

#include "../../assembler/isa/isa.h"

/* ----------------------------------------------------------------------------------------------------- declaration */

/* Without these fields no step can be followed. */
static bool is_needed(const char *name) {
    static const char *const NEEDED[] = {"sm", "slot", "block_x", "block_y", "warp", "pc"};
    for (size_t i = 0; i < sizeof NEEDED / sizeof NEEDED[0]; i++)
        if (strcmp(name, NEEDED[i]) == 0) return true;
    return false;
}

/* The fields of model_describe, and the word itself. */
static bool is_static(const char *name) {
    static const char *const STATIC[] = {"word_lo", "word_hi", "dst_kind", "dst_reg",
                                         "c_reg",   "a_reg",   "mem_kind", "mem_bytes"};
    for (size_t i = 0; i < sizeof STATIC / sizeof STATIC[0]; i++)
        if (strcmp(name, STATIC[i]) == 0) return true;
    return false;
}

static bool declare(struct reported *r, const char *name, enum reported_how how) {
    bool found = false;
    for (size_t i = 0; i < retire_field_count(); i++) {
        if (strcmp(name, "*") == 0 || !retire_field_is_meant(name, retire_field_at(i)->name)) continue;
        r->how[i] = (uint8_t)how;
        r->incomplete = found = true;
    }
    return found;
}

static const char *trouble(struct reported *r, const char *name, enum reported_how how) {
    if (is_needed(name)) return "cannot be left out: without it no step can be followed";
    if (how == REPORTED_FILLED && !is_static(name)) return "does not follow from the instruction word alone";
    return declare(r, name, how) ? NULL : "is no field of a record";
}

enum status reported_declare(struct reported *r, const char *names, enum reported_how how, const char *source,
                             struct diag *d) {
    static const char BETWEEN[] = " ,\t";
    for (const char *at = names; at != NULL && *at != 0;) {
        char name[32];
        at += strspn(at, BETWEEN);
        const size_t length = strcspn(at, BETWEEN);
        if (length == 0) break;
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        const char *wrong = trouble(r, name, how);
        if (wrong != NULL)
            return diag_set(d, STATUS_BAD_INPUT, source, 0, (unsigned)(at - names) + 1, "field '%s' %s", name, wrong);
        at += length;
    }
    return STATUS_OK;
}

/* ---------------------------------------------------------------------------------------------------------- records */

static size_t field_bytes(const struct retire_field *f) {
    if (f->kind == FIELD_HARNESS) return sizeof(uint64_t);
    return f->kind == FIELD_LANES ? WARP_LANES * sizeof(uint32_t) : sizeof(uint32_t);
}

static void copy_field(const struct retire_field *f, const struct retire *from, struct retire *to) {
    memcpy((char *)to + f->offset, (const char *)from + f->offset, field_bytes(f));
}

/* Copies the fields with this state. */
static void copy_fields(const struct reported *r, enum reported_how how, const struct retire *from, struct retire *to) {
    for (size_t i = 0; i < retire_field_count(); i++)
        if (r->how[i] == how) copy_field(retire_field_at(i), from, to);
}

bool reported_misses(const struct reported *r, const char *name) {
    const struct retire_field *f = retire_field_named(name);
    return f != NULL && r->how[retire_field_index(f)] != REPORTED;
}

/* The instruction at a pc, 0 beyond the code. */
static void read_word(const struct image *image, const struct retire *rtl, struct retire *word) {
    const size_t at = rtl->pc / 4;
    word->word_lo = at < image->code_words ? image->code[at] : 0;
    word->word_hi = isa_is_long(word->word_lo) && at + 1 < image->code_words ? image->code[at + 1] : 0;
}

/* The lanes with which the model's warp continues. */
static uint32_t active_of(const struct model *m, const struct retire *rtl) {
    struct model_warp w;
    model_peek_warp(m, (unsigned)rtl->sm, rtl->slot, &w);
    return w.active;
}

void reported_fill(const struct reported *r, const struct model *m, const struct image *image, struct retire *rtl) {
    const struct retire nothing = {0};
    struct retire word = {0};
    copy_fields(r, REPORTED_NOT, &nothing, rtl);
    read_word(image, rtl, &word);
    const bool lo = reported_misses(r, "word_lo"), hi = reported_misses(r, "word_hi");
    if (rtl->trap == TRAP_NONE)
        model_describe(m, rtl->pc, lo ? word.word_lo : rtl->word_lo, hi ? word.word_hi : rtl->word_hi, &word);
    copy_fields(r, REPORTED_FILLED, &word, rtl);
    if (reported_misses(r, "active")) rtl->active = active_of(m, rtl);
}

void reported_complete(const struct reported *r, const struct retire *expected, struct retire *rtl) {
    const struct retire nothing = {.word_lo = rtl->word_lo, .word_hi = rtl->word_hi};
    copy_fields(r, REPORTED_NOT, expected, rtl);
    if (rtl->trap != TRAP_NONE) copy_fields(r, REPORTED_FILLED, &nothing, rtl); /* `trap` may be the model's */
}

/* ---------------------------------------------------------------------------------------------------------- results */

/* The further words of dst and data follow them. */
static void print_names(const struct reported *r, enum reported_how how, const char *quote, const char *separator,
                        FILE *out) {
    const char *before = "";
    for (size_t i = 0; i < retire_field_count(); i++) {
        const struct retire_field *f = retire_field_at(i);
        if (r->how[i] != how || (f->kind == FIELD_LANES && f->word > 0)) continue;
        fprintf(out, "%s%s%s%s", before, quote, f->name, quote);
        before = separator;
    }
    if (how == REPORTED_NOT && r->no_memory) fprintf(out, "%s%smemory%s", before, quote, quote);
}

static bool has(const struct reported *r, enum reported_how how) {
    for (size_t i = 0; i < retire_field_count(); i++)
        if (r->how[i] == how) return true;
    return how == REPORTED_NOT && r->no_memory;
}

/* True if the number of bytes of a store, which no other field shows, is filled in. */
static bool fills_width(const struct reported *r) {
    const struct retire_field *kind = retire_field_named("mem_kind"), *bytes = retire_field_named("mem_bytes");
    return r->how[retire_field_index(kind)] == REPORTED_FILLED || r->how[retire_field_index(bytes)] == REPORTED_FILLED;
}

void reported_print_text(const struct reported *r, FILE *out) {
    if (r->cut) fputs("; the trace was cut there", out);
    if (has(r, REPORTED_NOT)) {
        fputs("; fields not compared: ", out);
        print_names(r, REPORTED_NOT, "", ", ", out);
    }
    if (has(r, REPORTED_FILLED)) {
        fputs("; fields filled from the instruction word: ", out);
        print_names(r, REPORTED_FILLED, "", ", ", out);
    }
    if (fills_width(r)) fputs("; so the width of stores is not checked", out);
}

void reported_print_json(const struct reported *r, FILE *out) {
    fputs(",\"not_compared\":[", out);
    print_names(r, REPORTED_NOT, "\"", ",", out);
    fputs("],\"filled\":[", out);
    print_names(r, REPORTED_FILLED, "\"", ",", out);
    fprintf(out, "]%s", r->cut ? ",\"cut\":true" : "");
    if (fills_width(r)) fputs(",\"store_width\":\"not checked\"", out);
}

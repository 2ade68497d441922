/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and applies waivers, see waive.h. */
#include "waive.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/isa/isa.h"

enum { MAX_BIT = 63 };

struct waivers *waivers_create(void) {
    return calloc(1, sizeof(struct waivers));
}

void waivers_destroy(struct waivers *w) {
    if (w == NULL) return;
    for (size_t i = 0; i < w->count; i++) free(w->list[i].reason);
    free(w->list);
    free(w);
}

static const char UNDEFINED[] = "undefined";
static const char *const MARKERS[] = {[ISA_MARK_NONE] = NULL, [ISA_MARK_END] = "END", [ISA_MARK_JOIN] = "JOIN"};

struct waiver_ops waivers_op(uint32_t word_lo, uint32_t word_hi) {
    struct isa_insn insn;
    if (isa_decode(word_lo, word_hi, &insn) != ISA_OK) return (struct waiver_ops){UNDEFINED, NULL};
    return (struct waiver_ops){isa_row_mnemonic(insn.row), MARKERS[insn.marker]};
}

const char *waivers_op_of(const struct waiver_ops *op, const char *field) {
    static const char *const FLOW[] = {"next_pc", "next_active", "depth", "state"};
    for (size_t i = 0; i < sizeof FLOW / sizeof *FLOW; i++)
        if (op->marker != NULL && strcmp(field, FLOW[i]) == 0) return op->marker;
    return op->mnemonic;
}

/* ------------------------------------------------------------------------------------------------------- the text */

/* The place of a waiver; columns count from 1, 0 if unknown. */
struct place {
    const char *file;
    unsigned line, column;
    struct diag *d;
};

static bool refuse(const struct place *at, size_t offset, const char *text, const char *part, const char *expected) {
    const unsigned column = at->line != 0 ? at->column + (unsigned)offset : 0;
    diag_set(at->d, STATUS_BAD_INPUT, at->file, at->line, column, "waiver '%.60s': '%.30s' is not %s", text, part,
             expected);
    return false;
}

static bool is_op(const char *name) {
    if (strcmp(name, "*") == 0 || strcmp(name, UNDEFINED) == 0) return true;
    for (size_t marker = ISA_MARK_NONE + 1; marker < sizeof MARKERS / sizeof *MARKERS; marker++)
        if (strcmp(name, MARKERS[marker]) == 0) return true;
    for (size_t row = 0; row < isa_row_count(); row++)
        if (strcmp(name, isa_row_mnemonic(row)) == 0) return true;
    return false;
}

/* The width of a field, 0 if it is not compared or does not exist. */
static unsigned field_bits(const char *name) {
    unsigned bits = 0;
    for (size_t i = 0; i < retire_field_count(); i++) {
        const struct retire_field *f = retire_field_at(i);
        if (f->compare == FIELD_EXACT && retire_field_is_meant(name, f->name) && f->bits > bits) bits = f->bits;
    }
    return bits;
}

static bool parse_bit(const char **text, unsigned width, unsigned *bit) {
    char *end = NULL;
    if (!isdigit((unsigned char)**text)) return false;
    const unsigned long number = strtoul(*text, &end, 10);
    *text = end;
    *bit = (unsigned)number;
    return number < width;
}

/* "0-7,15" */
static bool parse_bits(const char *text, unsigned width, uint64_t *bits) {
    for (*bits = 0;; text++) {
        unsigned from = 0, to = 0;
        if (!parse_bit(&text, width, &from)) return false;
        to = from;
        if (*text == '-') {
            text++;
            if (!parse_bit(&text, width, &to) || to < from) return false;
        }
        for (unsigned bit = from; bit <= to; bit++) *bits |= (uint64_t)1 << bit;
        if (*text == 0) return true;
        if (*text != ',') return false;
    }
}

static bool parse(const char *text, const struct place *at, struct waiver *waiver) {
    char parts[sizeof waiver->text];
    if (strlen(text) >= sizeof parts) return refuse(at, 0, text, text, "short enough");
    snprintf(waiver->text, sizeof waiver->text, "%s", text);
    snprintf(parts, sizeof parts, "%s", text);
    char *field = strchr(parts, ':');
    if (field == NULL) return refuse(at, 0, text, text, "OP:FIELD or OP:FIELD:BITS");
    *field++ = 0;
    char *bits = strchr(field, ':');
    if (bits != NULL) *bits++ = 0;
    if (strlen(parts) >= sizeof waiver->op || !is_op(parts))
        return refuse(at, 0, text, parts, "a mnemonic without modifiers, END, JOIN, 'undefined' or '*'");
    snprintf(waiver->op, sizeof waiver->op, "%.15s", parts);
    const unsigned width = strlen(field) < sizeof waiver->field ? field_bits(field) : 0;
    if (width == 0) return refuse(at, (size_t)(field - parts), text, field, "a field that is compared, or '*'");
    snprintf(waiver->field, sizeof waiver->field, "%.15s", field);
    if (bits == NULL || parse_bits(bits, width, &waiver->bits)) return true;
    char expected[64];
    snprintf(expected, sizeof expected, "a list of bits and ranges from 0 to %u", width - 1);
    return refuse(at, (size_t)(bits - parts), text, bits, expected);
}

static enum status add(struct waivers *w, const char *text, const char *reason, const struct place *at) {
    struct waiver waiver = {.bits = UINT64_MAX};
    if (!parse(text, at, &waiver)) return STATUS_BAD_INPUT;
    struct waiver *list = realloc(w->list, (w->count + 1) * sizeof *list);
    if (list != NULL) w->list = list;
    waiver.reason = strdup(reason);
    if (list == NULL || waiver.reason == NULL) {
        free(waiver.reason);
        return diag_set(at->d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    }
    w->list[w->count++] = waiver;
    return STATUS_OK;
}

enum status waivers_add(struct waivers *w, const char *text, const char *file, struct diag *d) {
    return add(w, text, "", &(struct place){.file = file, .d = d});
}

static char *trim(char *text) {
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) text[--length] = 0;
    return text;
}

static enum status add_line(struct waivers *w, char *line, struct place *at) {
    char *hash = strchr(line, '#');
    char nothing[] = "";
    char *reason = nothing;
    if (hash != NULL) {
        *hash = 0;
        reason = trim(hash + 1);
    }
    const char *text = trim(line);
    if (*text == 0) return STATUS_OK;
    at->column = (unsigned)(text - line) + 1;
    if (*reason == 0)
        return diag_set(at->d, STATUS_BAD_INPUT, at->file, at->line, at->column + (unsigned)strlen(text),
                        "waiver '%.60s' has no reason: write '# why' behind it", text);
    return add(w, text, reason, at);
}

enum status waivers_read(struct waivers *w, const char *path, struct diag *d) {
    FILE *in = fopen(path, "r");
    if (in == NULL) return diag_errno(d, path, "");
    struct place at = {.file = path, .d = d};
    char *line = NULL;
    size_t size = 0;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && getline(&line, &size, in) >= 0) {
        at.line++;
        status = add_line(w, line, &at);
    }
    if (status == STATUS_OK && ferror(in)) status = diag_errno(d, path, "cannot read");
    free(line);
    fclose(in);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- asking */

static void count(struct waiver *waiver, uint64_t bits, bool is_lane, uint64_t record) {
    waiver->covered.bits |= bits;
    waiver->covered.lanes += is_lane;
    waiver->covered.records += waiver->last != record;
    waiver->last = record;
}

static bool is_meant(const struct waiver *waiver, const struct waiver_ops *op) {
    return strcmp(waiver->op, "*") == 0 || strcmp(waiver->op, op->mnemonic) == 0 ||
           (op->marker != NULL && strcmp(waiver->op, op->marker) == 0);
}

uint64_t waivers_cover(struct waivers *w, const struct waiver_ops *op, const char *field, uint64_t differ, bool is_lane,
                       uint64_t record) {
    uint64_t covered = 0;
    for (size_t i = 0; w != NULL && i < w->count; i++) {
        struct waiver *waiver = &w->list[i];
        const bool meant = is_meant(waiver, op) && retire_field_is_meant(waiver->field, field);
        const uint64_t bits = meant ? differ & waiver->bits : 0;
        if (bits == 0) continue;
        covered |= bits;
        count(waiver, bits, is_lane, record);
    }
    return covered;
}

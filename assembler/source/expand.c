/* SPDX-License-Identifier: Apache-2.0 */
/* Expands a source line by line: included files, macro bodies and repetitions are processed like the source itself. */
#include "expand.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "expand_block.h"
#include "include.h"
#include "lines.h"

static void expand_lines(struct expander *x, const struct flow *f, size_t at, size_t end);

/* ---- .include ---- */

static void expand_file(struct expander *x, const struct flow *f) {
    expand_lines(x, f, 0, f->size);
    if (f->size > 0) flow_append_fixed(&x->out, "\n", 1, f, f->size - 1, FLOW_SAME_USE);
}

static void expand_include(struct expander *x, const struct flow *f, size_t start, size_t at, size_t end) {
    struct flow included;
    if (!include_file(x, f, start, at, end, &included)) return;
    expand_file(x, &included);
    flow_release(&included);
}

/* ---- macros and repetitions ---- */

static bool too_much(struct expander *x, const struct flow *f, size_t at, size_t length) {
    x->stop = true;
    return expander_error(x, f, at, length, "macros and repetitions make too much text");
}

/* True while another expansion is allowed at this place. */
static bool may_expand(struct expander *x, const struct flow *f, size_t at, size_t length) {
    if (x->number == EXPAND_COUNT_MAX || x->out.size > x->bytes_max) return too_much(x, f, at, length);
    if (x->depth < EXPAND_DEPTH_MAX) return true;
    x->unwinds = true;
    return expander_error(x, f, at, length, "macros and repetitions are nested more than %d deep", EXPAND_DEPTH_MAX);
}

/* Inserts a body once, for the `length` bytes at `at`. */
static void expand_body(struct expander *x, const struct flow *body, const struct substitution *list, size_t count,
                        uint32_t use, const struct flow *f, size_t at, size_t length) {
    struct flow text = {0};
    size_t before = x->out.size;
    if (use == 0 || !may_expand(x, f, at, length)) return;
    macro_substitute(&text, body, list, count, x->number++, use, x->bytes_max);
    x->depth++;
    if (text.failed)
        expander_no_memory(x);
    else if (text.size > x->bytes_max)
        too_much(x, f, at, length);
    else if (text.size > 0)
        expand_lines(x, &text, 0, text.size);
    x->depth--;
    if (x->depth == 0 && x->unwinds) { /* the rest of the source is checked without the expansion */
        expander_blank(&x->out, before);
        x->unwinds = false;
        x->messages->incomplete = true;
    }
    flow_release(&text);
}

/* A call of the macro at `at`; its arguments end at `end`. */
static void call_macro(struct expander *x, const struct macro *m, const struct flow *f, size_t at, size_t end) {
    struct substitution list[MACRO_PARAMETERS_MAX];
    struct isa_error e = {0};
    size_t n = m->name.length;
    if (!macro_bind(m, f, at + n, end, list, &e)) {
        bool missing = e.start == at + n;
        expander_error(x, f, missing ? at : e.start, missing ? n : e.length, "%s", e.text);
        return;
    }
    uint32_t use = expander_use(x, SOURCE_MACRO, f, at, m->name);
    struct flow body = m->body; /* the macro may move in memory if its body defines another */
    expand_body(x, &body, list, m->parameter_count, use, f, at, n);
}

/* A line start..end without an expansion directive; the next line begins at `next`. Its statements may be calls. */
static void expand_plain(struct expander *x, const struct flow *f, size_t start, size_t end, size_t next) {
    size_t done = start;
    for (size_t at = start; at < end && x->macro_count > 0 && !x->stop && !x->unwinds;) {
        size_t stop = statement_end(f->text, at, end), name, label;
        for (at = skip_blanks(f->text, at, stop); (label = label_length(f->text, at, stop, &name)) != 0;)
            at = skip_blanks(f->text, at + label, stop);
        const struct macro *m = name > 0 ? block_find_macro(x, f->text + at, name) : NULL;
        if (m != NULL && (at + name == stop || is_blank(f->text[at + name]))) {
            flow_append(&x->out, f, done, at, FLOW_SAME_USE);
            flow_append_fixed(&x->out, "\n", 1, f, at, FLOW_SAME_USE);
            call_macro(x, m, f, at, trim_blanks(f->text, at, stop));
            done = stop < end ? stop + 1 : stop;
        }
        at = stop + 1;
    }
    flow_append(&x->out, f, done, next, FLOW_SAME_USE);
}

static size_t expand_rept(struct expander *x, const struct flow *f, size_t start, size_t at, size_t line, size_t end) {
    struct repetition r;
    const size_t next = block_rept(x, f, start, at, line, end, &r);
    const uint32_t use = r.count > 0 ? expander_use(x, SOURCE_REPEAT, f, start, (struct span){"", 0}) : 0;
    for (int64_t i = 0; i < r.count && !x->stop && !x->unwinds; i++) {
        char digits[24];
        struct span value = {digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, i)};
        struct substitution counter = {.name = r.counter, .value = value};
        expand_body(x, &r.body, &counter, r.counter.length > 0 ? 1 : 0, use, f, start, 5);
    }
    flow_release(&r.body);
    return next;
}

/* ---- the whole ---- */

static void expand_lines(struct expander *x, const struct flow *f, size_t at, size_t end) {
    while (at < end && !x->stop && !x->unwinds) {
        size_t stop = line_end(f->text, at, end), next = stop < end ? stop + 1 : end, rest;
        size_t start = skip_blanks(f->text, at, stop);
        bool directive = start < stop && f->text[start] == '.';
        if (directive && expander_directive(f, start, stop, ".include", &rest)) {
            expand_include(x, f, start, rest, stop);
        } else if (directive && expander_directive(f, start, stop, ".macro", &rest)) {
            next = block_macro(x, f, start, rest, stop, end);
        } else if (directive && expander_directive(f, start, stop, ".rept", &rest)) {
            next = expand_rept(x, f, start, rest, stop, end);
        } else {
            if (directive && (expander_directive(f, start, stop, ".equ", &rest) ||
                              expander_directive(f, start, stop, ".default", &rest)))
                block_equ(x, f, rest, stop);
            expand_plain(x, f, at, stop, next);
        }
        if (x->out.failed) expander_no_memory(x);
        at = next;
    }
}

static bool has_directive(const struct scan *scan) {
    static const char *const names[] = {".include", ".macro", ".rept"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (memmem(scan->clean, scan->size, names[i], strlen(names[i])) != NULL) return true;
    return false;
}

static void release(struct expander *x) {
    flow_release(&x->out);
    for (size_t i = 0; i < x->macro_count; i++) macro_release(&x->macros[i]);
    free(x->macros);
    symbols_release(&x->macro_names);
    for (size_t i = 0; i < x->name_count; i++) free(x->names[i]);
    free(x->names);
    symbols_release(&x->equ);
}

enum status expand_scan(struct scan *scan, struct messages *m) {
    sources_reset(&m->sources);
    if (!has_directive(scan)) return STATUS_OK;
    struct expander x = {.sources = &m->sources, .messages = m};
    x.bytes_max = m->expand_bytes > 0 ? m->expand_bytes : EXPAND_BYTES_MAX;
    struct flow source;
    struct message found = m->list[0];
    size_t count = m->count; /* a scan finds at most one error */
    m->count = m->errors = 0;
    flow_from_scan(&source, scan, 0, 0);
    if (source.failed) expander_no_memory(&x);
    include_report(&x, &source, &found, count);
    expand_file(&x, &source);
    flow_release(&source);
    if (x.stop) expander_blank(&x.out, 0); /* half an expansion would only cause more errors */
    bool failed = x.no_memory || x.out.failed;
    if (!failed) {
        *scan = (struct scan){.clean = x.out.text, .size = x.out.size, .notes = x.out.note};
        scan->note_count = x.out.note_count;
        scan_order(scan);
        m->sources.piece = x.out.piece;
        m->sources.piece_count = x.out.piece_count;
        x.out = (struct flow){0};
    }
    release(&x);
    return failed ? STATUS_NO_MEMORY : STATUS_OK;
}

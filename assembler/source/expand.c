/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a source and of what stands in their place, and .include. expand_block.c has .macro and .rept. A
 * directive that is wrong leaves blanks behind, so that its error has a place. */
#include "expand.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../base/file.h"
#include "expander.h"
#include "lines.h"

bool expander_no_memory(struct expander *x) {
    x->no_memory = x->stop = true;
    return false;
}

void expander_blank(struct flow *f, size_t at) {
    for (; at < f->size; at++)
        if (f->text[at] != '\n') f->text[at] = ' ';
}

bool expander_error(struct expander *x, const struct flow *f, size_t start, size_t length, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t at = x->out.size, end = start + length < f->size ? start + length : f->size;
    flow_append(&x->out, f, start, end, FLOW_SAME_USE);
    if (x->out.failed) return expander_no_memory(x);
    expander_blank(&x->out, at);
    flow_append_fixed(&x->out, "\n", 1, f, start, FLOW_SAME_USE);
    messages_add(x->messages, at, length, "%s", text);
    return false;
}

uint32_t expander_use(struct expander *x, enum source_use_kind kind, const struct flow *f, size_t at,
                      struct span name) {
    struct source_piece place = flow_place(f, at);
    struct source_use use = {.kind = kind, .file = place.file, .offset = place.offset, .parent = place.use};
    size_t length = name.length < sizeof use.name ? name.length : sizeof use.name - 1;
    if (length > 0) memcpy(use.name, name.text, length);
    uint32_t number = sources_add_use(x->sources, &use);
    if (number == 0) expander_no_memory(x);
    return number;
}

/* ---- .include ---- */

/* How many files are being included around a use; *twice when `path` is one of them. */
static unsigned include_depth(const struct sources *s, uint32_t file, uint32_t use, const char *path, bool *twice) {
    unsigned depth = 0;
    *twice = strcmp(s->file[file].path, path) == 0;
    for (; use != 0; use = s->use[use - 1].parent) {
        const struct source_use *u = &s->use[use - 1];
        *twice = *twice || strcmp(s->file[u->file].path, path) == 0;
        depth += u->kind == SOURCE_INCLUDE ? 1 : 0;
    }
    return depth;
}

/* Expands a file whose scan has found errors: in the text that is being made they have another place. */
static void expand_file(struct expander *x, const struct flow *f, const struct message *found, size_t count) {
    if (f->failed) {
        expander_no_memory(x);
        return;
    }
    for (size_t i = 0; i < count; i++) expander_error(x, f, found[i].offset, found[i].length, "%s", found[i].text);
    expander_lines(x, f, 0, f->size);
    if (f->size > 0) flow_append_fixed(&x->out, "\n", 1, f, f->size - 1, FLOW_SAME_USE);
}

/* Scans the text of a file, which it takes over, and expands it. */
static void include_text(struct expander *x, const struct flow *f, size_t at, const char *path, char *text,
                         size_t size) {
    uint32_t file, use = expander_use(x, SOURCE_INCLUDE, f, at, (struct span){"", 0});
    struct messages found;
    struct scan scan;
    struct flow included;
    if (sources_add_file(x->sources, path, text, size, text, &file) != STATUS_OK) {
        expander_no_memory(x);
        return;
    }
    messages_init(&found, path, text, size);
    if (scan_text(text, size, &scan, &found) == STATUS_OK) {
        flow_from_scan(&included, &scan, file, use);
        expand_file(x, &included, found.list, found.count);
        flow_release(&included);
    } else {
        expander_no_memory(x);
    }
    messages_release(&found);
}

static void do_include(struct expander *x, const struct flow *f, size_t start, size_t at, size_t end) {
    end = trim_blanks(f->text, at, end);
    at = skip_blanks(f->text, at, end);
    if (end - at < 3 || f->text[at] != '"' || memchr(f->text + at + 1, '"', end - at - 1) != f->text + end - 1) {
        expander_error(x, f, at, end > at ? end - at : 1, "expected a file name in quotes, alone on its line");
        return;
    }
    struct source_piece place = flow_place(f, start);
    char *path = file_beside(x->sources->file[place.file].path, f->text + at + 1, end - at - 2), *text = NULL;
    size_t size;
    struct diag d = {0};
    bool twice;
    if (path == NULL) {
        expander_no_memory(x);
        return;
    }
    if (include_depth(x->sources, place.file, place.use, path, &twice) >= EXPAND_FILES_MAX) {
        expander_error(x, f, at, end - at, "files are included more than %d deep", EXPAND_FILES_MAX);
    } else if (twice) {
        expander_error(x, f, at, end - at, "%s includes itself", path);
    } else if (file_read(path, &text, &size, &d) == STATUS_NO_MEMORY) {
        expander_no_memory(x);
    } else if (text == NULL) {
        expander_error(x, f, at, end - at, "%s: %s", path, d.text);
    } else if (memchr(text, '\0', size) != NULL) {
        expander_error(x, f, at, end - at, "%s: is not a text", path);
    } else {
        include_text(x, f, start, path, text, size);
        text = NULL;
    }
    free(text);
    free(path);
}

bool expander_directive(const struct flow *f, size_t at, size_t end, const char *name, size_t *rest) {
    size_t n = strlen(name);
    at = skip_blanks(f->text, at, end);
    *rest = at + n;
    return end - at >= n && memcmp(f->text + at, name, n) == 0 && (*rest == end || !is_name_char(f->text[*rest]));
}

/* ---- the whole ---- */

void expander_lines(struct expander *x, const struct flow *f, size_t at, size_t end) {
    while (at < end && !x->stop && !x->unwinds) {
        size_t stop = line_end(f->text, at, end), next = stop < end ? stop + 1 : end, rest;
        size_t start = skip_blanks(f->text, at, stop);
        bool directive = start < stop && f->text[start] == '.';
        if (directive && expander_directive(f, start, stop, ".include", &rest)) {
            do_include(x, f, start, rest, stop);
        } else if (directive && expander_directive(f, start, stop, ".macro", &rest)) {
            next = expander_macro(x, f, start, rest, stop, end);
        } else if (directive && expander_directive(f, start, stop, ".rept", &rest)) {
            next = expander_rept(x, f, start, rest, stop, end);
        } else {
            if (directive && expander_directive(f, start, stop, ".equ", &rest)) expander_equ(x, f, rest, stop);
            expander_plain(x, f, at, stop, next);
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
    struct flow source;
    struct message found = m->list[0];
    size_t count = m->count; /* a scan finds one error at most */
    m->count = m->errors = 0;
    flow_from_scan(&source, scan, 0, 0);
    expand_file(&x, &source, &found, count);
    flow_release(&source);
    if (x.stop) expander_blank(&x.out, 0); /* half an expansion only makes more errors */
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

/* SPDX-License-Identifier: Apache-2.0 */
/* .include, .macro and .rept. Works through the lines of a flow and appends to another one what becomes of them; what
 * a macro or a repetition makes is worked through the same way. A directive that is wrong leaves blanks behind, so that
 * its error has a place. */
#include "expand.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "grow.h"
#include "isa/parse.h"
#include "lines.h"
#include "macro.h"
#include "symbols.h"

enum { LEXEMES_MAX = 64 };

struct expander {
    struct sources *sources;
    struct messages *messages;
    struct flow out;
    struct macro *macros;
    size_t macro_count, macro_capacity;
    struct symbols equ; /* numbers that .rept may use */
    char **names;       /* theirs */
    size_t name_count, name_capacity;
    uint32_t number; /* of expansions so far: \@ */
    unsigned depth;
    bool stop; /* the expansion does not end, or memory ran out */
    bool no_memory;
};

static void expand_lines(struct expander *x, const struct flow *f, size_t at, size_t end);

static bool out_of_memory(struct expander *x) {
    x->no_memory = x->stop = true;
    return false;
}

static void blank_from(struct flow *f, size_t at) {
    for (; at < f->size; at++)
        if (f->text[at] != '\n') f->text[at] = ' ';
}

/* Leaves blanks where start..start+length of the flow was, and an error there. Returns false. */
static bool error_in(struct expander *x, const struct flow *f, size_t start, size_t length, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static bool error_in(struct expander *x, const struct flow *f, size_t start, size_t length, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t at = x->out.size, end = start + length < f->size ? start + length : f->size;
    flow_append(&x->out, f, start, end, FLOW_SAME_USE);
    if (x->out.failed) return out_of_memory(x);
    blank_from(&x->out, at);
    flow_append_fixed(&x->out, "\n", 1, f, start, FLOW_SAME_USE);
    messages_add(x->messages, at, length, "%s", text);
    return false;
}

/* A use that stands at an offset of the flow; 0 when memory is out. */
static uint32_t add_use(struct expander *x, enum source_use_kind kind, const struct flow *f, size_t at,
                        struct span name) {
    struct source_piece place = flow_place(f, at);
    struct source_use use = {.kind = kind, .file = place.file, .offset = place.offset, .parent = place.use};
    size_t length = name.length < sizeof use.name ? name.length : sizeof use.name - 1;
    if (length > 0) memcpy(use.name, name.text, length);
    uint32_t number = sources_add_use(x->sources, &use);
    if (number == 0) out_of_memory(x);
    return number;
}

static bool too_much(struct expander *x, const struct flow *f, size_t at, size_t length) {
    x->stop = true;
    return error_in(x, f, at, length, "macros and repetitions make too much text");
}

/* True while another expansion is allowed at this place. */
static bool may_expand(struct expander *x, const struct flow *f, size_t at, size_t length) {
    if (x->number == EXPAND_COUNT_MAX || x->out.size > EXPAND_BYTES_MAX) return too_much(x, f, at, length);
    if (x->depth < EXPAND_DEPTH_MAX) return true;
    x->stop = true;
    return error_in(x, f, at, length, "macros and repetitions are nested more than %d deep", EXPAND_DEPTH_MAX);
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
    for (size_t i = 0; i < count; i++) error_in(x, f, found[i].offset, found[i].length, "%s", found[i].text);
    expand_lines(x, f, 0, f->size);
    if (f->size > 0) flow_append_fixed(&x->out, "\n", 1, f, f->size - 1, FLOW_SAME_USE);
}

/* Scans the text of a file, which it takes over, and expands it. */
static void include_text(struct expander *x, const struct flow *f, size_t at, const char *path, char *text,
                         size_t size) {
    uint32_t file, use = add_use(x, SOURCE_INCLUDE, f, at, (struct span){"", 0});
    struct messages found;
    struct scan scan;
    struct flow included;
    if (sources_add_file(x->sources, path, text, size, text, &file) != STATUS_OK) {
        out_of_memory(x);
        return;
    }
    messages_init(&found, path, text, size);
    if (scan_text(text, size, &scan, &found) == STATUS_OK) {
        flow_from_scan(&included, &scan, file, use);
        expand_file(x, &included, found.list, found.count);
        flow_release(&included);
    } else {
        out_of_memory(x);
    }
    messages_release(&found);
}

static void do_include(struct expander *x, const struct flow *f, size_t start, size_t at, size_t end) {
    end = trim_blanks(f->text, at, end);
    at = skip_blanks(f->text, at, end);
    if (end - at < 3 || f->text[at] != '"' || memchr(f->text + at + 1, '"', end - at - 1) != f->text + end - 1) {
        error_in(x, f, at, end > at ? end - at : 1, "expected a file name in quotes, alone on its line");
        return;
    }
    struct source_piece place = flow_place(f, start);
    char *path = file_beside(x->sources->file[place.file].path, f->text + at + 1, end - at - 2), *text = NULL;
    size_t size;
    struct diag d = {0};
    bool twice;
    if (path == NULL) {
        out_of_memory(x);
        return;
    }
    if (include_depth(x->sources, place.file, place.use, path, &twice) >= EXPAND_FILES_MAX)
        error_in(x, f, at, end - at, "files are included more than %d deep", EXPAND_FILES_MAX);
    else if (twice)
        error_in(x, f, at, end - at, "%s includes itself", path);
    else if (file_read(path, &text, &size, &d) != STATUS_OK)
        error_in(x, f, at, end - at, "%s: %s", path, d.text);
    else if (memchr(text, '\0', size) != NULL)
        error_in(x, f, at, end - at, "%s: is not a text", path), free(text);
    else
        include_text(x, f, start, path, text, size);
    free(path);
}

/* ---- blocks of lines ---- */

/* True when the line at `at` begins with this directive; *rest is what follows it. */
static bool is_directive(const struct flow *f, size_t at, size_t end, const char *name, size_t *rest) {
    size_t n = strlen(name);
    at = skip_blanks(f->text, at, end);
    *rest = at + n;
    return end - at >= n && memcmp(f->text + at, name, n) == 0 && (*rest == end || !is_name_char(f->text[*rest]));
}

/* The body of a block goes from `at` to the line of its end directive; inner blocks of the kind count. */
struct block {
    size_t start, end, next;
    bool closed;
};

static struct block find_block(const struct flow *f, size_t at, size_t end, const char *opens, const char *closes) {
    struct block b = {.start = at, .end = end, .next = end};
    for (unsigned depth = 1; at < end;) {
        size_t stop = line_end(f->text, at, end), rest;
        depth += is_directive(f, at, stop, opens, &rest) ? 1u : 0;
        if (is_directive(f, at, stop, closes, &rest) && --depth == 0) {
            b.end = at;
            b.next = stop < end ? stop + 1 : end;
            b.closed = true;
            break;
        }
        at = stop + 1;
    }
    return b;
}

/* ---- .macro ---- */

static struct macro *find_macro(const struct expander *x, const char *name, size_t length) {
    for (size_t i = 0; i < x->macro_count; i++)
        if (x->macros[i].name.length == length && memcmp(x->macros[i].name.text, name, length) == 0)
            return &x->macros[i];
    return NULL;
}

/* Returns the offset behind the block. */
static size_t do_macro(struct expander *x, const struct flow *f, size_t start, size_t at, size_t line, size_t end) {
    struct block b = find_block(f, line < end ? line + 1 : end, end, ".macro", ".endm");
    struct macro macro, *grown = grow_array(x->macros, x->macro_count, &x->macro_capacity, sizeof *grown);
    struct isa_error e;
    if (grown == NULL) return out_of_memory(x), b.next;
    x->macros = grown;
    bool good = b.closed || error_in(x, f, start, 6, ".macro without .endm");
    if (!macro_define(&macro, f, at, line, &e)) good = error_in(x, f, e.start, e.length, "%s", e.text);
    if (good && find_macro(x, macro.name.text, macro.name.length) != NULL)
        good = error_in(x, f, skip_blanks(f->text, at, line), macro.name.length, "macro '%.*s' is defined twice",
                        (int)macro.name.length, macro.name.text);
    flow_append(&macro.body, f, b.start, b.end, FLOW_SAME_USE);
    if (macro.line.failed || macro.body.failed) out_of_memory(x);
    if (good)
        x->macros[x->macro_count++] = macro;
    else
        macro_release(&macro);
    return b.next;
}

/* Puts a body in place once, for the `length` bytes at `at`. */
static void expand_body(struct expander *x, const struct flow *body, const struct substitution *list, size_t count,
                        uint32_t use, const struct flow *f, size_t at, size_t length) {
    struct flow text = {0};
    if (use == 0 || !may_expand(x, f, at, length)) return;
    macro_substitute(&text, body, list, count, x->number++, use, EXPAND_BYTES_MAX);
    x->depth++;
    if (text.failed)
        out_of_memory(x);
    else if (text.size > EXPAND_BYTES_MAX)
        too_much(x, f, at, length);
    else if (text.size > 0)
        expand_lines(x, &text, 0, text.size);
    x->depth--;
    flow_release(&text);
}

/* The macro has been called at `at`; the arguments go to `end`. */
static void call_macro(struct expander *x, const struct macro *m, const struct flow *f, size_t at, size_t end) {
    struct substitution list[MACRO_PARAMETERS_MAX];
    struct isa_error e;
    size_t n = m->name.length;
    if (!macro_bind(m, f, at + n, end, list, &e)) {
        bool missing = e.start == at + n;
        error_in(x, f, missing ? at : e.start, missing ? n : e.length, "%s", e.text);
        return;
    }
    uint32_t use = add_use(x, SOURCE_MACRO, f, at, m->name);
    struct flow body = m->body; /* the macro may move in memory when its body defines another */
    expand_body(x, &body, list, m->parameter_count, use, f, at, n);
}

/* A line without a directive of this file: its statements may be calls. */
static void plain_line(struct expander *x, const struct flow *f, size_t start, size_t end, size_t next) {
    size_t done = start;
    for (size_t at = start; at < end && x->macro_count > 0 && !x->stop;) {
        size_t stop = statement_end(f->text, at, end), name, label;
        for (at = skip_blanks(f->text, at, stop); (label = label_length(f->text, at, stop, &name)) != 0;)
            at = skip_blanks(f->text, at + label, stop);
        const struct macro *m = name > 0 ? find_macro(x, f->text + at, name) : NULL;
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

/* ---- .rept and the numbers it may use ---- */

static bool find_equ(void *state, const char *name, size_t length, struct isa_symbol *symbol) {
    return symbols_find(state, name, length, SYMBOLS_FILE_SCOPE, symbol);
}

/* The number at start..end; *rest is where it ends. */
static bool read_number(struct expander *x, const struct flow *f, size_t start, size_t end, int64_t *value,
                        size_t *rest, struct isa_error *e) {
    struct lexeme lex[LEXEMES_MAX];
    struct isa_scope scope = {find_equ, &x->equ};
    size_t at = 0;
    if (lex_line(f->text + start, end - start, &scope, lex, LEXEMES_MAX, e) == 0) return false;
    if (!lex_expression(lex, &at, &scope, value, e)) return false;
    *rest = start + lex[at].start;
    return true;
}

/* ".equ NAME = NUMBER": the first pass reports what is wrong with it. */
static void note_equ(struct expander *x, const struct flow *f, size_t at, size_t end) {
    at = skip_blanks(f->text, at, end);
    size_t n = name_length(f->text, at, end), equals = skip_blanks(f->text, at + n, end), rest;
    struct isa_symbol symbol = {0};
    struct isa_error e;
    if (n == 0 || equals == end || f->text[equals] != '=' ||
        !read_number(x, f, equals + 1, end, &symbol.value, &rest, &e))
        return;
    char **grown = grow_array(x->names, x->name_count, &x->name_capacity, sizeof(char *));
    if (grown == NULL) {
        out_of_memory(x);
        return;
    }
    x->names = grown;
    char *name = x->names[x->name_count] = strndup(f->text + at, n);
    x->name_count += name != NULL ? 1 : 0;
    if (name == NULL || symbols_add(&x->equ, name, n, SYMBOLS_FILE_SCOPE, &symbol) == SYMBOLS_NO_MEMORY)
        out_of_memory(x);
}

/* ".rept COUNT" or ".rept COUNT, NAME": NAME counts from 0. Returns the offset behind the block. */
static size_t do_rept(struct expander *x, const struct flow *f, size_t start, size_t at, size_t line, size_t end) {
    struct block b = find_block(f, line < end ? line + 1 : end, end, ".rept", ".endr");
    struct substitution counter = {
        .name = {"", 0}
    };
    struct isa_error e = {0};
    struct flow body = {0};
    int64_t count;
    size_t rest, stop = trim_blanks(f->text, at, line);
    at = skip_blanks(f->text, at, stop);
    if (!b.closed) return error_in(x, f, start, 5, ".rept without .endr"), b.next;
    if (!read_number(x, f, at, stop, &count, &rest, &e))
        return error_in(x, f, at + e.start, e.length > 0 ? e.length : 1, "%s", e.text), b.next;
    if (count < 0 || count > EXPAND_COUNT_MAX)
        return error_in(x, f, at, rest - at, "number is out of range 0..%d", EXPAND_COUNT_MAX), b.next;
    if (rest < stop && f->text[rest] == ',') {
        rest = skip_blanks(f->text, rest + 1, stop);
        counter.name = (struct span){f->text + rest, name_length(f->text, rest, stop)};
        rest += counter.name.length;
    }
    if (rest < stop || (counter.name.length == 0 && f->text[stop - 1] == ','))
        return error_in(x, f, rest < stop ? rest : stop - 1, 1, "expected ', NAME' or the end of the line"), b.next;

    uint32_t use = add_use(x, SOURCE_REPEAT, f, start, (struct span){"", 0});
    flow_append(&body, f, b.start, b.end, FLOW_SAME_USE);
    if (body.failed) out_of_memory(x);
    for (int64_t i = 0; i < count && !x->stop; i++) {
        char digits[24];
        counter.value = (struct span){digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, i)};
        expand_body(x, &body, &counter, counter.name.length > 0 ? 1 : 0, use, f, start, 5);
    }
    flow_release(&body);
    return b.next;
}

/* ---- the whole ---- */

static void expand_lines(struct expander *x, const struct flow *f, size_t at, size_t end) {
    while (at < end && !x->stop) {
        size_t stop = line_end(f->text, at, end), next = stop < end ? stop + 1 : end, rest;
        size_t start = skip_blanks(f->text, at, stop);
        bool directive = start < stop && f->text[start] == '.';
        if (directive && is_directive(f, start, stop, ".include", &rest)) {
            do_include(x, f, start, rest, stop);
        } else if (directive && is_directive(f, start, stop, ".macro", &rest)) {
            next = do_macro(x, f, start, rest, stop, end);
        } else if (directive && is_directive(f, start, stop, ".rept", &rest)) {
            next = do_rept(x, f, start, rest, stop, end);
        } else {
            if (directive && is_directive(f, start, stop, ".equ", &rest)) note_equ(x, f, rest, stop);
            plain_line(x, f, at, stop, next);
        }
        if (x->out.failed) out_of_memory(x);
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
    if (x.stop) blank_from(&x.out, 0); /* half an expansion only makes more errors */
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

/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of .macro and .rept, and the numbers that .rept may use. */
#include "expand_block.h"

#include <stdlib.h>
#include <string.h>

#include "../base/grow.h"
#include "../isa/lex.h"
#include "lines.h"

enum { LEXEMES_MAX = 64 };

/* The body of a block extends from `at` to the line of its end directive; inner blocks of the same kind nest. */
struct block {
    size_t start, end, next;
    bool closed;
};

static struct block find_block(const struct flow *f, size_t at, size_t end, const char *opens, const char *closes) {
    struct block b = {.start = at, .end = end, .next = end};
    for (unsigned depth = 1; at < end;) {
        size_t stop = line_end(f->text, at, end), rest;
        depth += expander_directive(f, at, stop, opens, &rest) ? 1u : 0;
        if (expander_directive(f, at, stop, closes, &rest) && --depth == 0) {
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

struct macro *block_find_macro(const struct expander *x, const char *name, size_t length) {
    struct isa_symbol index;
    bool found = symbols_find(&x->macro_names, name, length, SYMBOLS_FILE_SCOPE, &index);
    return found ? &x->macros[index.value] : NULL;
}

/* Takes ownership of the macro. */
static void add_macro(struct expander *x, struct macro *m) {
    struct macro *grown = grow_array(x->macros, x->macro_count, &x->macro_capacity, sizeof *grown);
    if (grown != NULL) x->macros = grown;
    struct isa_symbol index = {.value = (int64_t)x->macro_count};
    if (grown != NULL)
        x->macros[x->macro_count++] = *m;
    else
        macro_release(m);
    if (grown == NULL || m->line.failed || m->body.failed ||
        !sources_add_macro(x->sources, m->name.text, m->name.length) ||
        symbols_add(&x->macro_names, m->name.text, m->name.length, SYMBOLS_FILE_SCOPE, &index) == SYMBOLS_NO_MEMORY)
        expander_no_memory(x);
}

size_t block_macro(struct expander *x, const struct flow *f, size_t start, size_t at, size_t line, size_t end) {
    struct block b = find_block(f, line < end ? line + 1 : end, end, ".macro", ".endm");
    struct macro macro;
    struct isa_error e = {0};
    bool good = b.closed || expander_error(x, f, start, 6, ".macro without .endm");
    if (!macro_define(&macro, f, at, line, &e)) good = expander_error(x, f, e.start, e.length, "%s", e.text);
    if (good && block_find_macro(x, macro.name.text, macro.name.length) != NULL)
        good = expander_error(x, f, skip_blanks(f->text, at, line), macro.name.length, "macro '%.*s' is defined twice",
                              (int)macro.name.length, macro.name.text);
    flow_append(&macro.body, f, b.start, b.end, FLOW_SAME_USE);
    if (good)
        add_macro(x, &macro);
    else
        macro_release(&macro);
    return b.next;
}

/* .rept and its numbers */

static bool find_equ(void *state, const char *name, size_t length, struct isa_symbol *symbol) {
    return symbols_find(state, name, length, SYMBOLS_FILE_SCOPE, symbol);
}

/* The number at start..end; *rest is its end. */
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

/* The first pass reports errors in it. */
void block_equ(struct expander *x, const struct flow *f, size_t at, size_t end) {
    at = skip_blanks(f->text, at, end);
    size_t n = name_length(f->text, at, end), equals = skip_blanks(f->text, at + n, end), rest;
    struct isa_symbol symbol = {0};
    struct isa_error e = {0};
    if (n == 0 || equals == end || f->text[equals] != '=' ||
        !read_number(x, f, equals + 1, end, &symbol.value, &rest, &e))
        return;
    char **grown = grow_array(x->names, x->name_count, &x->name_capacity, sizeof(char *));
    if (grown == NULL) {
        expander_no_memory(x);
        return;
    }
    x->names = grown;
    char *name = x->names[x->name_count] = strndup(f->text + at, n);
    x->name_count += name != NULL ? 1 : 0;
    if (name == NULL || symbols_add(&x->equ, name, n, SYMBOLS_FILE_SCOPE, &symbol) == SYMBOLS_NO_MEMORY)
        expander_no_memory(x);
}

/* "COUNT" or "COUNT, NAME" at..stop: NAME counts from 0. */
static bool read_count(struct expander *x, const struct flow *f, size_t at, size_t stop, int64_t *count,
                       struct span *name) {
    struct isa_error e = {0};
    size_t rest;
    *name = (struct span){"", 0};
    if (!read_number(x, f, at, stop, count, &rest, &e))
        return expander_error(x, f, at + e.start, e.length > 0 ? e.length : 1, "%s", e.text);
    if (*count < 0 || *count > EXPAND_COUNT_MAX)
        return expander_error(x, f, at, rest - at, "number is out of range 0..%d", EXPAND_COUNT_MAX);
    if (rest < stop && f->text[rest] == ',') {
        rest = skip_blanks(f->text, rest + 1, stop);
        *name = (struct span){f->text + rest, name_length(f->text, rest, stop)};
        rest += name->length;
    }
    if (rest == stop && (name->length > 0 || f->text[stop - 1] != ',')) return true;
    return expander_error(x, f, rest < stop ? rest : stop - 1, 1, "expected ', NAME' or the end of the line");
}

size_t block_rept(struct expander *x, const struct flow *f, size_t start, size_t at, size_t line, size_t end,
                  struct repetition *r) {
    struct block b = find_block(f, line < end ? line + 1 : end, end, ".rept", ".endr");
    size_t stop = trim_blanks(f->text, at, line);
    *r = (struct repetition){.count = 0};
    if (!b.closed) return expander_error(x, f, start, 5, ".rept without .endr"), b.next;
    if (!read_count(x, f, skip_blanks(f->text, at, stop), stop, &r->count, &r->counter)) {
        r->count = 0;
        return b.next;
    }
    flow_append(&r->body, f, b.start, b.end, FLOW_SAME_USE);
    if (r->body.failed) expander_no_memory(x);
    return b.next;
}

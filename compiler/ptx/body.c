/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the body of a PTX function: blocks, labels, directives. insn.c reads the instructions. */
#include <string.h>

#include "reader.h"

enum { DEEPEST_BLOCK = 1000 };

/* .loc FILE LINE COLUMN; newer PTX adds ", function_name NAME, inlined_at FILE LINE COLUMN". */
void ptx_read_loc(struct ptx_reader *r) {
    struct ptx_lexer *l = &r->lexer;
    const uint32_t start = l->token.line;
    const uint32_t file = ptx_read_count(l, UINT32_MAX), line = ptx_read_count(l, UINT32_MAX),
                   column = ptx_read_count(l, UINT32_MAX);
    if (line > 0) {
        l->file = file;
        l->source_line = line;
        l->source_column = column;
    }
    while (l->token.line == start && l->token.kind != PTX_END && !ptx_is(l, "}") && !ptx_is(l, ";")) ptx_next(l);
}

const struct ptx_symbol *ptx_find_label(struct ptx_reader *r, const char *name, size_t length) {
    struct ptx_symbol *s = ptx_names_find(&r->labels, name, length);
    if (s != NULL) return s;
    s = CC_NEW(r->cc, struct ptx_symbol);
    *s = (struct ptx_symbol){.name = cc_text(r->cc, name, length), .kind = PTX_LABEL, .place = ptx_place(&r->lexer)};
    ptx_names_add(&r->labels, s);
    CC_PUSH_POINTER(r->cc, r->function->labels, r->function->label_count, r->function->label_capacity, s);
    return s;
}

static void read_targets(struct ptx_reader *r, struct ptx_symbol *table) {
    struct ptx_lexer *l = &r->lexer;
    table->kind = PTX_TARGETS;
    table->placed = true;
    do {
        if (l->token.kind != PTX_WORD) ptx_fail(l, "expected a label");
        const struct ptx_symbol *label = ptx_find_label(r, l->token.text, l->token.length);
        CC_PUSH_POINTER(r->cc, table->targets, table->target_count, table->target_capacity, label);
        ptx_next(l);
    } while (ptx_accept(l, ","));
    ptx_expect(l, ";");
}

/* Skips .callprototype and .calltargets; a call through a pointer is refused if it is reachable. */
static void skip_statement(struct ptx_lexer *l) {
    while (!ptx_is(l, ";")) {
        if (l->token.kind == PTX_END) ptx_fail(l, "expected ';'");
        ptx_next(l);
    }
    ptx_next(l);
}

static void read_label(struct ptx_reader *r, const char *name, size_t length) {
    struct ptx_lexer *l = &r->lexer;
    struct ptx_symbol *s = (struct ptx_symbol *)ptx_find_label(r, name, length);
    if (s->placed) ptx_fail(l, "label '%s' is defined twice", s->name);
    ptx_expect(l, ":");
    if (ptx_accept(l, ".branchtargets")) {
        read_targets(r, s);
        return;
    }
    s->placed = true;
    if (ptx_is(l, ".callprototype") || ptx_is(l, ".calltargets")) {
        skip_statement(l);
        return;
    }
    s->index = (uint32_t)r->function->insn_count;
}

static void read_directive(struct ptx_reader *r) {
    struct ptx_lexer *l = &r->lexer;
    if (ptx_accept(l, ".reg")) {
        ptx_read_registers(r);
    } else if (ptx_token_space(l) != PTX_NO_SPACE) {
        ptx_read_variable(r, false);
    } else if (ptx_accept(l, ".loc")) {
        ptx_read_loc(r);
    } else if (ptx_accept(l, ".pragma")) {
        ptx_next(l);
        ptx_expect(l, ";");
    } else {
        ptx_fail(l, "unknown directive '%.*s'", (int)(l->token.length < 60 ? l->token.length : 60), l->token.text);
    }
}

/* Returns whether a ':' follows the word. */
static bool is_label(const struct ptx_lexer *l) {
    const char *at = l->at;
    while (at < l->end && (*at == ' ' || *at == '\t')) at++;
    return at < l->end && *at == ':';
}

static void read_statement(struct ptx_reader *r) {
    struct ptx_lexer *l = &r->lexer;
    const struct ptx_token t = l->token;
    if (ptx_accept(l, ";")) return;
    if (t.kind == PTX_WORD && t.text[0] == '.') {
        read_directive(r);
    } else if (t.kind == PTX_WORD && is_label(l)) {
        ptx_next(l);
        read_label(r, t.text, t.length);
    } else {
        ptx_read_insn(r);
    }
}

static void check_labels(struct ptx_reader *r) {
    const struct ptx_function *f = r->function;
    for (size_t i = 0; i < f->label_count; i++) {
        const struct ptx_symbol *label = f->labels[i];
        if (!label->placed) cc_fail(r->cc, &label->place, "label '%s' is not defined", label->name);
    }
}

void ptx_read_body(struct ptx_reader *r) {
    struct ptx_lexer *l = &r->lexer;
    unsigned depth = 1;
    ptx_names_init(&r->labels, r->cc);
    ptx_expect(l, "{");
    while (depth > 0) {
        if (l->token.kind == PTX_END) ptx_fail(l, "function '%s' has no '}'", r->function->name);
        if (ptx_is(l, "}")) {
            r->function->end = ptx_place(l);
            ptx_next(l);
            if (--depth > 0) ptx_names_leave_scope(&r->names);
        } else if (ptx_accept(l, "{")) {
            if (++depth > DEEPEST_BLOCK) ptx_fail(l, "blocks nest too deep");
            ptx_names_enter_scope(&r->names);
        } else {
            read_statement(r);
        }
    }
    check_labels(r);
}

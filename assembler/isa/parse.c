/* SPDX-License-Identifier: Apache-2.0 */
/* Text to words: follows the tree of patterns (gen_tree.c) through the lexemes of a line, trying siblings in turn. */
#include "parse.h"

#include <string.h>

static const struct mnemonic *find_mnemonic(const char *text, size_t length) {
    size_t low = 0, high = derived_mnemonics_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *candidate = derived_text + derived_mnemonics[middle].text;
        int order = strncmp(text, candidate, length);
        if (order == 0 && candidate[length] == '\0') return &derived_mnemonics[middle];
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

unsigned isa_mnemonic_bytes(const char *text, size_t length) {
    const struct mnemonic *m = find_mnemonic(text, length);
    return m != NULL ? m->bytes : 0;
}

/* Depth is that of a pattern, below ROW_TOKENS_MAX of gen.h. */
static bool walk(struct parse *p, uint16_t first, size_t at) {
    for (uint16_t i = first; i != 0; i = derived_tree[i].sibling) {
        const struct tree_node *node = &derived_tree[i];
        size_t next = at, values = p->value_count;
        if (parse_token(p, &node->token, &next)) {
            if (node->token.kind == TOKEN_END) {
                p->row = node->row;
                return true;
            }
            if (walk(p, node->child, next)) return true;
        }
        p->value_count = values;
    }
    return false;
}

static bool encode_values(const struct parse *p, uint32_t *lo, uint32_t *hi) {
    struct isa_fields fields;
    isa_default_fields(p->row, &fields);
    for (size_t i = 0; i < p->value_count; i++) fields.value[p->values[i].name] = p->values[i].value;
    return isa_encode(p->row, &fields, lo, hi);
}

bool isa_parse_lexemes(const struct lexeme *lex, const struct isa_scope *scope, uint32_t *lo, uint32_t *hi,
                       struct isa_error *error) {
    const struct mnemonic *m = lex[0].kind == LEX_WORD ? find_mnemonic(lex[0].text, lex[0].text_length) : NULL;
    if (m == NULL) {
        parse_word_unknown(&lex[0], error);
        return false;
    }
    struct parse p;
    p.lex = lex;
    p.scope = scope;
    p.error = error;
    p.value_count = p.furthest = p.expected_count = 0;
    p.explain = p.has_message = false;
    if (walk(&p, m->child, 1) && encode_values(&p, lo, hi)) return true;

    p.value_count = 0;
    p.explain = true;
    walk(&p, m->child, 1);
    parse_word_error(&p, &lex[0]);
    return false;
}

bool isa_parse(const char *text, size_t length, const struct isa_scope *scope, uint32_t *lo, uint32_t *hi,
               struct isa_error *error) {
    struct lexeme lex[PARSE_LEXEMES_MAX];
    if (lex_line(text, length, scope, lex, PARSE_LEXEMES_MAX, error) == 0) return false;
    return isa_parse_lexemes(lex, scope, lo, hi, error);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Parses text to words: follows the tree of patterns (gen_tree.c) through the lexemes of a line, trying siblings in
 * turn. */
#include "parse.h"

#include <string.h>

#include "mnemonic.h"
#include "parse_error.h"
#include "parse_operand.h"

/* The depth is that of a pattern, below ROW_TOKENS_MAX of gen.h. */
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

/* ---- modifiers in another order ---- */

enum { MODIFIERS_MAX = 7 }; /* no row has more */

/* The meaning of types (.U16, .S32, .F64) depends on their order, so they keep it: all others may move. */
static bool is_type(const struct lexeme *l) {
    if (l->text_length < 3 || strchr("USBF", l->text[1]) == NULL) return false;
    for (size_t i = 2; i < l->text_length; i++)
        if (l->text[i] < '0' || l->text[i] > '9') return false;
    return true;
}

/* A repeated modifier is tried once. */
static bool is_tried(const struct lexeme *modifier, size_t i, unsigned used) {
    for (size_t k = 0; k < i; k++)
        if ((used >> k & 1) == 0 && modifier[k].text_length == modifier[i].text_length &&
            memcmp(modifier[k].text, modifier[i].text, modifier[i].text_length) == 0)
            return true;
    return false;
}

/* Tries to parse with the modifiers lex[1..count] in every order that keeps the order of the types. `used` modifiers
 * are placed already, at the front of `order`. */
static bool permute(struct parse *p, const struct mnemonic *m, const struct lexeme *lex, struct lexeme *order,
                    size_t placed, size_t count, unsigned used) {
    if (placed == count) {
        p->value_count = 0;
        return walk(p, m->child, 1);
    }
    bool type_waits = false;
    for (size_t i = 0; i < count; i++) {
        if ((used >> i & 1) != 0 || (is_type(&lex[1 + i]) && type_waits) || is_tried(lex + 1, i, used)) continue;
        type_waits = type_waits || is_type(&lex[1 + i]);
        order[1 + placed] = lex[1 + i];
        if (permute(p, m, lex, order, placed + 1, count, used | 1u << i)) return true;
    }
    return false;
}

static bool parse_reordered(struct parse *p, const struct mnemonic *m, const struct lexeme *lex) {
    struct lexeme order[PARSE_LEXEMES_MAX];
    size_t modifiers = 0, count = 0;
    while (lex[1 + modifiers].kind == LEX_MODIFIER) modifiers++;
    if (modifiers < 2 || modifiers > MODIFIERS_MAX) return false;
    while (lex[count].kind != LEX_END)
        if (++count == PARSE_LEXEMES_MAX) return false;
    memcpy(order, lex, (count + 1) * sizeof *order);
    p->lex = order;
    bool good = permute(p, m, lex, order, 0, modifiers, 0);
    p->lex = lex;
    return good;
}

bool isa_parse_lexemes(const struct lexeme *lex, const struct isa_scope *scope, uint32_t *lo, uint32_t *hi,
                       struct isa_error *error) {
    const struct mnemonic *m = lex[0].kind == LEX_WORD ? mnemonic_find(lex[0].text, lex[0].text_length) : NULL;
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
    if ((walk(&p, m->child, 1) || parse_reordered(&p, m, lex)) && encode_values(&p, lo, hi)) return true;

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

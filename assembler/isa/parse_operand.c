/* SPDX-License-Identifier: Apache-2.0 */
/* Matches the tokens of a pattern against the lexemes of a line. */
#include "parse_operand.h"

#include <string.h>

/* Sets a field. A field that occurs twice in a pattern must get the same value twice. */
static bool give(struct parse *p, size_t at, enum isa_field name, uint32_t value) {
    uint32_t before;
    if (parse_find(p, name, &before)) {
        if (before == value) return true;
        if (name == ISA_FIELD_d) return parse_fail(p, at, "the third source must be the destination register");
        if (name == ISA_FIELD_cr) return parse_fail(p, at, "carry and guard must name the same C register");
        return parse_fail(p, at, "both bars of the absolute value must be there");
    }
    p->values[p->value_count++] = (struct parse_value){(uint8_t)name, value};
    return true;
}

static const struct lexeme *lexeme_at(const struct parse *p, size_t at) { return &p->lex[at]; }

/* The decimal number after `prefix` in the lexeme's text; *rest is its end. */
static bool numbered(const struct lexeme *l, const char *prefix, uint32_t *number, const char **rest) {
    size_t n = strlen(prefix), first = n;
    if (l->text_length <= n || memcmp(l->text, prefix, n) != 0) return false;
    for (*number = 0; n < l->text_length && l->text[n] >= '0' && l->text[n] <= '9' && n < first + 6; n++)
        *number = *number * 10 + (uint32_t)(l->text[n] - '0');
    *rest = l->text + n;
    return n > first;
}

static bool numbered_exactly(const struct lexeme *l, enum lexeme_kind kind, const char *prefix, uint32_t *number) {
    const char *rest;
    return l->kind == kind && numbered(l, prefix, number, &rest) && rest == l->text + l->text_length;
}

/* A word such as A1 or SR3, whose number must fit the field. */
static bool match_numbered(struct parse *p, const struct token *token, size_t *at, const char *prefix, uint32_t last) {
    const struct field *f = &isa_fields[token->field];
    const struct lexeme *l = lexeme_at(p, *at);
    uint32_t number;
    if (!numbered_exactly(l, LEX_WORD, prefix, &number)) return parse_expect(p, *at, token);
    if (number > last)
        return parse_fail(p, *at, "%.*s is out of range %s0..%s%u", (int)l->text_length, l->text, prefix, prefix, last);
    return give(p, (*at)++, (enum isa_field)f->name, number);
}

static bool match_register(struct parse *p, const struct token *token, size_t *at) {
    const struct field *f = &isa_fields[token->field];
    const struct lexeme *l = lexeme_at(p, *at);
    bool half = f->kind == KIND_REG16;
    uint32_t number, last = ((uint32_t)1 << field_width(f)) / (half ? 2 : 1) - 1;
    const char *rest;
    if (l->kind != LEX_WORD || !numbered(l, "R", &number, &rest)) return parse_expect(p, *at, token);
    size_t suffix = (size_t)(l->text + l->text_length - rest);
    bool side = suffix == 1 && (*rest == 'L' || *rest == 'H');
    if (!side && suffix != 0) return parse_expect(p, *at, token);
    if (side != half) return parse_expect(p, *at, token);
    if (number > last && half)
        return parse_fail(p, *at, "%.*s is out of range R0L..R%uH", (int)l->text_length, l->text, last);
    if (number > last) return parse_fail(p, *at, "%.*s is out of range R0..R%u", (int)l->text_length, l->text, last);
    return give(p, (*at)++, (enum isa_field)f->name, half ? number * 2 + (*rest == 'H' ? 1 : 0) : number);
}

/* ---- numbers ---- */

/* An expression; if none begins here, `token` was expected. */
static bool match_expression(struct parse *p, const struct token *token, size_t *at, int64_t *value) {
    struct isa_error error;
    const struct lexeme *l = lexeme_at(p, *at);
    size_t next = *at;
    if (lex_expression(p->lex, &next, p->scope, value, &error)) {
        *at = next;
        return true;
    }
    if (!p->explain) return false;
    bool begins = l->kind == LEX_NUMBER || lexeme_is_punct(l, '(') || error.start != l->start;
    bool name = l->kind == LEX_WORD && p->scope != NULL;
    if (name && !begins) {
        parse_expect(p, *at, token);
        lex_error(&error, l, "name '%.*s' is not defined", (int)l->text_length, l->text);
        error.kind = ISA_ERROR_UNDEFINED_NAME;
        return parse_note(p, *at, &error);
    }
    if (!begins) return parse_expect(p, *at, token);
    while (lexeme_at(p, *at)->kind != LEX_END && lexeme_at(p, *at)->start < error.start) (*at)++;
    error.start = lexeme_at(p, *at)->start;
    error.length = lexeme_at(p, *at)->length;
    return parse_note(p, *at, &error);
}

/* Wide immediates may have a sign, as a number modulo 2^bits. */
static bool match_immediate(struct parse *p, const struct token *token, size_t *at) {
    const struct field *f = &isa_fields[token->field];
    unsigned bits = field_width(f);
    int64_t value, last = ((int64_t)1 << bits) - 1, first = bits >= 16 ? -((int64_t)1 << (bits - 1)) : 0;
    size_t start = *at;
    if (!match_expression(p, token, at, &value)) return false;
    if (value < first || value > last) {
        if (first != 0) return parse_fail(p, start, "number does not fit in %u bits", bits);
        return value < 0 ? parse_fail(p, start, "%lld is out of range 0..0x%llx", (long long)value, (long long)last)
                         : parse_fail(p, start, "0x%llx is out of range 0..0x%llx", (long long)value, (long long)last);
    }
    return give(p, start, (enum isa_field)f->name, (uint32_t)value & (uint32_t)last);
}

static bool match_target(struct parse *p, const struct token *token, size_t *at) {
    int64_t value;
    size_t start = *at;
    if (!match_expression(p, token, at, &value)) return false;
    if (value < 0 || value >= 1 << 24) return parse_fail(p, start, "address is out of range 0..0xffffff");
    if (value % 4 != 0) return parse_fail(p, start, "address 0x%llx is not a multiple of 4", (long long)value);
    return give(p, start, ISA_FIELD_tgt, (uint32_t)value / 4);
}

static bool match_punct(struct parse *p, size_t *at, char c) {
    if (!lexeme_is_punct(lexeme_at(p, *at), c)) return parse_fail(p, *at, "expected '%c'", c);
    (*at)++;
    return true;
}

/* A number in brackets that becomes the field, without the brackets. */
static bool match_offset(struct parse *p, const struct token *token, size_t *at, const struct field *f, bool wraps) {
    const char *what = f->name == ISA_FIELD_cb ? "bank" : f->name == ISA_FIELD_sh ? "shift" : "offset";
    int64_t value, count = (int64_t)1 << field_width(f);
    size_t start = *at;
    if (!match_expression(p, token, at, &value)) return parse_fail(p, start, "expected a number");
    const int64_t below = wraps ? count / 2 : 0;
    if (value < -below || value >= count)
        return parse_fail(p, start, "%s is out of range %s%#llx..%#llx", what, wraps ? "-" : "", (long long)below,
                          (long long)count - 1);
    return give(p, start, (enum isa_field)f->name, (uint32_t)(value < 0 ? value + count : value));
}

/* ---- memory operands ---- */

/* "[0x4]", "[A1]", "[A1+0x4]", "[A1+++0x4]" */
static bool match_address(struct parse *p, const struct token *token, size_t *at, const struct field *offset,
                          unsigned areg_bits) {
    uint32_t areg = 0, increments = 0;
    bool alone = false;
    if (!match_punct(p, at, '[')) return false;
    const struct lexeme *l = lexeme_at(p, *at);
    if (numbered_exactly(l, LEX_WORD, "A", &areg)) {
        uint32_t last = areg_bits == 0 ? 0 : areg_bits == 2 ? 3 : 4;
        if (areg_bits == 0) return parse_fail(p, *at, "only the first memory operand can be indexed");
        if (areg > last) return parse_fail(p, *at, "A%u is out of range A1..A%u", areg, last);
        (*at)++;
        increments = lexeme_is_punct(lexeme_at(p, *at), '+') && lexeme_is_punct(lexeme_at(p, *at + 1), '+') &&
                     lexeme_is_punct(lexeme_at(p, *at + 2), '+');
        alone = lexeme_is_punct(lexeme_at(p, *at), ']');
        if (increments != 0)
            *at += 3;
        else if (!alone && !match_punct(p, at, '+'))
            return false;
    }
    if (alone ? !give(p, *at, (enum isa_field)offset->name, 0) : !match_offset(p, token, at, offset, increments != 0))
        return false;
    if (areg_bits != 0 && !(give(p, *at, ISA_FIELD_areg, areg) && give(p, *at, ISA_FIELD_inc, increments)))
        return false;
    return match_punct(p, at, ']');
}

static bool at_word(const struct parse *p, size_t at, const char *word) {
    return lexeme_at(p, at)->kind == LEX_WORD && lexeme_is(lexeme_at(p, at), word);
}

/* The spelling of an enumerated field at lex[*at]: the empty one if no other fits. */
static bool match_enum(struct parse *p, const struct token *token, size_t *at) {
    const struct field *f = &isa_fields[token->field];
    const struct lexeme *l = lexeme_at(p, *at);
    bool has_empty = false;
    uint32_t empty = 0;
    for (uint32_t v = 0; v < (uint32_t)1 << field_width(f); v++) {
        size_t length;
        const char *s = field_spelling(f, v, &length);
        if (s == NULL) continue;
        if (length == 0) {
            has_empty = true;
            empty = v;
        } else if (l->kind != LEX_END && l->kind != LEX_STRING && length == l->text_length &&
                   memcmp(s, l->text, length) == 0) {
            return give(p, (*at)++, (enum isa_field)f->name, v);
        }
    }
    parse_expect(p, *at, token);
    return has_empty && give(p, *at, (enum isa_field)f->name, empty);
}

static bool match_shared(struct parse *p, const struct token *token, size_t *at) {
    bool half_form = token->field == GT_L13_32 || token->field == GT_L13_16;
    if (!at_word(p, *at, "g")) return parse_expect(p, *at, token);
    (*at)++;
    if (!match_address(p, token, at, &isa_fields[half_form ? GOFF_L9_4 : GOFF_L9_5], half_form ? 2 : 3)) return false;
    return match_enum(p, token, at);
}

static bool match_const(struct parse *p, const struct token *token, size_t *at) {
    bool half_form = token->field == COFF_L16_5;
    uint32_t shared;
    if (!at_word(p, *at, "c")) return parse_expect(p, *at, token);
    (*at)++;
    unsigned areg_bits = half_form ? 2 : 3;
    if (parse_find(p, ISA_FIELD_goff, &shared)) areg_bits = 0;
    return match_punct(p, at, '[') && match_offset(p, token, at, &isa_fields[half_form ? BANK_L21 : BANK_H22], false) &&
           match_punct(p, at, ']') && match_address(p, token, at, &isa_fields[token->field], areg_bits);
}

static bool match_global(struct parse *p, const struct token *token, size_t *at) {
    uint32_t segment;
    static const struct token address = {TOKEN_FIELD, AR_L9_7, 0};
    if (!numbered_exactly(lexeme_at(p, *at), LEX_WORD, "global", &segment)) return parse_expect(p, *at, token);
    if (segment > 15) return parse_fail(p, *at, "segment is out of range global0..global15");
    if (!give(p, (*at)++, ISA_FIELD_seg, segment)) return false;
    return match_punct(p, at, '[') && match_register(p, &address, at) && match_punct(p, at, ']');
}

static bool match_dest(struct parse *p, const struct token *token, size_t *at) {
    if (!at_word(p, *at, "o") || !lexeme_is_punct(lexeme_at(p, *at + 1), '['))
        return give(p, *at, ISA_FIELD_od, 0) && match_register(p, token, at);
    *at += 2;
    return give(p, *at, ISA_FIELD_od, 1) && match_offset(p, token, at, &isa_fields[DR_L2_7], false) &&
           match_punct(p, at, ']');
}

/* ---- guards and modifiers ---- */

static bool find_condition(const struct lexeme *l, uint32_t *cond) {
    if (l->kind != LEX_MODIFIER) return false;
    for (*cond = 0; *cond < 32; (*cond)++) {
        const char *name = isa_cond_name(*cond);
        if (strlen(name) == l->text_length - 1 && memcmp(name, l->text + 1, l->text_length - 1) == 0) return true;
    }
    return false;
}

/* "C0.NE". TRUE reads no C register: its field stays as without a guard. */
static bool match_condition(struct parse *p, const struct token *token, size_t *at) {
    uint32_t creg, cond;
    if (!numbered_exactly(lexeme_at(p, *at), LEX_WORD, "C", &creg)) return parse_expect(p, *at, token);
    if (creg > 3) return parse_fail(p, *at, "C%u is out of range C0..C3", creg);
    const struct lexeme *l = lexeme_at(p, ++*at);
    if (!find_condition(l, &cond))
        return parse_fail(p, *at,
                          l->kind == LEX_MODIFIER ? "unknown condition '%.*s'" : "expected a condition such as .NE",
                          (int)l->text_length, l->text);
    return (cond == ISA_COND_TRUE || give(p, *at, ISA_FIELD_cr, creg)) && give(p, (*at)++, ISA_FIELD_cond, cond);
}

static bool no_guard(struct parse *p, const struct token *token, size_t at) {
    parse_expect(p, at, token);
    return give(p, at, ISA_FIELD_cond, ISA_COND_TRUE);
}

static bool match_guard(struct parse *p, const struct token *token, size_t *at) {
    if (!lexeme_is_punct(lexeme_at(p, *at), '(')) return no_guard(p, token, *at);
    (*at)++;
    return match_condition(p, token, at) && match_punct(p, at, ')');
}

static bool match_flow_guard(struct parse *p, const struct token *token, size_t *at) {
    uint32_t creg;
    if (!numbered_exactly(lexeme_at(p, *at), LEX_WORD, "C", &creg) || lexeme_at(p, *at + 1)->kind != LEX_MODIFIER)
        return no_guard(p, token, *at);
    return match_condition(p, token, at) && (token->kind == TOKEN_GUARD_RET || match_punct(p, at, ','));
}

static bool match_join(struct parse *p, const struct token *token, size_t *at) {
    const struct lexeme *l = lexeme_at(p, *at);
    if (l->kind == LEX_MODIFIER && lexeme_is(l, ".S")) return give(p, (*at)++, ISA_FIELD_mark, ISA_MARK_JOIN);
    parse_expect(p, *at, token);
    return give(p, *at, ISA_FIELD_mark, ISA_MARK_NONE);
}

static bool match_set_c(struct parse *p, const struct token *token, size_t *at) {
    uint32_t creg;
    if (!numbered_exactly(lexeme_at(p, *at), LEX_MODIFIER, ".C", &creg)) {
        parse_expect(p, *at, token);
        return give(p, *at, ISA_FIELD_ce, 0);
    }
    if (creg > 3) return parse_fail(p, *at, ".C%u is out of range .C0...C3", creg);
    return give(p, *at, ISA_FIELD_ce, 1) && give(p, (*at)++, ISA_FIELD_cd, creg);
}

static bool match_carry(struct parse *p, const struct token *token, size_t *at) {
    uint32_t creg;
    if (!numbered_exactly(lexeme_at(p, *at), LEX_MODIFIER, ".CARRY", &creg)) return parse_expect(p, *at, token);
    if (creg > 3) return parse_fail(p, *at, ".CARRY%u is out of range .CARRY0...CARRY3", creg);
    return give(p, (*at)++, ISA_FIELD_cr, creg);
}

static bool match_bars(struct parse *p, const struct token *token, size_t *at) {
    bool bar = lexeme_is_punct(lexeme_at(p, *at), '|');
    if (!bar) parse_expect(p, *at, token);
    return give(p, bar ? (*at)++ : *at, (enum isa_field)isa_fields[token->field].name, bar ? 1 : 0);
}

static bool match_text(struct parse *p, const struct token *token, size_t *at) {
    const char *text = derived_text + token->text;
    const struct lexeme *l = lexeme_at(p, *at);
    size_t length = strlen(text);
    if (text[0] == ',') length = 1;
    bool literal = l->kind == LEX_WORD || l->kind == LEX_MODIFIER || l->kind == LEX_PUNCT;
    if (!literal || l->text_length != length || memcmp(l->text, text, length) != 0) return parse_expect(p, *at, token);
    (*at)++;
    return true;
}

static bool match_end(struct parse *p, const struct token *token, size_t *at) {
    size_t next = *at + (lexeme_is_punct(lexeme_at(p, *at), ';') ? 1 : 0);
    return lexeme_at(p, next)->kind == LEX_END || parse_expect(p, *at, token);
}

/* ", 0x2", omitted when 0 */
static bool match_shift(struct parse *p, const struct token *token, size_t *at) {
    if (lexeme_is_punct(lexeme_at(p, *at), ',')) {
        (*at)++;
        return match_offset(p, token, at, &isa_fields[token->field], false);
    }
    parse_expect(p, *at, token);
    return give(p, *at, ISA_FIELD_sh, 0);
}

/* ".LANE5": a hex digit, one bit for each lane of a quad */
static bool match_lane(struct parse *p, const struct token *token, size_t *at) {
    const struct lexeme *l = lexeme_at(p, *at);
    const char *digits = "0123456789abcdef", *digit;
    if (l->kind == LEX_MODIFIER && l->text_length == 6 && memcmp(l->text, ".LANE", 5) == 0 &&
        (digit = memchr(digits, l->text[5], 16)) != NULL)
        return give(p, (*at)++, ISA_FIELD_lane, (uint32_t)(digit - digits));
    parse_expect(p, *at, token);
    return give(p, *at, ISA_FIELD_lane, 15);
}

static bool match_field(struct parse *p, const struct token *token, size_t *at) {
    switch ((enum field_kind)isa_fields[token->field].kind) {
    case KIND_REG32:
    case KIND_REG16:
    case KIND_REG16B: return match_register(p, token, at);
    case KIND_HEX:
    case KIND_SHEX: return match_immediate(p, token, at);
    case KIND_TARGET: return match_target(p, token, at);
    case KIND_SHIFT: return match_shift(p, token, at);
    case KIND_ENUM: return match_enum(p, token, at);
    case KIND_LANE: return match_lane(p, token, at);
    case KIND_AREG: return match_numbered(p, token, at, "A", 4);
    case KIND_CREG: return match_numbered(p, token, at, "C", 3);
    case KIND_SREG: return match_numbered(p, token, at, "SR", 15);
    case KIND_BARRIER: return match_numbered(p, token, at, "b", 15);
    case KIND_ABS:
    case KIND_FLAG:
    case KIND_COND:
    case KIND_MARK:
    case KIND_HIDDEN: break;
    }
    return false;
}

bool parse_token(struct parse *p, const struct token *token, size_t *at) {
    switch ((enum token_kind)token->kind) {
    case TOKEN_END: return match_end(p, token, at);
    case TOKEN_TEXT: return match_text(p, token, at);
    case TOKEN_FIELD: return match_field(p, token, at);
    case TOKEN_BARS: return match_bars(p, token, at);
    case TOKEN_JOIN: return match_join(p, token, at);
    case TOKEN_SET_C: return match_set_c(p, token, at);
    case TOKEN_CARRY: return match_carry(p, token, at);
    case TOKEN_GUARD: return match_guard(p, token, at);
    case TOKEN_GUARD_BRA:
    case TOKEN_GUARD_RET: return match_flow_guard(p, token, at);
    case TOKEN_DEST: return match_dest(p, token, at);
    case TOKEN_SHARED: return match_shared(p, token, at);
    case TOKEN_SHARED_CELL:
        if (!at_word(p, *at, "g")) return parse_expect(p, *at, token);
        return match_address(p, token, (++*at, at), &isa_fields[token->field], 3);
    case TOKEN_CONST:
    case TOKEN_CONST_FAR: return match_const(p, token, at);
    case TOKEN_LOCAL:
        if (!at_word(p, *at, "local")) return parse_expect(p, *at, token);
        return match_address(p, token, (++*at, at), &isa_fields[token->field], 3);
    case TOKEN_GLOBAL: return match_global(p, token, at);
    }
    return false;
}

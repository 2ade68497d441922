// SPDX-License-Identifier: Apache-2.0
#include "vhdl_number.h"

#include <stdlib.h>
#include <string.h>

#include "vhdl_lexer.h"

enum { DEEPEST = 100 };
static const long long MOST = 1LL << 40; // larger values are no sizes of hardware

struct sum {
    const struct vhdl_scope *scope;
    struct lexer lexer;
    struct token token;
    unsigned depth;
    bool bad;
};

static struct sum sum_of(const struct vhdl_scope *scope, const char *text) {
    struct sum s = {.scope = scope, .lexer = lexer_of(text), .depth = scope->depth};
    s.token = vhdl_next_word(&s.lexer);
    return s;
}

static bool takes(struct sum *s, const char *text) {
    if (s->token.kind == TOKEN_END || !token_is(&s->token, text)) return false;
    s->token = vhdl_next_word(&s->lexer);
    return true;
}

static long long fail(struct sum *s) {
    s->bad = true;
    return 0;
}

static long long bounded(struct sum *s, long long value) { return value > MOST || value < -MOST ? fail(s) : value; }

const struct vhdl_name *vhdl_look_up(const struct vhdl_scope *scope, const char *name, const struct vhdl_unit **unit) {
    *unit = scope->unit;
    const struct vhdl_name *found = scope->unit ? vhdl_find(scope->unit, name) : NULL;
    if (found) return found;
    for (const struct vhdl_unit *u = scope->vhdl->units; u; u = u->next) {
        const struct vhdl_name *in = u->is_package ? vhdl_find(u, name) : NULL;
        if (!in) continue;
        found = in;
        *unit = u;
    }
    return found;
}

static long long take_sum(struct sum *s);

// A member of the configuration: CONFIG.CORES, config_of(MACHINE).CORES.
static long long take_member(struct sum *s) {
    const struct vhdl_scope *scope = s->scope;
    struct token member = s->token;
    s->token = vhdl_next_word(&s->lexer);
    for (size_t i = 0; member.kind == TOKEN_NAME && i < scope->config_count; i++)
        if (token_is(&member, scope->config[i].name)) return bounded(s, scope->config[i].value);
    return fail(s);
}

// The value of a package's constant is the same everywhere: its names are those of the package.
static long long value_of(struct sum *s, const char *name) {
    const struct vhdl_scope *scope = s->scope;
    for (size_t i = 0; i < scope->generic_count; i++)
        if (strcmp(scope->generics[i].name, name) == 0) return bounded(s, scope->generics[i].value);
    struct vhdl_scope inner = *scope;
    const struct vhdl_unit *unit;
    const struct vhdl_name *constant = vhdl_look_up(scope, name, &unit);
    if (!constant || constant->kind != VHDL_CONSTANT || s->depth >= DEEPEST) return fail(s);
    if (unit->is_package) inner.unit = unit;
    inner.depth = s->depth + 1;
    struct sum of = sum_of(&inner, constant->text);
    long long value = take_sum(&of);
    return of.bad || of.token.kind != TOKEN_END ? fail(s) : value;
}

static long long log2_of(long long value) {
    long long bits = 0;
    while (value >> (bits + 1) > 0) bits++;
    return bits;
}

static long long take_group(struct sum *s) {
    long long value = s->depth++ < DEEPEST ? take_sum(s) : fail(s);
    s->depth--;
    return takes(s, ")") ? value : fail(s);
}

static long long take_atom(struct sum *s) {
    if (takes(s, "(")) return take_group(s);
    struct token token = s->token;
    char word[64];
    if (token.length >= sizeof word) return fail(s);
    memcpy(word, token.text, token.length);
    word[token.length] = '\0';
    s->token = vhdl_next_word(&s->lexer);
    if (token.kind == TOKEN_NUMBER) {
        char *end;
        long long value = strtoll(word, &end, 10);
        return *end ? fail(s) : bounded(s, value);
    }
    if (token.kind != TOKEN_NAME) return fail(s);
    if (strcmp(word, "log2") == 0 && takes(s, "(")) return log2_of(take_group(s));
    if (strcmp(word, "config_of") == 0 && !(takes(s, "(") && takes(s, "MACHINE") && takes(s, ")"))) return fail(s);
    const bool of_config = strcmp(word, "CONFIG") == 0 || strcmp(word, "config_of") == 0;
    if (takes(s, ".")) return of_config ? take_member(s) : fail(s);
    return value_of(s, word);
}

static long long take_power(struct sum *s) {
    long long base = take_atom(s);
    if (!takes(s, "**")) return base;
    long long times = take_atom(s), value = 1;
    if (llabs(base) > 1 << 20 || times < 0 || times > 64) return fail(s);
    for (; times > 0 && !s->bad; times--) value = bounded(s, value * base);
    return value;
}

static long long take_product(struct sum *s) {
    long long value = take_power(s);
    for (;;) {
        char mark = takes(s, "*") ? '*' : takes(s, "/") ? '/' : takes(s, "mod") ? '%' : '\0';
        if (!mark) return value;
        long long by = take_power(s);
        if (mark == '*' && llabs(by) < 1 << 20 && llabs(value) < MOST)
            value = bounded(s, value * by);
        else if (mark != '*' && by > 0)
            value = mark == '/' ? value / by : value % by;
        else
            return fail(s);
    }
}

static long long take_sum(struct sum *s) {
    long long value = take_product(s);
    for (;;)
        if (takes(s, "+"))
            value = bounded(s, value + take_product(s));
        else if (takes(s, "-"))
            value = bounded(s, value - take_product(s));
        else
            return value;
}

bool vhdl_range_of(const struct vhdl_scope *scope, const char *text, struct vhdl_range *range) {
    struct sum s = sum_of(scope, text);
    range->left = take_sum(&s);
    range->downward = takes(&s, "downto");
    if (!range->downward && !takes(&s, "to")) return false;
    range->right = take_sum(&s);
    return !s.bad && s.token.kind == TOKEN_END;
}

// SPDX-License-Identifier: Apache-2.0
#include "vhdl_others.h"

#include <stdlib.h>
#include <string.h>

#include "vhdl_lexer.h"

// Facts about a net of the architecture.
struct known {
    struct net *compared; // with a constant
    const char *constant; // its `bits` digits
    size_t bits;
    struct net **parts; // joined by `&` or `or`
    size_t count;
    bool visited;
};

struct others {
    struct pool *pool;
    struct module nets; // names alone
    struct known **known;
    struct lexer lexer;
    struct token *word; // of the current statement
    size_t words, room;
    const char *source; // place in the source, from the last comment
    size_t source_length;
    FILE *out;
    unsigned found;
};

static struct known *known_of(struct others *o, const struct token *name, struct net **net) {
    unsigned count = o->nets.net_count;
    *net = module_net(&o->nets, name->text, name->length);
    if ((*net)->id == count) {
        o->known = pool_grow(o->pool, o->known, count, sizeof(struct known *));
        o->known[count] = pool_take(o->pool, sizeof **o->known);
    }
    return o->known[(*net)->id];
}

static bool is(const struct others *o, size_t at, const char *text) {
    return at < o->words && token_is(&o->word[at], text);
}

static bool is_constant(const struct others *o, size_t at) {
    return at < o->words && (o->word[at].kind == TOKEN_CHARACTER || o->word[at].kind == TOKEN_STRING);
}

// n1_o <= '1' when op = "00" else '0';
static bool is_comparison(const struct others *o) {
    return o->words == 10 && is(o, 1, "<=") && is(o, 3, "when") && is(o, 5, "=") && is_constant(o, 6) &&
           is(o, 7, "else") && is(o, 8, "'0'");
}

// n4_o <= n1_o & n2_o;
static bool is_joined(const struct others *o) {
    if (!is(o, 1, "<=") || o->words < 6) return false;
    for (size_t i = 3; i + 1 < o->words; i += 2)
        if (!is(o, i, "&") && !is(o, i, "or")) return false;
    return true;
}

static void learn(struct others *o) {
    struct net *net;
    if (is_comparison(o)) {
        struct known *k = known_of(o, &o->word[0], &net);
        known_of(o, &o->word[4], &k->compared);
        k->constant = o->word[6].text + 1;
        k->bits = o->word[6].length - 2;
    } else if (is_joined(o)) {
        struct known *k = known_of(o, &o->word[0], &net);
        k->parts = pool_take(o->pool, o->words * sizeof(struct net *));
        k->count = 0;
        for (size_t i = 2; i < o->words; i += 2)
            if (o->word[i].kind == TOKEN_NAME) known_of(o, &o->word[i], &k->parts[k->count++]);
    }
}

// ------------------------------------------------------------------------------------------------------ completeness

// The comparisons behind a net, all with the same one.
struct compared {
    struct known **list;
    size_t count;
    bool wrong; // an operand is no comparison, or one with another net
};

static void collect(struct others *o, const struct net *net, struct compared *all) {
    struct known *k = o->known[net->id];
    if (k->visited) return;
    k->visited = true;
    for (size_t i = 0; i < k->count; i++) collect(o, k->parts[i], all);
    if (k->count > 0) return;
    if (!k->compared || (all->count > 0 && k->compared != all->list[0]->compared)) all->wrong = true;
    all->list = pool_grow(o->pool, all->list, all->count, sizeof(struct known *));
    all->list[all->count++] = k;
}

static int by_constant(const void *a, const void *b) {
    const struct known *const *x = a, *const *y = b;
    size_t bits = (*x)->bits < (*y)->bits ? (*x)->bits : (*y)->bits;
    int order = memcmp((*x)->constant, (*y)->constant, bits);
    return order ? order : ((*x)->bits > (*y)->bits) - ((*x)->bits < (*y)->bits);
}

// True if these constants cover all values of the net that the selector's parts compare.
static bool is_complete(struct others *o, const struct token *selector) {
    struct net *net;
    struct compared all = {0};
    known_of(o, selector, &net);
    for (unsigned i = 0; i < o->nets.net_count; i++) o->known[i]->visited = false;
    collect(o, net, &all);
    if (all.wrong || !all.list) return false;
    qsort(all.list, all.count, sizeof(struct known *), by_constant);
    size_t values = 0;
    for (size_t i = 0; i < all.count; i++)
        if (i == 0 || by_constant(&all.list[i - 1], &all.list[i]) != 0) values++;
    size_t bits = all.list[0]->bits;
    return bits < 32 && values == (size_t)1 << bits;
}

// True if some constant of the arm is X.
static bool is_unknown(const struct others *o, size_t from) {
    for (; from < o->words; from++)
        if (is_constant(o, from) && strspn(o->word[from].text + 1, "X") + 2 == o->word[from].length) return true;
    return false;
}

// with SELECTOR select TARGET <= VALUE when CHOICE, ... VALUE when others;
static void look_at_choice(struct others *o) {
    if (!is(o, 0, "with") || !is(o, o->words - 2, "others")) return;
    size_t arm = o->words - 2;
    while (arm > 0 && !is(o, arm, ",") && !is(o, arm, "<=")) arm--;
    if (is_unknown(o, arm) || is_complete(o, &o->word[1])) return;
    const struct token *last = &o->word[o->words - 1], *first = &o->word[arm + 1];
    fprintf(o->out, "%.*s: a case whose others can be reached: %.*s\n", (int)o->source_length, o->source,
            (int)(last->text + last->length - first->text), first->text);
    o->found++;
}

// -------------------------------------------------------------------------------------------------------- statements

// -- rtl/front/sched.vhd:60:5 :
static void read_source(struct others *o, const struct token *comment) {
    o->source = comment->text + 2;
    o->source += strspn(o->source, " ");
    o->source_length = strcspn(o->source, " \n");
}

static void add_word(struct others *o, const struct token *token) {
    if (o->words == o->room) {
        o->word = pool_grow(o->pool, o->word, o->room, sizeof *o->word);
        o->room = o->room ? 2 * o->room : 1;
    }
    o->word[o->words++] = *token;
}

// The words up to a semicolon, or to a word after which statements begin; false at the end.
static bool next_statement(struct others *o) {
    o->words = 0;
    for (;;) {
        struct token token = vhdl_next(&o->lexer);
        if (token.kind == TOKEN_END) return false;
        if (token.kind == TOKEN_COMMENT) {
            if (token.begins_line && o->words == 0) read_source(o, &token);
            continue;
        }
        if (token_is(&token, "begin")) {
            o->words = 0;
            continue;
        }
        add_word(o, &token);
        if (token_is(&token, ";")) return true;
    }
}

static void each_statement(struct others *o, const char *text, void (*does)(struct others *)) {
    o->lexer = lexer_of(text);
    while (next_statement(o)) does(o);
}

unsigned vhdl_others(struct pool *pool, const char *text, FILE *out) {
    struct others o = {.pool = pool, .nets = {.pool = pool}, .source = "", .out = out};
    each_statement(&o, text, learn);
    each_statement(&o, text, look_at_choice);
    return o.found;
}

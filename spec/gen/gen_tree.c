/* SPDX-License-Identifier: Apache-2.0 */
/* Merges the token sequences of all rows into one tree, so that the parser follows a few branches instead of trying
 * hundreds of rows. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

enum { NODES_MAX = 16384, MNEMONICS_MAX = 128 };

struct tree {
    struct tree_node node[NODES_MAX]; /* node 0 is unused: index 0 means none */
    size_t node_count;
    struct mnemonic mnemonic[MNEMONICS_MAX];
    size_t mnemonic_count;
};

/* The parser skips spaces. */
static bool is_space(const struct table *t, const struct token *token) {
    return token->kind == TOKEN_TEXT && strcmp(t->text + token->text, " ") == 0;
}

/* Literal text comes first among siblings, so that a '-' in a pattern wins over one that begins an expression. */
static uint16_t add_child(struct tree *tree, uint16_t *first, struct token token) {
    uint16_t *link = first;
    for (; *link != 0; link = &tree->node[*link].sibling) {
        const struct token *other = &tree->node[*link].token;
        if (other->kind == token.kind && other->field == token.field && other->text == token.text) return *link;
    }
    assert(tree->node_count < NODES_MAX);
    uint16_t at = (uint16_t)tree->node_count++;
    tree->node[at].token = token;
    if (token.kind == TOKEN_TEXT) {
        tree->node[at].sibling = *first;
        *first = at;
    } else {
        *link = at;
    }
    return at;
}

static uint16_t *find_mnemonic(struct tree *tree, const struct table *t, size_t row, uint16_t text) {
    for (size_t i = 0; i < tree->mnemonic_count; i++)
        if (tree->mnemonic[i].text == text) return &tree->mnemonic[i].child;
    assert(tree->mnemonic_count < MNEMONICS_MAX);
    uint8_t bytes = (t->row[row].match & 1) != 0 ? 8 : 4;
    tree->mnemonic[tree->mnemonic_count] = (struct mnemonic){text, 0, bytes};
    return &tree->mnemonic[tree->mnemonic_count++].child;
}

/* If another row has the same text, the row keeps its word for disassembly, but the text assembles to the first row. */
static void add_row(struct tree *tree, const struct table *t, size_t row, uint16_t tokens) {
    const struct token *token = &t->token[tokens];
    uint16_t *children = find_mnemonic(tree, t, row, token->text);
    for (token++;; token++) {
        if (is_space(t, token)) continue;
        size_t before = tree->node_count;
        uint16_t at = add_child(tree, children, *token);
        if (token->kind == TOKEN_END) {
            if (before != tree->node_count) tree->node[at].row = (uint16_t)row;
            return;
        }
        children = &tree->node[at].child;
    }
}

/* insertion sort by text: the comparison needs a context, which qsort does not pass */
static void sort_mnemonics(struct tree *tree, const struct table *t) {
    for (size_t i = 1; i < tree->mnemonic_count; i++) {
        struct mnemonic m = tree->mnemonic[i];
        size_t j = i;
        for (; j > 0 && strcmp(t->text + tree->mnemonic[j - 1].text, t->text + m.text) > 0; j--)
            tree->mnemonic[j] = tree->mnemonic[j - 1];
        tree->mnemonic[j] = m;
    }
}

void write_tree(const struct table *t) {
    struct tree *tree = calloc(1, sizeof *tree);
    if (tree == NULL) gen_fail("out of memory");
    tree->node_count = 1;
    for (size_t row = 0; row < t->row_count; row++) add_row(tree, t, row, t->row_tokens[row]);
    for (size_t i = 0; i < t->also_count; i++) add_row(tree, t, t->also_row[i], t->also_tokens[i]);
    sort_mnemonics(tree, t);

    printf("\nconst struct tree_node derived_tree[] = {\n");
    for (size_t i = 0; i < tree->node_count; i++) {
        const struct tree_node *n = &tree->node[i];
        printf("{{%u,%u,%u},%u,%u,%u},%s", n->token.kind, n->token.field, n->token.text, n->child, n->sibling, n->row,
               i % 8 == 7 ? "\n" : "");
    }
    printf("\n};\n\nconst struct mnemonic derived_mnemonics[] = {\n");
    for (size_t i = 0; i < tree->mnemonic_count; i++)
        printf("{%u,%u,%u}, /* %s */\n", tree->mnemonic[i].text, tree->mnemonic[i].child, tree->mnemonic[i].bytes,
               t->text + tree->mnemonic[i].text);
    printf("};\nconst size_t derived_mnemonics_count = %zu;\n", tree->mnemonic_count);
    free(tree);
}

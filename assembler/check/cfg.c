/* SPDX-License-Identifier: Apache-2.0 */
/* Makes steps, blocks and edges from code. */
#include "cfg.h"

#include <stdlib.h>
#include <string.h>

#include "../base/grow.h"

static bool makes_token(enum isa_op op) { return op == OP_SSY || op == OP_PBK || op == OP_CAL || op == OP_PRET; }

static bool has_target(enum isa_op op) { return op == OP_BRA || makes_token(op); }

/* True if control can go elsewhere than to the next step. */
static bool ends_block(const struct cfg_step *s) {
    return s->ends || s->op == OP_BRA || s->op == OP_CAL || s->op == OP_PBK || s->op == OP_PRET || s->op == OP_RET ||
           s->op == OP_BRK;
}

static struct cfg_step make_step(struct cfg *g, const struct image *img, uint32_t word) {
    uint32_t lo = img->code[word], hi = word + 1 < img->code_words ? img->code[word + 1] : 0;
    struct cfg_step s = {.pc = word * 4, .target = CFG_NONE, .token = CFG_NONE, .op = OP_NOP};
    struct isa_insn insn;
    if (isa_decode(lo, hi, &insn) != ISA_OK) {
        s.ends = true;
        return s;
    }
    s.op = (uint8_t)insn.op;
    s.join = insn.marker == ISA_MARK_JOIN;
    s.ends = insn.marker == ISA_MARK_END || insn.op == OP_TRAP;
    s.effects = effects_of(&insn);
    if (has_target(insn.op)) s.target = insn.target;
    if (makes_token(insn.op)) s.token = g->token_count++;
    bool follows = insn.op != OP_BRX && insn.op != OP_QUADON && insn.op != OP_QUADPOP;
    if (!follows && g->irregular == CFG_NONE) g->irregular = g->step_count;
    return s;
}

/* The step at each word of the code, CFG_NONE inside an instruction. */
static bool read_steps(struct cfg *g, const struct image *img, uint32_t *step_at) {
    g->step = calloc(img->code_words + 1, sizeof *g->step);
    if (g->step == NULL) return false;
    for (uint32_t word = 0; word < img->code_words; word += isa_is_long(img->code[word]) ? 2 : 1) {
        step_at[word] = g->step_count;
        g->step[g->step_count] = make_step(g, img, word);
        g->step_count++;
    }
    for (uint32_t i = 0; i < g->step_count; i++) {
        struct cfg_step *s = &g->step[i];
        if (s->target == CFG_NONE) continue;
        s->target = s->target / 4 < img->code_words ? step_at[s->target / 4] : CFG_NONE;
        s->astray = s->target == CFG_NONE;
    }
    return true;
}

/* block_of[step]: the block that begins there, or CFG_NONE. */
static bool cut_blocks(struct cfg *g, uint32_t *block_of) {
    block_of[0] = 0;
    for (uint32_t i = 0; i < g->step_count; i++) {
        const struct cfg_step *s = &g->step[i];
        if (ends_block(s)) block_of[i + 1] = 0;
        if (s->target != CFG_NONE && s->op != OP_SSY) block_of[s->target] = 0;
    }
    size_t count = CFG_FIRST;
    for (uint32_t i = 0; i < g->step_count; i++) count += block_of[i] != CFG_NONE ? 1 : 0;
    g->block = calloc(count, sizeof *g->block);
    if (g->block == NULL) return false;
    g->block_count = CFG_FIRST;
    for (uint32_t i = 0; i < g->step_count; i++) {
        if (block_of[i] != CFG_NONE) {
            g->block[g->block_count].first = i;
            block_of[i] = g->block_count++;
        }
        g->block[g->block_count - 1].count++;
    }
    return true;
}

static bool add_edge(struct cfg *g, uint32_t from, uint32_t to, enum cfg_edge_kind kind) {
    if (to == CFG_NONE) return true;
    struct cfg_edge *grown = grow_array(g->edge, g->edge_count, &g->edge_capacity, sizeof *grown);
    if (grown == NULL) return false;
    g->edge = grown;
    g->edge[g->edge_count++] = (struct cfg_edge){to, kind};
    g->block[from].edges++;
    return true;
}

/* The edges of a block that has steps. */
static bool link_block(struct cfg *g, uint32_t b, const uint32_t *block_of) {
    uint32_t last = g->block[b].first + g->block[b].count - 1;
    const struct cfg_step *s = &g->step[last];
    uint32_t next = last + 1 < g->step_count ? block_of[last + 1] : CFG_NONE;
    uint32_t target = s->target != CFG_NONE ? block_of[s->target] : CFG_NONE;
    bool always = !s->effects.conditional && !s->effects.never;
    g->block[b].edge = (uint32_t)g->edge_count;
    if (s->ends) return true;
    switch (s->op) {
    case OP_BRA:
        return (s->effects.never || add_edge(g, b, target, CFG_FLOW)) && (always || add_edge(g, b, next, CFG_FLOW));
    case OP_RET:
        return (s->effects.never || add_edge(g, b, CFG_RETURNS, CFG_HUB)) && (always || add_edge(g, b, next, CFG_FLOW));
    case OP_BRK:
        return (s->effects.never || add_edge(g, b, CFG_BREAKS, CFG_HUB)) && (always || add_edge(g, b, next, CFG_FLOW));
    case OP_CAL: return add_edge(g, b, target, CFG_CALL) && add_edge(g, b, next, CFG_AFTER);
    case OP_PBK:
    case OP_PRET: return add_edge(g, b, target, CFG_AFTER) && add_edge(g, b, next, CFG_FLOW);
    default: return add_edge(g, b, next, CFG_FLOW);
    }
}

/* Edges from CFG_RETURNS to the step after each CAL and to the targets of PRET, and from CFG_BREAKS to the targets of
 * PBK. */
static bool link_hub(struct cfg *g, uint32_t hub, const uint32_t *block_of) {
    g->block[hub].edge = (uint32_t)g->edge_count;
    for (uint32_t i = 0; i < g->step_count; i++) {
        const struct cfg_step *s = &g->step[i];
        uint32_t to = CFG_NONE;
        if (hub == CFG_RETURNS && s->op == OP_CAL && i + 1 < g->step_count) to = block_of[i + 1];
        if (hub == CFG_RETURNS && s->op == OP_PRET && s->target != CFG_NONE) to = block_of[s->target];
        if (hub == CFG_BREAKS && s->op == OP_PBK && s->target != CFG_NONE) to = block_of[s->target];
        if (!add_edge(g, hub, to, CFG_HUB)) return false;
    }
    return true;
}

bool cfg_build(const struct image *img, struct cfg *g) {
    size_t words = img->code_words + 2; /* block_of is read one step beyond the last */
    uint32_t *step_at = malloc(words * sizeof *step_at), *block_of = malloc(words * sizeof *block_of);
    *g = (struct cfg){.irregular = CFG_NONE};
    g->flat = img->block[0] != 0 && img->block[1] <= 1 && img->block[2] <= 1;
    bool good = step_at != NULL && block_of != NULL;
    if (good) {
        memset(step_at, 0xff, words * sizeof *step_at);
        memset(block_of, 0xff, words * sizeof *block_of);
        good = read_steps(g, img, step_at) && cut_blocks(g, block_of) && link_hub(g, CFG_RETURNS, block_of) &&
               link_hub(g, CFG_BREAKS, block_of);
    }
    for (uint32_t b = CFG_FIRST; good && b < g->block_count; b++) good = link_block(g, b, block_of);
    free(step_at);
    free(block_of);
    return good;
}

void cfg_release(struct cfg *g) {
    free(g->step);
    free(g->block);
    free(g->edge);
    *g = (struct cfg){0};
}

// SPDX-License-Identifier: Apache-2.0
// Writes bits that ghdl repeats as replications. VHDL's (31 downto 0 => enable) comes out as a net for each of the 32
// bits, concatenated by fours and these by fours again, and Verilator computes nearly every piece separately;
// `{32{enable}}` it computes with one negation. The pieces lose their readers and disappear.
#include "pass.h"

// A net known to be `what`, repeated this number of times.
struct known {
    const struct expr *what;
    unsigned times;
};

static struct known known_of(const struct known *notes, const struct expr *part) {
    struct net *net = expr_is_net(part);
    return net && notes[net->id].what ? notes[net->id] : (struct known){part, 1};
}

static const struct expr *repeated(struct design *design, struct known run) {
    if (run.times == 1) return run.what;
    struct expr *list = expr_new(design, EXPR_JOIN, NULL, 1);
    list->part[0] = run.what;
    struct expr *repeat = expr_new(design, EXPR_REPEAT, NULL, 2);
    repeat->part[0] = expr_number(design, pool_format(&design->pool, "%u", run.times));
    repeat->part[1] = list;
    return repeat;
}

// Merges equal neighbours into runs.
static struct known *runs_of(struct design *design, const struct known *notes, const struct expr *join, size_t *count) {
    struct known *run = pool_take(&design->pool, join->count * sizeof *run);
    *count = 0;
    for (size_t i = 0; i < join->count; i++) {
        struct known part = known_of(notes, join->part[i]);
        if (*count > 0 && expr_same(run[*count - 1].what, part.what))
            run[*count - 1].times += part.times;
        else
            run[(*count)++] = part;
    }
    return run;
}

static void shorten(struct design *design, struct known *notes, struct item *item, struct net *target) {
    size_t count;
    struct known *run = runs_of(design, notes, item->value, &count);
    if (count == 1) notes[target->id] = run[0];
    struct expr *join = expr_new(design, EXPR_JOIN, NULL, count);
    for (size_t i = 0; i < count; i++) join->part[i] = repeated(design, run[i]);
    item->value = join;
}

bool pass_replicate(struct design *design, const char *argument, struct fault *fault) {
    (void)argument, (void)fault;
    for (struct module *module = design->modules; module; module = module->next) {
        struct known *notes = module_notes(module, sizeof *notes);
        for (struct item *item = module->items; item; item = item->next) {
            struct net *target = item->kind == ITEM_ASSIGN && !item->remark ? expr_is_net(item->target) : NULL;
            unsigned high, low;
            if (!target) continue;
            if (item->value->kind == EXPR_BIT && expr_is_slice(item->value, &high, &low))
                notes[target->id] = (struct known){item->value, 1};
            else if (item->value->kind == EXPR_JOIN && item->value->part[0]->kind == EXPR_NET)
                shorten(design, notes, item, target);
        }
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "make.h"

#include <string.h>

#include "bounds.h"
#include "judge.h"

/* After more than LONG_MOST tries that are too long, kernels are brief. A declared machine may be small: then there are
 * more tries, with numbers that no other seed uses. */
enum { TRIES = 40, DECLARED_TRIES = 1000, SIMPLE_FROM = 100, LONG_MOST = 10, TRAPS = TRAP_BREAKPOINT, STYLES = 5 };

/* Traps of a declared machine that need little. */
static enum trap draw_declared_trap(const struct table *t, struct rng *rng) {
    static const enum trap TRAPS_OF_ALL[] = {TRAP_UNDEFINED,   TRAP_SHARED_ALIGN, TRAP_SHARED_RANGE, TRAP_CONST_ALIGN,
                                             TRAP_CONST_RANGE, TRAP_GLOBAL_ALIGN, TRAP_GLOBAL_RANGE};
    const enum trap trap = TRAPS_OF_ALL[rng_below(rng, sizeof TRAPS_OF_ALL / sizeof TRAPS_OF_ALL[0])];
    return t->can.faults && t->can.aregs && t->memory > 0 ? trap : TRAP_UNDEFINED;
}

/* Draws the kind of the kernel, before its contents. */
static void draw_kind(struct kernel *k, enum make_kind kind, const struct table *t, struct rng *rng) {
    if (kind == MAKE_ANY) {
        const uint32_t pick = rng_below(rng, 16);
        kind = pick < 12 ? MAKE_RUNS : pick < 15 ? MAKE_TRAP : MAKE_WILD;
        if (k->declared != NULL && k->declared->no_traps) kind = MAKE_RUNS;
    }
    k->atomics = rng_percent(rng, 40) && t->memory > 0 && (bounds_have(k, "GRED") || bounds_have(k, "GATOM"));
    k->undefined = kind == MAKE_RUNS && rng_percent(rng, 15);
    k->clocked = kind == MAKE_RUNS && rng_percent(rng, 15);
    k->wild = kind == MAKE_WILD;
    k->trap = TRAP_NONE;
    if (kind == MAKE_TRAP)
        k->trap = k->declared != NULL ? draw_declared_trap(t, rng) : (enum trap)(1 + rng_below(rng, TRAPS));
}

/* Straight code, some control flow, much of it, few constructs nested deeply, or nested calls. */
static struct shape_options draw_style(const struct kernel *k, struct rng *rng) {
    static const struct shape_options styles[STYLES] = {
        {.length = 40, .flow_percent = 0,  .nesting = 0,  .levels = 1, .call_percent = 0 },
        {.length = 25, .flow_percent = 20, .nesting = 4,  .levels = 3, .call_percent = 0 },
        {.length = 14, .flow_percent = 45, .nesting = 5,  .levels = 4, .call_percent = 0 },
        {.length = 3,  .flow_percent = 70, .nesting = 20, .levels = 6, .call_percent = 0 },
        {.length = 5,  .flow_percent = 50, .nesting = 3,  .levels = 8, .call_percent = 25},
    };
    struct shape_options style = styles[k->wild || k->brief ? 0 : rng_below(rng, STYLES)];
    style.wild_percent = k->wild ? 3 + rng_below(rng, 20) : 0;
    style.trap_item = SHAPE_NO_TRAP;
    return style;
}

static int make_once(struct kernel *k, struct rng rng, struct rng *trap_rng, const struct table *table, int trap_item) {
    struct rules rules = {0};
    const struct shape_options plain = draw_style(k, &rng);
    struct shape_options style = plain;
    style.trap_item = trap_item;
    rules_draw(&rules, k, table, &rng);
    rules_draw_data(&rules, k, &rng);
    setup_add(&rules, k, &rng);
    return shape_kernel(&rules, &rng, trap_rng, k, &style);
}

/* The kind of kernel of a seed, and the current try. */
struct attempt {
    uint64_t seed;
    const struct table *table;
    enum make_kind kind;
    bool brief, simple; /* simple: with the trap that every declared machine has */
};

static void begin(struct kernel *k, const struct attempt *a, struct rng *rng) {
    memset(k, 0, sizeof *k);
    k->declared = a->table->declared;
    k->wide = a->table->wide;
    k->dividers = a->table->dividers;
    k->seed = a->seed;
    k->brief = a->brief;
    draw_kind(k, a->kind, a->table, rng);
    if (a->simple && k->trap != TRAP_NONE) k->trap = TRAP_UNDEFINED;
}

static void make_try(struct kernel *k, const struct attempt *a, uint64_t try) {
    struct rng rng = {(a->seed + (try / TRIES << 48)) * TRIES + try % TRIES};
    rng_next(&rng);
    struct rng trap_rng = {rng_next(&rng)};
    begin(k, a, &(struct rng){a->seed});
    const int items = make_once(k, rng, &trap_rng, a->table, SHAPE_NO_TRAP);
    if (k->trap == TRAP_NONE) return;
    begin(k, a, &(struct rng){a->seed});
    make_once(k, rng, &trap_rng, a->table, (int)rng_below(&trap_rng, (uint32_t)items));
}

bool make_kernel(struct kernel *k, uint64_t seed, const struct make_options *options, const struct table *table,
                 char *why) {
    unsigned too_long = 0;
    const uint64_t tries = table->declared != NULL ? DECLARED_TRIES : TRIES;
    for (uint64_t try = 0; try < tries; try++) {
        const struct attempt attempt = {seed, table, options->kind, too_long > LONG_MOST, try >= SIMPLE_FROM};
        make_try(k, &attempt, try);
        const char *lacking = k->lacking != NULL ? k->lacking : bounds_find_lacking(k);
        if (lacking != NULL) {
            snprintf(why, JUDGE_WHY, "it needs %s, which the machine lacks", lacking);
            too_long++; /* brief ones need less */
            continue;
        }
        const enum judgement judgement = judge_kernel(k, options->steps, why);
        if (judgement == JUDGED_LEGAL) return true;
        if (judgement == JUDGED_WRONG) return false;
        too_long += judgement == JUDGED_LONG;
    }
    return false;
}

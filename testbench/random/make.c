/* SPDX-License-Identifier: Apache-2.0 */
#include "make.h"

#include <string.h>

#include "bounds.h"
#include "judge.h"

/* After more than LONG_MOST tries that are too long, kernels are brief. What a declared machine has may be little: then
 * there are more tries, of numbers that no seed's first ones have. */
enum { TRIES = 40, DECLARED_TRIES = 1000, LONG_MOST = 10, TRAPS = TRAP_BREAKPOINT, STYLES = 5 };

/* Of a declared machine: those that need nothing but what every kernel needs. */
static enum trap draw_declared_trap(struct rng *rng) {
    static const enum trap TRAPS_OF_ALL[] = {TRAP_UNDEFINED,   TRAP_SHARED_ALIGN, TRAP_SHARED_RANGE, TRAP_CONST_ALIGN,
                                             TRAP_CONST_RANGE, TRAP_GLOBAL_ALIGN, TRAP_GLOBAL_RANGE};
    return TRAPS_OF_ALL[rng_below(rng, sizeof TRAPS_OF_ALL / sizeof TRAPS_OF_ALL[0])];
}

/* What kind of kernel it is, before anything of it is drawn. */
static void draw_kind(struct kernel *k, enum make_kind kind, struct rng *rng) {
    if (kind == MAKE_ANY) {
        const uint32_t pick = rng_below(rng, 16);
        kind = pick < 12 ? MAKE_RUNS : pick < 15 ? MAKE_TRAP : MAKE_WILD;
        if (k->declared != NULL && k->declared->no_traps) kind = MAKE_RUNS;
    }
    k->atomics = rng_percent(rng, 40) && (bounds_have(k, "GRED") || bounds_have(k, "GATOM"));
    k->undefined = kind == MAKE_RUNS && rng_percent(rng, 15);
    k->clocked = kind == MAKE_RUNS && rng_percent(rng, 15);
    k->wild = kind == MAKE_WILD;
    k->trap = TRAP_NONE;
    if (kind == MAKE_TRAP)
        k->trap = k->declared != NULL ? draw_declared_trap(rng) : (enum trap)(1 + rng_below(rng, TRAPS));
}

/* Straight code, some control flow, much of it, few things nested deeply, or calls of calls. */
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

static void begin(struct kernel *k, uint64_t seed, const struct table *table, enum make_kind kind, bool brief,
                  struct rng *rng) {
    memset(k, 0, sizeof *k);
    k->declared = table->declared;
    k->wide = table->wide;
    k->dividers = table->dividers;
    k->seed = seed;
    k->brief = brief;
    draw_kind(k, kind, rng);
}

bool make_kernel(struct kernel *k, uint64_t seed, const struct make_options *options, const struct table *table,
                 char *why) {
    unsigned too_long = 0;
    const uint64_t tries = table->declared != NULL ? DECLARED_TRIES : TRIES;
    for (uint64_t try = 0; try < tries; try++) {
        const bool brief = too_long > LONG_MOST;
        struct rng rng = {(seed + (try / TRIES << 48)) * TRIES + try % TRIES}, kind_rng = {seed};
        rng_next(&rng);
        struct rng trap_rng = {rng_next(&rng)};
        begin(k, seed, table, options->kind, brief, &kind_rng);
        const int items = make_once(k, rng, &trap_rng, table, SHAPE_NO_TRAP);
        if (k->trap != TRAP_NONE) {
            begin(k, seed, table, options->kind, brief, &(struct rng){seed});
            make_once(k, rng, &trap_rng, table, (int)rng_below(&trap_rng, (uint32_t)items));
        }
        const char *lacking = bounds_find_lacking(k);
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

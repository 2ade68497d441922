/* SPDX-License-Identifier: Apache-2.0 */
/* The control flow of a random kernel, see shape.h. */
#include "shape.h"

#include "bounds.h"
#include "recipe.h"

enum {
    CASES = 4,     /* of a switch */
    FUNCTIONS = 2, /* at each level of calls */
    LEVELS_MAX = 8,
    LOOP_LEVELS = 3, /* main and the first functions have loop counters */
    LOOPS = 2,       /* counters at each level */
    NARROW = 4,      /* most iterations of a loop */
    WIDE = 32,
    REPEATS_MAX = 16,
    LINES_ENOUGH = 700, /* no more constructs beyond this size: kernels shall be short */
};

struct shape {
    const struct rules *r;
    struct rng *rng, *trap_rng;
    struct kernel *k;
    const struct shape_options *options;
    int *items;                           /* so far */
    int function[LEVELS_MAX * FUNCTIONS]; /* labels */
    /* position of the next item */
    unsigned level;   /* 0: main, else depth of calls */
    unsigned nesting; /* enclosing constructs in this function */
    unsigned loops;   /* enclosing loops in this function */
    unsigned breaks;  /* enclosing PBK regions in this function */
    unsigned repeats; /* number of executions by the enclosing loops, including those of callers */
    bool uniform;     /* all remaining threads of the warp are here */
};

static void add_items(struct shape *s, unsigned count);

static unsigned below(struct shape *s, unsigned n) { return rng_below(s->rng, n); }

/* A condition for BRA, BRK, RET: " C0.NE,", with the comma only if a target follows. */
static const char *draw_condition(struct shape *s, const char *end, char buffer[24]) {
    const uint32_t code = below(s, 28), creg = below(s, 4);
    snprintf(buffer, 24, " C%u.%s%s", creg, isa_cond_name(code < 20 ? code : code + 4), end);
    return buffer;
}

/* New flags from a register; otherwise all conditions would depend on the flags from setup. */
static void set_flags(struct shape *s) {
    const unsigned part = kernel_open_part(s->k), creg = below(s, 4), a = draw_register(s->r, s->rng);
    if (below(s, 2) == 0 || !bounds_have(s->k, "R2C")) {
        const unsigned b = draw_register(s->r, s->rng);
        const char *compare = below(s, 2) == 0 ? "LT" : "NE";
        WAYS(s->k, 2) {
            if (way == 0)
                kernel_add(s->k, NO_LABEL, "ISET.S32.C%u o [0x7f], R%u, R%u, %s", creg, a, b, compare);
            else
                recipe_any_flags(s->k, creg, a);
        }
    } else {
        kernel_add(s->k, NO_LABEL, "R2C C%u, R%u", creg, a);
    }
    kernel_close_part(s->k, part);
}

/* The warp's stack is empty before the construct that begins here: in main, inside uniform loops at most. */
static bool stack_is_empty(const struct shape *s) { return s->level == 0 && s->nesting == 1; }

/* With an empty stack a join needs no SSY: it pops the entries of the branches, then all lanes continue. */
static void add_fork(struct shape *s, int join) {
    if (!stack_is_empty(s) || below(s, 4) != 0) kernel_add(s->k, join, "SSY 0x0");
}

static void add_join(struct shape *s, int join) { draw_marked(s->r, s->rng, s->k, ISA_MARK_JOIN, join); }

/* A jump to a label, through a constant if there is room for one. */
static void add_jump(struct shape *s, int label) {
    const bool branch = s->k->target_count == KERNEL_TARGETS_MAX || below(s, 4) != 0 || !bounds_have(s->k, "BRX");
    const unsigned bank = s->k->bank[1].number;
    WAYS(s->k, s->k->target_count < KERNEL_TARGETS_MAX ? 2 : 1) {
        if (branch == (way == 0))
            kernel_add(s->k, label, "BRA 0x0");
        else
            kernel_add(s->k, NO_LABEL, "BRX c [0x%x] [0x%x]", bank, kernel_add_target(s->k, label));
    }
}

static void add_branch(struct shape *s) {
    char text[24];
    const int join = kernel_new_label(s->k);
    set_flags(s);
    add_fork(s, join);
    if (below(s, 3) == 0) {
        kernel_add(s->k, join, "BRA%s 0x0", draw_condition(s, ",", text));
        add_items(s, 1 + below(s, 5));
    } else {
        const int other = kernel_new_label(s->k);
        kernel_add(s->k, other, "BRA%s 0x0", draw_condition(s, ",", text));
        add_items(s, 1 + below(s, 4));
        add_jump(s, join);
        kernel_place_label(s->k, other);
        add_items(s, 1 + below(s, 4));
    }
    add_join(s, join);
}

/* Each lane goes to one of four places, some of which may coincide. */
static void add_switch(struct shape *s) {
    const int join = kernel_new_label(s->k);
    const unsigned first = KERNEL_BANK_WORDS + s->k->target_count, places = 1 + below(s, CASES);
    const unsigned areg = draw_areg(s->r, s->rng, false, 4);
    int label[CASES] = {0};
    for (unsigned i = 0; i < places; i++) label[i] = kernel_new_label(s->k);
    for (unsigned i = 0; i < CASES; i++) kernel_add_target(s->k, label[below(s, places)]);
    add_fork(s, join);
    recipe_mask(s->r, s->k, REG_SCRATCH, draw_register(s->r, s->rng), MASK_CASE);
    kernel_add(s->k, NO_LABEL, "R2A A%u, R%d", areg, REG_SCRATCH);
    kernel_add(s->k, NO_LABEL, "BRX c [0x%x] [A%u+0x%x]", s->k->bank[1].number, areg, first);
    for (unsigned i = 0; i < places; i++) {
        kernel_place_label(s->k, label[i]);
        add_items(s, 1 + below(s, 3));
        if (i + 1 < places) add_jump(s, join);
    }
    add_join(s, join);
}

static unsigned counter_of(const struct shape *s) { return REG_COUNTER + s->level * LOOPS + s->loops; }

/* Limits the length of a kernel: calls count, because functions begin with the repeats of their callers. */
static bool may_repeat(const struct shape *s) {
    return s->level < LOOP_LEVELS && s->loops < LOOPS && s->repeats * NARROW <= REPEATS_MAX;
}

/* The counter becomes 1 .. 4, or 1 .. 32 for a loop that diverges into as many groups as there are threads. */
static void set_counter(struct shape *s, unsigned counter) {
    const unsigned source = below(s, 2) == 0 ? (unsigned)REG_THREAD : draw_register(s->r, s->rng);
    const bool wide = s->repeats == 1 && below(s, 6) == 0;
    s->repeats *= wide ? WIDE : NARROW;
    WAYS(s->k, 2) {
        if (way == 0) {
            recipe_mask(s->r, s->k, counter, source, wide ? MASK_LANE : MASK_2);
            recipe_add_number(s->k, counter, counter, 1);
        } else {
            recipe_set(s->k, counter, NARROW - 1);
        }
    }
}

static unsigned count_down(struct shape *s, unsigned counter) {
    const unsigned flags = below(s, 4);
    recipe_add_number(s->k, counter, counter, 0xffffffff);
    recipe_flags(s->k, flags, counter);
    return flags;
}

/* To be called before a loop is filled. */
static void need_branch(struct shape *s) {
    if (!bounds_have(s->k, "BRA")) s->k->lacking = "BRA";
}

static void add_loop(struct shape *s) {
    const unsigned counter = counter_of(s);
    const int top = kernel_new_label(s->k), join = kernel_new_label(s->k);
    need_branch(s);
    set_counter(s, counter);
    add_fork(s, join);
    kernel_place_label(s->k, top);
    s->loops++;
    add_items(s, 1 + below(s, 4));
    s->loops--;
    kernel_add(s->k, top, "BRA C%u.NE, 0x0", count_down(s, counter));
    add_join(s, join);
}

/* All threads iterate equally often: no SSY, and a barrier may be inside. */
static void add_uniform_loop(struct shape *s) {
    const unsigned counter = counter_of(s);
    const int top = kernel_new_label(s->k);
    need_branch(s);
    recipe_set(s->k, counter, 1 + below(s, 3));
    kernel_place_label(s->k, top);
    s->loops++;
    s->nesting--;
    add_items(s, 1 + below(s, 4));
    s->nesting++;
    s->loops--;
    kernel_add(s->k, top, "BRA C%u.NE, 0x0", count_down(s, counter));
}

static void add_break_region(struct shape *s) {
    const int end = kernel_new_label(s->k);
    kernel_add(s->k, end, "PBK 0x0");
    s->breaks++;
    if (may_repeat(s) && below(s, 2) == 0) {
        const unsigned counter = counter_of(s);
        const int top = kernel_new_label(s->k);
        need_branch(s);
        set_counter(s, counter);
        kernel_place_label(s->k, top);
        s->loops++;
        add_items(s, 1 + below(s, 4));
        s->loops--;
        kernel_add(s->k, NO_LABEL, "BRK C%u.EQU", count_down(s, counter));
        kernel_add(s->k, top, "BRA 0x0");
    } else {
        add_items(s, 2 + below(s, 4));
        kernel_add(s->k, NO_LABEL, "BRK");
    }
    s->breaks--;
    kernel_place_label(s->k, end);
}

/* Threads leave the break region, the function or the kernel. */
static void add_exit(struct shape *s) {
    char text[24];
    set_flags(s);
    const bool returns = bounds_have(s->k, "RET");
    if (s->breaks > 0 && below(s, 3) != 0)
        kernel_add(s->k, NO_LABEL, "BRK%s", draw_condition(s, "", text));
    else if (returns && (s->level > 0 || below(s, 3) == 0))
        kernel_add(s->k, NO_LABEL, "RET%s", draw_condition(s, "", text));
    else if (!s->uniform && below(s, 3) == 0)
        draw_marked(s->r, s->rng, s->k, ISA_MARK_END, NO_LABEL);
}

static void add_call(struct shape *s) {
    const int callee = s->function[FUNCTIONS * s->level + below(s, FUNCTIONS)];
    if (below(s, 3) != 0 || !bounds_have(s->k, "PRET")) {
        kernel_add(s->k, callee, "CAL 0x0");
        return;
    }
    const int back = kernel_new_label(s->k); /* the same in two instructions */
    kernel_add(s->k, back, "PRET 0x0");
    add_jump(s, callee);
    kernel_place_label(s->k, back);
}

/* Functions far from main have no loops, so that they run no more often than their callers. */
static bool may_call(const struct shape *s) {
    return s->level + 1 < s->options->levels && bounds_have(s->k, "CAL") && bounds_have(s->k, "RET") &&
           (s->level >= LOOP_LEVELS - 1 || s->repeats <= REPEATS_MAX / NARROW);
}

static bool has_room(const struct shape *s) {
    return s->k->line_count < LINES_ENOUGH && s->k->label_count + 16 < KERNEL_LABELS_MAX;
}

static void add_construct(struct shape *s) {
    struct shape saved = *s;
    const bool nest = s->nesting < s->options->nesting && has_room(s);
    const unsigned pick = below(s, 18), part = kernel_open_part(s->k);
    s->nesting++;
    if (pick < 2 && s->uniform) {
        if (pick == 0 && nest && may_repeat(s)) {
            s->repeats *= NARROW;
            add_uniform_loop(s);
        } else if (bounds_have(s->k, "BAR")) {
            draw_barrier(s->r, s->rng, s->k);
        }
    } else {
        s->uniform = false;
        if (may_call(s) && rng_percent(s->rng, s->options->call_percent)) {
            add_call(s);
        } else if (pick < 6 && nest) {
            add_branch(s);
        } else if (pick < 9 && nest && may_repeat(s)) {
            add_loop(s);
        } else if (pick < 12 && nest && bounds_have(s->k, "PBK") && bounds_have(s->k, "BRK")) {
            add_break_region(s);
        } else if (pick < 14 && may_call(s)) {
            add_call(s);
        } else if (pick < 15) {
            s->uniform = saved.uniform;
            add_exit(s);
        } else if (pick < 17 && nest && s->k->target_count + CASES <= KERNEL_TARGETS_MAX && bounds_have(s->k, "BRX")) {
            add_switch(s);
        } else {
            set_flags(s);
        }
    }
    kernel_close_part(s->k, part);
    *s = saved;
}

static void add_item(struct shape *s) {
    if (rng_percent(s->rng, s->options->flow_percent))
        add_construct(s);
    else if (rng_percent(s->rng, s->options->wild_percent))
        draw_wild(s->r, s->rng, s->k);
    else if (below(s, 8) == 0)
        draw_memory(s->r, s->rng, s->k);
    else
        draw_instruction(s->r, s->rng, s->k);
}

/* An item is omitted as a whole if the machine lacks a part of it; so are the contents of an omitted construct. */
static void add_items(struct shape *s, unsigned count) {
    for (unsigned i = 0; i < count && s->k->lacking == NULL; i++) {
        struct kernel_mark mark = kernel_begin(s->k);
        if ((*s->items)++ == s->options->trap_item) draw_trap(s->r, s->trap_rng, s->k);
        kernel_keep(s->k, &mark);
        mark = kernel_begin(s->k);
        add_item(s);
        kernel_keep(s->k, &mark);
    }
}

/* In one of the two forms, if the machine has both. */
static void add_end(struct shape *s) {
    const bool marked = below(s, 2) == 0 || !bounds_have(s->k, "RET");
    WAYS(s->k, 2) {
        if (marked == (way == 0))
            draw_marked(s->r, s->rng, s->k, ISA_MARK_END, NO_LABEL);
        else
            kernel_add(s->k, NO_LABEL, "RET");
    }
}

int shape_kernel(const struct rules *r, struct rng *rng, struct rng *trap_rng, struct kernel *k,
                 const struct shape_options *options) {
    int items = 0;
    struct shape s = {.r = r,
                      .rng = rng,
                      .trap_rng = trap_rng,
                      .k = k,
                      .options = options,
                      .items = &items,
                      .uniform = true,
                      .repeats = 1};
    const bool calls = bounds_have(k, "CAL") && bounds_have(k, "RET");
    const unsigned functions = options->flow_percent != 0 && calls ? (options->levels - 1) * FUNCTIONS : 0;
    for (unsigned i = 0; i < functions; i++) s.function[i] = kernel_new_label(k);
    add_items(&s, options->length);
    add_end(&s);
    s.uniform = false;
    for (unsigned i = 0; i < functions; i++) {
        const unsigned part = kernel_open_part(k);
        s.level = 1 + i / FUNCTIONS;
        s.repeats = s.level == 1 ? NARROW : REPEATS_MAX;
        kernel_place_label(k, s.function[i]);
        add_items(&s, (s.level > 2 ? 1 : 3) + below(&s, 6));
        kernel_add(k, NO_LABEL, "RET");
        kernel_close_part(k, part);
    }
    return items;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The control flow of a random kernel, see shape.h. */
#include "shape.h"

enum {
    CASES = 4,     /* of a switch */
    FUNCTIONS = 4, /* 0 and 1 may call 2 and 3, which call none */
    LEVELS = 3,    /* main, functions 0 and 1, functions 2 and 3 */
    NESTING = 4,
    NARROW = 4, /* most rounds of a loop */
    WIDE = 32,
    REPEATS_MAX = 16,
    LOOPS = 2, /* counters for each level */
};

struct shape {
    const struct rules *r;
    struct rng *rng;
    struct program *p;
    unsigned flow_percent, wild_percent;
    int function[FUNCTIONS]; /* labels */
    /* where the next item stands */
    unsigned level;   /* 0 main, else depth of calls */
    unsigned nesting; /* constructs around it in this function */
    unsigned loops;   /* loops around it in this function */
    unsigned breaks;  /* PBK regions around it in this function */
    unsigned repeats; /* how often the loops around it, callers included, may run it */
    bool uniform;     /* all threads of the warp that are left are here */
};

static void add_items(struct shape *s, unsigned count);

static unsigned below(struct shape *s, unsigned n) { return rng_below(s->rng, n); }

/* A condition for BRA, BRK, RET: " C0.NE," with the comma only where a target follows. */
static const char *draw_condition(struct shape *s, const char *end, char buffer[24]) {
    const uint32_t code = below(s, 28);
    snprintf(buffer, 24, " C%u.%s%s", below(s, 4), isa_cond_name(code < 20 ? code : code + 4), end);
    return buffer;
}

/* New flags from a register, else all conditions settle on what setup left. */
static void set_flags(struct shape *s) {
    if (below(s, 2) == 0) {
        program_add(s->p, NO_LABEL, "ISET.S32.C%u o [0x7f], R%u, R%u, %s", below(s, 4), draw_register(s->r, s->rng),
                    draw_register(s->r, s->rng), below(s, 2) == 0 ? "LT" : "NE");
    } else {
        program_add(s->p, NO_LABEL, "R2C C%u, R%u", below(s, 4), draw_register(s->r, s->rng));
    }
}

static void add_join(struct shape *s, int join) {
    program_place_label(s->p, join);
    draw_marked(s->r, s->rng, s->p, ISA_MARK_JOIN);
}

/* A jump to a label, through a constant where there is room for one. */
static void add_jump(struct shape *s, int label) {
    if (s->p->target_count < PROGRAM_TARGETS_MAX && below(s, 4) == 0) {
        program_add(s->p, NO_LABEL, "BRX c [0x1] [0x%x]", CONST_BYTES / 4 + program_add_target(s->p, label));
    } else {
        program_add(s->p, label, "BRA 0x0");
    }
}

static void add_branch(struct shape *s) {
    char text[24];
    const int join = program_new_label(s->p);
    set_flags(s);
    program_add(s->p, join, "SSY 0x0");
    if (below(s, 3) == 0) {
        program_add(s->p, join, "BRA%s 0x0", draw_condition(s, ",", text));
        add_items(s, 1 + below(s, 5));
    } else {
        const int other = program_new_label(s->p);
        program_add(s->p, other, "BRA%s 0x0", draw_condition(s, ",", text));
        add_items(s, 1 + below(s, 4));
        add_jump(s, join);
        program_place_label(s->p, other);
        add_items(s, 1 + below(s, 4));
    }
    add_join(s, join);
}

/* Each lane goes to one of four places, some of which may be the same. */
static void add_switch(struct shape *s) {
    const int join = program_new_label(s->p);
    const unsigned first = CONST_BYTES / 4 + s->p->target_count, areg = 1 + below(s, 2), places = 1 + below(s, CASES);
    int label[CASES] = {0};
    for (unsigned i = 0; i < places; i++) {
        label[i] = program_new_label(s->p);
    }
    for (unsigned i = 0; i < CASES; i++) {
        program_add_target(s->p, label[below(s, places)]);
    }
    program_add(s->p, join, "SSY 0x0");
    program_add(s->p, NO_LABEL, "LOP.AND R%d, R%u, c [0x1] [0x%x]", REG_SCRATCH, draw_register(s->r, s->rng),
                MASK_CASE);
    program_add(s->p, NO_LABEL, "R2A A%u, R%d", areg, REG_SCRATCH);
    program_add(s->p, NO_LABEL, "BRX c [0x1] [A%u+0x%x]", areg, first);
    for (unsigned i = 0; i < places; i++) {
        program_place_label(s->p, label[i]);
        add_items(s, 1 + below(s, 3));
        if (i + 1 < places) {
            add_jump(s, join);
        }
    }
    add_join(s, join);
}

static unsigned counter_of(const struct shape *s) { return REG_COUNTER + s->level * LOOPS + s->loops; }

/* Bounds what a kernel can take: calls are in it, as functions begin with the repeats of their callers. */
static bool may_repeat(const struct shape *s) { return s->loops < LOOPS && s->repeats * NARROW <= REPEATS_MAX; }

/* The counter becomes 1 .. 4, or 1 .. 32 where a loop has to diverge into as many groups as there are threads. */
static void set_counter(struct shape *s, unsigned counter) {
    const unsigned source = below(s, 2) == 0 ? (unsigned)REG_THREAD : draw_register(s->r, s->rng);
    const bool wide = s->repeats == 1 && below(s, 6) == 0;
    s->repeats *= wide ? WIDE : NARROW;
    program_add(s->p, NO_LABEL, "LOP.AND R%u, R%u, c [0x1] [0x%x]", counter, source, wide ? MASK_LANE : MASK_2);
    program_add(s->p, NO_LABEL, "IADD32I R%u, R%u, 0x1", counter, counter);
}

static unsigned count_down(struct shape *s, unsigned counter) {
    const unsigned flags = below(s, 4);
    program_add(s->p, NO_LABEL, "IADD32I R%u, R%u, 0xffffffff", counter, counter);
    program_add(s->p, NO_LABEL, "I2I.U32.U32.C%u o [0x7f], R%u", flags, counter);
    return flags;
}

static void add_loop(struct shape *s) {
    const unsigned counter = counter_of(s);
    const int top = program_new_label(s->p), join = program_new_label(s->p);
    set_counter(s, counter);
    program_add(s->p, join, "SSY 0x0");
    program_place_label(s->p, top);
    s->loops++;
    add_items(s, 1 + below(s, 4));
    s->loops--;
    program_add(s->p, top, "BRA C%u.NE, 0x0", count_down(s, counter));
    add_join(s, join);
}

/* All threads go round as often: no SSY, and a barrier may stand in it. */
static void add_uniform_loop(struct shape *s) {
    const unsigned counter = counter_of(s);
    const int top = program_new_label(s->p);
    program_add(s->p, NO_LABEL, "MVI R%u, 0x%x", counter, 1 + below(s, 3));
    program_place_label(s->p, top);
    s->loops++;
    s->nesting--;
    add_items(s, 1 + below(s, 4));
    s->nesting++;
    s->loops--;
    program_add(s->p, top, "BRA C%u.NE, 0x0", count_down(s, counter));
}

static void add_break_region(struct shape *s) {
    const int end = program_new_label(s->p);
    program_add(s->p, end, "PBK 0x0");
    s->breaks++;
    if (may_repeat(s) && below(s, 2) == 0) {
        const unsigned counter = counter_of(s);
        const int top = program_new_label(s->p);
        set_counter(s, counter);
        program_place_label(s->p, top);
        s->loops++;
        add_items(s, 1 + below(s, 4));
        s->loops--;
        program_add(s->p, NO_LABEL, "BRK C%u.EQU", count_down(s, counter));
        program_add(s->p, top, "BRA 0x0");
    } else {
        add_items(s, 2 + below(s, 4));
        program_add(s->p, NO_LABEL, "BRK");
    }
    s->breaks--;
    program_place_label(s->p, end);
}

/* Threads leave: the break region, the function or the kernel. */
static void add_exit(struct shape *s) {
    char text[24];
    set_flags(s);
    if (s->breaks > 0 && below(s, 3) != 0) {
        program_add(s->p, NO_LABEL, "BRK%s", draw_condition(s, "", text));
    } else if (s->level > 0 || below(s, 3) == 0) {
        program_add(s->p, NO_LABEL, "RET%s", draw_condition(s, "", text));
    } else if (!s->uniform && below(s, 3) == 0) {
        draw_marked(s->r, s->rng, s->p, ISA_MARK_END);
    }
}

static void add_call(struct shape *s) {
    const int callee = s->function[2 * s->level + below(s, 2)];
    if (below(s, 3) != 0) {
        program_add(s->p, callee, "CAL 0x0");
        return;
    }
    const int back = program_new_label(s->p); /* the same in two instructions */
    program_add(s->p, back, "PRET 0x0");
    add_jump(s, callee);
    program_place_label(s->p, back);
}

static void add_construct(struct shape *s) {
    struct shape saved = *s;
    const bool nest = s->nesting < NESTING;
    const unsigned pick = below(s, 18);
    s->nesting++;
    if (pick < 2 && s->uniform) {
        if (pick == 0 && nest && may_repeat(s)) {
            s->repeats *= NARROW;
            add_uniform_loop(s);
        } else {
            draw_barrier(s->r, s->rng, s->p);
        }
        *s = saved;
        return;
    }
    s->uniform = false;
    if (pick < 6 && nest) {
        add_branch(s);
    } else if (pick < 9 && nest && may_repeat(s)) {
        add_loop(s);
    } else if (pick < 12 && nest) {
        add_break_region(s);
    } else if (pick < 14 && s->level + 1 < LEVELS && s->repeats <= REPEATS_MAX / NARROW) {
        add_call(s);
    } else if (pick < 15) {
        s->uniform = saved.uniform;
        add_exit(s);
    } else if (pick < 17 && nest && s->p->target_count + CASES <= PROGRAM_TARGETS_MAX) {
        add_switch(s);
    } else {
        set_flags(s);
    }
    *s = saved;
}

static void add_items(struct shape *s, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        if (rng_percent(s->rng, s->flow_percent)) {
            add_construct(s);
        } else if (rng_percent(s->rng, s->wild_percent)) {
            draw_wild(s->r, s->rng, s->p);
        } else if (below(s, 8) == 0) {
            draw_memory(s->r, s->rng, s->p);
        } else {
            draw_instruction(s->r, s->rng, s->p);
        }
    }
}

void shape_kernel(const struct rules *r, struct rng *rng, struct program *p, const struct shape_options *options) {
    struct shape s = {.r = r,
                      .rng = rng,
                      .p = p,
                      .flow_percent = options->flow_percent,
                      .wild_percent = options->wild_percent,
                      .uniform = true,
                      .repeats = 1};
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        s.function[i] = program_new_label(p);
    }
    add_items(&s, options->length);
    if (below(&s, 2) == 0) {
        draw_marked(r, rng, p, ISA_MARK_END);
    } else {
        program_add(p, NO_LABEL, "RET");
    }
    s.uniform = false;
    for (unsigned i = 0; i < FUNCTIONS && options->flow_percent != 0; i++) {
        s.level = 1 + i / 2;
        s.repeats = s.level == 1 ? NARROW : REPEATS_MAX;
        program_place_label(p, s.function[i]);
        add_items(&s, 3 + below(&s, 6));
        program_add(p, NO_LABEL, "RET");
    }
}

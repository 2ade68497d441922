/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a random structured program as a kernel that checks itself: branches, loops that threads leave in different
 * iterations or break out of, calls, returns and exits, nested. The expected result of each thread comes from running
 * the program for that thread alone, as if there were no warps: divergence must have no effect.
 *
 *     structured SEED > KERNEL.sass */
#include <stdio.h>
#include <stdlib.h>

#include "bytes.h"

enum {
    NODES_MAX = 4096,
    FUNCTIONS_MAX = 3,
    LOOPS_MAX = 3,         /* nested, in one function */
    FIRST_COUNTER = 16,    /* register of a function's outermost loop */
    STEPS_MAX = 2000,      /* of a thread; a longer program is drawn again */
    JOIN_ADDS = 7,         /* summand of a join that is no NOP */
    UNTOUCHED = 0x5a5a5a5a /* memory of a thread that exits early */
};

enum kind { ADD, MIX, IF, BREAK_LOOP, JOIN_LOOP, LEAVE_LOOP, RETURN, CALL };

/* A statement. The value of a thread is v, its number t. A condition holds if v & mask is not 0 (or is 0, with
 * `when_zero`). */
struct node {
    enum kind kind;
    uint32_t value; /* ADD: summand; MIX: shift; loops: iterations besides those given by v; CALL: function */
    uint32_t mask;
    int when_zero;
    int has_other; /* IF has an else */
    int join_is_nop;
    unsigned counter; /* loops: register */
    struct node *body, *other, *next;
};

struct program {
    uint32_t random;
    struct node node[NODES_MAX];
    size_t nodes;
    struct node *function[FUNCTIONS_MAX + 1]; /* the last is the kernel itself */
    unsigned functions, labels;
};

/* The place of a statement. */
struct place {
    int depth;         /* remaining depth of nesting */
    unsigned loops;    /* around it */
    int in_loop;       /* inside a loop that it can break out of */
    unsigned function; /* calls go to functions with lower numbers */
};

/* ------------------------------------------------------------------------------------------------------------ draw */

static uint32_t below(struct program *p, uint32_t limit) {
    p->random ^= p->random << 13; /* xorshift32; source: Marsaglia 2003 */
    p->random ^= p->random >> 17;
    p->random ^= p->random << 5;
    return p->random % limit;
}

static struct node *draw_block(struct program *p, struct place place);

static struct node *new_node(struct program *p, enum kind kind) {
    if (p->nodes == NODES_MAX) {
        fputs("structured: too large\n", stderr);
        exit(2);
    }
    struct node *n = &p->node[p->nodes++];
    *n = (struct node){.kind = kind, .mask = (uint32_t)1 << below(p, 7), .when_zero = below(p, 2) == 0};
    n->mask |= below(p, 3) == 0 ? (uint32_t)1 << below(p, 10) : 0;
    return n;
}

static struct node *draw_plain(struct program *p) {
    struct node *n = new_node(p, below(p, 5) < 3 ? ADD : MIX);
    n->value = n->kind == ADD ? 1 + below(p, 0xffff) : below(p, 4);
    return n;
}

static struct node *draw_if(struct program *p, struct place place) {
    struct node *n = new_node(p, IF);
    place.depth--;
    n->has_other = below(p, 2) == 0;
    n->join_is_nop = below(p, 2) == 0;
    n->body = draw_block(p, place);
    n->other = n->has_other ? draw_block(p, place) : NULL;
    return n;
}

static struct node *draw_loop(struct program *p, struct place place, enum kind kind) {
    struct node *n = new_node(p, kind);
    n->value = below(p, 3);
    n->counter = FIRST_COUNTER + place.function * LOOPS_MAX + place.loops;
    place.depth--;
    place.loops++;
    place.in_loop |= kind == BREAK_LOOP;
    n->body = draw_block(p, place);
    return n;
}

static struct node *draw_statement(struct program *p, struct place place) {
    const uint32_t pick = below(p, 100);
    if (place.depth > 0 && pick >= 20 && pick < 50) return draw_if(p, place);
    if (place.depth > 0 && place.loops < LOOPS_MAX && pick >= 50 && pick < 65) return draw_loop(p, place, BREAK_LOOP);
    if (place.depth > 0 && place.loops < LOOPS_MAX && pick >= 65 && pick < 72) return draw_loop(p, place, JOIN_LOOP);
    if (place.in_loop && pick >= 72 && pick < 82) return new_node(p, LEAVE_LOOP);
    if (pick >= 82 && pick < (place.function < p->functions ? 90 : 85)) return new_node(p, RETURN);
    if (place.function > 0 && pick >= 90) {
        struct node *n = new_node(p, CALL);
        n->value = below(p, place.function);
        return n;
    }
    return draw_plain(p);
}

static struct node *draw_block(struct program *p, struct place place) {
    struct node *first = draw_statement(p, place);
    struct node *last = first;
    for (uint32_t more = below(p, 3); more > 0; more--) {
        last->next = draw_statement(p, place);
        last = last->next;
    }
    return first;
}

static void draw_program(struct program *p) {
    p->nodes = 0;
    p->functions = below(p, FUNCTIONS_MAX + 1);
    for (unsigned i = 0; i <= p->functions; i++)
        p->function[i] = draw_block(p, (struct place){.depth = i < p->functions ? 3 : 4, .function = i});
}

/* ----------------------------------------------------------------------------------------------- run for one thread */

enum outcome { GOES_ON, BREAKS, RETURNS, TOO_LONG };

struct thread {
    uint32_t number, value;
    unsigned steps;
};

static int holds(const struct node *n, uint32_t value) { return ((value & n->mask) == 0) == n->when_zero; }

static enum outcome run_block(const struct program *p, const struct node *n, struct thread *t);

static enum outcome run_break_loop(const struct program *p, const struct node *n, struct thread *t) {
    for (uint32_t rounds = (t->value & 3) + n->value + 1; rounds > 0; rounds--) {
        enum outcome outcome = run_block(p, n->body, t);
        if (outcome == BREAKS) return GOES_ON;
        if (outcome != GOES_ON) return outcome;
    }
    return GOES_ON;
}

static enum outcome run_join_loop(const struct program *p, const struct node *n, struct thread *t) {
    for (uint32_t rounds = (t->value & 3) + n->value + 1; rounds > 0; rounds--) {
        enum outcome outcome = run_block(p, n->body, t);
        if (outcome != GOES_ON) return outcome;
    }
    t->value += JOIN_ADDS;
    return GOES_ON;
}

static enum outcome run_if(const struct program *p, const struct node *n, struct thread *t) {
    enum outcome outcome = run_block(p, holds(n, t->value) ? n->body : n->other, t);
    if (outcome == GOES_ON && !n->join_is_nop) t->value += JOIN_ADDS;
    return outcome;
}

static enum outcome run_statement(const struct program *p, const struct node *n, struct thread *t) {
    if (++t->steps > STEPS_MAX) return TOO_LONG;
    switch (n->kind) {
    case ADD: t->value += n->value; return GOES_ON;
    case MIX: t->value ^= t->number << n->value; return GOES_ON;
    case IF: return run_if(p, n, t);
    case BREAK_LOOP: return run_break_loop(p, n, t);
    case JOIN_LOOP: return run_join_loop(p, n, t);
    case LEAVE_LOOP: return holds(n, t->value) ? BREAKS : GOES_ON;
    case RETURN: return holds(n, t->value) ? RETURNS : GOES_ON;
    default: return run_block(p, p->function[n->value], t) == TOO_LONG ? TOO_LONG : GOES_ON;
    }
}

static enum outcome run_block(const struct program *p, const struct node *n, struct thread *t) {
    enum outcome outcome = GOES_ON;
    for (; n != NULL && outcome == GOES_ON; n = n->next) outcome = run_statement(p, n, t);
    return outcome;
}

static uint32_t start_value(uint32_t number) { return number * 0x9e37u; }

/* The word that each thread stores; 0 if one runs too long. */
static int run_program(const struct program *p, unsigned threads, uint32_t *words) {
    for (unsigned i = 0; i < threads; i++) {
        struct thread t = {.number = i, .value = start_value(i)};
        enum outcome outcome = run_block(p, p->function[p->functions], &t);
        if (outcome == TOO_LONG) return 0;
        words[i] = outcome == RETURNS ? UNTOUCHED : t.value;
    }
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- print */

/* v is R4, the number of the thread R0; R5 is scratch. */
static void print_block(struct program *p, const struct node *n);

static void print_condition(const struct node *n) {
    printf("        MVI R5, 0x%x\n        LOP.AND.C0 o [0x7f], R4, R5\n", n->mask);
}

static void print_join(unsigned label, int is_nop) {
    printf(is_nop ? "join%u: NOP.S\n" : "join%u: IADD.S R4, R4, R6\n", label);
}

static void print_if(struct program *p, const struct node *n) {
    const unsigned label = p->labels++;
    print_condition(n);
    printf("        SSY join%u\n", label);
    if (n->has_other) {
        printf("        BRA C0.%s, then%u\n", n->when_zero ? "EQ" : "NE", label);
        print_block(p, n->other);
        printf("        BRA join%u\nthen%u:\n", label, label);
    } else {
        printf("        BRA C0.%s, join%u\n", n->when_zero ? "NE" : "EQ", label);
    }
    print_block(p, n->body);
    print_join(label, n->join_is_nop);
}

static void print_loop(struct program *p, const struct node *n) {
    const unsigned label = p->labels++;
    const int breaks = n->kind == BREAK_LOOP;
    printf("        MVI R5, 0x3\n        LOP.AND R%u, R4, R5\n", n->counter);
    printf("        IADD32I R%u, R%u, 0x%x\n", n->counter, n->counter, n->value + 1);
    printf("        %s %s%u\nagain%u:\n", breaks ? "PBK" : "SSY", breaks ? "out" : "join", label, label);
    print_block(p, n->body);
    printf("        IADD32I R%u, R%u, 0xffffffff\n", n->counter, n->counter);
    printf("        I2I.S32.S32.C0 o [0x7f], R%u\n", n->counter);
    if (breaks) {
        printf("        BRK C0.EQ\n        BRA again%u\nout%u:\n", label, label);
    } else {
        printf("        BRA C0.NE, again%u\n", label);
        print_join(label, 0);
    }
}

static void print_statement(struct program *p, const struct node *n) {
    switch (n->kind) {
    case ADD: printf("        IADD32I R4, R4, 0x%x\n", n->value); break;
    case MIX: printf("        SHL R5, R0, 0x%x\n        LOP.XOR R4, R4, R5\n", n->value); break;
    case IF: print_if(p, n); break;
    case BREAK_LOOP:
    case JOIN_LOOP: print_loop(p, n); break;
    case CALL: printf("        CAL function%u\n", n->value); break;
    default:
        print_condition(n);
        printf("        %s C0.%s\n", n->kind == RETURN ? "RET" : "BRK", n->when_zero ? "EQ" : "NE");
    }
}

static void print_block(struct program *p, const struct node *n) {
    for (; n != NULL; n = n->next) print_statement(p, n);
}

static void print_kernel(struct program *p, unsigned threads, const uint32_t *words) {
    printf(".kernel structured\n.block %u\n.global 0x0 = .fill %u, 0x%x\n", threads, threads, UNTOUCHED);
    for (unsigned i = 0; i < threads; i++) printf(".expect 0x%x = 0x%x\n", 4 * i, words[i]);
    printf("        I2I.U32.U16 R0, R0L\n        MVI R5, 0x%x\n        MVI R6, 0x%x\n", start_value(1), JOIN_ADDS);
    printf("        IMUL.U16.U16 R4, R0L, R5L\n");
    print_block(p, p->function[p->functions]);
    printf("        SHL R1, R0, 0x2\n        GST.U32 global14 [R1], R4\n        RET\n");
    for (unsigned i = 0; i < p->functions; i++) {
        printf("function%u:\n", i);
        print_block(p, p->function[i]);
        printf("        RET\n");
    }
}

int main(int argc, char **argv) {
    static const unsigned sizes[] = {32, 1, 31, 64, 33, 96};
    uint32_t words[96];
    struct program *p = allocate(sizeof *p);
    p->random = number_arg(argc, argv, 1, "SEED", 1, UINT32_MAX) * 0x9e3779b1u | 1;
    for (int i = 0; i < 8; i++) below(p, 1);
    const unsigned threads = sizes[below(p, 6)];
    do draw_program(p);
    while (!run_program(p, threads, words));
    print_kernel(p, threads, words);
    free(p);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Every sequence of three pushes and pops that a stack allows. Tokens that the sequence pops without pushing are pushed
 * before, tokens that it leaves are popped behind; an outer SSY reconverges all lanes. */
#include "stacks.h"

#include "../../../cmodel/model.h"
#include "../space.h"

enum { ENTRIES_MAX = 8, SEQUENCE = 3 };

/* Different lanes each time, so that groups divide again: the bits of the lane's number in C0. */
static const char *const CONDITIONS[] = {"EQU", "SIGN", "CARRY", "OVERFLOW"};

struct stack_text {
    struct program *p;
    unsigned depth, labels, diverged;
    unsigned token[ENTRIES_MAX], label[ENTRIES_MAX];
};

static void push(struct stack_text *s, unsigned token) {
    const unsigned label = s->labels++;
    switch ((enum model_token)token) {
    case TOKEN_SYNC: program_text(s->p, "SSY L%u", label); break;
    case TOKEN_CALL: program_text(s->p, "PRET L%u", label); break;
    case TOKEN_BREAK: program_text(s->p, "PBK L%u", label); break;
    case TOKEN_DIVERGE: /* the lanes that stay go to the pop of the token */
        program_text(s->p, "BRA C0.%s, T%u", CONDITIONS[s->diverged++ % 4], label);
        program_text(s->p, "BRA L%u", label);
        program_label(s->p, 'T', label);
        break;
    }
    s->token[s->depth] = token;
    s->label[s->depth++] = label;
}

static void pop(struct stack_text *s) {
    const unsigned token = s->token[--s->depth];
    program_text(s->p, token == TOKEN_CALL ? "RET" : token == TOKEN_BREAK ? "BRK" : "NOP.S");
    program_label(s->p, 'L', s->label[s->depth]);
}

/* A push of X is not followed by a pop of another token. */
static bool is_possible(const unsigned event[SEQUENCE]) {
    for (unsigned i = 0; i + 1 < SEQUENCE; i++)
        if (event[i] % 2 == 0 && event[i + 1] % 2 == 1 && event[i] / 2 != event[i + 1] / 2) return false;
    return true;
}

/* Pushes the tokens that the sequence pops, the last popped first. */
static void prepare(struct stack_text *s, const unsigned event[SEQUENCE]) {
    unsigned found[SEQUENCE], count = 0, own = 0;
    for (unsigned i = 0; i < SEQUENCE; i++)
        if (event[i] % 2 == 0)
            own++;
        else if (own > 0)
            own--;
        else
            found[count++] = event[i] / 2;
    while (count > 0) push(s, found[--count]);
}

static void emit_sequence(struct stack_text *s, const unsigned event[SEQUENCE]) {
    s->diverged = 0;
    push(s, TOKEN_SYNC);
    prepare(s, event);
    for (unsigned i = 0; i < SEQUENCE; i++)
        if (event[i] % 2 == 0)
            push(s, event[i] / 2);
        else
            pop(s);
    while (s->depth > 0) pop(s);
}

void stacks_emit(struct program *p) {
    struct stack_text s = {.p = p};
    for (unsigned n = 0; n < EVENTS * EVENTS * EVENTS; n++) {
        const unsigned event[SEQUENCE] = {n / EVENTS / EVENTS, n / EVENTS % EVENTS, n % EVENTS};
        if (is_possible(event)) emit_sequence(&s, event);
    }
    for (unsigned i = 1; i < STACK_DEPTHS; i++) program_text(p, "SSY 0x0"); /* no lane goes there */
    for (unsigned i = 1; i < STACK_DEPTHS; i++) program_text(p, "NOP.S");
}

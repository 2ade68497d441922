/* SPDX-License-Identifier: Apache-2.0 */
/* The stack of a warp: resume points of diverged groups, calls and loops. Source: docs/isa.md 6.1. The depth is a
 * parameter of the machine; the caller traps on overflow, so that no token is lost.
 *
 *     if (!stack_is_full(&w->stack)) stack_push(&w->stack, TOKEN_SYNC, active, target);
 */
#ifndef WARPSTEP_STACK_H
#define WARPSTEP_STACK_H

#include <stdbool.h>

#include "../model.h"

struct stack {
    struct model_stack_entry *entries; /* entry 0 is the bottom */
    unsigned depth;                    /* entries in use */
    unsigned capacity;
};

/* Allocates room for `capacity` entries; false if out of memory. */
bool stack_create(struct stack *stack, unsigned capacity);
void stack_destroy(struct stack *stack);

static inline bool stack_is_full(const struct stack *stack) { return stack->depth == stack->capacity; }
static inline bool stack_is_empty(const struct stack *stack) { return stack->depth == 0; }

/* The stack must not be full (push) or empty (pop, top). */
void stack_push(struct stack *stack, enum model_token token, uint32_t mask, uint32_t pc);
struct model_stack_entry stack_pop(struct stack *stack);
struct model_stack_entry stack_top(const struct stack *stack);

/* True if the stack has an entry of this kind. */
bool stack_has(const struct stack *stack, enum model_token token);

#endif

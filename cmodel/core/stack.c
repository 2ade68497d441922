/* SPDX-License-Identifier: Apache-2.0 */
/* The stack of a warp, see stack.h. */
#include "stack.h"

#include <assert.h>
#include <stdlib.h>

bool stack_create(struct stack *stack, unsigned capacity) {
    stack->entries = calloc(capacity, sizeof *stack->entries);
    stack->depth = 0;
    stack->capacity = capacity;
    return stack->entries != NULL;
}

void stack_destroy(struct stack *stack) {
    free(stack->entries);
    stack->entries = NULL;
}

void stack_push(struct stack *stack, enum model_token token, uint32_t mask, uint32_t pc) {
    assert(!stack_is_full(stack));
    stack->entries[stack->depth++] = (struct model_stack_entry){.token = token, .mask = mask, .pc = pc};
}

struct model_stack_entry stack_pop(struct stack *stack) {
    assert(!stack_is_empty(stack));
    return stack->entries[--stack->depth];
}

struct model_stack_entry stack_top(const struct stack *stack) {
    assert(!stack_is_empty(stack));
    return stack->entries[stack->depth - 1];
}

bool stack_has(const struct stack *stack, enum model_token token) {
    for (unsigned i = 0; i < stack->depth; i++)
        if (stack->entries[i].token == token) return true;
    return false;
}

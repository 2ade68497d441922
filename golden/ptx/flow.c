/* SPDX-License-Identifier: Apache-2.0 */
/* A thread: its calls, its branches, and its progress. */
#include "thread.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 200 };

void thread_fail(struct thread *t, enum outcome outcome, const char *format, ...) {
    struct machine *m = t->machine;
    const struct instruction *i = &t->frame->function->code[t->frame->pc];
    const bool at_end = t->frame->pc >= t->frame->function->code_count;
    const struct place place = at_end ? t->frame->function->place : i->place;
    char text[200];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(m->problem->text, sizeof m->problem->text,
             "%.60s:%d:%d: error: %s\n    in thread (%u,%u,%u) of block (%u,%u,%u)\n", m->module->file, place.line,
             place.column, text, t->index[0], t->index[1], t->index[2], m->block_index[0], m->block_index[1],
             m->block_index[2]);
    m->outcome = outcome;
    longjmp(m->failed, 1);
}

/* ------------------------------------------------------------------------------------------------------- frames */

/* Room for `bytes` more after `top`, with undefined contents. */
static void grow(struct thread *t, struct region *r, uint64_t top, size_t bytes) {
    if (top + bytes > r->size) {
        const uint64_t size = (top + bytes) * 2;
        uint8_t *more = realloc(r->bytes, size);
        if (more != NULL) r->bytes = more;
        uint8_t *known = realloc(r->known, size);
        if (known != NULL) r->known = known;
        if (more == NULL || known == NULL || size > WINDOW_BYTES) thread_fail(t, NOT_DEFINED, "no room for a call");
        r->size = size;
        memset(r->bytes + top, 0, size - top);
    }
    if (r->size > top) memset(r->known + top, 0, r->size - top);
}

static uint64_t aligned(uint64_t at) { return (at + 15) / 16 * 16; }

static struct frame *push(struct thread *t, const struct function *f) {
    struct frame *frame = calloc(1, sizeof *frame);
    struct value *registers = calloc(f->register_count + 1, sizeof *registers);
    if (frame == NULL || registers == NULL) abort();
    frame->function = f;
    frame->registers = registers;
    frame->local_base = t->local_top;
    frame->param_base = t->param_top;
    frame->caller = t->frame;
    t->frame = frame;
    t->depth++;
    grow(t, &t->local, t->local_top, f->local_bytes);
    grow(t, &t->param, t->param_top, f->param_bytes);
    t->local_top = aligned(t->local_top + f->local_bytes);
    t->param_top = aligned(t->param_top + f->param_bytes);
    return frame;
}

static void pop(struct thread *t) {
    struct frame *frame = t->frame;
    t->local_top = frame->local_base;
    t->param_top = frame->param_base;
    t->frame = frame->caller;
    t->depth--;
    free(frame->registers);
    free(frame);
}

/* The regions end with the frames: an access beyond is out of bounds. */
static void trim(struct thread *t) {
    t->local.size = t->local_top;
    t->param.size = t->param_top;
}

/* From a value of one frame to a parameter of another, each a register or a variable. */
static void pass(struct thread *t, struct frame *from, const struct operand *source, struct frame *to,
                 const struct operand *target) {
    struct frame *current = t->frame;
    const struct variable *v = target->variable;
    const struct variable *w = source->kind == SYMBOL && source->variable->space == PARAM ? source->variable : NULL;
    if (v != NULL && w != NULL) {
        if (v->bytes != w->bytes)
            thread_fail(t, NOT_DEFINED, "'%.40s' has another size than '%.40s'", w->name, v->name);
        const uint64_t at = from->param_base + w->address;
        memcpy(t->param.bytes + to->param_base + v->address, t->param.bytes + at, v->bytes);
        memcpy(t->param.known + to->param_base + v->address, t->param.known + at, v->bytes);
        return;
    }
    const struct type type = v != NULL ? v->type : to->function->registers[target->reg];
    struct value value;
    t->frame = from;
    if (w != NULL)
        value = region_load(&t->param, from->param_base + w->address, type.bits / 8u);
    else
        value = operand_read(t, source, type);
    t->frame = to;
    if (v != NULL)
        region_store(&t->param, to->param_base + v->address, type.bits / 8u, value);
    else
        operand_write(t, target, type, value);
    t->frame = current;
}

static void call(struct thread *t, const struct instruction *i) {
    const struct function *f = i->operands[1].function;
    const struct operand *arguments = &i->operands[2];
    if (arguments->count != f->parameter_count || i->operands[0].count != f->result_count)
        thread_fail(t, NOT_DEFINED, "'%.60s' has %u parameters and %u results", f->name, f->parameter_count,
                    f->result_count);
    if (t->depth == MOST_CALLS) thread_fail(t, TRAPPED, "%d calls within each other", MOST_CALLS);
    struct frame *caller = t->frame;
    struct frame *callee = push(t, f);
    for (unsigned k = 0; k < arguments->count; k++) pass(t, caller, &arguments->list[k], callee, &f->parameters[k]);
    trim(t);
}

/* Back to the instruction after the call; in the kernel, the end. */
static void leave(struct thread *t) {
    struct frame *callee = t->frame;
    struct frame *caller = callee->caller;
    if (caller == NULL) {
        t->state = ENDED;
        return;
    }
    const struct operand *results = &caller->function->code[caller->pc].operands[0];
    for (unsigned k = 0; k < results->count; k++)
        pass(t, callee, &callee->function->results[k], caller, &results->list[k]);
    pop(t);
    trim(t);
    caller->pc++;
}

/* ----------------------------------------------------------------------------------------------------- branches */

static size_t table_target(struct thread *t, const struct instruction *i) {
    const struct value index = operand_read(t, &i->operands[0], (struct type){'u', 32});
    const struct table *table = i->operands[1].table;
    if (table == NULL) thread_fail(t, NOT_DEFINED, "expected a table of branch targets");
    if (!is_known(index, (struct type){'u', 32})) thread_fail(t, NOT_DEFINED, "the index is undefined");
    if (index.bits >= table->count)
        thread_fail(t, NOT_DEFINED, "index %llu of %u targets", (unsigned long long)index.bits, table->count);
    return table->labels[index.bits].target;
}

static void wait(struct thread *t, const struct instruction *i) {
    const struct value v = operand_read(t, &i->operands[0], (struct type){'u', 32});
    if (has_word(&i->words, W_SYNC) == (i->combination != NO_WORD) || i->operand_count != 1)
        thread_fail(t, NOT_DEFINED, "only bar.sync of the whole block is supported");
    if (!is_known(v, (struct type){'u', 32}) || v.bits > 15) thread_fail(t, NOT_DEFINED, "a barrier is 0 to 15");
    t->barrier = v.bits;
    t->state = WAITS;
    t->frame->pc++;
}

static void execute_flow(struct thread *t, const struct instruction *i) {
    switch (i->opcode) {
    case OP_BRA:
        if (i->operand_count != 1 || i->operands[0].kind != LABEL || i->operands[0].table != NULL)
            thread_fail(t, NOT_DEFINED, "expected a label");
        t->frame->pc = i->operands[0].target;
        break;
    case OP_BRX: t->frame->pc = table_target(t, i); break;
    case OP_CALL: call(t, i); break;
    case OP_RET: leave(t); break;
    case OP_EXIT: t->state = ENDED; break;
    case OP_BAR:
    case OP_BARRIER: wait(t, i); break;
    case OP_TRAP: thread_fail(t, TRAPPED, "trap"); break;
    default: break;
    }
}

static bool is_flow(enum opcode o) {
    return o == OP_BRA || o == OP_BRX || o == OP_CALL || o == OP_RET || o == OP_EXIT || o == OP_BAR ||
           o == OP_BARRIER || o == OP_TRAP;
}

static bool does_nothing(enum opcode o) {
    return o == OP_MEMBAR || o == OP_FENCE || o == OP_PREFETCH || o == OP_PREFETCHU;
}

static bool guard_holds(struct thread *t, const struct instruction *i) {
    const struct value v = t->frame->registers[i->guard];
    if (v.known == 0) thread_fail(t, NOT_DEFINED, "the predicate is undefined");
    return (v.bits != 0) != i->guard_negated;
}

static void step(struct thread *t) {
    const struct function *f = t->frame->function;
    if (t->frame->pc >= f->code_count) {
        leave(t);
        return;
    }
    const struct instruction *i = &f->code[t->frame->pc];
    if (++t->steps > t->machine->launch->steps) thread_fail(t, TRAPPED, "too many instructions");
    if (i->guarded && !guard_holds(t, i)) {
        t->frame->pc++;
        return;
    }
    if (is_flow(i->opcode)) {
        execute_flow(t, i);
        return;
    }
    if (is_access(i->opcode))
        execute_access(t, i);
    else if (!does_nothing(i->opcode))
        execute_computation(t, i);
    t->frame->pc++;
}

/* ------------------------------------------------------------------------------------------------------- threads */

void thread_start(struct thread *t, struct machine *m, uint32_t number) {
    const struct launch *launch = m->launch;
    *t = (struct thread){.machine = m, .number = number};
    t->index[0] = number % launch->block[0];
    t->index[1] = number / launch->block[0] % launch->block[1];
    t->index[2] = number / launch->block[0] / launch->block[1];
    t->local.name = "local memory", t->local.space = LOCAL;
    t->param.name = "parameters", t->param.space = PARAM;
    push(t, launch->kernel);
    trim(t);
    if (launch->kernel->given_bytes == 0) return;
    memcpy(t->param.bytes, launch->parameters, launch->kernel->given_bytes);
    memset(t->param.known, 0xff, launch->kernel->given_bytes);
}

void thread_run(struct thread *t) {
    t->state = RUNS;
    while (t->state == RUNS) step(t);
}

void thread_free(struct thread *t) {
    while (t->frame != NULL) pop(t);
    region_free(&t->local);
    region_free(&t->param);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Branches, loops, switches and calls. See draw.h. */
#include "draw.h"

#include <string.h>

enum { MOST_DEPTH = 3 };

/* State that a block may change. */
struct saved {
    struct pool pools[KINDS];
    bool divergent;
    unsigned in_loop;
};

static struct saved enter(struct draw *d, bool divergent) {
    struct saved s;
    memcpy(s.pools, d->pools, sizeof s.pools);
    s.divergent = d->divergent;
    s.in_loop = d->in_loop;
    d->divergent = d->divergent || divergent;
    d->depth++;
    return s;
}

static void leave(struct draw *d, const struct saved *s) {
    memcpy(d->pools, s->pools, sizeof s->pools);
    d->divergent = s->divergent;
    d->in_loop = s->in_loop;
    d->depth--;
}

static unsigned new_label(struct draw *d) { return d->labels++; }
static void put_label(struct draw *d, char letter, unsigned label) { text_add(&d->body, "$%c%u:\n", letter, label); }

/* Passes a block's values to registers of the outer block, which would otherwise not use them. */
static void hand_out(struct draw *d, const struct saved *outside) {
    for (unsigned k = 1 + draw_below(d, 2); k > 0; k--) {
        const enum kind kind = (enum kind)draw_below(d, KINDS);
        const struct pool *pool = &outside->pools[kind];
        if (pool->count > 0) draw_copy(d, kind, pool->registers[draw_below(d, pool->count)]);
    }
    const struct pool *words = &outside->pools[WORD32];
    if (words->count == 0) return;
    const unsigned to = words->registers[draw_below(d, words->count)];
    emit(d, "xor.b32 %%r%u, %%r%u, %%r%u;", to, to, pool_any(d, WORD32));
}

static void draw_inner(struct draw *d, const struct saved *outside, unsigned statements) {
    draw_block(d, statements);
    hand_out(d, outside);
}

/* A predicate that is equal in all threads of the block, or any. */
static unsigned condition(struct draw *d, bool uniform) {
    if (!uniform) return draw_condition(d);
    const unsigned p = new_register(d, PREDICATE);
    const unsigned bit = new_register(d, WORD32);
    emit(d, "and.b32 %%r%u, %%r%u, %u;", bit, d->uniform.registers[draw_below(d, d->uniform.count)],
         1u << draw_below(d, 3));
    emit(d, "setp.%s.u32 %%p%u, %%r%u, 0;", draw_chance(d, 50) ? "eq" : "ne", p, bit);
    return p;
}

static bool wants_uniform(struct draw *d) {
    return d->in_kernel && d->uses_barrier && !d->divergent && draw_chance(d, 60);
}

static void draw_if(struct draw *d) {
    const bool uniform = wants_uniform(d);
    const unsigned p = condition(d, uniform);
    const unsigned label = new_label(d);
    const bool has_else = draw_chance(d, 50);
    const char *not = draw_chance(d, 50) ? "!" : "";
    struct saved s = enter(d, !uniform);
    emit(d, "@%s%%p%u bra%s $%c%u;", not, p, uniform ? ".uni" : "", has_else ? 'E' : 'F', label);
    draw_inner(d, &s, 1 + draw_below(d, 5));
    leave(d, &s);
    if (has_else) {
        emit(d, "bra%s $F%u;", uniform || draw_chance(d, 30) ? ".uni" : "", label);
        put_label(d, 'E', label);
        s = enter(d, !uniform);
        draw_inner(d, &s, 1 + draw_below(d, 5));
        leave(d, &s);
    }
    put_label(d, 'F', label);
}

/* The counter is in no pool: only the loop writes it. */
static void draw_loop(struct draw *d) {
    const bool uniform = wants_uniform(d);
    const bool jumps_in = !uniform && has_feature(d, FEATURE_IRREDUCIBLE) && draw_chance(d, 20);
    const unsigned label = new_label(d) + 1;
    const unsigned counter = new_register(d, WORD32);
    const unsigned limit = new_register(d, WORD32);
    const unsigned again = new_register(d, PREDICATE);
    if (uniform)
        emit(d, "mov.u32 %%r%u, %u;", limit, draw_below(d, 3));
    else
        emit(d, "and.b32 %%r%u, %%r%u, %u;", limit, pool_any(d, WORD32), draw_chance(d, 50) ? 3 : 1);
    emit(d, "mov.u32 %%r%u, 0;", counter);
    if (jumps_in) emit(d, "@%%p%u bra $M%u;", draw_condition(d), label);
    put_label(d, 'B', label);
    struct saved s = enter(d, !uniform);
    d->in_loop = uniform ? 0 : label;
    if (jumps_in) {
        draw_inner(d, &s, 1 + draw_below(d, 3));
        leave(d, &s);
        put_label(d, 'M', label);
        s = enter(d, true);
        d->in_loop = label;
    }
    draw_inner(d, &s, 1 + draw_below(d, 5));
    leave(d, &s);
    put_label(d, 'C', label);
    emit(d, "add.u32 %%r%u, %%r%u, 1;", counter, counter);
    emit(d, "setp.le.u32 %%p%u, %%r%u, %%r%u;", again, counter, limit);
    emit(d, "@%%p%u bra%s $B%u;", again, uniform ? ".uni" : "", label);
    put_label(d, 'D', label);
}

/* break or continue of the innermost loop */
static void draw_jump(struct draw *d) {
    emit(d, "@%s%%p%u bra $%c%u;", draw_chance(d, 50) ? "!" : "", draw_condition(d), draw_chance(d, 50) ? 'D' : 'C',
         d->in_loop);
}

/* Cases may fall through to the next one. */
static void draw_switch(struct draw *d) {
    const unsigned cases = 2 + draw_below(d, 4);
    const unsigned label = new_label(d);
    const unsigned index = new_register(d, WORD32);
    const bool table = has_feature(d, FEATURE_BRX) && draw_chance(d, 50);
    emit(d, "rem.u32 %%r%u, %%r%u, %u;", index, pool_any(d, WORD32), cases);
    if (table) {
        d->uses_table = true;
        text_add(&d->body, "$T%u: .branchtargets", label);
        for (unsigned k = 0; k < cases; k++) text_add(&d->body, "%s $S%u_%u", k == 0 ? "" : ",", label, k);
        text_add(&d->body, ";\n");
        emit(d, "brx.idx %%r%u, $T%u;", index, label);
    } else {
        for (unsigned k = 1; k < cases; k++) {
            const unsigned p = new_register(d, PREDICATE);
            emit(d, "setp.eq.s32 %%p%u, %%r%u, %u;", p, index, k);
            emit(d, "@%%p%u bra $S%u_%u;", p, label, k);
        }
    }
    for (unsigned k = 0; k < cases; k++) {
        text_add(&d->body, "$S%u_%u:\n", label, k);
        struct saved s = enter(d, true);
        draw_inner(d, &s, 1 + draw_below(d, 2));
        leave(d, &s);
        if (k + 1 < cases && draw_chance(d, 70)) emit(d, "bra $X%u;", label);
    }
    put_label(d, 'X', label);
}

/* --------------------------------------------------------------------------------------------------------- calls */

static const char *parameter_type(enum kind kind) {
    static const char *const TYPES[] = {"b16", "b32", "b64", "f32", "f64", "pred"};
    return TYPES[kind];
}

static void draw_arguments(struct draw *d, const struct drawn_function *f) {
    for (unsigned k = 0; k < f->count; k++) {
        const char *type = parameter_type(f->takes[k]);
        const char *p = kind_prefix(f->takes[k]);
        if (k == 0 && f->structure) {
            emit(d, ".param .align 4 .b8 c0[8];");
            emit(d, "st.param.b32 [c0+0], %%r%u;", pool_any(d, WORD32));
            emit(d, "st.param.b32 [c0+4], %%r%u;", pool_any(d, WORD32));
            continue;
        }
        emit(d, ".param .%s c%u;", type, k);
        emit(d, "st.param.%s [c%u], %s%u;", type, k, p, pool_any(d, f->takes[k]));
    }
}

static void call_by_registers(struct draw *d, const struct drawn_function *f, unsigned which) {
    const unsigned to = new_register(d, WORD32);
    unsigned arguments[3] = {0};
    for (unsigned k = 0; k < f->count; k++) arguments[k] = pool_any(d, f->takes[k]);
    text_add(&d->body, "\tcall%s (%%r%u), fn%u, (", d->divergent ? "" : ".uni", to, which);
    for (unsigned k = 0; k < f->count; k++)
        text_add(&d->body, "%s%s%u", k == 0 ? "" : ", ", kind_prefix(f->takes[k]), arguments[k]);
    text_add(&d->body, ");\n");
    pool_put(d, WORD32, to);
}

static void draw_call(struct draw *d) {
    const unsigned which = draw_below(d, d->function_count);
    const struct drawn_function *f = &d->functions[which];
    const unsigned to = new_register(d, WORD32);
    if (d->heavy + f->heavy > MOST_HEAVY) return;
    d->heavy += f->heavy;
    if (f->by_registers) {
        call_by_registers(d, f, which);
        return;
    }
    emit(d, "{");
    draw_arguments(d, f);
    emit(d, f->gives_two ? ".param .align 8 .b8 given[8];" : ".param .b32 given;");
    text_add(&d->body, "\tcall%s (given), fn%u, (", d->divergent ? "" : ".uni", which);
    for (unsigned k = 0; k < f->count; k++) text_add(&d->body, "%sc%u", k == 0 ? "" : ", ", k);
    text_add(&d->body, ");\n");
    emit(d, "ld.param.b32 %%r%u, [given];", to);
    if (f->gives_two) {
        const unsigned second = new_register(d, WORD32);
        emit(d, "ld.param.b32 %%r%u, [given+4];", second);
        pool_put(d, WORD32, second);
    }
    emit(d, "}");
    pool_put(d, WORD32, to);
}

/* Registers of an inner scope, the second time as a vector. */
static void draw_scope(struct draw *d) {
    const unsigned a = pool_any(d, WORD32);
    const unsigned b = pool_any(d, WORD32);
    const unsigned to = new_register(d, WORD32);
    emit(d, "{");
    if (draw_chance(d, 50) || !d->has_local) {
        emit(d, ".reg .u32 %%t;");
        emit(d, "add.u32 %%t, %%r%u, %%r%u;", a, b);
        emit(d, "mul.lo.u32 %%r%u, %%t, 5;", to);
    } else {
        emit(d, ".reg .v2 .b32 %%t;");
        emit(d, "ld.local.v2.b32 %%t, [%%la+8];");
        emit(d, "sub.u32 %%r%u, %%t.x, %%t.y;", to);
    }
    emit(d, "}");
    pool_put(d, WORD32, to);
}

/* ret in a function, exit or ret in a kernel without barriers. */
static void give_result(struct draw *d, const struct drawn_function *f, unsigned reg);

static void draw_end(struct draw *d) {
    const unsigned p = draw_condition(d);
    if (d->in_kernel) {
        emit(d, "@%%p%u %s;", p, draw_chance(d, 50) ? "exit" : "ret");
        return;
    }
    give_result(d, &d->functions[d->function_count], pool_any(d, WORD32));
    emit(d, "@%%p%u ret;", p);
}

static void draw_statement(struct draw *d) {
    const unsigned which = draw_below(d, 200);
    const bool nests = d->depth < MOST_DEPTH;
    if (which < 10 && nests)
        draw_if(d);
    else if (which < 16 && nests)
        draw_loop(d);
    else if (which < 20 && nests)
        draw_switch(d);
    else if (which < 34 && d->in_loop != 0)
        draw_jump(d);
    else if (which < 40 && d->function_count > 0)
        draw_call(d);
    else if (which < 60)
        draw_memory(d);
    else if (which < 70 && d->in_kernel && d->uses_barrier && !d->divergent)
        draw_exchange(d);
    else if (which < 76 && d->in_kernel && has_feature(d, FEATURE_ATOMICS))
        draw_atomic(d);
    else if (which == 76)
        emit(d, "membar.%s;", draw_chance(d, 40) ? "cta" : draw_chance(d, 50) ? "gl" : "sys");
    else if (which < 80)
        draw_scope(d);
    else if (which < 88)
        draw_walk(d, new_label(d));
    else if (which < 92 && d->depth > 0 && !(d->in_kernel && d->uses_barrier))
        draw_end(d);
    else
        draw_computation(d);
}

void draw_block(struct draw *d, unsigned statements) {
    for (unsigned k = 0; k < statements; k++) draw_statement(d);
}

/* ----------------------------------------------------------------------------------------------------- functions */

void declare_registers(struct draw *d) {
    static const char *const TYPES[] = {"b16", "b32", "b64", "f32", "f64", "pred"};
    for (unsigned k = 0; k < KINDS; k++)
        if (d->registers[k] > 0)
            text_add(&d->text, "\t.reg .%s %s<%u>;\n", TYPES[k], kind_prefix((enum kind)k), d->registers[k]);
    text_add(&d->text, "\t.reg .b%u %%in, %%out, %%acc, %%la, %%lag, %%sa, %%sag;\n", d->address_bits);
    if (d->has_local) text_add(&d->text, "\t.local .align 16 .b8 loc[64];\n");
}

static void draw_header(struct draw *d, const struct drawn_function *f, unsigned number) {
    const char *space = f->by_registers ? ".reg" : ".param";
    text_add(&d->text, "\n.func (%s %s result%s) fn%u (", space, f->gives_two ? ".align 8 .b8" : ".b32",
             f->gives_two ? "[8]" : "", number);
    for (unsigned k = 0; k < f->count; k++) {
        text_add(&d->text, "%s%s ", k == 0 ? "" : ", ", space);
        if (k == 0 && f->structure)
            text_add(&d->text, ".align 4 .b8 a0[8]");
        else
            text_add(&d->text, ".%s a%u", parameter_type(f->takes[k]), k);
    }
    text_add(&d->text, ")\n{\n");
}

/* A register as the result, and a second word if the function's parameters are variables. */
static void give_result(struct draw *d, const struct drawn_function *f, unsigned reg) {
    if (f->by_registers) {
        emit(d, "mov.b32 result, %%r%u;", reg);
        return;
    }
    emit(d, "st.param.b32 [result], %%r%u;", reg);
    if (f->gives_two) emit(d, "st.param.b32 [result+4], %%r%u;", pool_any(d, WORD32));
}

static void load_parameters(struct draw *d, const struct drawn_function *f) {
    for (unsigned k = 0; k < f->count; k++) {
        const enum kind kind = k == 0 && f->structure ? WORD32 : f->takes[k];
        const unsigned to = new_register(d, kind);
        if (f->by_registers)
            emit(d, "mov.%s %s%u, a%u;", parameter_type(kind), kind_prefix(kind), to, k);
        else
            emit(d, "ld.param.%s %s%u, [a%u];", parameter_type(kind), kind_prefix(kind), to, k);
        pool_put(d, kind, to);
        if (k != 0 || !f->structure) continue;
        const unsigned second = new_register(d, WORD32);
        emit(d, "ld.param.b32 %%r%u, [a0+4];", second);
        pool_put(d, WORD32, second);
    }
}

static void draw_function(struct draw *d, struct drawn_function *f) {
    static const enum kind TAKEN[] = {WORD32, WORD32, WORD64, FLOAT32, WORD16, FLOAT64};
    const unsigned kinds = has_feature(d, FEATURE_DOUBLE) ? 6 : 5;
    f->count = 1 + draw_below(d, 3);
    f->by_registers = draw_chance(d, 20);
    f->structure = !f->by_registers && draw_chance(d, 20);
    f->gives_two = !f->by_registers && draw_chance(d, 20);
    for (unsigned k = 0; k < f->count; k++) f->takes[k] = TAKEN[draw_below(d, kinds)];
    draw_header(d, f, d->function_count);
    load_parameters(d, f);
    if (draw_chance(d, 40)) draw_local_start(d);
    d->divergent = true;
    d->depth = 1;
    draw_block(d, 4 + draw_below(d, 10));
    unsigned sum = pool_any(d, WORD32);
    for (unsigned k = 0; k < KINDS; k++) {
        const unsigned to = new_register(d, WORD32);
        const unsigned w = as_word(d, (enum kind)k, pool_any(d, (enum kind)k));
        emit(d, "xor.b32 %%r%u, %%r%u, %%r%u;", to, sum, w);
        sum = to;
    }
    give_result(d, f, sum);
    emit(d, "ret;");
}

void draw_functions(struct draw *d) {
    const unsigned count = has_feature(d, FEATURE_CALLS) ? draw_below(d, MOST_FUNCTIONS) : 0;
    for (unsigned k = 0; k < count; k++) {
        memset(d->pools, 0, sizeof d->pools);
        memset(d->registers, 0, sizeof d->registers);
        d->body.length = 0;
        d->has_local = false;
        d->in_kernel = false;
        d->heavy = 0;
        draw_function(d, &d->functions[k]);
        d->functions[k].heavy = d->heavy;
        declare_registers(d);
        text_append(&d->text, &d->body);
        text_add(&d->text, "}\n");
        d->function_count++;
    }
}

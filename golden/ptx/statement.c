/* SPDX-License-Identifier: Apache-2.0 */
/* The body of a function: labels, instructions and their operands. */
#include "reader.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    enum special_register special;
    bool has_axes;
} SPECIALS[] = {
    {"%tid",               TID,            true },
    {"%ntid",              NTID,           true },
    {"%ctaid",             CTAID,          true },
    {"%nctaid",            NCTAID,         true },
    {"%laneid",            LANEID,         false},
    {"%warpid",            WARPID,         false},
    {"%nwarpid",           NWARPID,        false},
    {"%smid",              SMID,           false},
    {"%nsmid",             NSMID,          false},
    {"%gridid",            GRIDID,         false},
    {"%clock",             CLOCK,          false},
    {"%clock64",           CLOCK,          false},
    {"%globaltimer",       CLOCK,          false},
    {"%lanemask_eq",       LANEMASK_EQ,    false},
    {"%lanemask_le",       LANEMASK_LE,    false},
    {"%lanemask_lt",       LANEMASK_LT,    false},
    {"%lanemask_ge",       LANEMASK_GE,    false},
    {"%lanemask_gt",       LANEMASK_GT,    false},
    {"%dynamic_smem_size", DYNAMIC_SHARED, false},
    {"WARP_SZ",            WARP_SIZE,      false},
};

static struct operand take_operand(struct reader *r);

/* .x to .w, or .r .g .b .a; 4 if none follows. */
static unsigned take_axis(struct reader *r) {
    static const char NAMES[] = "xyzwrgba";
    if (r->token.kind != DOTTED || r->token.length != 1) return 4;
    const char *at = strchr(NAMES, *r->token.start);
    if (at == NULL) return 4;
    reader_advance(r);
    return (unsigned)(at - NAMES) % 4;
}

static bool take_special(struct reader *r, const char *name, struct operand *o) {
    for (size_t i = 0; i < sizeof SPECIALS / sizeof *SPECIALS; i++) {
        if (strcmp(SPECIALS[i].name, name) != 0) continue;
        o->kind = SPECIAL;
        o->special = SPECIALS[i].special;
        if (SPECIALS[i].has_axes && (o->axis = take_axis(r)) > 3) reader_unexpected(r, ".x, .y or .z");
        return true;
    }
    if (strncmp(name, "%envreg", 7) != 0) return false;
    o->kind = SPECIAL;
    o->special = ENVREG;
    return true;
}

/* + 4 or - 4 after the name of a variable or a register. */
static uint64_t take_offset(struct reader *r) {
    if (reader_accept(r, "+")) return take_integer(r);
    return next_is(r, "-") ? take_integer(r) : 0;
}

static void registers_operand(struct reader *r, const struct entry *e, unsigned index, struct operand *o) {
    const unsigned first = e->first + index * e->width;
    o->kind = REGISTER;
    o->reg = first;
    if (e->width == 1) return;
    const unsigned axis = take_axis(r);
    o->reg = first + axis;
    if (axis < e->width) return;
    if (axis < 4) reader_fail(r, o->place, "the vector has %u elements", e->width);
    o->kind = VECTOR;
    o->count = e->width;
    o->list = module_allocate(r->module, e->width * sizeof *o->list);
    for (unsigned i = 0; i < e->width; i++)
        o->list[i] = (struct operand){.kind = REGISTER, .place = o->place, .reg = first + i};
}

static struct operand take_named(struct reader *r) {
    struct operand o = {.place = r->token.place};
    unsigned index;
    const char *name = take_name(r);
    if (strcmp(name, "_") == 0) {
        o.kind = SINK;
        return o;
    }
    if (take_special(r, name, &o)) return o;
    const struct entry *e = look_up(r, r->scope, name, &index);
    if (e != NULL && e->kind == REGISTERS) {
        registers_operand(r, e, index, &o);
    } else if (e != NULL && e->kind == VARIABLE) {
        o.kind = SYMBOL;
        o.variable = e->variable;
        o.number = take_offset(r);
    } else {
        if (name[0] == '%') reader_fail(r, o.place, "register '%.60s' is not declared", name);
        o.kind = LABEL;
        o.name = name;
        o.scope = r->scope;
    }
    return o;
}

static struct operand take_vector_operand(struct reader *r) {
    struct operand o = {.kind = VECTOR, .place = r->token.place};
    o.list = module_allocate(r->module, 8 * sizeof *o.list);
    expect(r, "{");
    while (!reader_accept(r, "}")) {
        if (o.count == 8) reader_fail(r, o.place, "too many elements");
        if (o.count != 0) expect(r, ",");
        o.list[o.count++] = take_operand(r);
    }
    return o;
}

static struct operand take_address(struct reader *r) {
    struct operand o = {.kind = ADDRESS, .place = r->token.place};
    expect(r, "[");
    if (r->token.kind == NAME) {
        const struct operand base = take_named(r);
        if (base.kind != REGISTER && base.kind != SYMBOL) reader_fail(r, o.place, "no address");
        o.has_register = base.kind == REGISTER;
        o.reg = base.reg;
        o.variable = base.variable;
        o.number = base.number + (o.has_register ? take_offset(r) : 0);
    } else {
        o.number = take_integer(r);
    }
    expect(r, "]");
    return o;
}

static struct operand take_numeral(struct reader *r) {
    struct operand o = {.kind = NUMBER, .place = r->token.place};
    bool negative = false;
    while (next_is(r, "-") || next_is(r, "+")) {
        negative = negative != next_is(r, "-");
        reader_advance(r);
    }
    if (r->token.kind == NUMERAL && r->token.literal != INTEGER) {
        o.literal = r->token.literal;
        o.number = r->token.number;
        if (negative) o.number ^= (uint64_t)1 << (o.literal == F32_BITS ? 31 : 63);
        reader_advance(r);
        return o;
    }
    o.literal = INTEGER;
    o.number = take_integer(r);
    if (negative) o.number = 0 - o.number;
    return o;
}

static struct operand take_any_operand(struct reader *r) {
    if (next_is(r, "{")) return take_vector_operand(r);
    if (next_is(r, "[")) return take_address(r);
    if (reader_accept(r, "!")) {
        struct operand o = take_operand(r);
        o.negated = !o.negated;
        return o;
    }
    if (r->token.kind != NAME) return take_numeral(r);
    struct operand o = take_named(r);
    if (reader_accept(r, "|")) {
        o.count = 1;
        o.list = module_allocate(r->module, sizeof *o.list);
        *o.list = take_operand(r);
    }
    return o;
}

static struct operand take_operand(struct reader *r) {
    reader_enter(r);
    const struct operand o = take_any_operand(r);
    reader_leave(r);
    return o;
}

/* ------------------------------------------------------------------------------------------------- instructions */

static bool is_rounding(enum word w) { return w >= W_RN && w <= W_RPI; }
static bool is_comparison(enum word w) { return w >= W_EQ && w <= W_NAN; }
static bool is_combination(enum word w) { return w >= W_AND && w <= W_MAX; }

static void put_word(struct reader *r, struct instruction *i, enum word w, const char *text) {
    const bool compares = i->opcode == OP_SET || i->opcode == OP_SETP;
    if (is_rounding(w))
        i->rounding = w;
    else if (compares && is_comparison(w))
        i->comparison = w;
    else if (is_combination(w))
        i->combination = w;
    else if (w == NO_WORD)
        reader_fail(r, r->token.place, "unknown '.%s' on %s", text, opcode_text(i->opcode));
    else
        add_word(&i->words, w);
}

static void take_words(struct reader *r, struct instruction *i) {
    for (; r->token.kind == DOTTED; reader_advance(r)) {
        char text[16] = "?";
        struct type type;
        if (r->token.length < sizeof text) snprintf(text, sizeof text, "%.*s", (int)r->token.length, r->token.start);
        if (type_of(text, &type)) {
            if (i->type_count == 4) reader_fail(r, r->token.place, "too many types");
            i->types[i->type_count++] = type;
        } else if (space_of(text) != NO_SPACE) {
            i->space = space_of(text);
        } else if (strcmp(text, "v2") == 0 || strcmp(text, "v4") == 0) {
            i->vector = (unsigned)(text[1] - '0');
        } else {
            put_word(r, i, word_of(text), text);
        }
    }
}

/* (a, b) as a vector, also without elements. */
static struct operand take_list(struct reader *r) {
    struct operand o = {.kind = VECTOR, .place = r->token.place};
    size_t room = 0;
    expect(r, "(");
    while (!reader_accept(r, ")")) {
        if (o.count != 0) expect(r, ",");
        const struct operand one = take_operand(r);
        o.list = module_enlarge(r->module, o.list, o.count, &room, sizeof one);
        o.list[o.count++] = one;
    }
    return o;
}

/* call (results), name, (arguments), prototype; results and arguments may be missing. */
static void take_call(struct reader *r, struct instruction *i) {
    struct operand *o = i->operands;
    i->operand_count = 3;
    o[0] = o[2] = (struct operand){.kind = VECTOR};
    if (next_is(r, "(")) {
        o[0] = take_list(r);
        expect(r, ",");
    }
    o[1] = (struct operand){.kind = CALLEE, .place = r->token.place};
    const bool is_register = next_is(r, "%") || (r->token.kind == NAME && *r->token.start == '%');
    if (is_register) reader_fail(r, o[1].place, "indirect calls are not supported");
    o[1].name = take_name(r);
    if (!reader_accept(r, ",")) return;
    if (next_is(r, "(")) o[2] = take_list(r);
    if (reader_accept(r, ",")) reader_fail(r, o[1].place, "indirect calls are not supported");
}

static void take_operands(struct reader *r, struct instruction *i) {
    while (!next_is(r, ";")) {
        if (i->operand_count == MOST_OPERANDS) reader_fail(r, r->token.place, "too many operands");
        if (i->operand_count != 0) expect(r, ",");
        i->operands[i->operand_count++] = take_operand(r);
    }
}

static void take_guard(struct reader *r, struct instruction *i) {
    i->guarded = reader_accept(r, "@");
    if (!i->guarded) return;
    const struct operand guard = take_operand(r);
    if (guard.kind != REGISTER || r->function->registers[guard.reg].kind != 'p')
        reader_fail(r, guard.place, "a guard is a predicate");
    i->guard = guard.reg;
    i->guard_negated = guard.negated;
}

static void read_instruction(struct reader *r) {
    struct instruction i = {.place = r->token.place, .vector = 1};
    char text[16] = "?";
    take_guard(r, &i);
    i.place = r->token.place;
    if (r->token.kind != NAME) reader_unexpected(r, "an instruction");
    if (r->token.length < sizeof text) snprintf(text, sizeof text, "%.*s", (int)r->token.length, r->token.start);
    i.opcode = opcode_of(text);
    if (i.opcode == NO_OPCODE) reader_fail(r, i.place, "instruction '%s' is not supported", text);
    reader_advance(r);
    take_words(r, &i);
    if (i.opcode == OP_CALL)
        take_call(r, &i);
    else
        take_operands(r, &i);
    expect(r, ";");
    r->module->approximates = r->module->approximates || has_word(&i.words, W_APPROX);
    struct function *f = r->function;
    f->code = module_enlarge(r->module, f->code, f->code_count, &f->code_room, sizeof i);
    f->code[f->code_count++] = i;
}

/* -------------------------------------------------------------------------------------------------------- bodies */

static void read_table(struct reader *r, const char *name, struct place place) {
    struct table *table = module_allocate(r->module, sizeof *table);
    size_t room = 0;
    do {
        table->labels = module_enlarge(r->module, table->labels, table->count, &room, sizeof *table->labels);
        table->labels[table->count] = (struct operand){.kind = LABEL, .place = r->token.place, .scope = r->scope};
        table->labels[table->count++].name = take_name(r);
    } while (reader_accept(r, ","));
    expect(r, ";");
    declare(r, name, TABLE, place)->table = table;
    struct function *f = r->function;
    table->next = f->tables;
    f->tables = table;
}

static void read_label(struct reader *r, const char *name, struct place place) {
    expect(r, ":");
    if (reader_accept(r, "branchtargets")) {
        read_table(r, name, place);
        return;
    }
    if (next_is(r, "callprototype") || next_is(r, "calltargets")) reader_unexpected(r, "an instruction");
    declare(r, name, LABELS, place)->target = r->function->code_count;
}

static void read_body_directive(struct reader *r) {
    char word[16] = "";
    if (r->token.length < sizeof word) memcpy(word, r->token.start, r->token.length);
    if (next_is(r, "loc") || next_is(r, "file")) {
        skip_line(r);
    } else if (reader_accept(r, "reg")) {
        read_registers(r);
    } else if (reader_accept(r, "pragma")) {
        reader_advance(r);
        expect(r, ";");
    } else if (space_of(word) != NO_SPACE) {
        reader_advance(r);
        read_variables(r, space_of(word));
    } else {
        reader_unexpected(r, "an instruction");
    }
}

static bool at_label(const struct reader *r) {
    struct lexer ahead = r->lexer;
    const struct token next = lexer_next(&ahead);
    return r->token.kind == NAME && token_is(&next, ":");
}

static void resolve(struct reader *r, struct operand *o) {
    unsigned index;
    if (o->kind != LABEL && o->kind != CALLEE) return;
    const struct entry *e = look_up(r, o->kind == LABEL ? o->scope : NULL, o->name, &index);
    const bool is_function = e != NULL && e->kind == FUNCTION;
    const bool is_label = e != NULL && (e->kind == LABELS || e->kind == TABLE);
    if (o->kind == CALLEE && is_function) {
        o->function = e->function;
    } else if (o->kind == LABEL && is_label) {
        o->target = e->target;
        o->table = e->table;
    } else {
        reader_fail(r, o->place, o->kind == CALLEE ? "'%.60s' is no function" : "'%.60s' is not declared", o->name);
    }
}

static void resolve_all(struct reader *r, struct function *f) {
    for (const struct table *t = f->tables; t != NULL; t = t->next)
        for (unsigned k = 0; k < t->count; k++) resolve(r, &t->labels[k]);
    for (size_t i = 0; i < f->code_count; i++)
        for (unsigned k = 0; k < f->code[i].operand_count; k++) resolve(r, &f->code[i].operands[k]);
}

static void read_statement(struct reader *r) {
    if (reader_accept(r, ";")) return;
    const struct place place = r->token.place;
    if (at_label(r)) {
        const char *name = take_name(r);
        read_label(r, name, place);
    } else if (r->token.kind == DOTTED) {
        read_body_directive(r);
    } else {
        read_instruction(r);
    }
}

void read_body(struct reader *r, struct function *f) {
    unsigned depth = 0;
    r->function = f;
    do {
        if (reader_accept(r, "{")) {
            struct scope *inner = module_allocate(r->module, sizeof *inner);
            inner->parent = r->scope;
            r->scope = inner;
            depth++;
        } else if (reader_accept(r, "}")) {
            r->scope = r->scope->parent;
            depth--;
        } else {
            read_statement(r);
        }
    } while (depth > 0);
    resolve_all(r, f);
}

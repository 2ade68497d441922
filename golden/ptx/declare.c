/* SPDX-License-Identifier: Apache-2.0 */
/* Registers, variables with their initial values, and parameters. */
#include "number.h"
#include "reader.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DIMENSIONS = 8, MOST_REGISTERS = 1000000, MOST_ELEMENTS = 1 << 26, MOST_ALIGN = 4096 };

static size_t aligned(size_t at, size_t align) { return (at + align - 1) / align * align; }

static struct type take_type(struct reader *r) {
    char word[16] = "";
    struct type type;
    if (r->token.kind == DOTTED && r->token.length < sizeof word) memcpy(word, r->token.start, r->token.length);
    if (!type_of(word, &type)) reader_unexpected(r, "a type");
    reader_advance(r);
    return type;
}

unsigned add_registers(struct reader *r, struct type type, unsigned count) {
    struct function *f = r->function;
    const size_t first = f->register_count;
    for (unsigned i = 0; i < count; i++) {
        f->registers = module_enlarge(r->module, f->registers, f->register_count, &f->register_room, sizeof type);
        f->registers[f->register_count++] = type;
    }
    return (unsigned)first;
}

static unsigned take_vector(struct reader *r) {
    if (reader_accept(r, "v2")) return 2;
    if (reader_accept(r, "v4")) return 4;
    return 1;
}

void read_registers(struct reader *r) {
    const unsigned width = take_vector(r);
    const struct type type = take_type(r);
    do {
        const struct place place = r->token.place;
        struct entry *e = declare(r, take_name(r), REGISTERS, place);
        e->width = width;
        e->count = 1;
        e->is_range = reader_accept(r, "<");
        if (e->is_range) {
            const uint64_t count = take_integer(r);
            e->count = count > MOST_REGISTERS ? MOST_REGISTERS + 1 : (unsigned)count;
            expect(r, ">");
        }
        if (r->function->register_count + (size_t)e->count * width > MOST_REGISTERS)
            reader_fail(r, place, "too many registers");
        e->first = add_registers(r, type, e->count * width);
    } while (reader_accept(r, ","));
    expect(r, ";");
}

/* ------------------------------------------------------------------------------------------------ initial values */

struct initial {
    struct variable *variable;
    size_t count, room; /* elements */
    const size_t *dimensions;
    unsigned dimension_count;
};

static uint8_t *element_at(struct reader *r, struct initial *in, size_t index) {
    const size_t bytes = in->variable->type.bits / 8;
    while (index >= in->room) {
        if (!in->variable->unsized || index > MOST_ELEMENTS) reader_fail(r, r->token.place, "too many initial values");
        size_t room = in->room * bytes;
        in->variable->initial = module_enlarge(r->module, in->variable->initial, room, &room, 1);
        in->room = room / bytes;
    }
    if (index >= in->count) in->count = index + 1;
    return in->variable->initial + index * bytes;
}

static void read_address(struct reader *r, struct initial *in, size_t index) {
    unsigned member;
    const bool generic = reader_accept(r, "generic");
    if (generic) expect(r, "(");
    const struct place place = r->token.place;
    const char *name = take_name(r);
    if (generic) expect(r, ")");
    const struct entry *e = look_up(r, r->scope, name, &member);
    if (e == NULL || e->kind != VARIABLE) {
        reader_fail(r, place, "'%.60s' is no variable", name);
        return; /* for cppcheck, which does not know that it is unreachable */
    }
    struct fixup *fixup = module_allocate(r->module, sizeof *fixup);
    fixup->bytes = in->variable->type.bits / 8;
    element_at(r, in, index);
    fixup->offset = index * fixup->bytes;
    fixup->target = e->variable;
    if (next_is(r, "+") || next_is(r, "-")) {
        const bool negative = next_is(r, "-");
        reader_advance(r);
        const int64_t addend = (int64_t)take_integer(r);
        fixup->addend = negative ? -addend : addend;
    }
    fixup->next = in->variable->fixups;
    in->variable->fixups = fixup;
}

static void read_element(struct reader *r, struct initial *in, size_t index) {
    const struct type type = in->variable->type;
    if (r->token.kind == NAME) {
        read_address(r, in, index);
        return;
    }
    uint8_t *bytes = element_at(r, in, index);
    const bool negative = reader_accept(r, "-");
    uint64_t value;
    if (r->token.kind == NUMERAL && r->token.literal != INTEGER) {
        value = number_literal(r->token.literal, r->token.number, type.bits);
        if (negative) value ^= (uint64_t)1 << (type.bits - 1);
        reader_advance(r);
    } else {
        value = take_integer(r);
        if (negative) value = 0 - value;
        if (type.kind == 'f') value = number_literal_of_integer((int64_t)value, type.bits);
    }
    for (unsigned i = 0; i < type.bits / 8; i++) bytes[i] = (uint8_t)(value >> 8 * i);
}

/* The number of elements of a value at this depth of braces. */
static size_t elements_below(const struct initial *in, unsigned depth) {
    size_t count = 1;
    for (unsigned i = depth; i < in->dimension_count; i++) count *= in->dimensions[i];
    return count;
}

static void read_initial(struct reader *r, struct initial *in, size_t index, unsigned depth) {
    if (!reader_accept(r, "{")) {
        read_element(r, in, index);
        return;
    }
    if (depth >= in->dimension_count) reader_unexpected(r, "a number");
    for (size_t i = 0; !reader_accept(r, "}"); i++) {
        if (i != 0) expect(r, ",");
        read_initial(r, in, index + i * elements_below(in, depth + 1), depth + 1);
    }
}

/* ----------------------------------------------------------------------------------------------------- variables */

/* [2][3] or []: the number of elements; 0, with the variable unsized, if the first one is empty. */
static size_t take_dimensions(struct reader *r, struct variable *v, size_t *dimensions, unsigned *count) {
    size_t total = 1;
    for (*count = 0; reader_accept(r, "["); ++*count) {
        const struct place place = r->token.place;
        if (*count == MOST_DIMENSIONS) reader_fail(r, place, "too many dimensions");
        v->is_array = true;
        v->unsized = v->unsized || next_is(r, "]");
        dimensions[*count] = next_is(r, "]") ? 0 : take_integer(r);
        if (dimensions[*count] > MOST_ELEMENTS) reader_fail(r, place, "too large");
        total *= dimensions[*count];
        if (total > MOST_ELEMENTS) reader_fail(r, place, "too large");
        expect(r, "]");
    }
    return total;
}

/* The end of the variables of its kind; NULL for a kind that the machine places. */
static size_t *end_of(struct reader *r, const struct variable *v) {
    if (v->space == LOCAL) return &r->function->local_bytes;
    if (v->space == PARAM) return &r->function->param_bytes;
    return v->space == SHARED && !v->unsized ? &r->module->shared_bytes : NULL;
}

static void place_variable(struct reader *r, struct variable *v) {
    size_t *end = end_of(r, v);
    v->next = r->module->variables;
    r->module->variables = v;
    if (end == NULL) return;
    v->address = aligned(*end, v->align);
    *end = v->address + v->bytes;
}

static void read_value(struct reader *r, struct variable *v, const size_t *dimensions, unsigned dimension_count) {
    struct initial in = {v, 0, 0, dimensions, dimension_count};
    if (v->space != GLOBAL && v->space != CONSTANT)
        reader_fail(r, v->place, "only .global and .const have initial values");
    if (!v->unsized) {
        v->initial = module_allocate(r->module, v->bytes + 1);
        in.room = v->bytes / (v->type.bits / 8);
    }
    read_initial(r, &in, 0, 0);
    if (!v->unsized) return;
    v->bytes = in.count * elements_below(&in, 1) * (v->type.bits / 8);
    if (dimension_count == 1) v->bytes = in.count * (v->type.bits / 8);
    v->unsized = false;
}

static size_t take_align(struct reader *r) {
    const struct place place = r->token.place;
    const size_t align = take_integer(r);
    if (align == 0 || align > MOST_ALIGN || (align & (align - 1)) != 0)
        reader_fail(r, place, "an alignment is a power of two");
    return align;
}

/* .align, .v4 and the type, in any order. */
static void read_shape(struct reader *r, struct variable *v, unsigned *width) {
    *width = 1;
    for (;;) {
        if (reader_accept(r, "align"))
            v->align = take_align(r);
        else if (reader_accept(r, "attribute"))
            while (r->token.kind != END_OF_TEXT && !reader_accept(r, ")")) reader_advance(r);
        else if (next_is(r, "v2") || next_is(r, "v4"))
            *width = take_vector(r);
        else
            break;
    }
    v->type = take_type(r);
    if (v->type.kind == 'p') reader_fail(r, r->token.place, "a predicate is no variable");
    if (reader_accept(r, "ptr")) {
        while (r->token.kind == DOTTED) {
            char word[16] = "";
            if (r->token.length < sizeof word) memcpy(word, r->token.start, r->token.length);
            if (space_of(word) != NO_SPACE) v->points_to = space_of(word);
            reader_advance(r);
            if (r->token.kind == NUMERAL) reader_advance(r);
        }
    }
    if (reader_accept(r, "align")) v->align = take_align(r);
}

static struct variable *new_variable(struct reader *r, const struct variable *shape, unsigned width) {
    struct variable *v = module_allocate(r->module, sizeof *v);
    *v = *shape;
    v->place = r->token.place;
    v->name = take_name(r);
    const size_t natural = (size_t)v->type.bits / 8 * width;
    if (v->align == 0) v->align = natural;
    v->bytes = natural;
    return v;
}

/* .param .b32 p<4>; declares four variables. */
static void declare_range(struct reader *r, const struct variable *v) {
    const uint64_t count = take_integer(r);
    expect(r, ">");
    if (count > 10000) reader_fail(r, v->place, "too many variables");
    for (uint64_t i = 0; i < count; i++) {
        char *name = module_allocate(r->module, strlen(v->name) + 8);
        struct variable *one = module_allocate(r->module, sizeof *one);
        *one = *v;
        sprintf(name, "%s%u", v->name, (unsigned)i);
        one->name = name;
        declare(r, name, VARIABLE, v->place)->variable = one;
        place_variable(r, one);
    }
}

void read_variables(struct reader *r, enum space space) {
    struct variable shape = {.space = space};
    size_t dimensions[MOST_DIMENSIONS + 1]; /* and that of a vector */
    unsigned width, dimension_count;
    read_shape(r, &shape, &width);
    do {
        struct variable *v = new_variable(r, &shape, width);
        if (reader_accept(r, "<")) {
            declare_range(r, v);
            continue;
        }
        v->bytes *= take_dimensions(r, v, dimensions, &dimension_count);
        if (width > 1) dimensions[dimension_count++] = width;
        declare(r, v->name, VARIABLE, v->place)->variable = v;
        if (reader_accept(r, "=")) read_value(r, v, dimensions, dimension_count);
        if (v->unsized && space != SHARED) reader_fail(r, v->place, "'%.60s' has no size", v->name);
        place_variable(r, v);
    } while (reader_accept(r, ","));
    expect(r, ";");
}

/* ---------------------------------------------------------------------------------------------------- parameters */

static struct operand read_parameter(struct reader *r) {
    struct variable shape = {.space = PARAM};
    size_t dimensions[MOST_DIMENSIONS + 1]; /* and that of a vector */
    unsigned width, dimension_count;
    struct operand o = {.place = r->token.place};
    if (reader_accept(r, "reg")) {
        const struct type type = take_type(r);
        struct entry *e = declare(r, take_name(r), REGISTERS, o.place);
        e->width = e->count = 1;
        e->first = add_registers(r, type, 1);
        o.kind = REGISTER;
        o.reg = e->first;
        return o;
    }
    expect(r, "param");
    read_shape(r, &shape, &width);
    struct variable *v = new_variable(r, &shape, width);
    v->bytes *= take_dimensions(r, v, dimensions, &dimension_count);
    if (v->unsized) reader_fail(r, v->place, "'%.60s' has no size", v->name);
    declare(r, v->name, VARIABLE, v->place)->variable = v;
    place_variable(r, v);
    o.kind = SYMBOL;
    o.variable = v;
    return o;
}

void read_parameters(struct reader *r, struct operand **list, unsigned *count) {
    size_t room = 0;
    expect(r, "(");
    while (!reader_accept(r, ")")) {
        if (*count != 0) expect(r, ",");
        const struct operand o = read_parameter(r);
        *list = module_enlarge(r->module, *list, *count, &room, sizeof **list);
        (*list)[(*count)++] = o;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Reads declarations of registers, parameters and variables, see reader.h. */
#include <string.h>

#include "reader.h"

enum { MOST_BYTES = 1 << 26, MOST_DIMENSIONS = 16 };

static const struct {
    const char *name;
    enum ptx_space space;
} SPACES[] = {
    {".global", PTX_SPACE_GLOBAL},
    {".const",  PTX_SPACE_CONST },
    {".shared", PTX_SPACE_SHARED},
    {".local",  PTX_SPACE_LOCAL },
    {".param",  PTX_SPACE_PARAM },
};

static const char *const TYPE_NAMES[] = {
    "",
#define PTX_TYPE(name, kind, bytes) #name,
#include "types.def"
};

static const char TYPE_KINDS[] = {
    '\0',
#define PTX_TYPE(name, kind, bytes) kind,
#include "types.def"
};

static const uint8_t TYPE_BYTES[] = {
    0,
#define PTX_TYPE(name, kind, bytes) bytes,
#include "types.def"
};

const char *ptx_type_name(enum ptx_type type) { return TYPE_NAMES[type]; }
unsigned ptx_type_bytes(enum ptx_type type) { return TYPE_BYTES[type]; }
char ptx_type_kind(enum ptx_type type) { return TYPE_KINDS[type]; }

enum ptx_type ptx_find_type(const char *name, size_t length) {
    for (unsigned i = 1; i < sizeof TYPE_BYTES; i++)
        if (strlen(TYPE_NAMES[i]) == length && memcmp(TYPE_NAMES[i], name, length) == 0) return (enum ptx_type)i;
    return PTX_NO_TYPE;
}

enum ptx_space ptx_token_space(const struct ptx_lexer *lexer) {
    for (unsigned i = 0; i < sizeof SPACES / sizeof *SPACES; i++)
        if (ptx_is(lexer, SPACES[i].name)) return SPACES[i].space;
    return PTX_NO_SPACE;
}

char *ptx_read_name(struct ptx_reader *r) {
    struct ptx_lexer *l = &r->lexer;
    const struct ptx_token *t = &l->token;
    if (t->kind != PTX_WORD || memchr(t->text, '.', t->length) != NULL ||
        memchr(t->text + 1, '%', t->length - 1) != NULL)
        ptx_fail(l, "expected a name, not '%.*s'", (int)(t->length < 60 ? t->length : 60), t->text);
    char *name = cc_text(r->cc, l->token.text, l->token.length);
    ptx_next(l);
    return name;
}

void ptx_declare(struct ptx_reader *r, struct ptx_symbol *symbol) {
    if (!ptx_names_add(&r->names, symbol)) cc_fail(r->cc, &symbol->place, "'%s' is declared twice", symbol->name);
}

static bool accept_type(struct ptx_reader *r, enum ptx_type *type) {
    const struct ptx_token *t = &r->lexer.token;
    if (t->kind != PTX_WORD || t->length < 2 || t->text[0] != '.') return false;
    *type = ptx_find_type(t->text + 1, t->length - 1);
    if (*type == PTX_NO_TYPE) return false;
    ptx_next(&r->lexer);
    return true;
}

/* Reads .align 8 .v4 .f32, in any order. */
static void read_type(struct ptx_reader *r, struct ptx_symbol *s) {
    struct ptx_lexer *l = &r->lexer;
    s->vector = 1;
    for (;;) {
        if (ptx_accept(l, ".align")) {
            const uint32_t align = ptx_read_count(l, 1 << 12);
            if (align == 0 || (align & (align - 1)) != 0) ptx_fail(l, "the alignment must be a power of two");
            if (!s->is_pointer) s->align = align; /* with .ptr the alignment is that of the buffer */
        } else if (ptx_accept(l, ".v2")) {
            s->vector = 2;
        } else if (ptx_accept(l, ".v4")) {
            s->vector = 4;
        } else if (ptx_accept(l, ".ptr")) {
            s->is_pointer = true;
            s->points_to = ptx_token_space(l);
            if (s->points_to != PTX_NO_SPACE) ptx_next(l);
        } else if (!accept_type(r, &s->type)) {
            break;
        }
    }
    if (ptx_is(l, ".texref") || ptx_is(l, ".surfref") || ptx_is(l, ".samplerref"))
        ptx_fail(l, "textures, surfaces and samplers are not supported");
    if (s->type == PTX_NO_TYPE) ptx_fail(l, "expected a type");
}

/* Lengths of an array's dimensions; a vector is the last dimension. The first is 0 for an open-ended array. */
struct shape {
    uint32_t length[MOST_DIMENSIONS + 1];
    unsigned count;
};

/* Reads the dimensions behind a name, as in [4][2]. */
static void read_array(struct ptx_reader *r, struct ptx_symbol *s, struct shape *shape) {
    struct ptx_lexer *l = &r->lexer;
    uint64_t count = 1;
    *shape = (struct shape){0};
    while (ptx_accept(l, "[")) {
        s->is_array = true;
        if (shape->count == MOST_DIMENSIONS) ptx_fail(l, "'%s' has too many dimensions", s->name);
        uint32_t *length = &shape->length[shape->count++];
        if (shape->count == 1 && ptx_accept(l, "]")) {
            s->open_ended = true;
            continue;
        }
        const uint64_t elements = ptx_read_integer(l);
        if (elements > MOST_BYTES) ptx_fail(l, "'%s' is too large", s->name);
        *length = (uint32_t)elements;
        count *= *length;
        if (count > MOST_BYTES) ptx_fail(l, "'%s' is too large", s->name);
        ptx_expect(l, "]");
    }
    if (s->vector > 1) shape->length[shape->count++] = s->vector;
    s->count = (uint32_t)count;
    const uint64_t bytes = s->open_ended ? 0 : count * s->vector * ptx_type_bytes(s->type);
    if (bytes > MOST_BYTES) ptx_fail(l, "'%s' is too large", s->name);
    s->size = (uint32_t)bytes;
    const unsigned natural = s->vector * ptx_type_bytes(s->type);
    if (s->align == 0) s->align = natural > 0 ? natural : 1;
}

struct ptx_symbol *ptx_read_parameter(struct ptx_reader *r) {
    struct ptx_symbol *s = CC_NEW(r->cc, struct ptx_symbol);
    const bool in_register = ptx_accept(&r->lexer, ".reg");
    if (!in_register) ptx_expect(&r->lexer, ".param");
    s->kind = in_register ? PTX_REGISTER : PTX_PARAMETER;
    s->space = in_register ? PTX_SPACE_REG : PTX_SPACE_PARAM;
    read_type(r, s);
    s->place = ptx_place(&r->lexer);
    s->name = ptx_read_name(r);
    struct shape shape;
    read_array(r, s, &shape);
    ptx_declare(r, s);
    return s;
}

void ptx_read_registers(struct ptx_reader *r) {
    struct ptx_lexer *l = &r->lexer;
    struct ptx_symbol head = {0};
    read_type(r, &head);
    do {
        struct ptx_symbol *s = CC_NEW(r->cc, struct ptx_symbol);
        *s = head;
        s->place = ptx_place(l);
        s->space = PTX_SPACE_REG;
        s->name = ptx_read_name(r);
        s->count = 1;
        s->kind = PTX_REGISTER;
        if (ptx_accept(l, "<")) {
            s->kind = PTX_REGISTERS;
            s->count = ptx_read_count(l, 1 << 22);
            ptx_expect(l, ">");
        } else {
            s->index = r->function->register_count;
            r->function->register_count += s->vector;
        }
        ptx_declare(r, s);
    } while (ptx_accept(l, ","));
    ptx_expect(l, ";");
}

static void write_little_endian(uint8_t *to, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) to[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t convert_to_type(struct ptx_constant c, enum ptx_type type) {
    uint64_t value = c.value;
    if (ptx_type_kind(type) == 'f') {
        const double number = ptx_constant_real(c);
        if (type == PTX_TYPE_f64) memcpy(&value, &number, sizeof value);
        if (type == PTX_TYPE_f32 && !c.single) {
            const float narrow = (float)number;
            uint32_t bits;
            memcpy(&bits, &narrow, sizeof bits);
            value = bits;
        }
    }
    return value;
}

/* Reads the address of a variable as an initial value: "x", "x+4", "generic(x)". */
static void read_patch(struct ptx_reader *r, struct ptx_symbol *s, uint32_t offset) {
    struct ptx_lexer *l = &r->lexer;
    const bool generic = ptx_accept(l, "generic");
    if (generic) ptx_expect(l, "(");
    const struct ptx_symbol *other = ptx_names_find(&r->names, l->token.text, l->token.length);
    s->holds_functions |= other != NULL && other->kind == PTX_FUNCTION;
    if (other == NULL || (other->kind != PTX_VARIABLE && other->kind != PTX_FUNCTION))
        ptx_fail(l, "'%.*s' is not a variable", (int)(l->token.length < 60 ? l->token.length : 60), l->token.text);
    ptx_next(l);
    if (generic) ptx_expect(l, ")");
    struct ptx_patch patch = {offset, ptx_type_bytes(s->type), other, 0};
    if (ptx_is(l, "+") || ptx_is(l, "-")) patch.addend = (int64_t)ptx_read_integer(l);
    CC_PUSH(r->cc, s->patches, s->patch_count, s->patch_capacity, patch);
}

/* Returns the size in bytes of an element at this depth of braces. */
static uint64_t element_bytes(const struct ptx_symbol *s, const struct shape *shape, unsigned depth) {
    uint64_t bytes = ptx_type_bytes(s->type);
    for (unsigned i = depth; i < shape->count; i++) bytes *= shape->length[i];
    return bytes;
}

/* Makes room for `end` bytes if the array is open-ended; otherwise an error. */
static void make_room(struct ptx_reader *r, struct ptx_symbol *s, uint64_t end) {
    if (end <= s->size) return;
    if (!s->open_ended || end > MOST_BYTES) ptx_fail(&r->lexer, "too many initial values for '%s'", s->name);
    const uint64_t larger = end > 2 * (uint64_t)s->size ? end : 2 * (uint64_t)s->size;
    uint8_t *data = cc_alloc(r->cc, larger + 1);
    if (s->size > 0) memcpy(data, s->data, s->size);
    s->data = data;
    s->size = (uint32_t)larger;
}

static void read_element(struct ptx_reader *r, struct ptx_symbol *s, uint64_t at) {
    struct ptx_lexer *l = &r->lexer;
    const unsigned bytes = ptx_type_bytes(s->type);
    make_room(r, s, at + bytes);
    if (bytes == 0) ptx_fail(l, "'%s' cannot have an initial value", s->name);
    if (l->token.kind == PTX_WORD)
        read_patch(r, s, (uint32_t)at);
    else
        write_little_endian(s->data + at, convert_to_type(ptx_read_constant(l), s->type), bytes);
}

/* Reads an initial value, as in C: 1, or { 1, { 2, 3 } } with values in order and zeros for those that an inner list
 * omits. Returns the byte offset behind the last value. */
static uint64_t read_initial(struct ptx_reader *r, struct ptx_symbol *s, const struct shape *shape, uint64_t at,
                             unsigned depth) {
    struct ptx_lexer *l = &r->lexer;
    if (depth > MOST_DIMENSIONS + 1) ptx_fail(l, "braces nest too deep");
    if (!ptx_accept(l, "{")) {
        read_element(r, s, at);
        return at + ptx_type_bytes(s->type);
    }
    const uint64_t begin = at, whole = element_bytes(s, shape, depth), part = element_bytes(s, shape, depth + 1);
    uint64_t end = begin;
    while (!ptx_is(l, "}")) {
        const bool is_list = ptx_is(l, "{");
        if (is_list && part > 0) at = begin + (at - begin + part - 1) / part * part;
        if ((whole > 0 || !s->open_ended) && at >= begin + whole)
            ptx_fail(l, "too many initial values for '%s'", s->name);
        end = read_initial(r, s, shape, at, depth + 1);
        at = is_list ? at + part : end;
        if (!ptx_accept(l, ",")) break;
    }
    ptx_expect(l, "}");
    return at > end ? at : end;
}

static void read_initial_value(struct ptx_reader *r, struct ptx_symbol *s, const struct shape *shape) {
    s->data = cc_alloc(r->cc, s->size + 1);
    const uint64_t end = read_initial(r, s, shape, 0, 0);
    if (!s->open_ended) return;
    const uint64_t row = element_bytes(s, shape, 1), bytes = row > 0 ? (end + row - 1) / row * row : 0;
    make_room(r, s, bytes);
    s->size = (uint32_t)bytes;
    s->open_ended = false;
}

static void place_variable(struct ptx_reader *r, struct ptx_symbol *s) {
    struct ptx_function *f = r->function;
    const bool of_function = s->space == PTX_SPACE_LOCAL || s->space == PTX_SPACE_PARAM;
    if (of_function && f == NULL)
        cc_fail(r->cc, &s->place, "local variable '%s' is declared outside a function", s->name);
    if (of_function) {
        s->index = (uint32_t)f->local_count;
        CC_PUSH_POINTER(r->cc, f->locals, f->local_count, f->local_capacity, s);
    } else {
        struct ptx_module *m = r->module;
        s->index = (uint32_t)m->variable_count;
        CC_PUSH_POINTER(r->cc, m->variables, m->variable_count, m->variable_capacity, s);
    }
}

void ptx_read_variable(struct ptx_reader *r, bool is_extern) {
    struct ptx_lexer *l = &r->lexer;
    struct ptx_symbol head = {.space = ptx_token_space(l)};
    ptx_next(l);
    if (l->token.kind == PTX_PUNCTUATION && ptx_accept(l, "[")) { /* .const[2] */
        ptx_read_count(l, 10);
        ptx_expect(l, "]");
    }
    read_type(r, &head);
    do {
        struct ptx_symbol *s = CC_NEW(r->cc, struct ptx_symbol);
        *s = head;
        s->place = ptx_place(l);
        s->kind = head.space == PTX_SPACE_PARAM ? PTX_PARAMETER : PTX_VARIABLE;
        s->is_extern = is_extern;
        s->name = ptx_read_name(r);
        struct shape shape;
        read_array(r, s, &shape);
        ptx_declare(r, s);
        if (ptx_accept(l, "=")) read_initial_value(r, s, &shape);
        place_variable(r, s);
    } while (ptx_accept(l, ","));
    ptx_expect(l, ";");
}

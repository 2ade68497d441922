/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers printf of OpenCL C, and vprintf, to which clang compiles CUDA's printf: stores a record of the arguments in
 * the launch's print buffer, which the host prints. printed.h has the layout. */
#include <string.h>

#include "../../assembler/image/printed.h"
#include "lower.h"
#include "origin.h"

enum {
    COPIES = 8 /* maximum copies of an address that are followed */,
    NEAR = 256 /* instructions before a call in which its arguments are stored */,
    VARIABLE_WORDS = PRINTED_BYTES / 4,
    WORD = 4,
    ADDRESS_MASK = (1 << TAG_SHIFT) - 1
};

/* An argument of printf: in a variable of the call, in memory, or a value. */
struct printed {
    struct cells *cells;
    struct ir_operand place; /* in local memory if `is_local` */
    struct value value;
    int32_t offset;
    uint32_t size; /* in bytes */
    unsigned from; /* memories that may have what it is the address of, 0: unknown */
    bool is_local, is_constant;
};

struct record {
    struct printed *list;
    size_t count, capacity;
};

static unsigned argument_words(const struct printed *p) { return (p->size + WORD - 1) / WORD; }

static void add_argument(struct lower *l, struct record *r, struct printed p) {
    if (p.size == 0 || p.size > PRINTED_LARGEST || (p.size > 2 && p.size % WORD != 0))
        lower_fail(l, "printf does not take an argument of %u bytes", (unsigned)p.size);
    CC_PUSH(l->cc, r->list, r->count, r->capacity, p);
}

/* Returns whether an address may be one of constant memory. */
static bool may_be_constant(struct lower *l, unsigned from) {
    if ((from & FROM_CONST) == 0 || l->constants_in_global) return false;
    l->wants_constants_in_global |= (from & (FROM_GLOBAL | FROM_PARAMETER)) != 0;
    return true;
}

/* ---- words and strings ---- */

static struct ir_operand load_constant(struct lower *l, uint32_t address) {
    const struct ir_operand word = build_unary(l, IR_LDC, ir_imm(address));
    l->block->last->size = IR_SIZE_U32;
    return word;
}

static struct ir_operand load_local(struct lower *l, const struct printed *p, uint32_t byte) {
    const struct ir_operand word = build_unary(l, IR_LLD, p->place);
    l->block->last->offset = p->offset + (int32_t)byte;
    l->block->last->size = IR_SIZE_U32;
    return word;
}

static struct ir_operand load_argument_word(struct lower *l, const struct printed *p, uint32_t byte) {
    const uint32_t rest = p->size - byte, bytes = rest < WORD ? rest : WORD;
    if (p->is_local) return load_local(l, p, byte);
    if (p->cells == NULL) return p->value.w[byte / WORD];
    if (!lower_cell_is_written(p->cells, byte, bytes)) return ir_imm(0);
    return lower_load_cell(l, p->cells, byte, bytes);
}

/* Calls a routine of support/print.c: one for machines with atomic operations, one for others. */
static struct ir_operand call_routine(struct lower *l, const char *by_atomics, const char *of_warp,
                                      const struct ir_operand *arguments, unsigned count) {
    struct ir_operand given[VARIABLE_WORDS + 2], result;
    for (uint32_t i = 0; i < VARIABLE_WORDS; i++) given[i] = load_constant(l, l->printed_at + WORD * i);
    memcpy(given + VARIABLE_WORDS, arguments, count * sizeof *arguments);
    const bool atomics = compile_prints_by_atomics(l->cc->options);
    lower_support_call(l, atomics ? by_atomics : of_warp, given, VARIABLE_WORDS + count, &result, 1);
    return result;
}

/* Adds a string: its address, or that of a copy if the host cannot read it. `most`: characters that are printed. */
static void add_string(struct lower *l, struct record *r, struct printed p, struct ir_operand most) {
    const enum ptx_space space = lower_space_from(l, p.from, "%s", PTX_NO_SPACE);
    p.is_constant = space == PTX_SPACE_CONST;
    if (space != PTX_SPACE_GLOBAL && space != PTX_SPACE_CONST) {
        const uint32_t tag = space == PTX_SPACE_LOCAL ? TAG_LOCAL : space == PTX_SPACE_SHARED ? TAG_SHARED : 0;
        const struct ir_operand given[] = {
            build_logic(l, IR_OR, load_argument_word(l, &p, 0), ir_imm(tag << TAG_SHIFT)), most};
        const struct ir_operand copy = call_routine(l, "__print_text", "__print_text_of_warp", given, 2);
        p = (struct printed){.value = {{copy, ir_imm(0)}}, .size = p.size};
    }
    add_argument(l, r, p);
}

/* ---- addresses in registers and .param variables ---- */

/* Returns the only definition of a register, which defines nothing else, or NULL. */
static const struct ptx_insn *find_definition(const struct frame *f, const struct ptx_symbol *reg) {
    const struct register_facts *facts = reg->kind == PTX_REGISTER ? &f->facts[reg->index] : NULL;
    if (facts == NULL || facts->defs != 1 || facts->definition == NULL) return NULL;
    return facts->definition->operand[0].kind == PTX_OPERAND_REGISTER ? facts->definition : NULL;
}

/* Returns the last value stored to a .param variable before the call. */
static const struct ptx_operand *find_store(const struct lower *l, const struct ptx_symbol *parameter) {
    for (const struct ptx_insn *at = l->insn; at > l->frame->function->insns;) {
        at--;
        if (at->op == PTX_st && at->operand_count == 2 && at->operand[0].symbol == parameter) return &at->operand[1];
    }
    return NULL;
}

/* Bytes of a variable. */
struct place {
    const struct ptx_symbol *variable; /* NULL: unclear */
    uint32_t offset;
    bool is_null; /* no variable, but a null pointer */
};

/* Returns the operand that a register copies, to which *offset is added; NULL if unclear. */
static const struct ptx_operand *find_copy_source(const struct lower *l, const struct ptx_symbol *reg,
                                                  uint32_t *offset) {
    const struct ptx_insn *insn = find_definition(l->frame, reg);
    if (insn == NULL || insn->guard != NULL) return NULL;
    if ((insn->op == PTX_mov || insn->op == PTX_cvta) && insn->operand_count == 2) return &insn->operand[1];
    if (insn->op != PTX_add || insn->operand[2].kind != PTX_OPERAND_NUMBER) return NULL;
    *offset += (uint32_t)insn->operand[2].value;
    return &insn->operand[1];
}

static bool is_register(const struct ptx_operand *o) {
    return (o->kind == PTX_OPERAND_REGISTER || o->kind == PTX_OPERAND_ADDRESS) && o->component == 0 &&
           o->symbol != NULL && o->symbol->kind == PTX_REGISTER;
}

/* Returns the bytes whose address the operand is, or has in brackets. */
static struct place resolve_address(const struct lower *l, const struct ptx_operand *o) {
    struct place place = {0};
    if (o->kind == PTX_OPERAND_SYMBOL && o->symbol->kind == PTX_PARAMETER) o = find_store(l, o->symbol);
    for (unsigned i = 0; i < COPIES && o != NULL && is_register(o); i++) {
        place.offset += (uint32_t)o->value;
        o = find_copy_source(l, o->symbol, &place.offset);
    }
    if (o == NULL) return place;
    place.is_null = o->kind == PTX_OPERAND_NUMBER && o->value == 0 && place.offset == 0;
    const bool is_address = o->kind == PTX_OPERAND_SYMBOL || o->kind == PTX_OPERAND_ADDRESS;
    if (is_address && o->symbol != NULL && o->symbol->kind == PTX_VARIABLE) place.variable = o->symbol;
    place.offset += (uint32_t)o->value;
    return place;
}

/* ---- OpenCL's printf: arguments of the call ---- */

static enum ptx_type operand_type(const struct ptx_operand *o) {
    return o->kind == PTX_OPERAND_REGISTER ? o->symbol->type : PTX_TYPE_u32;
}

static struct printed read_argument(struct lower *l, const struct ptx_operand *o) {
    struct printed p = {0};
    if (o->kind == PTX_OPERAND_SYMBOL && o->symbol->kind == PTX_PARAMETER) {
        p.cells = lower_find_cells(l, o->symbol);
        if (p.cells == NULL) lower_fail(l, "'%s' is not a .param variable", o->symbol->name);
        p.size = p.cells->size;
        p.from = p.cells->provenance;
        p.is_constant = may_be_constant(l, p.from);
        return p;
    }
    const enum ptx_type type = operand_type(o);
    if (type == PTX_TYPE_pred) lower_fail(l, "a predicate is no argument of printf");
    p.value = lower_operand(l, o, type);
    p.size = ptx_type_bytes(type);
    p.from = origin_of_operand(l->frame, o).from;
    p.is_constant = may_be_constant(l, p.from);
    return p;
}

/* Returns the format that an operand is the address of; NULL if it is not known here. */
static const char *find_format(const struct lower *l, const struct ptx_operand *o) {
    const struct place format = resolve_address(l, o);
    const struct ptx_symbol *s = format.offset == 0 ? format.variable : NULL;
    return s != NULL && s->data != NULL && memchr(s->data, '\0', s->size) != NULL ? (const char *)s->data : NULL;
}

/* Returns whether the format takes this argument for %s, and that conversion. */
static bool is_string(const char *format, uint32_t argument, struct printed_conversion *c) {
    uint32_t next = 1;
    for (const char *at = format; (at = strchr(at, '%')) != NULL;) {
        at += printed_read(at, c);
        if (c->width == PRINTED_STAR) next++;
        if (c->precision == PRINTED_STAR) next++;
        if (printed_takes(c) && next++ == argument) return c->kind == 's';
    }
    return false;
}

static struct ir_operand most_of(const struct printed_conversion *c) {
    return ir_imm(c->precision >= 0 ? (uint32_t)c->precision : UINT32_MAX);
}

static void list_arguments(struct lower *l, const struct ptx_operand *arguments, struct record *r) {
    const char *format = find_format(l, &arguments->elements[0]);
    struct printed_conversion c;
    for (uint32_t i = 0; i < arguments->count; i++) {
        const struct printed p = read_argument(l, &arguments->elements[i]);
        if (i == 0 || format == NULL || !is_string(format, i, &c))
            add_argument(l, r, p);
        else
            add_string(l, r, p, c.precision == PRINTED_STAR ? load_argument_word(l, &r->list[i - 1], 0) : most_of(&c));
    }
}

/* ---- vprintf: arguments packed in local memory, as in a structure ---- */

/* A long has 64 bits in OpenCL, and as many as an address in CUDA. */
static uint32_t element_bytes(const struct lower *l, const struct printed_conversion *c, bool is_opencl) {
    const uint32_t address = l->module->address_bytes;
    if (c->kind == 's' || c->kind == 'p' || c->kind == 'n') return address;
    if (strchr("aAeEfFgG", c->kind) != NULL && c->vector == 0) return 8;
    switch (c->length) {
    case PRINTED_HH: return c->vector > 0 ? 1 : WORD;
    case PRINTED_H: return c->vector > 0 ? 2 : WORD;
    case PRINTED_L: return is_opencl ? 8 : address;
    case PRINTED_LL:
    case PRINTED_J: return 8;
    case PRINTED_Z:
    case PRINTED_T: return address;
    default: return WORD;
    }
}

/* The arguments that a call has packed. */
struct packed {
    struct place place;
    struct ir_operand address;
    uint32_t end, size; /* of those that are listed; of all, UINT32_MAX if unclear */
};

/* Returns the part of a store's value that is stored at a place; NULL if none is. */
static const struct ptx_operand *find_stored_element(const struct lower *l, const struct ptx_insn *store,
                                                     const struct place *place) {
    const struct place to = resolve_address(l, &store->operand[0]);
    const struct ptx_operand *value = &store->operand[1];
    const uint32_t bytes = ptx_type_bytes(store->type[0]), ahead = place->offset - to.offset;
    if (to.variable != place->variable || bytes == 0) return NULL;
    if (value->kind != PTX_OPERAND_VECTOR) return ahead == 0 ? value : NULL;
    return ahead % bytes == 0 && ahead / bytes < value->count ? &value->elements[ahead / bytes] : NULL;
}

/* Returns the memories that an address at this place may be one of; 0: unknown. */
static unsigned provenance_of(const struct lower *l, const struct place *place) {
    const struct ptx_insn *first = l->frame->function->insns, *at = l->insn;
    unsigned from = 0;
    if (place->variable == NULL) return 0;
    for (unsigned i = 0; i < NEAR && at > first; i++) {
        const struct ptx_operand *value =
            (--at)->op == PTX_st && at->operand_count == 2 ? find_stored_element(l, at, place) : NULL;
        if (value == NULL) continue;
        const unsigned more = origin_of_operand(l->frame, value).from;
        from |= more != 0 ? more : FROM_MEMORY;
    }
    return from;
}

/* Adds the next argument, and returns its first word in *star, if that is not NULL; none beyond the packed ones, which
 * the host prints as zeros. */
static void add_packed_argument(struct lower *l, struct record *r, struct packed *p, uint32_t size,
                                struct ir_operand *star) {
    const uint32_t at = lower_align(p->end, size);
    p->end = at + size;
    if (p->end > p->size) return;
    const struct printed next = {.place = p->address, .offset = (int32_t)at, .size = size, .is_local = true};
    if (star != NULL) *star = load_local(l, &next, 0);
    add_argument(l, r, next);
}

static void add_next(struct lower *l, struct record *r, struct packed *p, const struct printed_conversion *c,
                     bool is_opencl) {
    const uint32_t elements = c->vector == 3 ? 4 : c->vector > 0 ? c->vector : 1;
    struct ir_operand most = most_of(c);
    if (c->width == PRINTED_STAR) add_packed_argument(l, r, p, WORD, NULL);
    if (c->precision == PRINTED_STAR) add_packed_argument(l, r, p, WORD, c->kind == 's' ? &most : NULL);
    if (!printed_takes(c)) return;
    const uint32_t size = elements * element_bytes(l, c, is_opencl), at = lower_align(p->end, size);
    if (c->kind != 's' || at + size > p->size) {
        add_packed_argument(l, r, p, size, NULL);
        return;
    }
    struct place place = p->place;
    place.offset += at;
    p->end = at + size;
    const struct printed next = {
        .place = p->address, .offset = (int32_t)at, .size = size, .from = provenance_of(l, &place), .is_local = true};
    add_string(l, r, next, most);
}

static void list_format_arguments(struct lower *l, const char *format, bool is_opencl, struct packed *p,
                                  struct record *r) {
    for (const char *at = format; (at = strchr(at, '%')) != NULL;) {
        struct printed_conversion c;
        at += printed_read(at, &c);
        add_next(l, r, p, &c, is_opencl);
    }
}

static uint32_t packed_bytes(const struct place *p) {
    if (p->is_null) return 0;
    if (p->variable == NULL) return UINT32_MAX;
    return p->offset < p->variable->size ? p->variable->size - p->offset : 0;
}

/* Lists the packed arguments. Only the format gives their types. */
static bool list_packed(struct lower *l, const struct ptx_function *f, const struct ptx_operand *arguments,
                        struct record *r) {
    if (arguments->count != 2) return false;
    const char *format = find_format(l, &arguments->elements[0]);
    if (format == NULL) return false;
    add_argument(l, r, read_argument(l, &arguments->elements[0]));
    const struct printed pointer = read_argument(l, &arguments->elements[1]);
    struct ir_operand address = pointer.cells != NULL ? lower_load_cell(l, pointer.cells, 0, WORD) : pointer.value.w[0];
    if (l->tags) address = build_logic(l, IR_AND, build_register(l, address), ir_imm(ADDRESS_MASK));
    struct packed p = {.place = resolve_address(l, &arguments->elements[1]), .address = build_register(l, address)};
    p.size = packed_bytes(&p.place);
    list_format_arguments(l, format, strcmp(f->name, "printf") == 0, &p, r);
    return true;
}

/* ---- the record ---- */

static void store_word(struct lower *l, struct ir_operand room, uint32_t word, struct ir_operand value) {
    struct ir_insn *insn = build(l, IR_GST);
    insn->src[0] = room;
    insn->src[1] = value;
    insn->offset = (int32_t)(WORD * word);
    insn->size = IR_SIZE_U32;
}

/* Returns a word with the sizes of four arguments. */
static uint32_t pack_sizes(const struct record *r, size_t first) {
    uint32_t word = 0;
    for (size_t i = first; i < r->count && i < first + WORD; i++) {
        const struct printed *p = &r->list[i];
        const uint32_t byte = (p->size & (PRINTED_CONSTANT - 1)) | (p->is_constant ? PRINTED_CONSTANT : 0);
        word |= byte << 8 * (i - first);
    }
    return word;
}

static uint32_t count_words(const struct record *r) {
    size_t words = 1 + (r->count + WORD - 1) / WORD;
    for (size_t i = 0; i < r->count; i++) words += argument_words(&r->list[i]);
    return words > PRINTED_WORDS ? 0 : (uint32_t)words;
}

static void store_record(struct lower *l, const struct record *r, uint32_t words, struct ir_operand room) {
    uint32_t at = 1;
    for (size_t i = 0; i < r->count; i += WORD) store_word(l, room, at++, ir_imm(pack_sizes(r, i)));
    for (size_t i = 0; i < r->count; i++)
        for (uint32_t byte = 0; byte < r->list[i].size; byte += WORD)
            store_word(l, room, at++, load_argument_word(l, &r->list[i], byte));
    store_word(l, room, 0, ir_imm(words | (uint32_t)r->count << 16));
}

/* Stores a record. Returns 0, or all ones if there is no room. */
static struct ir_operand build_print(struct lower *l, const struct record *r) {
    const uint32_t words = count_words(r);
    if (words == 0) lower_fail(l, "printf has more than %d words of arguments", PRINTED_WORDS);
    const struct ir_operand bytes = ir_imm(WORD * words);
    const struct ir_operand room = call_routine(l, "__print_room", "__print_room_of_warp", &bytes, 1);
    const struct ir_operand result = build_set(l, IR_EQ, false, room, ir_imm(0));
    struct ir_block *body = ir_new_block(l->ir), *after = ir_new_block(l->ir);
    const ir_reg is_full = l->block->last->fdst = ir_new_reg(l->ir, IR_C);
    build_branch(l, is_full, IR_NE, after, body);
    l->block = body;
    store_record(l, r, words, room);
    build_jump(l, after);
    l->block = after;
    l->prints = true;
    return result;
}

/* ---- the call ---- */

static void set_result(struct lower *l, const struct ptx_function *f, const struct ptx_operand *o,
                       struct ir_operand word) {
    const struct value v = {
        {word, ir_imm(0)}
    };
    l->guard = 0;
    if (o->kind == PTX_OPERAND_REGISTER) {
        lower_set(l, o, v, f->results[0]->type);
        return;
    }
    struct cells *c = o->kind == PTX_OPERAND_SYMBOL ? lower_find_cells(l, o->symbol) : NULL;
    if (c == NULL) lower_fail(l, "the result of '%s' must be a register or a .param variable", f->name);
    struct ir_insn *move = build(l, IR_MOV);
    move->src[0] = word;
    move->dst = lower_store_cell(l, c, 0, WORD);
}

/* Lists the arguments. Returns the reason if the call cannot print, else NULL. */
static const char *list_call_arguments(struct lower *l, const struct ptx_function *f,
                                       const struct ptx_operand *arguments, struct record *r) {
    if (arguments == NULL || arguments->count == 0) return "the call has no format";
    if (f->parameter_count == 1)
        list_arguments(l, arguments, r);
    else if (!list_packed(l, f, arguments, r))
        return "its format is unknown at compile time";
    return NULL;
}

bool lower_is_print(const struct ptx_function *f) {
    return !f->has_body && f->result_count <= 1 && (strcmp(f->name, "printf") == 0 || strcmp(f->name, "vprintf") == 0);
}

void lower_print(struct lower *l, const struct ptx_function *f, const struct ptx_operand *results,
                 const struct ptx_operand *arguments) {
    struct record r = {0};
    struct ir_operand result = ir_imm(UINT32_MAX);
    const char *reason = list_call_arguments(l, f, arguments, &r);
    if (reason == NULL)
        result = build_print(l, &r);
    else
        cc_note(l->cc, &l->insn->place, "printf prints nothing: %s", reason);
    if (results != NULL && results->count > 0 && f->result_count > 0) set_result(l, f, &results->elements[0], result);
}

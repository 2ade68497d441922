/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of a function's parameters. Parameters are in registers; accesses at a known offset read these. A
 * parameter whose address is used otherwise, such as a structure with an array, is stored to local memory at the
 * start of the function. */
#include "lower.h"

struct register_facts *lower_facts(const struct frame *f, const struct ptx_operand *o) {
    if (o->kind != PTX_OPERAND_REGISTER || o->symbol->kind != PTX_REGISTER || o->symbol->vector > 1) return NULL;
    return &f->facts[o->symbol->index];
}

struct cells *lower_parameter_cells(const struct frame *f, const struct ptx_symbol *s) {
    for (size_t i = 0; i < f->function->parameter_count && f->parameters != NULL; i++)
        if (f->function->parameters[i] == s) return f->parameters[i];
    return NULL;
}

/* ---- uses of addresses ---- */

static void propagate_address(struct frame *f, const struct ptx_insn *insn) {
    const struct ptx_operand *s = &insn->operand[1], *n = &insn->operand[2];
    if (insn->operand_count < 2 || insn->guard != NULL) return;
    struct register_facts *facts = lower_facts(f, &insn->operand[0]);
    const struct register_facts *from = lower_facts(f, s);
    const bool is_move = insn->op == PTX_mov && insn->operand_count == 2;
    const bool is_sum = insn->op == PTX_add && insn->operand_count == 3 && n->kind == PTX_OPERAND_NUMBER;
    if (facts == NULL || facts->defs != 1 || (!is_move && !is_sum)) return;
    if (is_move && s->kind == PTX_OPERAND_SYMBOL && s->symbol->kind == PTX_PARAMETER) {
        facts->parameter = s->symbol;
        facts->value = s->value;
    } else if (from != NULL && from->parameter != NULL) {
        facts->parameter = from->parameter;
        facts->value = from->value + (is_sum ? n->value : 0);
    }
}

static void move_to_local(struct lower *l, const struct frame *f, const struct ptx_symbol *s) {
    struct cells *c = lower_parameter_cells(f, s);
    if (c != NULL && c->local == 0) c->local = lower_new_local(l, s);
}

/* Looks at an operand that is not the address of an access. */
static void find_operand_address_uses(struct lower *l, const struct frame *f, const struct ptx_insn *insn,
                                      const struct ptx_operand *o) {
    for (uint32_t i = 0; i < o->count; i++) find_operand_address_uses(l, f, insn, &o->elements[i]);
    const struct register_facts *facts = lower_facts(f, o);
    if (facts != NULL && facts->parameter != NULL) move_to_local(l, f, facts->parameter);
    /* The name of a parameter as an argument is its value, not its address. */
    if (o->kind == PTX_OPERAND_SYMBOL && o->symbol->kind == PTX_PARAMETER && insn->op != PTX_call)
        move_to_local(l, f, o->symbol);
}

static void find_address_uses(struct lower *l, const struct frame *f, const struct ptx_insn *insn) {
    const struct register_facts *result = insn->operand_count > 0 ? lower_facts(f, &insn->operand[0]) : NULL;
    /* computes an address at a known offset */
    if (result != NULL && result->parameter != NULL && insn->op != PTX_st) return;
    for (unsigned k = 0; k < insn->operand_count; k++)
        if (insn->operand[k].kind != PTX_OPERAND_ADDRESS) find_operand_address_uses(l, f, insn, &insn->operand[k]);
}

void lower_find_parameters(struct lower *l, struct frame *f) {
    const struct ptx_function *function = f->function;
    if (l->routine == NULL) return;
    for (size_t i = 0; i < function->insn_count; i++) propagate_address(f, &function->insns[i]);
    for (size_t i = 0; i < function->insn_count; i++) find_address_uses(l, f, &function->insns[i]);
    for (size_t r = 0; r < function->register_count; r++) {
        const struct ptx_symbol *s = f->facts[r].parameter;
        const struct cells *c = s != NULL ? lower_parameter_cells(f, s) : NULL;
        if (c != NULL && c->local != 0) f->facts[r].parameter = NULL; /* an ordinary sum */
    }
}

/* ---- to local memory ---- */

/* Returns the size of the piece at `byte`: up to the next piece, limited by its alignment. */
static uint32_t piece_bytes(const struct cells *given, uint32_t byte) {
    uint32_t next = byte + 1, bytes = 4;
    while (next < given->size && given->reg[next] == 0) next++;
    while (bytes > next - byte || byte % bytes != 0) bytes /= 2;
    return bytes;
}

static void store_parameter(struct lower *l, struct cells *c, const struct cells *given) {
    static const uint8_t SIZE[] = {[1] = IR_SIZE_U8, [2] = IR_SIZE_U16, [4] = IR_SIZE_U32};
    for (uint32_t byte = 0; byte < c->size && byte < given->size; byte++) {
        if (given->reg[byte] == 0) continue;
        const uint32_t bytes = piece_bytes(given, byte);
        const struct ir_operand cell = lower_load_cell(l, c, byte, bytes);
        struct ir_insn *store = build(l, IR_LST);
        store->src[0] = ir_imm(c->local + byte);
        store->src[1] = cell;
        store->size = SIZE[bytes];
    }
}

void lower_store_parameters(struct lower *l, struct frame *f) {
    for (size_t k = 0; k < f->function->parameter_count && f->given != NULL; k++)
        if (f->parameters[k]->local != 0) store_parameter(l, f->parameters[k], f->given[k]);
}

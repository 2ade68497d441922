/* SPDX-License-Identifier: Apache-2.0 */
/* .param variables of functions and calls, kept in registers. A cell holds the bytes of one store, at the index of
 * its first byte. A load of another width combines the cells that overlap it, and a store that overlaps part of a
 * cell splits it. Bytes of its parameters that a routine reads are inputs, one for each width. */
#include <string.h>

#include "lower.h"

enum { WIDEST = 4 };

struct cells *lower_new_cells(struct lower *l, uint32_t size, enum cells_kind kind) {
    struct cells *c = CC_NEW(l->cc, struct cells);
    c->size = size;
    c->kind = kind;
    c->reg = CC_ARRAY(l->cc, ir_reg, size);
    c->bytes = CC_ARRAY(l->cc, uint8_t, size);
    c->stored = CC_ARRAY(l->cc, struct cell_store, size);
    return c;
}

static ir_reg cell_register(struct lower *l, struct cells *c, uint32_t byte, uint32_t bytes) {
    if (c->reg[byte] == 0) c->reg[byte] = ir_new_reg(l->ir, IR_R);
    if (c->bytes[byte] < bytes) c->bytes[byte] = (uint8_t)bytes;
    return c->reg[byte];
}

static bool overlaps(const struct cells *c, uint32_t at, uint32_t byte, uint32_t bytes) {
    return at < byte + bytes && c->reg[at] != 0 && at + c->bytes[at] > byte;
}

/* Returns the first cell from `at` on that overlaps the bytes, or the size. */
static uint32_t next_overlap(const struct cells *c, uint32_t at, uint32_t byte, uint32_t bytes) {
    while (at < c->size && at < byte + bytes && !overlaps(c, at, byte, bytes)) at++;
    return at < byte + bytes ? at : c->size;
}

static uint32_t first_overlap(const struct cells *c, uint32_t byte, uint32_t bytes) {
    return next_overlap(c, byte < WIDEST ? 0 : byte - WIDEST + 1, byte, bytes);
}

static void check_range(struct lower *l, const struct cells *c, uint32_t byte, uint32_t bytes) {
    if (byte >= c->size || c->size - byte < bytes) lower_fail(l, "access beyond the end of a parameter");
}

struct ir_operand lower_load_cell(struct lower *l, struct cells *c, uint32_t byte, uint32_t bytes) {
    check_range(l, c, byte, bytes);
    const uint32_t first = first_overlap(c, byte, bytes);
    if (c->kind == CELLS_INPUT || first == c->size || (first == byte && c->bytes[byte] >= bytes))
        return ir_use(cell_register(l, c, byte, bytes));
    struct ir_operand value = {0};
    for (uint32_t at = first; at < c->size; at = next_overlap(c, at + 1, byte, bytes)) {
        struct ir_operand part = build_extend(l, ir_use(c->reg[at]), 8u * c->bytes[at], false);
        if (at < byte) part = build_shr(l, part, ir_imm(8 * (byte - at)), false);
        if (at > byte) part = build_shl(l, part, ir_imm(8 * (at - byte)));
        value = value.kind == IR_NONE ? part : build_logic(l, IR_OR, value, part);
    }
    return value;
}

static void record_first_store(const struct lower *l, struct cells *c, uint32_t cell) {
    c->stored[cell].in = l->frame;
    c->stored[cell].at = (size_t)(l->insn - l->frame->function->insns);
}

bool lower_cell_is_written(const struct cells *c, uint32_t byte, uint32_t bytes) {
    return c->kind == CELLS_INPUT || first_overlap(c, byte, bytes) != c->size;
}

/* Splits each cell that overlaps the bytes into cells of one byte. */
static void split_cells(struct lower *l, struct cells *c, uint32_t byte, uint32_t bytes) {
    const uint32_t from = first_overlap(c, byte, bytes);
    struct ir_operand value[3 * WIDEST];
    bool is_there[3 * WIDEST] = {false};
    for (uint32_t at = from; at < c->size; at = next_overlap(c, at + 1, byte, bytes))
        for (uint32_t k = 0; k < c->bytes[at]; k++) {
            value[at + k - from] = lower_load_cell(l, c, at + k, 1);
            is_there[at + k - from] = true;
        }
    for (uint32_t i = 0; i < 3 * WIDEST; i++)
        if (is_there[i]) c->reg[from + i] = 0;
    for (uint32_t i = 0; i < 3 * WIDEST; i++) {
        if (!is_there[i] || (from + i >= byte && from + i < byte + bytes)) continue;
        c->bytes[from + i] = 0;
        struct ir_insn *move = build(l, IR_MOV);
        move->src[0] = value[i];
        move->dst = cell_register(l, c, from + i, 1);
        record_first_store(l, c, from + i);
    }
}

/* Returns whether this instruction follows the first store of a cell on a straight path: without branches in or out. */
static bool is_on_straight_path(const struct lower *l, const struct cells *c, uint32_t cell) {
    const struct frame *f = l->frame;
    const size_t at = (size_t)(l->insn - f->function->insns);
    if (c->stored[cell].in != f || c->stored[cell].at > at) return false;
    for (size_t i = c->stored[cell].at + 1; i <= at; i++) {
        const enum ptx_op before = f->function->insns[i - 1].op;
        if (f->at[i] != NULL || before == PTX_bra || before == PTX_brx || before == PTX_ret || before == PTX_exit)
            return false;
    }
    return true;
}

/* Fails unless all cells that overlap the bytes are on a straight path, because a split changes them for the code
 * that follows. */
static void check_straight_path(struct lower *l, const struct cells *c, uint32_t byte, uint32_t bytes) {
    for (uint32_t at = first_overlap(c, byte, bytes); at < c->size; at = next_overlap(c, at + 1, byte, bytes))
        if (!is_on_straight_path(l, c, at))
            lower_fail(l, "parts of a .param variable that overlap are stored with different widths across a branch");
}

ir_reg lower_store_cell(struct lower *l, struct cells *c, uint32_t byte, uint32_t bytes) {
    check_range(l, c, byte, bytes);
    const uint32_t first = first_overlap(c, byte, bytes);
    if (c->kind == CELLS_INPUT || first == c->size ||
        (first == byte && c->bytes[byte] == bytes && next_overlap(c, byte + 1, byte, bytes) == c->size)) {
        if (first == c->size && c->kind == CELLS_LOCAL) record_first_store(l, c, byte);
        return cell_register(l, c, byte, bytes);
    }
    if (c->kind == CELLS_OUTPUT) lower_fail(l, "overlapping parts of a result are stored with different widths");
    check_straight_path(l, c, byte, bytes);
    record_first_store(l, c, byte);
    const struct ir_operand before = lower_load_cell(l, c, byte, bytes);
    split_cells(l, c, byte, bytes);
    c->bytes[byte] = 0;
    const ir_reg reg = cell_register(l, c, byte, bytes);
    if (l->guard != 0) {
        struct ir_insn *move = build(l, IR_MOV);
        move->src[0] = before;
        move->dst = reg;
    }
    return reg;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory: the number of passes of a row of lanes, because two words of one bank cannot be read at once. Global
 * memory: the number of lines of CORES words that a row touches, and the order of its lanes. */
#include "parts.h"

struct row_access {
    unsigned count; /* participating lanes */
    uint32_t addr[WARP_LANES];
};

/* The addresses of the lanes of a row that are in `mask`. */
static struct row_access row_of(const uint32_t *addr, uint32_t mask, unsigned row, unsigned cores) {
    struct row_access a = {0};
    for (unsigned lane = row * cores; lane < (row + 1) * cores; lane++)
        if ((mask >> lane & 1) != 0) a.addr[a.count++] = addr[lane];
    return a;
}

/* The number of distinct values of addr / unit among the first `count`, restricted to those that leave `rest` modulo
 * `banks`. */
static unsigned count_units(const struct row_access *a, unsigned unit, unsigned banks, unsigned bank) {
    unsigned different = 0;
    for (unsigned i = 0; i < a->count; i++) {
        const uint32_t u = a->addr[i] / unit;
        bool is_first = u % banks == bank;
        for (unsigned k = 0; k < i && is_first; k++) is_first = a->addr[k] / unit != u;
        different += is_first;
    }
    return different;
}

static unsigned log2_of(unsigned n) { return (unsigned)__builtin_ctz(n); }

/* ---------------------------------------------------------------------------------------------------------- banks */

static void note_banks(struct collector *c, enum bank_access access, const uint32_t *addr, uint32_t mask) {
    const unsigned cores = c->setting.cores;
    const uint32_t first = c->space->banks[log2_of(cores / 8)][access];
    for (unsigned row = 0; row < WARP_LANES / cores; row++) {
        const struct row_access a = row_of(addr, mask, row, cores);
        unsigned passes = 0;
        for (unsigned bank = 0; bank < cores; bank++) {
            const unsigned words = count_units(&a, 4, cores, bank);
            if (words > passes) passes = words;
        }
        if (passes > 0) mark(c, first + passes);
        if (a.count > 1 && count_units(&a, 4, 1, 0) == 1) mark(c, first + BANK_BROADCAST);
    }
}

/* Operands are not in the record; their address is offset + A, or A with post-increment. */
static void note_operand(struct collector *c, const struct warp_watch *warp, const struct isa_insn *insn,
                         uint32_t exec) {
    const struct isa_operand *operand = &insn->src[0];
    uint32_t addr[WARP_LANES];
    if (operand->kind != ISA_SHARED) return;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t index = insn->areg < AREGS ? warp->a[insn->areg][lane] : 0;
        addr[lane] = insn->areg_inc ? index : operand->value + index;
    }
    note_banks(c, insn->op == OP_G2R ? BANK_LOAD : BANK_OPERAND, addr, exec);
}

/* ---------------------------------------------------------------------------------------------------------- lines */

static unsigned lines_item(unsigned lines) { return lines > 1 ? 32 - (unsigned)__builtin_clz(lines - 1) : 0; }

static enum line_order order_of(const struct row_access *a, unsigned size) {
    const uint32_t step = a->addr[1] - a->addr[0];
    for (unsigned i = 2; i < a->count; i++)
        if (a->addr[i] - a->addr[i - 1] != step) return LINE_MIXED;
    if (step == 0) return LINE_SAME;
    return step == size ? LINE_ASCENDING : step == -size ? LINE_DESCENDING : LINE_STRIDE;
}

static void note_lines(struct collector *c, enum line_access access, const struct retire *r) {
    const unsigned cores = c->setting.cores, size = log2_of(r->mem_bytes);
    if (size >= LINE_SIZES || c->space->lines[access][size] == SPACE_NONE) return;
    for (unsigned row = 0; row < WARP_LANES / cores; row++) {
        const struct row_access a = row_of(r->addr, r->mem_mask, row, cores);
        if (a.count > 0) mark(c, c->space->lines[access][size] + lines_item(count_units(&a, 4 * cores, 1, 0)));
        if (a.count > 2) mark(c, c->space->orders[access][size] + order_of(&a, r->mem_bytes));
    }
}

void note_accesses(struct collector *c, struct warp_watch *warp, const struct word *w, const struct retire *r) {
    if (c->setting.cores == 0 || !has_acted(w, r) || r->exec == 0) return;
    switch ((enum retire_mem)r->mem_kind) {
    case RETIRE_MEM_GLOBAL_LOAD: note_lines(c, LINE_LOAD, r); return;
    case RETIRE_MEM_GLOBAL_STORE: note_lines(c, LINE_STORE, r); return;
    case RETIRE_MEM_GLOBAL_ATOMIC: note_lines(c, LINE_ATOMIC, r); return;
    case RETIRE_MEM_SHARED_STORE: note_banks(c, BANK_STORE, r->addr, r->mem_mask); return;
    default: note_operand(c, warp, &w->insn, r->exec); return;
    }
}

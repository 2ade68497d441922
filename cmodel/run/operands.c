/* SPDX-License-Identifier: Apache-2.0 */
/* See operands.h. */
#include "operands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../assembler/check/effects.h"

unsigned operands_flags(const struct model_saved *warp, unsigned creg, unsigned lane) {
    unsigned nibble = 0;
    for (unsigned flag = 0; flag < 4; flag++) nibble |= (warp->creg[creg][flag] >> lane & 1u) << flag;
    return nibble;
}

static uint32_t register_value(const struct model_saved *warp, unsigned n, unsigned lane) {
    return n / 2 < warp->registers ? warp->reg[n / 2][lane] : 0;
}

static void visit_register(const struct model_saved *warp, unsigned n, bool whole, unsigned lane, operand_fn *visit,
                           void *state) {
    char name[8];
    register_name(n, whole, name);
    if (n >= EFFECTS_C)
        visit(state, name, 1, operands_flags(warp, n - EFFECTS_C, lane));
    else if (n >= EFFECTS_A)
        visit(state, name, 4, warp->areg[n - EFFECTS_A + 1][lane]);
    else if (whole)
        visit(state, name, 8, register_value(warp, n, lane));
    else
        visit(state, name, 4, register_value(warp, n, lane) >> n % 2 * 16 & 0xffffu);
}

static void visit_cell(const struct operand_place *at, const struct isa_insn *insn, const struct isa_operand *o,
                       unsigned lane, operand_fn *visit, void *state) {
    const bool constant = o->kind == ISA_CONST;
    if ((!constant && o->kind != ISA_SHARED) || o->bytes > 4 || at->image == NULL) return;
    const uint8_t *bytes = constant ? at->image->bank[o->bank].bytes : at->shared;
    const size_t size = constant ? at->image->bank[o->bank].size : at->image->shared_bytes;
    const bool indexed = o->indexed && insn->areg < MODEL_AREGS;
    const uint32_t base = indexed ? at->warp->areg[insn->areg][lane] : 0;
    const uint32_t address = (indexed && insn->areg_inc ? base : base + o->value) & 0xffffu;
    uint32_t value = 0;
    char name[32];
    if (bytes == NULL || address + (size_t)o->bytes > size) return;
    memcpy(&value, bytes + address, o->bytes);
    if (constant)
        snprintf(name, sizeof name, "const[%u,0x%" PRIx32 "]", o->bank, address);
    else
        snprintf(name, sizeof name, "shared[0x%" PRIx32 "]", address);
    visit(state, name, 2 * o->bytes, value);
}

void operands_visit(const struct operand_place *at, const struct isa_insn *insn, unsigned lane, operand_fn *visit,
                    void *state) {
    const struct effects effects = effects_of(insn);
    struct register_set seen = {{0}};
    for (unsigned i = 0; i < effects.reads; i++) {
        const struct register_range *r = &effects.read[i];
        for (unsigned n = r->first, step; n < (unsigned)r->first + r->count; n += step) {
            const bool whole = n < EFFECTS_A && n % 2 == 0 && n + 1 < (unsigned)r->first + r->count;
            step = whole ? 2 : 1;
            if (!set_has(&seen, n)) visit_register(at->warp, n, whole, lane, visit, state);
            set_add(&seen, (struct register_range){(uint16_t)n, (uint16_t)step});
        }
    }
    for (unsigned i = 0; i < 3; i++) visit_cell(at, insn, &insn->src[i], lane, visit, state);
}

static void append(void *state, const char *name, unsigned digits, uint32_t value) {
    char *text = state;
    const size_t length = strlen(text);
    snprintf(text + length, OPERANDS_TEXT_MAX - length, "%s%s 0x%0*" PRIx32, length == 0 ? "" : ", ", name, (int)digits,
             value);
}

const char *operands_print(const struct operand_place *at, const struct isa_insn *insn, unsigned lane, char *text) {
    text[0] = '\0';
    operands_visit(at, insn, lane, append, text);
    return text;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the fields of a word into the operands of an instruction: the field of each source, its width and its unit.
 *
 * Sources have the order of the text: src[0] is a, src[1] is b, src[2] is c, for any places in the word. Offsets of
 * shared and constant operands are fields in units of the cell; here they become bytes. The A register indexes only the
 * first memory operand of the text: after a shared operand, a constant one is not indexed. */
#include <string.h>

#include "decode.h"

static bool has(const struct word_fields *w, enum isa_field name) { return w->id[name] != NO_FIELD; }

static unsigned cell_bytes(uint32_t attr) {
    if ((attr & ISA_CELL_U8) != 0) return 1;
    return (attr & (ISA_CELL_U16 | ISA_CELL_S16)) != 0 ? 2 : 4;
}

static struct isa_operand reg_operand(const struct word_fields *w, enum isa_field name) {
    bool half = isa_fields[w->id[name]].kind != KIND_REG32;
    return (struct isa_operand){
        .kind = half ? ISA_REG16 : ISA_REG32, .reg = (uint8_t)w->value[name], .bytes = half ? 2 : 4};
}

static struct isa_operand imm_operand(const struct isa_insn *insn, const struct word_fields *w) {
    return (struct isa_operand){
        .kind = ISA_IMM, .bytes = (insn->attr & ISA_W16) != 0 ? 2 : 4, .value = w->value[ISA_FIELD_imm]};
}

/* A memory operand at `offset` cells; it can be indexed, so it also sets the step of a post-increment. */
static struct isa_operand memory_operand(struct isa_insn *insn, const struct word_fields *w, enum isa_operand_kind kind,
                                         enum isa_field offset, unsigned unit, bool first) {
    struct isa_operand operand = {.kind = kind, .bytes = (uint8_t)unit, .value = w->value[offset] * unit};
    if (first && has(w, ISA_FIELD_areg)) {
        insn->areg = (uint8_t)w->value[ISA_FIELD_areg];
        insn->areg_inc = w->value[ISA_FIELD_inc] != 0;
        operand.indexed = insn->areg != 0;
        if (insn->areg_inc) {
            unsigned width = field_width(&isa_fields[w->id[offset]]);
            insn->inc_bytes = (int32_t)(isa_sext(w->value[offset], width) * unit);
        }
    }
    return operand;
}

/* The shared operand of an ALU slot; its type gives size and sign of the cell. */
static struct isa_operand shared_operand(struct isa_insn *insn, const struct word_fields *w) {
    static const uint8_t type_bytes[4] = {1, 2, 2, 4};
    unsigned type = w->value[ISA_FIELD_gt];
    struct isa_operand operand = memory_operand(insn, w, ISA_SHARED, ISA_FIELD_goff, type_bytes[type & 3], true);
    operand.sext = type == 2 || w->id[ISA_FIELD_gt] == GT_L14_S8;
    return operand;
}

/* Bytes of the cell of a constant operand: as wide as the operand that it replaces. */
static unsigned const_bytes(const struct isa_insn *insn, bool third) {
    if (insn->op == OP_MVC) return cell_bytes(insn->attr);
    if (third) return 4;
    if (insn->op == OP_IMUL || insn->op == OP_IMAD) return (insn->attr & ISA_M24) != 0 ? 4 : 2;
    return (insn->attr & ISA_W16) != 0 ? 2 : 4;
}

static struct isa_operand const_operand(struct isa_insn *insn, const struct word_fields *w, bool third, bool first) {
    struct isa_operand operand = memory_operand(insn, w, ISA_CONST, ISA_FIELD_coff, const_bytes(insn, third), first);
    operand.bank = (uint8_t)w->value[ISA_FIELD_cb];
    operand.sext = insn->op == OP_MVC && (insn->attr & ISA_CELL_S16) != 0;
    return operand;
}

/* Sources of arithmetic, logic, moves and conversions. */
static void fill_alu_sources(size_t row, struct isa_insn *insn, const struct word_fields *w) {
    struct isa_operand *src = insn->src;
    size_t n = 0;
    bool shared = has(w, ISA_FIELD_gt);
    if (has(w, ISA_FIELD_a)) src[n++] = reg_operand(w, ISA_FIELD_a);
    if (shared) src[n++] = shared_operand(insn, w);
    if (has(w, ISA_FIELD_b)) src[n++] = reg_operand(w, ISA_FIELD_b);
    if (has(w, ISA_FIELD_coff)) {
        src[n] = const_operand(insn, w, n == 2, !shared);
        n++;
    }
    if (has(w, ISA_FIELD_imm)) src[n++] = imm_operand(insn, w);
    if (has(w, ISA_FIELD_c)) src[n++] = reg_operand(w, ISA_FIELD_c);

    /* half and immediate words have no third source: their multiply-adds use the destination */
    bool accumulates = insn->op == OP_IMAD || insn->op == OP_ISAD || insn->op == OP_FMAD;
    if (accumulates && row_format(row)->shape != ISA_SHAPE_LONG) src[2] = reg_operand(w, ISA_FIELD_d);
}

/* Memory words: size field of loads and stores, and their register, a pair or quad for 8 and 16 bytes. */
static void fill_access(struct isa_insn *insn, const struct word_fields *w, struct isa_operand *memory) {
    static const uint8_t bytes[8] = {1, 1, 2, 2, 8, 16, 4, 4};
    unsigned size = w->value[ISA_FIELD_sz] & 7;
    if (insn->op == OP_LLD || insn->op == OP_LST)
        *memory = memory_operand(insn, w, ISA_LOCAL, ISA_FIELD_loff, 1, true);
    else
        *memory = (struct isa_operand){.kind = ISA_GLOBAL, .reg = (uint8_t)w->value[ISA_FIELD_a]};
    memory->bytes = bytes[size];
    memory->sext = size == 1 || size == 3 || size == 7;
}

static struct isa_operand access_register(const struct word_fields *w, const struct isa_operand *memory) {
    struct isa_operand operand = reg_operand(w, ISA_FIELD_d);
    if (memory->bytes > 4) operand.bytes = memory->bytes;
    return operand;
}

static struct isa_operand shared_cell(struct isa_insn *insn, const struct word_fields *w) {
    struct isa_operand operand = memory_operand(insn, w, ISA_SHARED, ISA_FIELD_goff, cell_bytes(insn->attr), true);
    operand.sext = (insn->attr & ISA_CELL_S16) != 0;
    return operand;
}

static struct isa_operand dest_operand(const struct word_fields *w) {
    struct isa_operand operand = reg_operand(w, ISA_FIELD_d);
    if (w->value[ISA_FIELD_od] != 0) operand.kind = ISA_BUCKET;
    return operand;
}

static struct isa_operand areg_operand(const struct word_fields *w, enum isa_field name) {
    return (struct isa_operand){.kind = ISA_AREG, .reg = (uint8_t)w->value[name], .bytes = 2};
}

static struct isa_operand creg_operand(const struct word_fields *w, enum isa_field name) {
    return (struct isa_operand){.kind = ISA_CREG, .reg = (uint8_t)w->value[name]};
}

static void fill_operands(size_t row, struct isa_insn *insn, const struct word_fields *w) {
    switch (insn->op) {
    case OP_GLD:
    case OP_LLD:
    case OP_GATOM:
        fill_access(insn, w, &insn->src[0]);
        insn->dst = access_register(w, &insn->src[0]);
        if (has(w, ISA_FIELD_b)) insn->src[1] = reg_operand(w, ISA_FIELD_b);
        if (has(w, ISA_FIELD_c)) insn->src[2] = reg_operand(w, ISA_FIELD_c);
        break;
    case OP_GST:
    case OP_LST:
    case OP_GRED:
        fill_access(insn, w, &insn->dst);
        insn->src[0] = access_register(w, &insn->dst);
        break;
    case OP_R2G:
        insn->dst = shared_cell(insn, w);
        insn->src[0] = reg_operand(w, ISA_FIELD_c);
        break;
    case OP_G2R:
        insn->dst = dest_operand(w);
        insn->src[0] = shared_cell(insn, w);
        break;
    case OP_R2A:
        insn->dst = areg_operand(w, ISA_FIELD_ad);
        fill_alu_sources(row, insn, w);
        break;
    case OP_ADA:
        insn->dst = areg_operand(w, ISA_FIELD_ad);
        insn->src[0] = areg_operand(w, ISA_FIELD_areg);
        insn->src[1] = imm_operand(insn, w);
        insn->areg = insn->src[0].reg;
        break;
    case OP_A2R:
        insn->dst = dest_operand(w);
        insn->src[0] = areg_operand(w, ISA_FIELD_areg);
        insn->areg = insn->src[0].reg;
        break;
    case OP_C2R:
        insn->dst = dest_operand(w);
        insn->src[0] = creg_operand(w, ISA_FIELD_cr);
        break;
    case OP_R2C:
        insn->dst = creg_operand(w, ISA_FIELD_cd);
        insn->src[0] = reg_operand(w, ISA_FIELD_a);
        break;
    default:
        if (has(w, ISA_FIELD_d)) insn->dst = dest_operand(w);
        fill_alu_sources(row, insn, w);
        break;
    }
}

/* Negation, inversion and absolute value of the sources: attributes of the row, or fields. */
static void fill_modifiers(struct isa_insn *insn, const struct word_fields *w) {
    static const uint8_t names[3] = {ISA_FIELD_na, ISA_FIELD_nb, ISA_FIELD_nc};
    static const uint32_t attrs[3] = {ISA_NEG_A, ISA_NEG_B, ISA_NEG_C};
    for (size_t i = 0; i < 3; i++) {
        bool set = w->value[names[i]] != 0, inverts = insn->op == OP_LOP;
        insn->src[i].negate = (insn->attr & attrs[i]) != 0 || (set && !inverts);
        insn->src[i].invert = set && inverts;
    }
    insn->src[0].absolute = w->value[ISA_FIELD_xa] != 0;
    insn->src[1].absolute = w->value[ISA_FIELD_xb] != 0;
}

static void fill_flow(struct isa_insn *insn, const struct word_fields *w) {
    insn->target = w->value[ISA_FIELD_tgt] * 4;
    insn->no_inc = has(w, ISA_FIELD_lim) && insn->op != OP_BRX && w->value[ISA_FIELD_lim] == 0;
    if (insn->op != OP_BAR) return;
    insn->barrier = (uint8_t)w->value[ISA_FIELD_bar];
    insn->barrier_mask = (uint16_t)w->value[ISA_FIELD_mask];
    insn->barrier_arrive = w->value[ISA_FIELD_arv] != 0;
    insn->barrier_wait = w->value[ISA_FIELD_wait] != 0;
    insn->barrier_all = (insn->hi >> 14 & 1) != 0;
}

/* The guard, the written C register and the marker. Words of flow shape have no marker: those bits are ignored. */
static void fill_control(size_t row, struct isa_insn *insn, const struct word_fields *w) {
    insn->guarded = has(w, ISA_FIELD_cond) && isa_fields[w->id[ISA_FIELD_cond]].kind == KIND_COND;
    insn->cond = insn->guarded ? (uint8_t)w->value[ISA_FIELD_cond] : ISA_COND_TRUE;
    insn->creg = (uint8_t)w->value[ISA_FIELD_cr];
    insn->set_c = w->value[ISA_FIELD_ce] != 0 || insn->op == OP_R2C;
    insn->cdst = insn->set_c ? (uint8_t)w->value[ISA_FIELD_cd] : 0;
    if (row_format(row)->shape == ISA_SHAPE_LONG) insn->marker = (enum isa_marker)w->value[ISA_FIELD_mark];
}

void insn_fill(size_t row, uint64_t word, const struct word_fields *w, struct isa_insn *insn) {
    const struct row *r = &isa_rows[row];
    memset(insn, 0, sizeof *insn);
    insn->lo = (uint32_t)word;
    insn->hi = (uint32_t)(word >> 32);
    insn->row = (uint16_t)row;
    insn->bytes = isa_is_long(insn->lo) ? 8 : 4;
    insn->op = (enum isa_op)r->op;
    insn->unit = isa_op_unit(insn->op);
    insn->attr = r->attr;

    fill_operands(row, insn, w);
    fill_modifiers(insn, w);
    fill_control(row, insn, w);
    if (insn->unit == UNIT_FLOW) fill_flow(insn, w);

    if (insn->op == OP_I2I)
        insn->dst8 = w->value[ISA_FIELD_sat] != 0;
    else if (w->value[ISA_FIELD_sat] != 0)
        insn->attr |= ISA_SAT;
    insn->cmp = (uint8_t)w->value[ISA_FIELD_cmp];
    insn->rounding = (uint8_t)w->value[ISA_FIELD_rnd];
    insn->integral = w->value[ISA_FIELD_ir] != 0;
    insn->function = (uint8_t)w->value[ISA_FIELD_fn];
    insn->logic = insn->op == OP_LOP ? (uint8_t)w->value[ISA_FIELD_op] : 0;
    insn->shift = (uint8_t)w->value[ISA_FIELD_sh];
    insn->lane_mask = has(w, ISA_FIELD_lane) ? (uint8_t)w->value[ISA_FIELD_lane] : 15;
    insn->segment = (uint8_t)w->value[ISA_FIELD_seg];
    if (insn->op == OP_GRED || insn->op == OP_GATOM) insn->atom = (uint8_t)(insn->hi >> 2 & 15);
    insn->sreg = (uint8_t)w->value[ISA_FIELD_sr];
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Holds the floating-point units of the RTL (their Verilog, in Verilator) against golden vectors and the model. Prints
 * TAP.
 *
 *     unit_bench [--words N] [--blocks N] [--seed S]
 *
 * Vectors: every row of golden/vectors/fp_*.tsv and golden/float/edge.tsv whose word is an instruction. Model: of each
 * row of the instruction table N words with random fields, of each word N times 32 operands: corners, their neighbours,
 * halves between two numbers, sums that cancel, products at the limits, plain bits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/exec.h"
#include "cmodel/test/table.h"
#include "unit.h"

enum { SHOWN = 8, ENCODE_TRIES = 200 };

struct operands {
    uint32_t a[WARP_LANES], b[WARP_LANES], c[WARP_LANES];
};

struct bench {
    struct float_unit *unit;
    uint64_t random;
    uint64_t compared, differing;
};

/* -------------------------------------------------------------------------------------------------- instructions */

struct operation {
    enum isa_op op;
    enum float_op unit;
    enum special_op special; /* where there is no unit */
    exec_fn *model;
};
static const struct operation OPERATIONS[] = {
    {OP_FADD, FLOAT_ADD,          0,           exec_fadd},
    {OP_FMUL, FLOAT_MULTIPLY,     0,           exec_fmul},
    {OP_FMAD, FLOAT_MULTIPLY_ADD, 0,           exec_fmad},
    {OP_FSET, FLOAT_COMPARE,      0,           exec_fset},
    {OP_FMAX, FLOAT_MAX,          0,           exec_fmax},
    {OP_FMIN, FLOAT_MIN,          0,           exec_fmin},
    {OP_FCMP, FLOAT_SELECT,       0,           exec_fcmp},
    {OP_I2F,  FLOAT_FROM_INTEGER, 0,           exec_i2f },
    {OP_F2I,  FLOAT_TO_INTEGER,   0,           exec_f2i },
    {OP_F2F,  FLOAT_CONVERT,      0,           exec_f2f },
    {OP_RRO,  FLOAT_REDUCE_SIN,   0,           exec_rro },
    {OP_RCP,  FLOAT_NONE,         SPECIAL_RCP, exec_rcp },
    {OP_RSQ,  FLOAT_NONE,         SPECIAL_RSQ, exec_rsq },
    {OP_LG2,  FLOAT_NONE,         SPECIAL_LG2, exec_lg2 },
    {OP_SIN,  FLOAT_NONE,         SPECIAL_SIN, exec_sin },
    {OP_COS,  FLOAT_NONE,         SPECIAL_COS, exec_cos },
    {OP_EX2,  FLOAT_NONE,         SPECIAL_EX2, exec_ex2 },
};

static const struct operation *operation_of(const struct isa_insn *insn) {
    for (size_t i = 0; i < sizeof OPERATIONS / sizeof OPERATIONS[0]; i++)
        if (OPERATIONS[i].op == insn->op) return &OPERATIONS[i];
    return NULL;
}

/* Fields without effect must not reach the units: a product does not saturate, nor any special function but EX2; a
 * multiply-add rounds to nearest; SIN, COS and EX2 take no modifiers. */
static struct float_control control_of(const struct isa_insn *insn) {
    const bool is_fmad = insn->op == OP_FMAD;
    const bool is_plain = insn->op == OP_SIN || insn->op == OP_COS || insn->op == OP_EX2;
    const bool is_special = operation_of(insn)->unit == FLOAT_NONE;
    enum float_op op = operation_of(insn)->unit;
    if (insn->op == OP_RRO && insn->function != 0) op = FLOAT_REDUCE_EX2;
    return (struct float_control){
        .is_special = is_special,
        .op = op,
        .special = operation_of(insn)->special,
        .rounding = is_fmad ? 0 : insn->rounding,
        .compare = insn->cmp,
        .neg_a = insn->src[0].negate && !is_plain,
        .neg_b = insn->src[insn->op == OP_FMAD || insn->op == OP_FCMP ? 2 : 1].negate,
        .abs_a = insn->src[0].absolute && !is_plain,
        .abs_b = insn->src[1].absolute,
        .saturate = (insn->attr & ISA_SAT) != 0 && insn->op != OP_FMUL && (!is_special || insn->op == OP_EX2),
        .src16 = (insn->attr & ISA_SRC16) != 0,
        .byte = (insn->attr & ISA_BYTE) != 0,
        .to_half = (insn->attr & ISA_W16) != 0,
        .sign_a = (insn->attr & ISA_SIGN_A) != 0,
        .sign_d = (insn->attr & ISA_SIGN_D) != 0,
        .integral = insn->integral,
    };
}

static void run_unit(struct bench *b, const struct isa_insn *insn, const struct operands *o, uint32_t *value,
                     uint8_t *flags) {
    const struct float_control control = control_of(insn);
    uint32_t two_over_pi[WARP_LANES];
    for (unsigned i = 0; i < WARP_LANES; i++) two_over_pi[i] = 0xa2f983;
    float_unit_run(b->unit, &control, o->a, insn->op == OP_RRO ? two_over_pi : o->b, o->c, value, flags);
}

/* OCSZ of a result: docs/isa.md 2.8; FSET and F2I have integers. */
static uint8_t flags_of(const struct isa_insn *insn, uint32_t value) {
    const unsigned width = (insn->attr & ISA_W16) != 0 ? 16 : 32;
    const uint32_t top = (uint32_t)1 << (width - 1);
    const uint32_t magnitude = value & (top - 1);
    const bool negative = (value & top) != 0;
    if (insn->op == OP_FSET || insn->op == OP_F2I) return (uint8_t)((negative ? 2 : 0) | (value == 0 ? 1 : 0));
    if (insn->op != OP_FCMP && magnitude > (width == 16 ? 0x7c00u : 0x7f800000u)) return 3;
    return magnitude == 0 ? 1 : negative ? 2 : 0;
}

/* ------------------------------------------------------------------------------------------------------- vectors */

/* A half register is a half of a full one; the constants of immediate forms are operands like any other. */
static uint32_t operand_value(const struct isa_operand *operand, const uint32_t *reg) {
    switch (operand->kind) {
    case ISA_REG32: return operand->reg < 8 ? reg[operand->reg] : 0;
    case ISA_REG16: return operand->reg < 16 ? reg[operand->reg / 2] >> (operand->reg % 2 * 16) & 0xffff : 0;
    case ISA_IMM: return operand->value;
    default: return 0;
    }
}

static void check_vector(struct bench *b, const struct table *t) {
    struct isa_insn insn;
    uint32_t reg[8];
    if (isa_decode(table_hex(t, "op_lo"), table_hex(t, "op_hi"), &insn) != ISA_OK) return;
    if (operation_of(&insn) == NULL || (table_hex(t, "mp") & 2) != 0) return; /* the mode bit of fmad_i.0228 */
    for (unsigned i = 0; i < 8; i++) {
        const char name[] = {'r', (char)('0' + i), '\0'};
        reg[i] = table_hex(t, name);
    }
    struct operands o;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        o.a[i] = operand_value(&insn.src[0], reg);
        o.b[i] = operand_value(&insn.src[1], reg);
        o.c[i] = operand_value(&insn.src[2], reg);
    }
    uint32_t value[WARP_LANES];
    uint8_t flags[WARP_LANES];
    run_unit(b, &insn, &o, value, flags);
    const bool is_high = insn.dst.kind == ISA_REG16 && insn.dst.reg % 2 != 0;
    const uint32_t mask = table_hex(t, "dst_mask");
    const uint32_t cc_mask = table_hex(t, "cc_wr") != 0 ? table_hex(t, "cc_mask") : 0;
    const uint32_t is = value[0] << (is_high ? 16 : 0);
    b->compared++;
    if ((mask == 0 || (is & mask) == (table_hex(t, "dst_val") & mask)) &&
        (flags[0] & cc_mask) == (table_hex(t, "cc_val") & cc_mask))
        return;
    if (b->differing++ < SHOWN)
        printf("# %s %s: %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ": %08" PRIx32 " flags %x\n", table_text(t, "id"),
               table_text(t, "asm"), o.a[0], o.b[0], o.c[0], is, flags[0]);
}

/* --------------------------------------------------------------------------------------------------------- model */

static uint32_t next(struct bench *b) {
    b->random ^= b->random << 13;
    b->random ^= b->random >> 7;
    b->random ^= b->random << 17;
    return (uint32_t)(b->random >> 16);
}

/* A corner, something near it, a few bits, a number near `other`, plain bits. */
static uint32_t draw(struct bench *b, uint32_t other) {
    static const uint32_t CORNERS[] = {
        0,          1,          0x007fffff, 0x00800000, 0x00800001, 0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000,
        0x3f800001, 0x4b000000, 0x4b7fffff, 0x4effffff, 0x4f000000, 0x46fffe00, 0x477fff00, 0x7f000000, 0x7f7fffff,
        0x7f800000, 0x7f800001, 0x7fffffff, 0x0b800000, 0x32800000, 0x33000000, 0x387fe000, 0x2f000000, 0x0000ffff,
        0x00008000, 0x3fffffe0, 0xc0000020, 0x40000000, 0x00003c00, 0x00007c00, 0x000003ff, 0x00000400, 0x00007bff};
    const uint32_t bits = next(b);
    const uint32_t sign = next(b) << 31;
    const uint32_t corner = CORNERS[next(b) % (sizeof CORNERS / sizeof CORNERS[0])];
    switch (next(b) % 10) {
    case 0: return corner ^ sign;
    case 1: return (corner + (bits & 15) - 8) ^ sign;
    case 2: return (other + (bits & 15) - 8) ^ sign;
    case 3: return ((other & 0x7f800000) + ((bits % 60) << 23) - (30u << 23) + (bits >> 9) % 0x800000) ^ sign;
    case 4: return sign | (other & 0x7f800000) | (bits & 0x7fffff & (bits << 11));
    case 5: return sign | ((bits & 63) + 96) << 23 | (next(b) & 0x7fffff);
    case 6:
        return sign | ((bits & 63) + 96) << 23 |
               (0x7fffff & ((uint32_t)0x400000 >> (bits >> 6) % 24) * (bits >> 16 & 3));
    case 7: return next(b) >> (bits & 31);
    default: return bits;
    }
}

static void draw_operands(struct bench *b, struct operands *o) {
    for (unsigned i = 0; i < WARP_LANES; i++) {
        o->a[i] = draw(b, next(b));
        o->b[i] = draw(b, o->a[i]);
        const uint32_t exponents = (o->a[i] >> 23 & 255) + (o->b[i] >> 23 & 255);
        const uint32_t near = exponents > 127 && exponents < 127 + 255 ? (exponents - 127) << 23 : o->a[i];
        o->c[i] = draw(b, near | (o->a[i] & 0x7fffff));
    }
}

static void compare(struct bench *b, const struct isa_insn *insn) {
    struct operands o;
    draw_operands(b, &o);
    const bool narrow = (insn->attr & (ISA_SRC16 | ISA_BYTE)) != 0;
    for (unsigned i = 0; i < WARP_LANES; i++) o.a[i] &= narrow ? 0xffff : UINT32_MAX;
    const struct exec_in in = {.a = o.a, .b = o.b, .c = o.c, .insn = insn};
    struct exec_out out = {.carry = 0};
    operation_of(insn)->model(&in, &out);
    uint32_t value[WARP_LANES];
    uint8_t flags[WARP_LANES];
    run_unit(b, insn, &o, value, flags);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        b->compared++;
        if (value[i] == out.value[i] && flags[i] == flags_of(insn, out.value[i])) continue;
        if (b->differing++ >= SHOWN) continue;
        char text[ISA_TEXT_MAX];
        isa_print(insn, ISA_DIALECT_3, text, sizeof text);
        printf("# %s: %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ": must be %08" PRIx32 ", is %08" PRIx32 ", flags %x\n",
               text, o.a[i], o.b[i], o.c[i], out.value[i], value[i], flags[i]);
    }
}

/* A word of the row with random fields; false if the row is no operation of the units. */
static bool word_of_row(struct bench *b, size_t row, struct isa_insn *insn) {
    for (unsigned attempt = 0; attempt < ENCODE_TRIES; attempt++) {
        struct isa_fields fields = {0};
        uint32_t lo, hi;
        for (unsigned f = 0; f < ISA_FIELD_COUNT; f++) {
            const unsigned bits = isa_row_field_bits(row, (enum isa_field)f);
            if (bits != 0) fields.value[f] = next(b) >> (32 - bits);
        }
        if (isa_encode(row, &fields, &lo, &hi) && isa_decode(lo, hi, insn) == ISA_OK) return operation_of(insn) != NULL;
    }
    return false;
}

/* ---------------------------------------------------------------------------------------------------------- main */

static bool verdict(struct bench *b, unsigned number, const char *name) {
    const bool good = b->differing == 0 && b->compared != 0;
    printf("%s %u - %s: %" PRIu64 " of %" PRIu64 " results differ\n", good ? "ok" : "not ok", number, name,
           b->differing, b->compared);
    fflush(stdout);
    b->compared = b->differing = 0;
    return good;
}

static const char *const FILES[] = {"vectors/fp_fadd.tsv",       "vectors/fp_fadd_i.tsv",  "vectors/fp_fadd_s.tsv",
                                    "vectors/fp_fmul.tsv",       "vectors/fp_fmul_i.tsv",  "vectors/fp_fmul_s.tsv",
                                    "vectors/fp_fmad.tsv",       "vectors/fp_fmad_i.tsv",  "vectors/fp_fmad_s.tsv",
                                    "vectors/fp_fslct.tsv",      "vectors/fp_fcmp.tsv",    "vectors/fp_fminmax.tsv",
                                    "vectors/fp_i2f.tsv",        "vectors/fp_f2i.tsv",     "vectors/fp_f2f.tsv",
                                    "vectors/fp_sfu_sfupre.tsv", "vectors/fp_sfu_rcp.tsv", "vectors/fp_sfu_rcp_s.tsv",
                                    "vectors/fp_sfu_rsqrt.tsv",  "vectors/fp_sfu_lg2.tsv", "vectors/fp_sfu_sincos.tsv",
                                    "vectors/fp_sfu_ex2.tsv",    "float/edge.tsv"};
enum { FILE_COUNT = sizeof FILES / sizeof FILES[0] };

int main(int argc, char **argv) {
    uint64_t words = 10, blocks = 10, seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--words") == 0) words = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--blocks") == 0) blocks = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0) seed = strtoull(argv[i + 1], NULL, 10);
    }
    struct bench b = {.unit = float_unit_create(), .random = seed * 0x9e3779b97f4a7c15u + 1};
    unsigned number = 0, failed = 0;
    const size_t rows = isa_row_count();
    for (unsigned i = 0; i < FILE_COUNT; i++) {
        char path[64];
        struct table t;
        snprintf(path, sizeof path, "golden/%s", FILES[i]);
        if (!table_open(&t, path)) return 2;
        while (table_next(&t)) check_vector(&b, &t);
        failed += verdict(&b, ++number, path) ? 0 : 1;
    }
    for (size_t row = 0; row < rows; row++) {
        struct isa_insn insn;
        if (!word_of_row(&b, row, &insn)) continue;
        for (uint64_t word = 0; word < words; word++) {
            for (uint64_t block = 0; block < blocks; block++) compare(&b, &insn);
            if (!word_of_row(&b, row, &insn)) break;
        }
        failed += verdict(&b, ++number, isa_row_id(row)) ? 0 : 1;
    }
    printf("1..%u\n", number);
    float_unit_destroy(b.unit);
    return failed == 0 ? 0 : 1;
}

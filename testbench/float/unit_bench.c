/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the floating-point units of the RTL (their Verilog, in Verilator) against golden vectors and the model. Prints
 * TAP.
 *
 *     unit_bench [--words N] [--blocks N] [--seed S]
 *
 * Vectors: every row of golden/vectors/fp_*.tsv and golden/float/edge.tsv whose word is an instruction. Model: of each
 * row of the instruction table N words with random fields, of each word N times 32 operands: corners, their neighbours,
 * halves between two numbers, sums that cancel, products at the limits, plain bits. */
// link: -lstdc++ -lz
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/test/table.h"
#include "unit.h"
#include "unit_model.h"

enum { SHOWN = 8, ENCODE_TRIES = 200 };

struct bench {
    struct float_unit *unit;
    uint64_t random;
    uint64_t compared, differing;
};

/* ------------------------------------------------------------------------------------------------------- vectors */

/* A half register is a half of a full one; the constants of immediate forms count as operands. */
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
    if (!unit_executes(&insn) || (table_hex(t, "mp") & 2) != 0) return; /* the mode bit of fmad_i.0228 */
    for (unsigned i = 0; i < 8; i++) {
        const char name[] = {'r', (char)('0' + i), '\0'};
        reg[i] = table_hex(t, name);
    }
    struct unit_operands o;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        o.a[i] = operand_value(&insn.src[0], reg);
        o.b[i] = operand_value(&insn.src[1], reg);
        o.c[i] = operand_value(&insn.src[2], reg);
    }
    struct unit_results is;
    unit_by_rtl(b->unit, &insn, &o, &is);
    const bool is_high = insn.dst.kind == ISA_REG16 && insn.dst.reg % 2 != 0;
    const uint32_t mask = table_hex(t, "dst_mask");
    const uint32_t cc_mask = table_hex(t, "cc_wr") != 0 ? table_hex(t, "cc_mask") : 0;
    const uint32_t value = is.value[0] << (is_high ? 16 : 0);
    b->compared++;
    if ((mask == 0 || (value & mask) == (table_hex(t, "dst_val") & mask)) &&
        (is.flags[0] & cc_mask) == (table_hex(t, "cc_val") & cc_mask))
        return;
    if (b->differing++ < SHOWN)
        printf("# %s %s: %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ": %08" PRIx32 " flags %x\n", table_text(t, "id"),
               table_text(t, "asm"), o.a[0], o.b[0], o.c[0], value, is.flags[0]);
}

/* --------------------------------------------------------------------------------------------------------- model */

static uint32_t next(struct bench *b) {
    b->random ^= b->random << 13;
    b->random ^= b->random >> 7;
    b->random ^= b->random << 17;
    return (uint32_t)(b->random >> 16);
}

/* A corner, a value near one, a few bits, a number near `other`, plain bits. */
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

static void draw_operands(struct bench *b, struct unit_operands *o) {
    for (unsigned i = 0; i < WARP_LANES; i++) {
        o->a[i] = draw(b, next(b));
        o->b[i] = draw(b, o->a[i]);
        const uint32_t exponents = (o->a[i] >> 23 & 255) + (o->b[i] >> 23 & 255);
        const uint32_t near = exponents > 127 && exponents < 127 + 255 ? (exponents - 127) << 23 : o->a[i];
        o->c[i] = draw(b, near | (o->a[i] & 0x7fffff));
    }
}

static void compare(struct bench *b, const struct isa_insn *insn) {
    struct unit_operands o;
    draw_operands(b, &o);
    const bool narrow = (insn->attr & (ISA_SRC16 | ISA_BYTE)) != 0;
    for (unsigned i = 0; i < WARP_LANES; i++) o.a[i] &= narrow ? 0xffff : UINT32_MAX;
    struct unit_results is, must;
    unit_by_rtl(b->unit, insn, &o, &is);
    unit_by_model(insn, &o, &must);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        b->compared++;
        if (is.value[i] == must.value[i] && is.flags[i] == must.flags[i]) continue;
        if (b->differing++ >= SHOWN) continue;
        char text[ISA_TEXT_MAX];
        isa_print(insn, ISA_DIALECT_3, text, sizeof text);
        printf("# %s: %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ": must be %08" PRIx32 ", is %08" PRIx32 ", flags %x\n",
               text, o.a[i], o.b[i], o.c[i], must.value[i], is.value[i], is.flags[i]);
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
        if (isa_encode(row, &fields, &lo, &hi) && isa_decode(lo, hi, insn) == ISA_OK) return unit_executes(insn);
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
        if (b.compared == 0 && !float_unit_is_special()) continue;
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

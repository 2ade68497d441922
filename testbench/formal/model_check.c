/* SPDX-License-Identifier: Apache-2.0 */
/* Checks model.v, the reference of the ALU's proofs, against the functions of the C model (cmodel/exec_*.c): each
 * operation with each combination of its modifiers, on corner or random operands. Prints TAP.
 *
 *     model_check [ROUNDS] */
// link: -lstdc++ -lz
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmodel/core/exec.h"
#include "model_run.h"

enum { ROUNDS = 40, SHOWN = 5 };

static uint32_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 16);
}

/* Zero, ones, powers of two and their neighbours, small numbers, or any. */
static uint32_t draw(uint64_t *state) {
    uint32_t random = next_random(state), power = (uint32_t)1 << (random >> 8) % 32;
    switch (random % 8) {
    case 0: return 0;
    case 1: return UINT32_MAX;
    case 2: return power;
    case 3: return power - 1;
    case 4: return ~power;
    case 5: return (random >> 16) % 40;
    default: return next_random(state);
    }
}

/* An operation of alu_t and its name in the C model. `modifiers` are those that it supports, each a bit of the case. */
struct operation {
    const char *name;
    exec_fn *run;
    const char *modifiers; /* letters of set_modifier */
    unsigned width;        /* width of the flags, if it does not follow w16 */
    uint8_t op;
    bool extends; /* with w16 both sources are 16 bits wide */
};

static void exec_second(const struct exec_in *in, struct exec_out *out) {
    const struct exec_in first = {.a = in->b, .insn = in->insn};
    exec_mov(&first, out);
}

static const struct operation OPERATIONS[] = {
    {"move",      exec_mov,    "w",        0,  0,  true },
    {"move of b", exec_second, "w",        0,  1,  true },
    {"IADD",      exec_iadd,   "wcnms",    0,  2,  true },
    {"IMUL",      exec_imul,   "abth",     32, 3,  false},
    {"IMAD",      exec_imad,   "abthcpqs", 32, 3,  false},
    {"ISAD",      exec_isad,   "wa",       32, 4,  true },
    {"ISET",      exec_iset,   "wa012",    0,  5,  true },
    {"IMIN",      exec_imin,   "wa",       0,  6,  true },
    {"IMAX",      exec_imax,   "wa",       0,  7,  true },
    {"SHL",       exec_shl,    "w",        0,  8,  true },
    {"SHR",       exec_shr,    "wa",       0,  9,  true },
    {"LOP",       exec_lop,    "wij34",    0,  10, true },
    {"I2I",       exec_i2i,    "wadx56vn", 0,  11, false},
};

/* Sets one modifier in both: in the instruction, and in the inputs of model.v. */
static void set_modifier(char name, struct isa_insn *insn, struct model_inputs *in) {
    switch (name) {
    case 'w': insn->attr |= ISA_W16, in->w16 = 1; break;
    case 'a': insn->attr |= ISA_SIGN_A, in->sign_a = 1; break;
    case 'b': insn->attr |= ISA_SIGN_B, in->sign_b = 1; break;
    case 'd': insn->attr |= ISA_SIGN_D, in->sign_d = 1; break;
    case 't': insn->attr |= ISA_M24, in->mul24 = 1; break;
    case 'h': insn->attr |= ISA_HI, in->mul_hi = 1; break;
    case 's': insn->attr |= ISA_SAT, in->saturate = 1; break;
    case 'c': insn->attr |= ISA_CARRY, in->carry = 1; break;
    case 'n': insn->attr |= ISA_NEG_A, insn->src[0].negate = true, in->neg_a = 1; break;
    case 'm': insn->attr |= ISA_NEG_B, in->neg_b = 1; break;
    case 'p': insn->attr |= ISA_NEG_P, in->neg_a = 1; break;
    case 'q': insn->attr |= ISA_NEG_C, in->neg_b = 1; break;
    case 'i': insn->src[0].invert = true, in->inv_a = 1; break;
    case 'j': insn->src[1].invert = true, in->inv_b = 1; break;
    case 'v': insn->src[0].absolute = true, in->absolute = 1; break;
    case 'x': insn->attr |= ISA_SRC16, in->src16 = 1; break;
    case '5': insn->attr |= ISA_BYTE, in->byte = 1; break;
    case '6': insn->dst8 = true, in->dst8 = 1; break;
    case '0':
    case '1':
    case '2': insn->cmp = in->compare = (uint8_t)(in->compare | 1 << (name - '0')); break;
    case '3':
    case '4': insn->logic = in->logic_op = (uint8_t)(in->logic_op | 1 << (name - '3')); break;
    default: break;
    }
}

/* False for combinations that the instruction set lacks: a carry with a negation, a sign of one factor of 24 bits, the
 * upper bits of a product of 16. */
static bool exists(const struct model_inputs *in) {
    if (in->op == 11) return true;
    return !(in->carry && (in->neg_a || in->neg_b)) && !(in->mul24 && in->sign_a != in->sign_b) &&
           !(in->mul_hi && !in->mul24);
}

static unsigned compare(const struct operation *operation, const struct isa_insn *insn, struct model_inputs *in,
                        uint64_t *random, unsigned shown) {
    const uint32_t ones = in->w16 && operation->extends ? 0xffff : UINT32_MAX;
    const unsigned width = operation->width != 0 ? operation->width : exec_width(insn);
    uint32_t a[WARP_LANES], b[WARP_LANES], c[WARP_LANES];
    struct exec_out out = {0};
    struct exec_in lanes = {.a = a, .b = b, .c = c, .carry = next_random(random), .insn = insn};
    unsigned differing = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        a[i] = draw(random) & ones;
        b[i] = next_random(random) % 4 == 0 ? a[i] : draw(random) & ones;
        c[i] = draw(random);
    }
    operation->run(&lanes, &out);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const uint32_t flags = (out.overflow >> i & 1) << 3 | (out.carry >> i & 1) << 2 |
                               (out.value[i] >> (width - 1) & 1) << 1 | (out.value[i] == 0);
        uint32_t value, is_flags;
        in->a = a[i], in->b = b[i], in->c = c[i], in->cin = lanes.carry >> i & 1;
        model_v_run(in, &value, &is_flags);
        if (value == out.value[i] && is_flags == flags) continue;
        if (shown + differing++ >= SHOWN) continue;
        printf("# %s %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ": C model %08" PRIx32 " flags %x, model.v %08" PRIx32
               " flags %x\n",
               operation->name, a[i], b[i], c[i], out.value[i], (unsigned)flags, value, (unsigned)is_flags);
    }
    return differing;
}

int main(int argc, char **argv) {
    const unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : ROUNDS;
    const unsigned count = sizeof OPERATIONS / sizeof OPERATIONS[0];
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15);
    unsigned failed = 0;
    printf("1..%u\n", count);
    for (unsigned n = 0; n < count; n++) {
        const struct operation *operation = &OPERATIONS[n];
        unsigned differing = 0, compared = 0, bits = 0;
        while (operation->modifiers[bits] != 0) bits++;
        for (unsigned combination = 0; combination < 1u << bits; combination++) {
            struct isa_insn insn = {.set_c = true};
            struct model_inputs in = {.op = operation->op, .mul_add = operation->run == exec_imad};
            for (unsigned i = 0; i < bits; i++)
                if ((combination >> i & 1) != 0) set_modifier(operation->modifiers[i], &insn, &in);
            for (unsigned round = 0; exists(&in) && round < rounds; round++, compared += WARP_LANES)
                differing += compare(operation, &insn, &in, &random, differing);
        }
        failed += differing != 0;
        printf("%sok %u - %s: model.v and the C model agree (%u of %u differ)\n", differing == 0 ? "" : "not ", n + 1,
               operation->name, differing, compared);
    }
    return failed != 0;
}

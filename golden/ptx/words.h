/* SPDX-License-Identifier: Apache-2.0 */
/* The words of PTX: opcodes, and what stands behind their dots. */
#ifndef GOLDEN_PTX_WORDS_H
#define GOLDEN_PTX_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* name in C, text */
#define PTX_OPCODES(X)                                                                                                \
    X(ABS, "abs")                                                                                                     \
    X(ADD, "add")                                                                                                     \
    X(ADDC, "addc")                                                                                                   \
    X(AND, "and")                                                                                                     \
    X(ATOM, "atom")                                                                                                   \
    X(BAR, "bar")                                                                                                     \
    X(BARRIER, "barrier")                                                                                             \
    X(BFE, "bfe")                                                                                                     \
    X(BFI, "bfi")                                                                                                     \
    X(BFIND, "bfind") X(BRA, "bra") X(BREV, "brev") X(BRX, "brx") X(CALL, "call") X(CLZ, "clz") X(CNOT, "cnot")       \
        X(COPYSIGN, "copysign") X(COS, "cos") X(CVT, "cvt") X(CVTA, "cvta") X(DIV, "div") X(EX2, "ex2")               \
            X(EXIT, "exit") X(FENCE, "fence") X(FMA, "fma") X(ISSPACEP, "isspacep") X(LD, "ld") X(LDU, "ldu")         \
                X(LG2, "lg2") X(MAD, "mad") X(MAD24, "mad24") X(MADC, "madc") X(MAX, "max") X(MEMBAR, "membar")       \
                    X(MIN, "min") X(MOV, "mov") X(MUL, "mul") X(MUL24, "mul24") X(NEG, "neg") X(NOT, "not")           \
                        X(OR, "or") X(POPC, "popc") X(PREFETCH, "prefetch") X(PREFETCHU, "prefetchu") X(PRMT, "prmt") \
                            X(RCP, "rcp") X(RED, "red") X(REM, "rem") X(RET, "ret") X(RSQRT, "rsqrt") X(SAD, "sad")   \
                                X(SELP, "selp") X(SET, "set") X(SETP, "setp") X(SHF, "shf") X(SHL, "shl")             \
                                    X(SHR, "shr") X(SIN, "sin") X(SLCT, "slct") X(SQRT, "sqrt") X(ST, "st")           \
                                        X(SUB, "sub") X(SUBC, "subc") X(TESTP, "testp") X(TRAP, "trap") X(XOR, "xor")

/* Rounding, comparisons and combinations are fields of an instruction; the others are in its set. */
#define PTX_WORDS(X)                                                                                                  \
    X(RN, "rn")                                                                                                       \
    X(RZ, "rz")                                                                                                       \
    X(RM, "rm")                                                                                                       \
    X(RP, "rp")                                                                                                       \
    X(RNI, "rni")                                                                                                     \
    X(RZI, "rzi")                                                                                                     \
    X(RMI, "rmi")                                                                                                     \
    X(RPI, "rpi")                                                                                                     \
    X(EQ, "eq")                                                                                                       \
    X(NE, "ne") X(LT, "lt") X(LE, "le") X(GT, "gt") X(GE, "ge") X(LO, "lo") X(LS, "ls") X(HI, "hi") X(HS, "hs")       \
        X(EQU, "equ") X(NEU, "neu") X(LTU, "ltu") X(LEU, "leu") X(GTU, "gtu") X(GEU, "geu") X(NUM, "num")             \
            X(NAN, "nan") X(AND, "and") X(OR, "or") X(XOR, "xor") X(EXCH, "exch") X(CAS, "cas") X(ADD, "add")         \
                X(INC, "inc") X(DEC, "dec") X(MIN, "min") X(MAX, "max") X(FTZ, "ftz") X(SAT, "sat") X(CC, "cc")       \
                    X(WIDE, "wide") X(UNI, "uni") X(VOLATILE, "volatile") X(APPROX, "approx") X(FULL, "full")         \
                        X(TO, "to") X(CA, "ca") X(CG, "cg") X(CS, "cs") X(CV, "cv") X(LU, "lu") X(WB, "wb")           \
                            X(WT, "wt") X(NC, "nc") X(SYNC, "sync") X(ALIGNED, "aligned") X(CTA, "cta") X(GL, "gl")   \
                                X(SYS, "sys") X(GPU, "gpu") X(RELAXED, "relaxed") X(SC, "sc") X(ACQ_REL, "acq_rel")   \
                                    X(IDX, "idx") X(F4E, "f4e") X(B4E, "b4e") X(RC8, "rc8") X(ECL, "ecl")             \
                                        X(ECR, "ecr") X(RC16, "rc16") X(SHIFTAMT, "shiftamt") X(L, "l") X(R, "r")     \
                                            X(CLAMP, "clamp") X(WRAP, "wrap") X(L1, "L1") X(L2, "L2") X(WEAK, "weak") \
                                                X(FINITE, "finite") X(INFINITE, "infinite") X(NUMBER, "number")       \
                                                    X(NOTANUMBER, "notanumber") X(NORMAL, "normal")                   \
                                                        X(SUBNORMAL, "subnormal")

enum opcode {
    NO_OPCODE,
#define X(name, text) OP_##name,
    PTX_OPCODES(X)
#undef X
        OPCODES
};

enum word {
    NO_WORD,
#define X(name, text) W_##name,
    PTX_WORDS(X)
#undef X
        WORDS
};

struct word_set {
    uint64_t bits[2];
};

static inline bool has_word(const struct word_set *set, enum word word) {
    return (set->bits[(unsigned)word / 64] >> ((unsigned)word % 64) & 1) != 0;
}

static inline void add_word(struct word_set *set, enum word word) {
    set->bits[(unsigned)word / 64] |= (uint64_t)1 << ((unsigned)word % 64);
}

/* NO_OPCODE, NO_WORD where there is none of this text. */
enum opcode opcode_of(const char *text);
enum word word_of(const char *text);
const char *opcode_text(enum opcode opcode);

#endif

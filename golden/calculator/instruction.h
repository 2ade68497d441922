/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction as its text states it, and what it does to one thread. Written from docs/isa.md alone: nothing here
 * comes from the assembler, the model or the RTL. sass.c and envydis.c read instructions, execute.c executes them. */
#ifndef CALCULATOR_INSTRUCTION_H
#define CALCULATOR_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum operation {
    OP_IADD,
    OP_IMUL,
    OP_IMAD,
    OP_ISAD,
    OP_IMIN,
    OP_IMAX,
    OP_ISET,
    OP_SHL,
    OP_SHR,
    OP_LOP,
    OP_I2I,
    OP_FADD,
    OP_FMUL,
    OP_FMAD,
    OP_FSET,
    OP_FMAX,
    OP_FMIN,
    OP_FCMP,
    OP_I2F,
    OP_F2I,
    OP_F2F,
    OP_RRO,
    OP_RCP,
    OP_RSQ,
    OP_LG2,
    OP_SIN,
    OP_COS,
    OP_EX2,
    OP_MOV, /* MVI and MVC, too */
    OP_R2A,
    OP_A2R,
    OP_ADA,
    OP_C2R,
    OP_R2C,
    OP_S2R,
    OP_LOAD,  /* GLD, LLD, G2R */
    OP_STORE, /* GST, LST, R2G */
    OP_ATOMIC,
    OP_BRA,
    OP_BRX,
    OP_CAL,
    OP_PRET,
    OP_RET,
    OP_PBK,
    OP_BRK,
    OP_BAR,
    OP_TRAP,
    OP_NOTHING /* NOP, PMEVENT, and SSY, which matters to a warp but not to a thread */
};

/* .U16, .S32, .F16 ... */
struct type {
    int bits;
    bool is_signed;
};

enum operand_kind {
    OPERAND_NONE,
    OPERAND_REGISTER, /* number: of R */
    OPERAND_HALF,     /* number: 2n for RnL, 2n + 1 for RnH */
    OPERAND_SINK,     /* o [..] */
    OPERAND_IMMEDIATE,
    OPERAND_AREG,
    OPERAND_CREG,
    OPERAND_SPECIAL, /* SR0 ... */
    OPERAND_SHARED,
    OPERAND_CONSTANT,
    OPERAND_LOCAL,
    OPERAND_GLOBAL,     /* number: the register with the address */
    OPERAND_COMPARISON, /* number: enum relation */
    OPERAND_FUNCTION,   /* SIN or EX2 */
    OPERAND_BARRIER
};

enum relation { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };
enum { FOR_SINE, FOR_POWER }; /* RRO's last operand */

struct operand {
    enum operand_kind kind;
    uint32_t number; /* register, value of an immediate, constant bank */
    bool negated, inverted, absolute;
    /* memory: address = A register + offset in units of the cell; 0 bits: the unit is the width of the operation */
    struct type cell;
    uint32_t offset;
    unsigned areg;
    bool increment; /* +++: address = A register, to which the offset is added afterwards */
};

enum logic { LOGIC_AND, LOGIC_OR, LOGIC_XOR, LOGIC_PASS_B };
/* ATOMIC_LOGIC: that of `logic` */
enum atomic { ATOMIC_LOGIC, ATOMIC_IADD, ATOMIC_EXCH, ATOMIC_CAS, ATOMIC_INC, ATOMIC_DEC, ATOMIC_IMAX, ATOMIC_IMIN };

enum { MAX_OPERANDS = 5, CONDITION_TRUE = 15 };

struct instruction {
    enum operation operation;
    struct type types[2]; /* as written; 0 bits if there is none */
    enum logic logic;
    enum atomic atomic;
    bool high, saturated, low_byte; /* .HI .SAT .BEXT */
    unsigned rounding;              /* 0 to nearest, .FLOOR 1 .CEIL 2 .TRUNC 3 */
    bool integral;                  /* .IR */
    int carry;                      /* .CARRYn: n, else -1 */
    int flags;                      /* .Cn: n, else -1 */
    unsigned lanes;                 /* of a quad that write: 15, or that of .LANEn */
    bool arrives, waits;            /* BAR */
    bool ends;                      /* the END marker */
    unsigned guard, condition;      /* C register and condition */
    struct operand operands[MAX_OPERANDS];
    size_t operand_count;
    uint32_t address, next; /* of this instruction, of the one behind it */
};

/* ---- what an instruction changes ---- */

enum { REGISTERS = 128, AREGS = 8, CREGS = 4, BANKS = 16, MAX_FRAMES = 64 };
enum flag { FLAG_Z = 1, FLAG_S = 2, FLAG_C = 4, FLAG_O = 8 };

struct memory {
    uint8_t *bytes;
    size_t size;
};

struct thread {
    uint32_t r[REGISTERS];
    uint16_t a[AREGS];
    uint8_t c[CREGS]; /* flag nibbles */
    uint32_t pc;
    unsigned lane, warp; /* of the warp, of the block */
    bool ended;
    int waits_at; /* barrier, or -1 */
    /* where RET and BRK go to */
    struct frame {
        bool is_call;
        uint32_t target;
    } frames[MAX_FRAMES];
    size_t frame_count;
    /* memories that the thread reaches, and the registers it has */
    unsigned registers;
    struct memory global, shared, local, constant[BANKS];
    const char *problem;
};

/* Executes the instruction for one thread, its guard included, and moves the thread's pc. NULL, or why it could not: an
 * access that would trap, or a value that no rule gives. */
const char *execute(const struct instruction *instruction, struct thread *thread);

/* The conditions that guards test (isa.md 2.7): does the one of that code hold for the nibble OCSZ? */
bool condition_holds(unsigned code, unsigned flags);

#endif

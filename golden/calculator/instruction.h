/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction as its text states it, and its effect on one thread. Written from docs/isa.md alone, without code of
 * the assembler, the model or the RTL. sass.c and envydis.c read instructions, execute.c executes them. */
#ifndef CALCULATOR_INSTRUCTION_H
#define CALCULATOR_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum operation {
    OPERATION_IADD,
    OPERATION_IMUL,
    OPERATION_IMAD,
    OPERATION_ISAD,
    OPERATION_IMIN,
    OPERATION_IMAX,
    OPERATION_ISET,
    OPERATION_SHL,
    OPERATION_SHR,
    OPERATION_LOP,
    OPERATION_I2I,
    OPERATION_WMUL,
    OPERATION_WMAD,
    OPERATION_IDIV,
    OPERATION_IREM,
    OPERATION_FADD,
    OPERATION_FMUL,
    OPERATION_FMAD,
    OPERATION_FSET,
    OPERATION_FMAX,
    OPERATION_FMIN,
    OPERATION_FCMP,
    OPERATION_I2F,
    OPERATION_F2I,
    OPERATION_F2F,
    OPERATION_RRO,
    OPERATION_RCP,
    OPERATION_RSQ,
    OPERATION_LG2,
    OPERATION_SIN,
    OPERATION_COS,
    OPERATION_EX2,
    OPERATION_MOV, /* MVI and MVC, too */
    OPERATION_R2A,
    OPERATION_A2R,
    OPERATION_ADA,
    OPERATION_C2R,
    OPERATION_R2C,
    OPERATION_S2R,
    OPERATION_LOAD,  /* GLD, LLD, G2R */
    OPERATION_STORE, /* GST, LST, R2G */
    OPERATION_ATOMIC,
    OPERATION_BRA,
    OPERATION_BRX,
    OPERATION_CAL,
    OPERATION_PRET,
    OPERATION_RET,
    OPERATION_PBK,
    OPERATION_BRK,
    OPERATION_BAR,
    OPERATION_TRAP,
    OPERATION_NOTHING /* NOP, PMEVENT, and SSY, which affects a warp but not a thread */
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
    bool increment; /* +++: address = A register, which the offset is then added to */
};

enum logic { LOGIC_AND, LOGIC_OR, LOGIC_XOR, LOGIC_PASS_B };
/* ATOMIC_LOGIC: the operation of `logic` */
enum atomic { ATOMIC_LOGIC, ATOMIC_IADD, ATOMIC_EXCH, ATOMIC_CAS, ATOMIC_INC, ATOMIC_DEC, ATOMIC_IMAX, ATOMIC_IMIN };

enum { MAX_OPERANDS = 5, CONDITION_TRUE = 15 };

struct instruction {
    enum operation operation;
    struct type types[2]; /* as written; 0 bits: absent */
    enum logic logic;
    enum atomic atomic;
    bool high, saturated, low_byte; /* .HI .SAT .BEXT */
    unsigned rounding;              /* 0 to nearest, .FLOOR 1 .CEIL 2 .TRUNC 3 */
    bool integral;                  /* .IR */
    int carry;                      /* .CARRYn: n; otherwise -1 */
    int flags;                      /* .Cn: n; otherwise -1 */
    unsigned lanes;                 /* lanes of a quad that write: 15, or the mask of .LANEn */
    bool arrives, waits;            /* BAR */
    bool ends;                      /* the END marker */
    unsigned guard, condition;      /* C register and condition */
    struct operand operands[MAX_OPERANDS];
    size_t operand_count;
    uint32_t address, next; /* address of this instruction, and of the next one */
};

/* effects of an instruction */

enum { REGISTERS = 128, AREGS = 8, CREGS = 4, BANKS = 16, MAX_FRAMES = 64 };
enum flag { FLAG_Z = 1, FLAG_S = 2, FLAG_C = 4, FLAG_O = 8 };

struct memory {
    uint8_t *bytes;
    size_t size;
};

/* The bit of thread.faults for an access to a memory operand of that kind. */
static inline unsigned fault_of(enum operand_kind memory, bool misaligned) {
    return 1u << (2 * (unsigned)memory + (misaligned ? 0 : 1));
}

/* Accesses of a load, store or atomic to a memory: its words before and after; bytes 0: no access. */
enum { WORDS = 4 };
struct access {
    unsigned bytes;
    uint32_t address, before[WORDS], after[WORDS];
    uint8_t *written; /* the cell, if it was written; NULL: only read */
};

struct thread {
    uint32_t r[REGISTERS];
    uint16_t a[AREGS];
    uint8_t c[CREGS]; /* flag nibbles */
    uint32_t pc;
    unsigned lane, warp; /* of the warp, of the block */
    bool ended;
    int waits_at; /* barrier, or -1 */
    /* the targets of RET and BRK */
    struct frame {
        bool is_call;
        uint32_t target;
    } frames[MAX_FRAMES];
    size_t frame_count;
    /* accessible memories, and the thread's registers */
    unsigned registers;
    struct memory global, shared, local, constant[BANKS];
    const char *problem;
    unsigned faults; /* accesses that would trap, by fault_of */
    struct access access;
};

/* Executes the instruction for one thread, including its guard, and moves the thread's pc. NULL, or the reason why not:
 * an access that would trap, or a value that no rule defines. */
const char *calculator_execute(const struct instruction *instruction, struct thread *thread);

/* The conditions of guards (isa.md 2.7): true if the one with that code holds for the nibble OCSZ. */
bool rule_condition_holds(unsigned code, unsigned flags);

#endif

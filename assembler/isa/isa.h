/* SPDX-License-Identifier: Apache-2.0 */
/* The sm_10 instruction set as data: one table (insn.def and the lists it uses) from which words are decoded, encoded,
 * printed and parsed. Each bit of a word is fixed by its row, part of a field, or ignored by silicon (ignored.def); a
 * wrong fixed bit makes the word undefined. Nothing here allocates, prints or keeps state.
 *
 *     struct isa_insn insn;
 *     if (isa_decode(0x2102e800, 0, &insn) == ISA_OK) {
 *         char text[ISA_TEXT_MAX];
 *         isa_print(&insn, ISA_DIALECT_3, text, sizeof text);      // "IADD32 R0, g [0x4], R2"
 *     }
 *
 * Words: `lo` is the word at the lower address, `hi` the next one (0 and ignored for half instructions). */
#ifndef WARPSTEP_ISA_H
#define WARPSTEP_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../spec/instructions.h"
#include "../base/linkage.h"

C_LINKAGE_BEGIN

enum {
    ISA_TEXT_MAX = 160,   /* size of any printed instruction, with its final NUL */
    ISA_BITS_MAX = 320,   /* size of any isa_print_bits */
    ISA_FIELDS_MAX = 640, /* size of any isa_print_fields */
};

enum isa_marker { ISA_MARK_NONE = 0, ISA_MARK_END = 1, ISA_MARK_JOIN = 2 };

enum isa_operand_kind {
    ISA_NONE,
    ISA_REG32,  /* reg 0..127 */
    ISA_REG16,  /* reg = 2n for the low half of Rn, 2n + 1 for the high half */
    ISA_BUCKET, /* destination only: the result is discarded, flags are still written */
    ISA_SHARED, /* g [..]: value = byte offset, to which A[areg] is added; `bytes`, `sext` describe the cell */
    ISA_CONST,  /* c [bank] [..]: value = byte offset; A[areg] is added if indexed */
    ISA_IMM,    /* value */
    ISA_AREG,   /* reg 0..7; A0 reads zero, 5..7 are undefined */
    ISA_CREG,   /* reg 0..3 */
    ISA_GLOBAL, /* memory at the address in register reg; `bytes` and `sext` follow the access size */
    ISA_LOCAL,  /* local memory: value = byte offset, A[areg] is added */
};

struct isa_operand {
    enum isa_operand_kind kind;
    uint8_t reg;   /* register number, see kind */
    uint8_t bank;  /* ISA_CONST */
    uint8_t bytes; /* size of the memory cell or register: 1, 2, 4, 8, 16 */
    bool sext;     /* the cell is sign-extended */
    bool indexed;  /* A[insn.areg] is added to value (memory operands) */
    bool negate;   /* printed '-' : applies after absolute */
    bool invert;   /* printed '~' */
    bool absolute; /* printed '|..|' */
    uint32_t value;
};

/* A decoded instruction. Fields that a row lacks are 0, except cond, which is ISA_COND_TRUE, and lane_mask, which is
 * 15. */
struct isa_insn {
    uint32_t lo, hi;
    uint64_t ignored; /* bits set in hi:lo that silicon ignores */
    bool alias;       /* the word's opcode is reserved; silicon executes it as this row */
    uint16_t row;     /* index into the table, see isa_row_* */
    uint8_t bytes;    /* 4 or 8 */
    enum isa_op op;
    enum isa_unit unit;
    uint32_t attr;             /* enum isa_attr; ISA_SAT also if a field selects saturation, except OP_I2I (see dst8) */
    struct isa_operand dst;    /* GST, LST, R2G: the memory operand */
    struct isa_operand src[3]; /* GLD, LLD: src[0] is the memory operand; GST, LST, R2G: src[0] is the data */
    uint8_t areg;              /* A register that indexes the memory operand (or A2R's, ADA's source), 0 none */
    bool areg_inc;             /* post-increment: address = A alone, then A += inc_bytes */
    int32_t inc_bytes;         /* signed, already scaled by the unit */
    uint8_t cond;              /* enum isa_cond of the guard */
    uint8_t creg;              /* C register that the guard tests, and that ISA_CARRY reads */
    bool guarded;              /* the guard field exists and is obeyed */
    bool set_c;                /* writes flags to C[cdst] */
    uint8_t cdst;
    enum isa_marker marker;
    uint8_t cmp;       /* ISET, FSET: the relations accepted, 1 less, 2 equal, 4 greater, FSET also 8 unordered */
    uint8_t rounding;  /* 0 nearest, 1 down, 2 up, 3 toward zero */
    bool integral;     /* F2F.IR: to an integral value */
    uint8_t function;  /* RRO: 0 for SIN and COS, 1 for EX2 */
    uint8_t logic;     /* LOP: 0 AND 1 OR 2 XOR 3 PASS_B */
    uint8_t shift;     /* R2A */
    uint8_t lane_mask; /* MOV: lane L of a quad is written if bit L % 4 is set */
    bool dst8;         /* I2I: 8-bit destination */
    uint8_t segment;   /* GLD, GST, GRED, GATOM: 14 for global */
    uint8_t atom;      /* GRED, GATOM operation */
    uint8_t sreg;      /* S2R */
    uint8_t barrier;   /* BAR: id, warp count mask, .ARV, .WAIT, all warps (h14) */
    uint16_t barrier_mask;
    bool barrier_arrive, barrier_wait, barrier_all;
    bool no_inc;     /* CAL.NOINC, PRET.NOINC */
    uint32_t target; /* BRA, CAL, PBK, SSY, PRET: byte address */
};

enum isa_cond { ISA_COND_FALSE = 0, ISA_COND_TRUE = 15 };

/* Numbers with a special meaning. Source: docs/isa.md 2.1, 6.6. */
enum {
    ISA_REGS = 128,        /* registers of a thread, at most */
    ISA_REG_ZERO = 124,    /* as a 32-bit source: 0 */
    ISA_REG_SINK = 127,    /* as a 32-bit destination: the result is discarded */
    ISA_ALL_WARPS = 0xfff, /* barrier_mask: all warps of the block */
};

enum isa_result {
    ISA_OK,
    ISA_UNDEFINED,     /* no row matches */
    ISA_RESERVED_BITS, /* a row matches once bits that must be zero are cleared (isa_stray_bits); insn is that row */
};

/* cuobjdump of CUDA 3 and 4: "g [0x4]"; of CUDA 5 and 6: "g[0x4]"; nvdisasm of CUDA 6.5: as the latter, except for
 * also.def */
enum isa_dialect { ISA_DIALECT_3, ISA_DIALECT_5, ISA_DIALECT_65 };

struct isa_fields {
    uint32_t value[ISA_FIELD_COUNT];
};

/* Decodes the word pair; *insn is filled unless the result is ISA_UNDEFINED. hi is ignored if lo is a half word. A word
 * with bits that silicon ignores is ISA_OK: insn->ignored has the set ones. A word of a reserved opcode that silicon
 * executes as another one is ISA_OK, too: insn->alias. isa_canonical gives the words that the assembler writes for such
 * an instruction. Source: golden/encodings/table.csv, whose rows are those of the table; the semantic vectors for
 * ignored bits (ignored.def) and aliases (aliases.def). */
enum isa_result isa_decode(uint32_t lo, uint32_t hi, struct isa_insn *insn);

/* The reason why an instruction of the table is still undefined; NULL: it is defined. */
const char *isa_fault(const struct isa_insn *insn);

/* The data operand of 8 or 16 bytes whose register pair or quad does not begin at a multiple of 2 or 4; NULL: none.
 * Source: docs/isa.md 5. */
const struct isa_operand *isa_misaligned(const struct isa_insn *insn);

/* BAR: only `.ARV.WAIT` of all warps and `.ARV` alone are defined, all others trap. Source: docs/isa.md 6.6. */
static inline bool isa_barrier_is_partial(const struct isa_insn *insn) {
    const bool everyone = insn->barrier_all || insn->barrier_mask == ISA_ALL_WARPS;
    return !insn->barrier_arrive || (insn->barrier_wait && !everyone);
}

/* True if lo begins a long (8-byte) instruction. */
static inline bool isa_is_long(uint32_t lo) { return (lo & 1u) != 0; }

/* Bits of hi:lo (hi in the upper half) that make the pair ISA_RESERVED_BITS; 0 if there are none. */
uint64_t isa_stray_bits(uint32_t lo, uint32_t hi);

/* Names of bits of hi:lo, as "l25, h22". Returns the length. size >= ISA_BITS_MAX always suffices. */
size_t isa_print_bits(uint64_t bits, char *text, size_t size);

/* The meaning of the words on a later machine, as "double precision: sm_13", with the instruction in `text`
 * (ISA_TEXT_MAX bytes): only its name if the operands are unknown. NULL, with an empty text, if the words are unknown
 * or an instruction of this machine. No machine here executes these, for any architecture. Source: later.def. */
const char *isa_later(uint32_t lo, uint32_t hi, enum isa_dialect dialect, char *text);

/* The words of the instruction with ignored bits clear and without alias: those that the assembler writes for its
 * fields. */
void isa_canonical(const struct isa_insn *insn, uint32_t *lo, uint32_t *hi);

/* Bits of hi:lo that differ between the instruction and the words that its printed text assembles to: fields that the
 * text does not show. Neither the END marker nor bits that isa_canonical drops count. */
uint64_t isa_hidden_bits(const struct isa_insn *insn);

/* True if a text that assembles to text_lo and text_hi stands for these words; *hidden then has the bits that differ
 * because no text shows them. Neither the END marker nor bits that isa_canonical drops count. */
bool isa_fits_text(uint32_t lo, uint32_t hi, uint32_t text_lo, uint32_t text_hi, uint64_t *hidden);

/* Describes the hidden bits, as "h26 set" or "guard C3.GT, not obeyed". Returns the length, 0 if there are none. size
 * >= ISA_BITS_MAX * 3 always suffices. */
size_t isa_print_hidden(const struct isa_insn *insn, char *text, size_t size);

/* Prints the instruction without its final ';'. size >= ISA_TEXT_MAX always suffices; returns the length. */
size_t isa_print(const struct isa_insn *insn, enum isa_dialect dialect, char *text, size_t size);

/* The names in a text: labels and constants (a number), aliases (another word, such as a register). */
struct isa_symbol {
    bool is_word;
    int64_t value;
    const char *word;
    size_t word_length;
};

struct isa_scope {
    /* true and *symbol filled if the name is known */
    bool (*find)(void *state, const char *name, size_t length, struct isa_symbol *symbol);
    void *state;
};

/* Kinds of errors that callers distinguish. */
enum isa_error_kind {
    ISA_ERROR_OTHER,
    ISA_ERROR_UNDEFINED_NAME,
    ISA_ERROR_UNKNOWN_INSTRUCTION,
};

/* The reason why a text is no instruction: position (bytes from its start), message, a suggestion or an empty text. */
struct isa_error {
    enum isa_error_kind kind;
    size_t start, length;
    char text[256];
    char help[160];
};

/* Reads one instruction, in any dialect and with any spacing; a final ';' and comments are accepted. Fields that the
 * text does not show take the values that nvcc uses (no END marker). scope may be NULL. False if the text is no
 * instruction: *error is filled. */
bool isa_parse(const char *text, size_t length, const struct isa_scope *scope, uint32_t *lo, uint32_t *hi,
               struct isa_error *error);

/* Field values <-> words of a given row. Encoding fails when a value does not fit its field or is reserved there;
 * fields that the row does not have are ignored. */
void isa_unpack(size_t row, uint32_t lo, uint32_t hi, struct isa_fields *fields);
bool isa_encode(size_t row, const struct isa_fields *fields, uint32_t *lo, uint32_t *hi);

/* The values of the fields that a text may omit: condition TRUE, all lanes, global segment, 0 otherwise. */
void isa_default_fields(size_t row, struct isa_fields *fields);

/* Bits of a field, 0 if the row has none of that name. */
unsigned isa_row_field_bits(size_t row, enum isa_field field);

/* Prints the meaning of a field's value, as texts show it: "R1", "TRUE", ".U16"; nothing if texts show nothing. Returns
 * the length. */
size_t isa_print_field(const struct isa_insn *insn, enum isa_field field, char *text, size_t size);

/* Prints every field of the word as "name=value" pairs, for reports: "d=R1 a=R2 cond=TRUE ...". Returns the length. */
size_t isa_print_fields(const struct isa_insn *insn, char *text, size_t size);

/* Properties of a row of the table (row < isa_row_count()). */
size_t isa_row_count(void);
const char *isa_row_id(size_t row);       /* "iadd32_add_rr" */
const char *isa_row_mnemonic(size_t row); /* "IADD" */
enum isa_shape isa_row_shape(size_t row);
char isa_row_class(size_t row); /* 'T', 'P', 'X' or 'E' */

uint64_t isa_row_ignored(size_t row); /* bits of hi:lo that silicon ignores */

const char *isa_field_name(enum isa_field field); /* "goff" */

const char *isa_op_name(enum isa_op op);
enum isa_unit isa_op_unit(enum isa_op op);
enum isa_need isa_op_needs(enum isa_op op); /* of a machine: cmodel/machine_has.h */
const char *isa_cond_name(unsigned cond);   /* "NE"; reserved codes are "COND20" ... */

/* True if condition `cond` (0..31) holds for the flag nibble OCSZ. Source: docs/isa.md 2.7. */
bool isa_cond_holds(unsigned cond, unsigned nibble);

/* sign-extends the low `bits` (1..32) of v */
static inline uint32_t isa_sext(uint32_t v, unsigned bits) {
    uint32_t sign = (uint32_t)1 << (bits - 1);
    v &= (sign << 1) - 1;
    return (v ^ sign) - sign;
}

C_LINKAGE_END

#endif

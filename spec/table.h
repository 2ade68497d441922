/* SPDX-License-Identifier: Apache-2.0 */
/* Internal interface of the instruction set: fields (table.c), rows and formats, and the tables that the generator
 * computes so that no text is searched at run time (derived.c, generated: gen/gen.h). Users of the instruction set
 * include isa.h instead.
 *
 * A word is handled as one uint64_t: bits 0..31 are the word at the lower address, bits 32..63 the second one. */
#ifndef WARPSTEP_ISA_TABLE_H
#define WARPSTEP_ISA_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "instructions.h"

enum field_kind {
    KIND_REG32,  /* R5 */
    KIND_REG16,  /* R5L, R5H */
    KIND_REG16B, /* half register that the text shows by its number alone */
    KIND_HEX,    /* unsigned */
    KIND_SHEX,   /* 32 bits, printed with a sign */
    KIND_TARGET, /* byte address divided by 4 */
    KIND_SHIFT,  /* operand that is omitted when 0 */
    KIND_ENUM,
    KIND_ABS, /* |..| */
    KIND_FLAG,
    KIND_LANE, /* modifier that is omitted when 15 */
    KIND_AREG,
    KIND_CREG,
    KIND_SREG,
    KIND_BARRIER,
    KIND_COND,
    KIND_MARK,
    KIND_HIDDEN, /* never printed */
};

/* The fields by their identifiers in fields.def; operands.def lists them without a prefix, hence none here. */
enum field_id {
    NO_FIELD,
#define FIELD(id, name, kind, spellings, ...) id,
#include "fields.def"
#undef FIELD
    FIELD_ID_COUNT
};

struct field_piece {
    uint8_t lo, width; /* width 0: absent */
};

struct field {
    uint8_t name; /* enum isa_field */
    uint8_t kind; /* enum field_kind */
    struct field_piece piece[2];
    const char *id;
    const char *spellings;
};

enum { FORMAT_FIELDS_MAX = 20 };

struct format {
    uint8_t shape;
    uint8_t field[FORMAT_FIELDS_MAX]; /* enum field_id, NO_FIELD after the last */
    uint8_t bits[ISA_FIELD_COUNT];    /* width of the field of each name; 0: none */
};

struct row {
    uint64_t mask, match;
    uint32_t attr;
    uint8_t op, format;
    char class;
    const char *id, *mnemonic, *pattern;
};

/* A reserved opcode and the opcode that silicon executes instead, see aliases.def. */
struct alias {
    uint8_t opcode, sub_first, sub_last, opcode_instead, sub_instead;
};

extern const struct alias isa_aliases[];
extern const size_t isa_aliases_count;
extern const struct field isa_fields[FIELD_ID_COUNT];
extern const char *const isa_field_names[ISA_FIELD_COUNT];
extern const struct format isa_formats[];
extern const struct row isa_rows[]; /* rows of insn.def, then rows of later.def */
extern const size_t isa_rows_count; /* count without later.def */
extern const size_t isa_later_count;

static inline const struct format *row_format(size_t row) { return &isa_formats[isa_rows[row].format]; }

static inline uint32_t field_get(const struct field *f, uint64_t word) {
    uint64_t low = (word >> f->piece[0].lo) & (((uint64_t)1 << f->piece[0].width) - 1);
    uint64_t high = (word >> f->piece[1].lo) & (((uint64_t)1 << f->piece[1].width) - 1);
    return (uint32_t)(low | high << f->piece[0].width);
}

static inline uint64_t field_put(const struct field *f, uint32_t value) {
    uint64_t low = value & (((uint64_t)1 << f->piece[0].width) - 1);
    uint64_t high = ((uint64_t)value >> f->piece[0].width) & (((uint64_t)1 << f->piece[1].width) - 1);
    return low << f->piece[0].lo | high << f->piece[1].lo;
}

static inline unsigned field_width(const struct field *f) { return (unsigned)f->piece[0].width + f->piece[1].width; }

/* The spelling of an enumerated value and its length; NULL for a reserved value or one beyond the list. */
const char *field_spelling(const struct field *f, uint32_t value, size_t *length);

/* The fields of one word: values by name, and the id of each field (NO_FIELD: the row has no field of that name, and
 * the value is 0). */
struct word_fields {
    uint32_t value[ISA_FIELD_COUNT];
    uint8_t id[ISA_FIELD_COUNT]; /* enum field_id */
};

static inline void word_unpack(size_t row, uint64_t word, struct word_fields *w) {
    const struct format *format = row_format(row);
    *w = (struct word_fields){0};
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
        const struct field *f = &isa_fields[format->field[i]];
        w->value[f->name] = field_get(f, word);
        w->id[f->name] = format->field[i];
    }
}

/* ---- derived.c, written by gen_derived.c ---- */

/* A word's first-level index: shape and primary opcode, for long words also the subopcode. */
enum {
    BUCKET_HALF = 0,
    BUCKET_HALF_FLOW = 16,
    BUCKET_FLOW = 32,
    BUCKET_IMM = 48,
    BUCKET_LONG = 64,
    BUCKET_COUNT = 192
};

extern const uint16_t derived_bucket_start[BUCKET_COUNT + 1]; /* into derived_bucket_rows */
extern const uint16_t derived_bucket_rows[];
extern const uint64_t derived_select[]; /* per row: the bits of mask that select it; the others must be 0 or are
                                         * ignored */
extern const uint64_t derived_fixed[];  /* per row: the bits of mask that silicon does not ignore */
extern const uint16_t derived_reserved[FIELD_ID_COUNT]; /* bit v: value v makes the word undefined (values below 16) */

static inline unsigned bucket_of(uint64_t word) {
    unsigned primary = (unsigned)(word >> 28) & 15;
    if ((word & 1) == 0) return ((word & 2) == 0 ? BUCKET_HALF : BUCKET_HALF_FLOW) + primary;
    if ((word & 2) != 0) return BUCKET_FLOW + primary;
    if ((word >> 32 & 3) == 3) return BUCKET_IMM + primary;
    return BUCKET_LONG + primary * 8 + ((unsigned)(word >> 61) & 7);
}

/* The text pattern of a row as a sequence of tokens, each a lexical element: a mnemonic, one '.modifier', ", ", a field
 * ... */
enum token_kind {
    TOKEN_END,
    TOKEN_TEXT,        /* derived_text + text */
    TOKEN_FIELD,       /* printed by its kind */
    TOKEN_BARS,        /* '|' where the field is 1 */
    TOKEN_JOIN,        /* .S */
    TOKEN_SET_C,       /* .C0 */
    TOKEN_CARRY,       /* .CARRY0 */
    TOKEN_GUARD,       /* " (C0.NE)" */
    TOKEN_GUARD_BRA,   /* "C0.NE, " */
    TOKEN_GUARD_RET,   /* " C0.NE" */
    TOKEN_DEST,        /* register or bucket */
    TOKEN_SHARED,      /* ALU operand: offset, type, A register */
    TOKEN_SHARED_CELL, /* R2G, G2R: no type */
    TOKEN_CONST,
    TOKEN_CONST_FAR, /* operand of MVC */
    TOKEN_LOCAL,
    TOKEN_GLOBAL,
};

struct token {
    uint8_t kind;  /* enum token_kind */
    uint8_t field; /* enum field_id: the field of FIELD, BARS and DEST; SHARED: the type; other operands: offset or
                    * segment */
    uint16_t text;
};

extern const char derived_text[];
extern const struct token derived_tokens[];
extern const uint16_t derived_row_tokens[];    /* per row: index of its first token */
extern const uint16_t derived_row_tokens_65[]; /* the same in the dialect of CUDA 6.5 */

/* The patterns of all rows as one tree, for parsing: the rows of a mnemonic share their common first tokens.
 * Alternatives at one place of the text are siblings, literal text first; a path ends in a TOKEN_END node, which names
 * the row. */
struct tree_node {
    struct token token;
    uint16_t child, sibling; /* index into derived_tree, 0: none */
    uint16_t row;            /* TOKEN_END */
};

struct mnemonic {
    uint16_t text;  /* into derived_text */
    uint16_t child; /* first token behind the mnemonic */
    uint8_t bytes;  /* 4 or 8 */
};

extern const struct tree_node derived_tree[];
extern const struct mnemonic derived_mnemonics[]; /* sorted by strcmp */
extern const size_t derived_mnemonics_count;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The .def files as arrays. */
#include "table.h"

#include <string.h>

/* clang-format 14 breaks macros whose names stand between braces */
/* clang-format off */
#define PIECE(lo, width) {lo, width}
#define NO_PIECE {0, 0}
const struct field isa_fields[FIELD_ID_COUNT] = {
#define FIELD(id, name, kind, spellings, low, high) [id] = {ISA_FIELD_##name, KIND_##kind, {low, high}, #id, spellings},
#include "fields.def"
#undef FIELD
};

enum format_id {
#define FORMAT(id, shape, ...) FORMAT_##id,
#include "formats.def"
#undef FORMAT
};

const struct format isa_formats[] = {
#define FORMAT(id, shape, ...) [FORMAT_##id] = {ISA_SHAPE_##shape, {__VA_ARGS__}},
#include "formats.def"
#undef FORMAT
};

/* clang-format on */

/* insn.def names attributes bare */
enum {
    W16 = ISA_W16,
    SIGN_A = ISA_SIGN_A,
    SIGN_B = ISA_SIGN_B,
    SIGN_D = ISA_SIGN_D,
    M24 = ISA_M24,
    HI = ISA_HI,
    SAT = ISA_SAT,
    NEG_A = ISA_NEG_A,
    NEG_B = ISA_NEG_B,
    NEG_C = ISA_NEG_C,
    NEG_P = ISA_NEG_P,
    CARRY = ISA_CARRY,
    SRC16 = ISA_SRC16,
    BYTE = ISA_BYTE,
    CELL_U8 = ISA_CELL_U8,
    CELL_U16 = ISA_CELL_U16,
    CELL_S16 = ISA_CELL_S16,
    CELL_32 = ISA_CELL_32,
};

/* clang-format off */
#define WORD(lo, hi) ((uint64_t)(hi) << 32 | (lo))
const struct row isa_rows[] = {
#define INSN(id, mnemonic, operation, attr, format, class, mask_lo, match_lo, mask_hi, match_hi, pattern) \
    {WORD(mask_lo, mask_hi), WORD(match_lo, match_hi), attr, OP_##operation, FORMAT_##format, #class[0], #id, mnemonic,\
     pattern},
#include "insn.def"
#undef INSN
};
/* clang-format on */
const size_t isa_rows_count = sizeof isa_rows / sizeof isa_rows[0];

const struct alias isa_aliases[] = {
#define ALIAS(opcode, sub_first, sub_last, opcode_instead, sub_instead, group) \
    {opcode, sub_first, sub_last, opcode_instead, sub_instead},
#include "aliases.def"
#undef ALIAS
};
const size_t isa_aliases_count = sizeof isa_aliases / sizeof isa_aliases[0];

const char *field_spelling(const struct field *f, uint32_t value, size_t *length) {
    const char *s = f->spellings;
    for (; value > 0; value--) {
        s = strchr(s, '|');
        if (s == NULL) return NULL;
        s++;
    }
    *length = strcspn(s, "|");
    if (*length == 1 && *s == '!') return NULL;
    if (*s == '~') { /* "~" is an empty text, "~~" a tilde */
        s++;
        (*length)--;
    }
    return s;
}

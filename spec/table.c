/* SPDX-License-Identifier: Apache-2.0 */
/* The .def files that are plain arrays; rows and formats are computed from the others (gen_rows.c). */
#include "table.h"

#include <string.h>

/* clang-format 14 breaks macros whose names stand between braces */
/* clang-format off */
#define L(first, last) {first, (last) - (first) + 1}
#define H(first, last) {32 + (first), (last) - (first) + 1}
const struct field isa_fields[FIELD_ID_COUNT] = {
#define FIELD(id, name, kind, spellings, ...) [id] = {ISA_FIELD_##name, KIND_##kind, {__VA_ARGS__}, #id, spellings},
#include "fields.def"
#undef FIELD
};
/* clang-format on */

const char *const isa_field_names[ISA_FIELD_COUNT] = {
#define NAME(name, meaning) [ISA_FIELD_##name] = #name,
#include "names.def"
#undef NAME
};

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

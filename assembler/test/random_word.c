/* SPDX-License-Identifier: Apache-2.0 */
#include "random_word.h"

#include <string.h>

#include "../../spec/table.h"
#include "../isa/isa.h"
#include "support.h"

bool random_word_is_twin(size_t row) {
    return strcmp(isa_row_id(row), "r2g_u16_u8b") == 0 || strcmp(isa_row_id(row), "r2g_u32_u8b") == 0;
}

/* Resets fields that the text of the row does not show. */
static void hide(size_t row, uint32_t *v) {
    const char *pattern = isa_rows[row].pattern;
    if (v[ISA_FIELD_mark] == ISA_MARK_END) v[ISA_FIELD_mark] = ISA_MARK_NONE;
    if (strstr(pattern, "{P}") == NULL && isa_rows[row].op != OP_R2C) v[ISA_FIELD_ce] = 0;
    if (isa_rows[row].op == OP_R2C) v[ISA_FIELD_ce] = 1;
    if (v[ISA_FIELD_ce] == 0) v[ISA_FIELD_cd] = 0;
    if (isa_rows[row].op == OP_PMEVENT) v[ISA_FIELD_cond] = ISA_COND_TRUE; /* its guard is not printed */
    bool shows_cr = strstr(pattern, "{CY}") != NULL || strstr(pattern, "{cr}") != NULL;
    if (v[ISA_FIELD_cond] == ISA_COND_TRUE && !shows_cr) v[ISA_FIELD_cr] = 0;
}

bool random_word(size_t row, uint64_t *seed, const struct random_word_fixed *fixed, uint32_t *lo, uint32_t *hi) {
    struct isa_fields f;
    isa_default_fields(row, &f);
    const struct format *format = row_format(row);
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
        const struct field *field = &isa_fields[format->field[i]];
        if (field->kind == KIND_HIDDEN) continue;
        uint32_t mask = field_width(field) < 32 ? ((uint32_t)1 << field_width(field)) - 1 : UINT32_MAX;
        f.value[field->name] = random_next(seed) & mask;
    }
    if (fixed != NULL) f.value[fixed->field] = fixed->value;
    hide(row, f.value);
    if (fixed != NULL && f.value[fixed->field] != fixed->value) return false;
    return isa_encode(row, &f, lo, hi);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "signature.h"

#include <stdlib.h>
#include <string.h>

static bool comma(struct assembler *a, size_t *at) { return assembler_punct(a, at, ','); }

static bool unsigned_number(struct assembler *a, size_t *at, int64_t first, int64_t last, uint32_t *to) {
    int64_t value;
    if (!assembler_number(a, at, first, last, &value)) return false;
    *to = (uint32_t)value;
    return true;
}

static bool space(struct assembler *a, size_t *at, enum image_space *to) {
    const struct lexeme *word;
    if (!assembler_word(a, at, "value, global, constant, local or unused", &word)) return false;
    for (unsigned i = IMAGE_VALUE; i <= IMAGE_UNUSED; i++) {
        *to = (enum image_space)i;
        if (lexeme_is(word, image_space_name(*to))) return true;
    }
    return error_at(a, word, "expected value, global, constant, local or unused");
}

static bool type(struct assembler *a, size_t *at, char *to, size_t size) {
    const struct lexeme *word;
    if (!assembler_word(a, at, "a type of PTX", &word)) return false;
    if (word->text_length >= size) return error_at(a, word, "expected a type of PTX, like u32");
    memcpy(to, word->text, word->text_length);
    to[word->text_length] = '\0';
    return true;
}

void signature_linkage(struct assembler *a, size_t at) {
    const struct lexeme *name;
    if (!assembler_word(a, &at, "a name", &name) || !assembler_end_of_statement(a, at)) return;
    if (image_set_linkage(current_kernel(a)->image, name->text, name->text_length) != STATUS_OK) no_memory(a);
}

void signature_argument(struct assembler *a, size_t at) {
    struct image *img = current_kernel(a)->image;
    struct image_parameter p = {0};
    const size_t start = at;
    img->has_signature = true;
    if (lexeme_is(&a->lex[at], "none")) {
        assembler_end_of_statement(a, at + 1);
        return;
    }
    if (!unsigned_number(a, &at, 0, IMAGE_PARAMETERS_MAX, &p.offset) || !assembler_punct(a, &at, '=') ||
        !type(a, &at, p.type, sizeof p.type) || !comma(a, &at) ||
        !unsigned_number(a, &at, 0, IMAGE_PARAMETERS_MAX, &p.size) || !comma(a, &at) ||
        !unsigned_number(a, &at, 1, IMAGE_PARAMETERS_MAX, &p.align) || !comma(a, &at) || !space(a, &at, &p.space) ||
        !assembler_end_of_statement(a, at))
        return;
    if (p.offset + p.size > IMAGE_PARAMETERS_MAX)
        error_at(a, &a->lex[start], "the argument ends beyond %d bytes", IMAGE_PARAMETERS_MAX);
    else if (image_add_parameter(img, &p) != STATUS_OK)
        no_memory(a);
}

void signature_variable(struct assembler *a, size_t at) {
    struct image_variable v = {0};
    const struct lexeme *name;
    if (!assembler_word(a, &at, "a name", &name) || !assembler_punct(a, &at, '=') ||
        !type(a, &at, v.type, sizeof v.type) || !comma(a, &at) || !unsigned_number(a, &at, 0, UINT32_MAX, &v.addr) ||
        !comma(a, &at) || !unsigned_number(a, &at, 0, UINT32_MAX, &v.size) || !comma(a, &at) ||
        !space(a, &at, &v.space) || !assembler_end_of_statement(a, at))
        return;
    const uint64_t limit = v.space == IMAGE_CONSTANT ? IMAGE_BANK_BYTES_MAX : (uint64_t)UINT32_MAX + 1;
    if (v.space != IMAGE_GLOBAL && v.space != IMAGE_CONSTANT) {
        error_at(a, &a->lex[at - 1], "a variable is global or constant");
    } else if ((uint64_t)v.addr + v.size > limit) {
        error_at(a, name, "the variable ends beyond its memory");
    } else {
        v.name = strndup(name->text, name->text_length);
        if (v.name == NULL || image_add_variable(current_kernel(a)->image, &v) != STATUS_OK) no_memory(a);
        free(v.name);
    }
}

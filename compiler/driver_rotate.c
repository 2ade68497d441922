/* SPDX-License-Identifier: Apache-2.0 */
#include "driver_rotate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last operand of a line: "..., N;" */
struct operand {
    const char *begin;
    int length;
};

static bool find_amount(const char *line, size_t length, struct operand *amount) {
    const char *end = memchr(line, ';', length), *at = end;
    while (at != NULL && at > line && at[-1] != ' ') at--;
    if (at == NULL || at == line) return false;
    *amount = (struct operand){at, (int)(end - at)};
    return true;
}

static bool contains(const char *line, size_t length, const char *part) {
    return memmem(line, length, part, strlen(part)) != NULL;
}

/* Writes the first shift of a rotation, or the difference that follows it. */
static void write_rotation(FILE *to, const char *line, size_t length) {
    struct operand amount = {line, 0};
    const bool is_wide = contains(line, length, ".b64") || contains(line, length, ", 64,");
    const bool is_shift = contains(line, length, "\t%lhs, ") || contains(line, length, " %lhs, ");
    const bool is_difference = contains(line, length, "%amt2, 32, ") || contains(line, length, "%amt2, 64, ");
    const bool is_one =
        (is_shift && (contains(line, length, "shl.b") || contains(line, length, "shr.b"))) || is_difference;
    if (!is_one || !find_amount(line, length, &amount) || *amount.begin != '%') {
        fwrite(line, 1, length, to);
        return;
    }
    if (is_shift) fprintf(to, "\tand.b32 \t%%amt2, %.*s, %d;\n", amount.length, amount.begin, is_wide ? 63 : 31);
    fwrite(line, 1, (size_t)(amount.begin - line), to);
    fputs("%amt2", to);
    fwrite(amount.begin + amount.length, 1, length - (size_t)(amount.begin - line) - (size_t)amount.length, to);
}

/* Writes a product by the most negative number, which replaces a signed shift by 31 or 15 and has the wrong sign. */
static void write_sign_product(FILE *to, const char *line, size_t length) {
    const bool is_word = contains(line, length, "mul.wide.s32 ") && contains(line, length, ", -2147483648;");
    const bool is_half = contains(line, length, "mul.wide.s16 ") && contains(line, length, ", -32768;");
    const char *register_name = memchr(line, '%', length);
    if ((!is_word && !is_half) || register_name == NULL) return;
    const int n = (int)strcspn(register_name, ",");
    fprintf(to, "\tneg.s%d \t%.*s, %.*s;\n", is_word ? 64 : 32, n, register_name, n, register_name);
}

bool driver_mask_rotations(char **text, size_t *size) {
    char *out = NULL, *in = *text;
    size_t out_size = 0;
    bool is_asm = false; /* inline assembly stays as it is */
    if (in == NULL || (strstr(in, "%amt2") == NULL && strstr(in, "mul.wide.s") == NULL)) return true;
    FILE *to = open_memstream(&out, &out_size);
    for (const char *line = in; to != NULL && line < in + *size;) {
        const char *end = memchr(line, '\n', (size_t)(in + *size - line));
        const size_t length = end != NULL ? (size_t)(end - line) + 1 : (size_t)(in + *size - line);
        if (contains(line, length, "// begin inline asm") || contains(line, length, "// end inline asm"))
            is_asm = !is_asm;
        write_rotation(to, line, length);
        if (!is_asm) write_sign_product(to, line, length);
        line += length;
    }
    free(in);
    *text = NULL;
    if (to == NULL || fclose(to) != 0) return false;
    *text = out;
    *size = out_size;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* See arguments.h. */
#include "arguments.h"

#include "number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool wrong(struct problem *problem, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(struct problem *problem, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(problem->text, sizeof problem->text, format, list);
    va_end(list);
    return false;
}

uint8_t *file_read(const char *path, uint64_t *size) {
    FILE *f = fopen(path, "rb");
    if (f == NULL) return NULL;
    size_t room = 1 << 16;
    size_t count = 0;
    uint8_t *bytes = malloc(room);
    while (bytes != NULL) {
        const size_t got = fread(bytes + count, 1, room - count - 1, f);
        count += got;
        if (got == 0) break;
        if (room - count > 1) continue;
        uint8_t *more = realloc(bytes, room *= 2);
        if (more == NULL) free(bytes);
        bytes = more;
    }
    const bool bad = ferror(f) != 0;
    fclose(f);
    if (bad) {
        free(bytes);
        return NULL;
    }
    if (bytes != NULL) bytes[count] = 0;
    *size = count;
    return bytes;
}

/* "k(.u64 in, .u32 n)" */
static const char *signature(const struct function *kernel, char text[200]) {
    size_t at = (size_t)snprintf(text, 200, "%.60s(", kernel->name);
    for (unsigned k = 0; k < kernel->parameter_count && at < 160; k++) {
        const struct variable *v = kernel->parameters[k].variable;
        at += (size_t)snprintf(text + at, 200 - at, "%s.%c%u %.30s", k == 0 ? "" : ", ", v->type.kind, v->type.bits,
                               v->name);
    }
    snprintf(text + at, 200 - at, ")");
    return text;
}

static void put(struct arguments *a, const struct variable *v, uint64_t bits) {
    for (unsigned i = 0; i < v->bytes && i < 8; i++) a->block[v->address + i] = (uint8_t)(bits >> 8 * i);
}

/* A number as the parameter's type. False if the word is none. */
static bool number_bits(const char *word, struct type type, uint64_t *bits) {
    char *end;
    if (*word == '\0') return false;
    if (type.kind != 'f') {
        const bool negative = *word == '-';
        *bits = strtoull(word + (negative ? 1 : 0), &end, 0);
        if (negative) *bits = 0 - *bits;
        return *end == '\0';
    }
    const double value = strtod(word, &end);
    if (*end != '\0') return false;
    memcpy(bits, &value, sizeof value);
    *bits = number_literal(DECIMAL, *bits, type.bits);
    return true;
}

static const char *out_of(const char *word) {
    const char *comma = strstr(word, ",out=");
    return comma == NULL ? NULL : comma + 5;
}

static bool bind_buffer(struct arguments *a, unsigned k, struct machine *m, const struct variable *v,
                        struct problem *problem) {
    char name[512];
    const char *word = a->words[k];
    const size_t length = out_of(word) == NULL ? strlen(word) : (size_t)(out_of(word) - 5 - word);
    uint8_t *bytes = NULL;
    char *end = NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (strncmp(name, "zero:", 5) == 0) {
        a->sizes[k] = strtoull(name + 5, &end, 0);
        if (*end != '\0' || end == name + 5) return wrong(problem, "error: '%.60s' has no size\n", word);
    } else if ((bytes = file_read(name, &a->sizes[k])) == NULL) {
        return wrong(problem, "error: '%.200s' is neither a number nor a file: %s\n", name, strerror(errno));
    }
    a->addresses[k] = machine_add_buffer(m, v->name, bytes, a->sizes[k]);
    free(bytes);
    if (a->addresses[k] == 0) return wrong(problem, "error: no room for '%.60s'\n", word);
    put(a, v, a->addresses[k]);
    return true;
}

/* A parameter that is an array of bytes: a structure by value, from a file of its size. Up to 8 bytes may be given as a
 * number. */
static bool bind_structure(struct arguments *a, unsigned k, const struct variable *v, struct problem *problem) {
    uint64_t size;
    uint8_t *bytes = file_read(a->words[k], &size);
    const bool good = bytes != NULL && size == v->bytes;
    if (good) memcpy(a->block + v->address, bytes, size);
    free(bytes);
    return good || wrong(problem, "error: '%.60s' is no file of %zu bytes\n", a->words[k], v->bytes);
}

static bool bind_one(struct arguments *a, unsigned k, struct machine *m, const struct variable *v,
                     struct problem *problem) {
    uint64_t bits;
    const char *word = a->words[k];
    if (v->is_array && (v->bytes > 8 || !number_bits(word, (struct type){'b', 64}, &bits)))
        return bind_structure(a, k, v, problem);
    if (strncmp(word, "local:", 6) == 0) {
        char *end;
        bits = strtoull(word + 6, &end, 0);
        if (*end != '\0' || end == word + 6 || bits > 1 << 20)
            return wrong(problem, "error: '%.60s' has no size\n", word);
        put(a, v, machine_add_shared(m, bits));
        return true;
    }
    if (v->is_array || number_bits(word, v->type, &bits)) {
        put(a, v, bits);
        return true;
    }
    if (v->type.kind == 'f') return wrong(problem, "error: '%.60s' is no number\n", word);
    return bind_buffer(a, k, m, v, problem);
}

bool arguments_bind(struct arguments *a, struct machine *m, const struct function *kernel, struct problem *problem) {
    char text[200];
    if (a->count != kernel->parameter_count)
        return wrong(problem, "error: %u arguments for %s\n", a->count, signature(kernel, text));
    a->block = calloc(1, kernel->given_bytes + 1);
    if (a->block == NULL) abort();
    for (unsigned k = 0; k < a->count; k++)
        if (!bind_one(a, k, m, kernel->parameters[k].variable, problem)) {
            const size_t at = strlen(problem->text);
            snprintf(problem->text + at, sizeof problem->text - at, "    %s\n", signature(kernel, text));
            return false;
        }
    return true;
}

bool arguments_write(const struct arguments *a, struct machine *m, bool undefined, struct problem *problem) {
    for (unsigned k = 0; k < a->count && !undefined; k++)
        if (a->addresses[k] != 0 && out_of(a->words[k]) != NULL && !machine_defined(m, a->addresses[k])) return false;
    for (unsigned k = 0; k < a->count; k++) {
        const uint8_t *bytes;
        if (a->addresses[k] == 0 || out_of(a->words[k]) == NULL) continue;
        if (!machine_buffer(m, a->addresses[k], &bytes)) continue;
        FILE *f = fopen(out_of(a->words[k]), "wb");
        const bool written = f != NULL && fwrite(bytes, 1, a->sizes[k], f) == a->sizes[k];
        if ((f != NULL && fclose(f) != 0) || !written)
            return wrong(problem, "error: cannot write '%.200s'\n", out_of(a->words[k]));
    }
    return true;
}

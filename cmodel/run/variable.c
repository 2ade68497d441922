/* SPDX-License-Identifier: Apache-2.0 */
#include "variable.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "argument.h"
#include "number.h"

bool variable_is_name(const char *text) { return isalpha((unsigned char)text[0]) || text[0] == '_' || text[0] == '$'; }

/* "a, b" */
static void list_names(const struct image *image, char *text, size_t size) {
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < image->variable_count && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", i > 0 ? ", " : "", image->variables[i].name);
}

enum status variable_find(const struct image *image, const char *option, const char *name, size_t length,
                          const struct image_variable **v, struct diag *d) {
    char names[200];
    *v = image_find_variable(image, name, length);
    if (*v != NULL) return STATUS_OK;
    list_names(image, names, sizeof names);
    if (image->variable_count == 0)
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s '%.*s': the kernel's file has no variables", option,
                        (int)length, name);
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s '%.*s': the kernel's file has no such variable; it has %s",
                    option, (int)length, name, names);
}

static enum status number_bytes(const struct image_variable *v, const char *option, const char *source, uint8_t **bytes,
                                size_t *size, struct diag *d) {
    char expected[96];
    uint64_t value = 0;
    if (!number_convert(source, v->type, &value, expected, sizeof expected))
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s %s='%.60s': expected %s, or @FILE", option, v->name, source,
                        expected);
    *bytes = malloc(v->size);
    if (*bytes == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    for (*size = 0; *size < v->size; (*size)++) (*bytes)[*size] = (uint8_t)(value >> 8 * *size);
    return STATUS_OK;
}

enum status variable_bytes(const struct image_variable *v, const char *option, const char *source, uint8_t **bytes,
                           size_t *size, struct diag *d) {
    *bytes = NULL;
    if (source[0] != '@' && number_type_bytes(v->type) == v->size)
        return number_bytes(v, option, source, bytes, size, d);
    const enum status status = argument_bytes(source, (size_t)v->size + 1, bytes, size, d);
    if (status != STATUS_OK || *size <= v->size) return status;
    free(*bytes);
    *bytes = NULL;
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s %s: more than the %u bytes that it has", option, v->name,
                    v->size);
}

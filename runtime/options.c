/* SPDX-License-Identifier: Apache-2.0 */
/* Build options, see options.h. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "../assembler/base/begins.h"
#include "../assembler/base/grow.h"

/* Passed to the compiler. */
static const char *const PASSED[] = {"-cl-single-precision-constant",
                                     "-cl-denorms-are-zero",
                                     "-cl-fp32-correctly-rounded-divide-sqrt",
                                     "-cl-strict-aliasing",
                                     "-cl-mad-enable",
                                     "-cl-no-signed-zeros",
                                     "-cl-unsafe-math-optimizations",
                                     "-cl-finite-math-only",
                                     "-cl-fast-relaxed-math",
                                     "-cl-kernel-arg-info",
                                     "-cl-uniform-work-group-size",
                                     "-cl-std=CL1.0",
                                     "-cl-std=CL1.1",
                                     "-cl-std=CL1.2",
                                     "-cl-std=CL2.0",
                                     "-cl-std=CL3.0",
                                     "-w",
                                     NULL};
/* Ignored: they concern linking, or ask for the default. */
static const char *const IGNORED[] = {"-g", "-enable-link-options", "-create-library", NULL};
/* Prefixes of options; the first three may have their value in the next word. */
static const char *const PREFIXES[] = {"-D", "-I", "-U", "-cl-ext=", "-W", "-O", "-f"};
enum { WITH_VALUE = 3 };

/* Returns whether a word begins with one of the first `count` prefixes. */
static bool has_prefix(const char *word, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (begins(word, PREFIXES[i])) return true;
    return false;
}

bool options_add(struct options *o, const char *word) {
    const char **grown = grow_array(o->words, o->count + 1, &o->capacity, sizeof *grown);
    if (grown == NULL) return false;
    o->words = grown;
    o->words[o->count++] = word;
    o->words[o->count] = NULL;
    return true;
}

/* Writes the next word of *text to *to, without its quotes; returns NULL at the end. */
static char *split_word(const char **text, char **to) {
    const char *at = *text + strspn(*text, " \t\n\r\v\f");
    char *word = *to, quote = '\0';
    if (*at == '\0') return NULL;
    for (; *at != '\0' && (quote != '\0' || strchr(" \t\n\r\v\f", *at) == NULL); at++)
        if (*at == quote)
            quote = '\0';
        else if (quote == '\0' && (*at == '"' || *at == '\''))
            quote = *at;
        else if (*at == '\\' && (at[1] == '"' || at[1] == '\\' || at[1] == ' '))
            *(*to)++ = *++at;
        else
            *(*to)++ = *at;
    *(*to)++ = '\0';
    *text = at;
    return word;
}

static enum status add_option(struct options *o, const char *word, bool *wants_value, struct diag *d) {
    const bool is_value = *wants_value;
    *wants_value = !is_value && has_prefix(word, WITH_VALUE) && word[2] == '\0';
    if (!is_value && is_one_of(word, IGNORED)) {
        o->is_library |= strcmp(word, "-create-library") == 0;
        return STATUS_OK;
    }
    if (!is_value && (strcmp(word, "-cl-opt-disable") == 0 || strcmp(word, "-O0") == 0)) {
        o->disables_optimisation = true;
        return STATUS_OK;
    }
    o->wants_arguments |= !is_value && strcmp(word, "-cl-kernel-arg-info") == 0;
    if (is_value || is_one_of(word, PASSED) || has_prefix(word, sizeof PREFIXES / sizeof *PREFIXES))
        return options_add(o, word) ? STATUS_OK : STATUS_NO_MEMORY;
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "unknown option '%.100s'", word);
}

enum status options_read(const char *text, struct options *o, struct diag *d) {
    enum status status = STATUS_OK;
    bool wants_value = false;
    *o = (struct options){0};
    if (text == NULL) text = "";
    o->text = calloc(strlen(text) + 2, 1);
    o->words = calloc(1, sizeof *o->words);
    if (o->text == NULL || o->words == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    o->capacity = 1;
    char *to = o->text, *word;
    while (status == STATUS_OK && (word = split_word(&text, &to)) != NULL)
        status = add_option(o, word, &wants_value, d);
    if (status == STATUS_OK && wants_value)
        status = diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "the last option has no value");
    return status;
}

void build_options_release(struct options *o) {
    free(o->text);
    free(o->words);
    *o = (struct options){0};
}

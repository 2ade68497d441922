/* SPDX-License-Identifier: Apache-2.0 */
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../run/argument.h"

/* The first instruction at or after a line of a file. */
static bool find_line(const struct image *image, uint32_t file, uint64_t line, uint32_t *pc) {
    const struct image_line *best = NULL;
    for (size_t i = 0; i < image->line_count; i++) {
        const struct image_line *l = &image->lines[i];
        if (l->file == file && l->line >= line && (best == NULL || l->line < best->line)) best = l;
    }
    if (best != NULL) *pc = best->pc;
    return best != NULL;
}

/* The line of "LABEL:" in a file; 0: none. */
static uint64_t find_label(const char *path, const char *label) {
    const size_t length = strlen(label);
    char *text = NULL;
    size_t size = 0;
    uint64_t number = 0, found = 0;
    FILE *file = fopen(path, "r");
    while (file != NULL && found == 0 && getline(&text, &size, file) >= 0) {
        const char *start = text + strspn(text, " \t");
        number++;
        if (strncmp(start, label, length) == 0 && start[length + strspn(start + length, " \t")] == ':') found = number;
    }
    free(text);
    if (file != NULL) fclose(file);
    return found;
}

static bool is_file(const char *path, const char *name, size_t length) {
    const size_t whole = strlen(path);
    if (length == 0) return true;
    if (whole < length || strncmp(path + whole - length, name, length) != 0) return false;
    return whole == length || path[whole - length - 1] == '/';
}

bool place_parse(const struct image *image, const char *text, uint32_t *pc, const char **why) {
    uint64_t number;
    const char *colon = strrchr(text, ':');
    if (text[0] >= '0' && text[0] <= '9' && colon == NULL) {
        *why = "a pc within the code, a multiple of 4";
        *pc = argument_number(text, UINT32_MAX, &number, NULL) ? (uint32_t)number : 1;
        return *pc % 4 == 0 && *pc / 4 < image->code_words;
    }
    *why = colon == NULL ? "a label of the source" : "a file of the kernel's source and a line of it";
    if (colon != NULL && !argument_number(colon + 1, UINT32_MAX, &number, NULL)) return false;
    for (uint32_t file = 0; file < image->file_count; file++) {
        if (colon == NULL) number = find_label(image->files[file], text);
        const bool here = colon == NULL ? number > 0 : is_file(image->files[file], text, (size_t)(colon - text));
        if (here && find_line(image, file, number, pc)) return true;
        if (here && colon != NULL) *why = "a line with an instruction at it or below";
    }
    return false;
}

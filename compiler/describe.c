/* SPDX-License-Identifier: Apache-2.0 */
/* Reads names and types of arguments from lines such as these, see describe.h:
 *
 *     define spir_kernel void @saxpy(float addrspace(1)* noundef %y, float %a) #0 !kernel_arg_name !9 {
 *     !9 = !{!"y", !"a"}
 */
#include "describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool append_text(struct describe_list *list, const char *text, size_t length) {
    char **grown = realloc(list->texts, (list->count + 1) * sizeof *grown);
    if (grown == NULL) return false;
    list->texts = grown;
    grown[list->count] = strndup(text, length);
    return grown[list->count] != NULL && ++list->count > 0;
}

void describe_release(struct describe_list *list) {
    for (size_t i = 0; i < list->count; i++) free(list->texts[i]);
    free(list->texts);
    *list = (struct describe_list){0};
}

/* Returns the '(' behind a kernel's name in its definition, or NULL. */
static const char *find_definition(const char *ir, const char *kernel) {
    static const char DEFINE[] = "\ndefine ";
    const size_t length = strlen(kernel);
    for (const char *at = ir; (at = strstr(at, DEFINE)) != NULL; at++) {
        const char *name = at + sizeof DEFINE - 1 + strcspn(at + sizeof DEFINE - 1, "@\n");
        if (*name != '@') continue;
        name += name[1] == '"' ? 2 : 1;
        if (strncmp(name, kernel, length) != 0) continue;
        name += length + (name[length] == '"');
        if (*name == '(') return name;
    }
    return NULL;
}

/* Reads the quoted words of "!{!"y", !"a"}", up to the end of the line. */
static bool read_words(const char *at, struct describe_list *list) {
    const char *const line = at + strcspn(at, "\n");
    while ((at = memchr(at, '"', (size_t)(line - at))) != NULL) {
        const char *end = memchr(at + 1, '"', (size_t)(line - at) - 1);
        if (end == NULL) return true;
        if (!append_text(list, at + 1, (size_t)(end - at) - 1)) return false;
        at = end + 1;
    }
    return true;
}

/* Returns the text behind "!9 = ", where the definition has "!kernel_arg_name !9"; NULL if it has none. */
static const char *find_metadata(const char *ir, const char *definition, const char *property) {
    char number[32], mark[40];
    const char *at = strstr(definition, property), *line = definition + strcspn(definition, "\n");
    if (at == NULL || at > line || sscanf(at + strlen(property), " !%30[0-9]", number) != 1) return NULL;
    snprintf(mark, sizeof mark, "\n!%s = ", number);
    const char *found = strstr(ir, mark);
    return found != NULL ? found + strlen(mark) : NULL;
}

static bool read_metadata(const char *ir, const char *definition, const char *property, struct describe_list *list) {
    const char *found = find_metadata(ir, definition, property);
    return found == NULL || read_words(found, list);
}

/* Adds the name of an argument, which is its last word: " %y". */
static bool append_name(struct describe_list *list, const char *from, const char *to) {
    const char *name = to;
    while (name > from && name[-1] != ' ' && name[-1] != '%') name--;
    const bool is_named = name > from && name[-1] == '%';
    return append_text(list, name, is_named ? (size_t)(to - name) : 0);
}

/* Splits the text between the parentheses at its commas, except commas in nested parentheses. */
static bool read_names(const char *definition, struct describe_list *list) {
    const char *from = definition + 1;
    unsigned depth = 1;
    for (const char *at = from; *at != '\0' && *at != '\n'; at++) {
        if (strchr("([{<", *at) != NULL) depth++;
        if (strchr(")]}>", *at) != NULL) depth--;
        if ((depth == 0 || (depth == 1 && *at == ',')) && at > from && !append_name(list, from, at)) return false;
        if (depth == 0) break;
        if (depth == 1 && *at == ',') from = at + 1;
    }
    return true;
}

bool describe_arguments(const char *ir, const char *kernel, enum describe_property property,
                        struct describe_list *list) {
    static const char *const METADATA[] = {"!kernel_arg_name", "!kernel_arg_type", "!kernel_arg_type_qual"};
    const char *definition = find_definition(ir, kernel);
    *list = (struct describe_list){0};
    if (definition == NULL) return true;
    bool good = read_metadata(ir, definition, METADATA[property], list);
    if (good && list->count == 0 && property == DESCRIBE_NAME) good = read_names(definition, list);
    if (!good) describe_release(list);
    return good;
}

void describe_block(const char *ir, const char *kernel, uint32_t block[3]) {
    const char *definition = find_definition(ir, kernel);
    const char *found = definition != NULL ? find_metadata(ir, definition, "!reqd_work_group_size") : NULL;
    unsigned n[3];
    if (found == NULL || sscanf(found, "!{i32 %u, i32 %u, i32 %u}", &n[0], &n[1], &n[2]) != 3) return;
    for (unsigned i = 0; i < 3; i++) block[i] = n[i];
}

/* Converts "!{<4 x i32> undef, i32 0}", a type and its signedness, to a type of OpenCL C. */
static void read_vector_hint(const char *found, char *text, size_t room) {
    static const char *const TYPES[][2] = {
        {"i8",     "char"  },
        {"i16",    "short" },
        {"i32",    "int"   },
        {"i64",    "long"  },
        {"half",   "half"  },
        {"float",  "float" },
        {"double", "double"}
    };
    unsigned lanes = 1, is_signed;
    char type[8];
    if (sscanf(found, "!{<%u x %7[a-z0-9]> %*[a-z], i32 %u}", &lanes, type, &is_signed) != 3 &&
        sscanf(found, "!{%7[a-z0-9] %*[a-z], i32 %u}", type, &is_signed) != 2)
        return;
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
        if (strcmp(type, TYPES[i][0]) != 0) continue;
        const char *sign = type[0] == 'i' && is_signed == 0 ? "u" : "";
        if (lanes > 1)
            snprintf(text, room, "vec_type_hint(%s%s%u)", sign, TYPES[i][1], lanes);
        else
            snprintf(text, room, "vec_type_hint(%s%s)", sign, TYPES[i][1]);
    }
}

void describe_hints(const char *ir, const char *kernel, char *text, size_t room) {
    const char *definition = find_definition(ir, kernel);
    unsigned n[3];
    text[0] = '\0';
    if (definition == NULL) return;
    const char *vector = find_metadata(ir, definition, "!vec_type_hint"),
               *group = find_metadata(ir, definition, "!work_group_size_hint");
    if (vector != NULL) read_vector_hint(vector, text, room);
    const size_t length = strlen(text);
    if (group != NULL && sscanf(group, "!{i32 %u, i32 %u, i32 %u}", &n[0], &n[1], &n[2]) == 3)
        snprintf(text + length, room - length, "%swork_group_size_hint(%u,%u,%u)", length > 0 ? " " : "", n[0], n[1],
                 n[2]);
}

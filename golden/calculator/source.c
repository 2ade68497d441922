/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMETERS = 8, MAX_DEPTH = 16 };

struct macro {
    char name[32];
    char *parameters[MAX_PARAMETERS];
    size_t parameter_count;
    char *body;
    const char *file;
    int line;
};

/* The input: a file, or the text that a macro or a repetition expands to. */
struct input {
    const char *text;    /* as written */
    const char *blanked; /* the same with comments blanked */
    const char *file;
    int line; /* of the first line */
    bool own;
    int depth;
};

static void read_input(struct source *s, const struct input *in);

/* The text with each comment overwritten by blanks. */
static char *without_comments(const char *text) {
    char *blanked = copy_text(text, strlen(text));
    for (char *p = blanked; (p = strstr(p, "//")) != NULL;)
        while (*p && *p != '\n') *p++ = ' ';
    return blanked;
}

static const char *line_end(const char *p) { return p + strcspn(p, "\n"); }

/* The text after the blanks of a line. */
static const char *first_word(const char *line) { return line + strspn(line, " \t"); }

static bool begins_with(const char *line, const char *word) {
    line = first_word(line);
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && name_length(line + length) == 0;
}

/* ---- expansion ---- */

/* The text with \name replaced by the name's argument, \@ by a number, and \() by nothing. Other names belong to an
 * inner body. */
static char *substitute(const char *text, size_t count, char *const *names, char *const *arguments, unsigned number) {
    char *out = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&out, &size);
    if (!stream) fail("calculator", 0, "out of memory", "");
    while (*text) {
        if (*text != '\\') {
            fputc(*text++, stream);
            continue;
        }
        size_t length = name_length(++text), n = 0;
        if (strncmp(text, "()", 2) == 0) {
            text += 2;
            continue;
        }
        if (*text == '@') {
            fprintf(stream, "%u", number);
            text++;
            continue;
        }
        while (n < count && !is_name(text, length, names[n])) n++;
        if (n == count)
            fprintf(stream, "\\%.*s", (int)length, text);
        else
            fputs(arguments[n], stream);
        text += length;
    }
    fclose(stream);
    return out;
}

static void read_expansion(struct source *s, const struct input *from, char *text, const char *file, int line) {
    struct input in = {.text = text, .file = file, .line = line, .depth = from->depth + 1};
    if (in.depth > MAX_DEPTH) fail(file, line, "nested too deep", "");
    char *blanked = without_comments(text);
    in.blanked = blanked;
    read_input(s, &in);
    free(blanked);
    free(text);
}

/* "a, b": the trimmed parts of a list. */
static size_t split(const char *text, char **parts) {
    size_t count = 0;
    skip_blanks(&text);
    while (*text) {
        size_t length = strcspn(text, ",");
        size_t trimmed = length;
        while (trimmed > 0 && strchr(" \t\n", text[trimmed - 1])) trimmed--;
        if (count == MAX_PARAMETERS) fail("calculator", 0, "too many parameters", text);
        parts[count++] = copy_text(text, trimmed);
        text += length + (text[length] == ',');
        skip_blanks(&text);
    }
    return count;
}

static struct macro *find_macro(const struct source *s, const char *text) {
    size_t length = name_length(text);
    for (size_t n = 0; n < s->macro_count; n++)
        if (is_name(text, length, s->macros[n].name)) return &s->macros[n];
    return NULL;
}

static void expand_macro(struct source *s, const struct input *in, const struct macro *m, const char *call) {
    char *arguments[MAX_PARAMETERS] = {NULL};
    size_t count = split(call + strlen(m->name), arguments);
    if (count != m->parameter_count) fail(in->file, in->line, "wrong number of arguments", call);
    read_expansion(s, in, substitute(m->body, count, m->parameters, arguments, s->expansions++), m->file, m->line);
    for (size_t n = 0; n < count; n++) free(arguments[n]);
}

/* ---- lines ---- */

static void add_statement(struct source *s, const struct input *in, const char *begin, const char *end, int line) {
    begin = first_word(begin);
    while (end > begin && strchr(" \t", end[-1])) end--;
    s->statements = enlarge(s->statements, s->count, sizeof *s->statements);
    struct statement *new = &s->statements[s->count++];
    *new = (struct statement){.text = copy_text(begin, (size_t)(end - begin)),
                              .file = in->file,
                              .line = line,
                              .own = in->own,
                              .place = (size_t)(begin - in->blanked)};
    const char *behind = in->text + (end - in->blanked), *comment = strstr(behind, "//");
    if (comment && comment < line_end(behind))
        new->comment = copy_text(comment + 2, (size_t)(line_end(comment) - comment - 2));
}

/* Statements between semicolons, labels before them; a macro's call is expanded. */
static void read_statements(struct source *s, const struct input *in, const char *begin, const char *end, int line) {
    while (begin < end) {
        const char *p = first_word(begin), *stop = memchr(begin, ';', (size_t)(end - begin));
        if (!stop) stop = end;
        size_t length = name_length(p);
        if (length > 0 && p[length] == ':') {
            add_statement(s, in, p, p + length + 1, line);
            begin = p + length + 1;
            continue;
        }
        struct macro *m = p < stop ? find_macro(s, p) : NULL;
        if (m) {
            char *call = copy_text(p, (size_t)(stop - p));
            expand_macro(s, in, m, call);
            free(call);
        } else if (p < stop) {
            add_statement(s, in, p, stop, line);
        }
        begin = stop + 1;
    }
}

/* The lines up to the closing directive; *next is the line after it. */
static char *read_body(const struct input *in, const char *begin, const char *opens, const char *closes, int *lines,
                       const char **next) {
    int depth = 1;
    for (const char *line = begin; *line;) {
        const char *end = line_end(line);
        ++*lines;
        *next = end + (*end != 0);
        if (begins_with(line, opens)) depth++;
        if (begins_with(line, closes) && --depth == 0) return copy_text(begin, (size_t)(line - begin));
        line = *next;
    }
    fail(in->file, in->line, "not closed", opens);
}

static void define_macro(struct source *s, const struct input *in, const char *heading, char *body, int line) {
    s->macros = enlarge(s->macros, s->macro_count, sizeof *s->macros);
    struct macro *m = &s->macros[s->macro_count++];
    *m = (struct macro){.body = body, .file = in->file, .line = line};
    skip_blanks(&heading);
    size_t length = name_length(heading);
    if (length >= sizeof m->name) fail(in->file, line, "long name", heading);
    memcpy(m->name, heading, length);
    m->parameter_count = split(heading + length, m->parameters);
}

static void repeat(struct source *s, const struct input *in, const char *heading, char *body, int line) {
    uint32_t count = 0;
    char *name[MAX_PARAMETERS] = {NULL};
    if (!read_number(&heading, NULL, &count)) fail(in->file, line, "no count", heading);
    size_t names = skip(&heading, ",") ? split(heading, name) : 0;
    for (uint32_t n = 0; n < count; n++) {
        char number[16];
        char *argument = number;
        snprintf(number, sizeof number, "%u", n);
        read_expansion(s, in, substitute(body, names, name, &argument, s->expansions++), in->file, line);
    }
    free(name[0]);
    free(body);
}

static void include(struct source *s, const struct input *in, const char *heading, int line) {
    const char *begin = strchr(heading, '"'), *end = begin ? strchr(begin + 1, '"') : NULL;
    if (!end) fail(in->file, line, "no file", heading);
    const char *slash = strrchr(in->file, '/');
    char *path = NULL;
    if (asprintf(&path, "%.*s%.*s", slash ? (int)(slash + 1 - in->file) : 0, in->file, (int)(end - begin - 1),
                 begin + 1) < 0)
        fail(in->file, line, "out of memory", "");
    read_expansion(s, in, read_file(path), path, 1);
}

/* A directive continues after each line that ends in a comma. */
static const char *directive_end(const char *line, int *lines) {
    for (;;) {
        const char *end = line_end(line), *last = end;
        while (last > line && strchr(" \t", last[-1])) last--;
        if (last == line || last[-1] != ',' || *end == 0) return end;
        ++*lines;
        line = end + 1;
    }
}

static void read_input(struct source *s, const struct input *in) {
    int number = in->line;
    for (const char *line = in->blanked; *line;) {
        const char *end = line_end(line), *next = end + (*end != 0), *p = first_word(line);
        int lines = 1;
        bool macro = begins_with(line, ".macro"), rept = begins_with(line, ".rept");
        if (macro || rept) {
            char *heading = copy_text(p + strcspn(p, " \t"), (size_t)(end - p) - strcspn(p, " \t"));
            char *body = macro ? read_body(in, next, ".macro", ".endm", &lines, &next)
                               : read_body(in, next, ".rept", ".endr", &lines, &next);
            if (macro)
                define_macro(s, in, heading, body, number + 1);
            else
                repeat(s, in, heading, body, number + 1);
            free(heading);
        } else if (begins_with(line, ".include")) {
            char *heading = copy_text(p, (size_t)(end - p));
            include(s, in, heading, number);
            free(heading);
        } else if (p < end && *p == '.') {
            end = directive_end(line, &lines);
            next = end + (*end != 0);
            add_statement(s, in, p, end, number);
        } else {
            read_statements(s, in, line, end, number);
        }
        line = next;
        number += lines;
    }
}

void source_read(struct source *source, const char *path) {
    *source = (struct source){.text = read_file(path)};
    struct input in = {.text = source->text, .file = path, .line = 1, .own = true};
    char *blanked = without_comments(in.text);
    in.blanked = blanked;
    read_input(source, &in);
    free(blanked);
}

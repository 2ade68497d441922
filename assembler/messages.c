/* SPDX-License-Identifier: Apache-2.0 */
/* Collects, sorts and prints the assembler's messages. */
#include "messages.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void messages_init(struct messages *m, const char *file, const char *source, size_t size) {
    memset(m, 0, sizeof *m);
    m->file = file;
    m->source = source;
    m->source_size = size;
}

struct message *messages_add(struct messages *m, enum message_kind kind, size_t offset, size_t length,
                             const char *format, ...) {
    for (size_t i = 0; i < m->count; i++)
        if (m->list[i].offset == offset && m->list[i].kind == kind) return NULL;
    if (kind == MESSAGE_ERROR) m->errors++;
    if (m->count == MESSAGES_MAX) return NULL;
    struct message *message = &m->list[m->count++];
    *message = (struct message){.kind = kind, .offset = offset, .length = length};
    va_list args;
    va_start(args, format);
    vsnprintf(message->text, sizeof message->text, format, args);
    va_end(args);
    return message;
}

void messages_locate(const struct messages *m, size_t offset, unsigned *line, unsigned *column) {
    size_t start = 0;
    *line = 1;
    for (size_t i = 0; i < offset && i < m->source_size; i++) {
        if (m->source[i] != '\n') continue;
        (*line)++;
        start = i + 1;
    }
    *column = (unsigned)(offset - start) + 1;
}

static int by_place(const void *a, const void *b) {
    const struct message *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The source line, and below it a caret with tildes; a tab stays a tab so that both line up. */
static void print_source(const struct messages *m, const struct message *message, unsigned line, unsigned column,
                         FILE *out) {
    const char *start = m->source + (message->offset - (column - 1));
    size_t left = m->source_size - (size_t)(start - m->source), length = 0;
    while (length < left && start[length] != '\n' && start[length] != '\r') length++;
    fprintf(out, "%5u | %.*s\n      | ", line, (int)length, start);
    for (size_t i = 0; i + 1 < column && i < length; i++) fputc(start[i] == '\t' ? '\t' : ' ', out);
    fputc('^', out);
    for (size_t i = 1; i < message->length && column - 1 + i < length; i++) fputc('~', out);
    if (message->help[0] != '\0') fprintf(out, " help: %s", message->help);
    fputc('\n', out);
}

void messages_print(struct messages *m, FILE *out) {
    qsort(m->list, m->count, sizeof m->list[0], by_place);
    for (size_t i = 0; i < m->count; i++) {
        unsigned line, column;
        messages_locate(m, m->list[i].offset, &line, &column);
        fprintf(out, "%s:%u:%u: %s: %s\n", m->file, line, column,
                m->list[i].kind == MESSAGE_ERROR ? "error" : "warning", m->list[i].text);
        print_source(m, &m->list[i], line, column, out);
    }
    if (m->errors > MESSAGES_MAX) fprintf(out, "%s: error: too many errors, %zu in all\n", m->file, m->errors);
}

enum status messages_first(struct messages *m, struct diag *d) {
    qsort(m->list, m->count, sizeof m->list[0], by_place);
    for (size_t i = 0; i < m->count; i++) {
        if (m->list[i].kind != MESSAGE_ERROR) continue;
        unsigned line, column;
        messages_locate(m, m->list[i].offset, &line, &column);
        return diag_set(d, STATUS_BAD_INPUT, m->file, line, column, "%s%s%s%s", m->list[i].text,
                        m->list[i].help[0] != '\0' ? " (" : "", m->list[i].help, m->list[i].help[0] != '\0' ? ")" : "");
    }
    return m->errors > 0 ? diag_set(d, STATUS_BAD_INPUT, m->file, 0, 0, "too many errors") : STATUS_OK;
}

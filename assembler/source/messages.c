/* SPDX-License-Identifier: Apache-2.0 */
/* Collects, sorts and prints the assembler's messages. */
#include "messages.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { USES_SHOWN = 6 };

void messages_init(struct messages *m, const char *file, const char *source, size_t size) {
    uint32_t number;
    memset(m, 0, sizeof *m);
    if (sources_add_file(&m->sources, file, source, size, NULL, &number) != STATUS_OK) messages_no_memory(m);
}

void messages_release(struct messages *m) { sources_release(&m->sources); }

/* True if both are the same byte of the same file, brought in by the same use: .rept repeats its mistakes. */
static bool is_repeated(struct messages *m, size_t a, size_t b) {
    if (m->sources.piece_count == 0) return false;
    struct source_place x = sources_locate(&m->sources, a), y = sources_locate(&m->sources, b);
    return x.file == y.file && x.offset == y.offset && x.use == y.use;
}

/* `warning` counts for a warning only. */
static struct message *add(struct messages *m, enum message_kind kind, enum warning warning, size_t offset,
                           size_t length, const char *format, va_list args) {
    size_t of_kind = 0;
    for (size_t i = 0; i < m->count; i++) {
        const struct message *other = &m->list[i];
        if (other->kind != kind) continue;
        of_kind++;
        if (kind == MESSAGE_WARNING && other->warning != warning) continue;
        if (other->offset == offset || is_repeated(m, other->offset, offset)) return NULL;
    }
    m->errors += kind == MESSAGE_ERROR ? 1 : 0;
    m->warnings += kind == MESSAGE_WARNING ? 1 : 0;
    if (of_kind == MESSAGES_MAX) return NULL;
    struct message *message = &m->list[m->count++];
    *message = (struct message){.kind = kind, .offset = offset, .length = length, .warning = warning};
    vsnprintf(message->text, sizeof message->text, format, args);
    return message;
}

struct message *messages_add(struct messages *m, size_t offset, size_t length, const char *format, ...) {
    va_list args;
    va_start(args, format);
    struct message *message = add(m, MESSAGE_ERROR, WARN_COUNT, offset, length, format, args);
    va_end(args);
    return message;
}

struct message *messages_warn(struct messages *m, enum warning warning, size_t offset, size_t length,
                              const char *format, ...) {
    if (m->off[warning]) return NULL;
    va_list args;
    va_start(args, format);
    struct message *message = add(m, MESSAGE_WARNING, warning, offset, length, format, args);
    va_end(args);
    return message;
}

void messages_note(struct messages *m, size_t offset, size_t length, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(m, MESSAGE_NOTE, WARN_COUNT, offset, length, format, args);
    va_end(args);
}

enum status messages_no_memory(struct messages *m) {
    m->no_memory = true;
    m->errors++;
    return STATUS_NO_MEMORY;
}

const char *warning_name(enum warning warning) {
    static const char *const names[] = {
#define X(id, name) name,
        WARNINGS(X)
#undef X
    };
    return names[warning];
}

static int by_place(const void *a, const void *b) {
    const struct message *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The source line, and below it a caret with tildes; tabs stay tabs so that both line up. Prints nothing for a file
 * without text. */
static void print_source(const struct source_file *f, const struct source_place *p, const struct message *message,
                         FILE *out) {
    if (f->size == 0) return;
    size_t column = p->column, at = p->offset - (column - 1), length = 0;
    const char *start = f->text + at;
    while (length < f->size - at && start[length] != '\n' && start[length] != '\r') length++;
    fprintf(out, "%5u | %.*s\n      | ", p->line, (int)length, start);
    for (size_t i = 0; i + 1 < column && i < length; i++) fputc(start[i] == '\t' ? '\t' : ' ', out);
    fputc('^', out);
    for (size_t i = 1; i < message->length && column - 1 + i < length; i++) fputc('~', out);
    if (message->help[0] != '\0') fprintf(out, " help: %s", message->help);
    fputc('\n', out);
}

/* "in expansion of NAME at file:line:col" */
static void describe_use(struct sources *s, const struct source_use *use, char *text, size_t size) {
    static const char *const how[] = {"included", "in expansion of ", "in .rept"};
    struct source_place p = sources_locate_use(s, use);
    snprintf(text, size, "%s%s %s %s:%u:%u", how[use->kind], use->name, use->kind == SOURCE_INCLUDE ? "from" : "at",
             p.path, p.line, p.column);
}

/* The chain of uses: the innermost ones, and the outermost, which is in the source. */
static void print_uses(struct sources *s, uint32_t use, FILE *out) {
    for (unsigned shown = 0; use != 0; use = s->use[use - 1].parent) {
        char text[512];
        if (shown++ >= USES_SHOWN && s->use[use - 1].parent != 0) continue;
        describe_use(s, &s->use[use - 1], text, sizeof text);
        fprintf(out, "      %s%s\n", shown > USES_SHOWN + 1 ? "... " : "", text);
    }
}

static void print_message(struct messages *m, const struct message *message, FILE *out) {
    struct source_place p = sources_locate(&m->sources, message->offset);
    bool warning = message->kind == MESSAGE_WARNING, note = message->kind == MESSAGE_NOTE;
    fprintf(out, "%s:%u:%u: %s: %s%s%s%s\n", p.path, p.line, p.column,
            note                                 ? "note"
            : warning && !m->warnings_are_errors ? "warning"
                                                 : "error",
            message->text, warning ? " [-W" : "", warning ? warning_name(message->warning) : "", warning ? "]" : "");
    print_source(&m->sources.file[p.file], &p, message, out);
    print_uses(&m->sources, p.use, out);
}

static enum status no_memory(const struct messages *m, struct diag *d) {
    const char *file = m->sources.file_count > 0 ? m->sources.file[0].path : "";
    return diag_set(d, STATUS_NO_MEMORY, file, 0, 0, "out of memory");
}

void messages_print(struct messages *m, FILE *out) {
    struct diag d = {0};
    if (m->no_memory) {
        no_memory(m, &d);
        diag_report(out, &d);
        return;
    }
    qsort(m->list, m->count, sizeof m->list[0], by_place);
    for (size_t i = 0; i < m->count; i++) print_message(m, &m->list[i], out);
    const char *file = m->sources.file_count > 0 ? m->sources.file[0].path : "";
    if (m->errors > MESSAGES_MAX) fprintf(out, "%s: error: too many errors, %zu in all\n", file, m->errors);
    if (m->warnings > MESSAGES_MAX) fprintf(out, "%s: warning: too many warnings, %zu in all\n", file, m->warnings);
}

/* The message with its suggestion and the innermost use, as one line. */
static enum status one_line(struct messages *m, const struct message *message, struct diag *d) {
    struct source_place p = sources_locate(&m->sources, message->offset);
    char use[512] = "";
    if (p.use != 0) describe_use(&m->sources, &m->sources.use[p.use - 1], use, sizeof use);
    const char *help = message->help;
    return diag_set(d, STATUS_BAD_INPUT, p.path, p.line, p.column, "%s%s%s%s%s%s", message->text,
                    help[0] != '\0' ? " (" : "", help, help[0] != '\0' ? ")" : "", use[0] != '\0' ? ", " : "", use);
}

enum status messages_first(struct messages *m, struct diag *d) {
    if (m->no_memory) return no_memory(m, d);
    qsort(m->list, m->count, sizeof m->list[0], by_place);
    for (size_t i = 0; i < m->count; i++)
        if (m->list[i].kind == MESSAGE_ERROR) return one_line(m, &m->list[i], d);
    return STATUS_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the lines of a trace; trace_line.c reads their contents. */
#include "trace_read.h"

#include <stdlib.h>
#include <string.h>

#include "../../cmodel/run/trace.h"
#include "trace_line.h"

enum { LIST_BYTES = 512 };

struct trace_reader {
    FILE *in;
    const char *path; /* as in messages */
    char *line;
    size_t size;
    unsigned number;
    bool at_hand; /* the line is the first record, not read yet */
    char unreported[LIST_BYTES], filled[LIST_BYTES];
    struct reported reported;
    char cut[TRACE_CUT_MAX];
    struct image *source;
};

static enum status fail(const struct trace_reader *t, struct diag *d, size_t offset, const char *text) {
    return diag_set(d, STATUS_BAD_INPUT, t->path, t->number, (unsigned)offset + 1, "%s", text);
}

/* "# source 000038 saxpy.cl:5"; other comments are skipped. False if out of memory. */
static bool note_source(struct trace_reader *t) {
    const char *file, *colon;
    char *end;
    struct image *img = t->source;
    if (strncmp(t->line, TRACE_SOURCE, sizeof TRACE_SOURCE - 1) != 0) return true;
    const unsigned long pc = strtoul(t->line + sizeof TRACE_SOURCE - 1, &end, 16);
    file = end + (*end == ' ');
    colon = strrchr(file, ':');
    if (file == end || colon == NULL) return true;
    const size_t length = (size_t)(colon - file);
    size_t index = 0;
    while (index < img->file_count &&
           (strlen(img->files[index]) != length || memcmp(img->files[index], file, length) != 0))
        index++;
    if (index == img->file_count && image_add_file(img, file, length) != STATUS_OK) return false;
    img->has_signature = true;
    return image_add_line(img, (uint32_t)pc, (uint32_t)strtoul(colon + 1, NULL, 10), (uint32_t)index) == STATUS_OK;
}

/* The next line with contents, without its newline; *more is false at the end. */
static enum status read_line(struct trace_reader *t, bool *more, struct diag *d) {
    for (*more = true; !t->at_hand;) {
        const ssize_t length = getline(&t->line, &t->size, t->in);
        if (length < 0) {
            *more = false;
            return ferror(t->in) ? diag_errno(d, t->path, "cannot read") : STATUS_OK;
        }
        t->number++;
        if (strlen(t->line) != (size_t)length) return fail(t, d, strlen(t->line), "a NUL byte is in the line");
        if (t->line[length - 1] != '\n')
            return fail(t, d, (size_t)length, "the line is cut off: it has no end of line");
        t->line[strcspn(t->line, "\r\n")] = 0;
        if (t->cut[0] != 0) return fail(t, d, 0, "a line behind the one that says where the trace was cut");
        if (strncmp(t->line, TRACE_CUT, sizeof TRACE_CUT - 1) == 0)
            snprintf(t->cut, sizeof t->cut, "%s", t->line + sizeof TRACE_CUT - 1);
        if (t->line[0] == '#' && !note_source(t)) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
        if (t->line[strspn(t->line, " \t")] != 0 && t->line[0] != '#') break;
    }
    t->at_hand = false;
    return STATUS_OK;
}

static enum status read_version(struct trace_reader *t, struct diag *d) {
    bool more = false;
    const enum status status = read_line(t, &more, d);
    const size_t length = strlen(TRACE_HEADER);
    if (status != STATUS_OK) return status;
    if (!more) return diag_set(d, STATUS_BAD_INPUT, t->path, 0, 0, "the trace is empty");
    if (strncmp(t->line, TRACE_HEADER " ", length + 1) != 0)
        return fail(t, d, 0, "expected the first line '" TRACE_HEADER " 2'");
    if (strcmp(t->line + length + 1, "2") != 0) return fail(t, d, length + 1, "expected version 2 of the text form");
    return STATUS_OK;
}

/* "unreported NAME ..." into the list `names`. */
static enum status read_list(struct trace_reader *t, size_t offset, enum reported_how how, char *names,
                             struct diag *d) {
    const char *list = t->line + offset;
    if (names[0] != 0) return fail(t, d, 0, "a second line of this kind");
    if (strlen(list) >= LIST_BYTES) return fail(t, d, offset, "the list is too long");
    snprintf(names, LIST_BYTES, "%s", list);
    if (reported_declare(&t->reported, names, how, t->path, d) == STATUS_OK) return STATUS_OK;
    d->line = t->number;
    d->column += (unsigned)offset;
    return d->status;
}

static enum status read_header(struct trace_reader *t, struct diag *d) {
    static const char UNREPORTED[] = "unreported ", FILLED[] = "filled ";
    enum status status = read_version(t, d);
    while (status == STATUS_OK) {
        bool more = false;
        status = read_line(t, &more, d);
        if (status != STATUS_OK || !more) return status;
        if (strncmp(t->line, UNREPORTED, sizeof UNREPORTED - 1) == 0) {
            status = read_list(t, sizeof UNREPORTED - 1, REPORTED_NOT, t->unreported, d);
        } else if (strncmp(t->line, FILLED, sizeof FILLED - 1) == 0) {
            status = read_list(t, sizeof FILLED - 1, REPORTED_FILLED, t->filled, d);
        } else {
            t->at_hand = true;
            return STATUS_OK;
        }
    }
    return status;
}

enum status trace_reader_open(const char *path, struct trace_reader **t, struct diag *d) {
    const bool standard = strcmp(path, "-") == 0;
    *t = NULL;
    FILE *in = standard ? stdin : fopen(path, "r");
    if (in == NULL) return diag_errno(d, path, "");
    struct trace_reader *reader = calloc(1, sizeof *reader);
    struct image *source = image_create();
    if (reader == NULL || source == NULL) {
        if (!standard) fclose(in);
        free(reader);
        image_destroy(source);
        return diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    }
    reader->in = in;
    reader->source = source;
    reader->path = standard ? "standard input" : path;
    const enum status status = read_header(reader, d);
    if (status == STATUS_OK)
        *t = reader;
    else
        trace_reader_close(reader);
    return status;
}

void trace_reader_close(struct trace_reader *t) {
    if (t == NULL) return;
    if (t->in != stdin) fclose(t->in);
    free(t->line);
    image_destroy(t->source);
    free(t);
}

const struct image *trace_reader_source(const struct trace_reader *t) { return t->source; }
const char *trace_reader_unreported(const struct trace_reader *t) { return t->unreported; }
const char *trace_reader_filled(const struct trace_reader *t) { return t->filled; }
const char *trace_reader_cut(const struct trace_reader *t) { return t->cut; }

enum status trace_reader_next(struct trace_reader *t, struct retire *r, bool *more, struct diag *d) {
    struct trace_line_error error;
    const enum status status = read_line(t, more, d);
    if (status != STATUS_OK || !*more) return status;
    if (trace_line_parse(t->line, &t->reported, r, &error)) return STATUS_OK;
    return fail(t, d, error.offset, error.text);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* .include: finds the file, reads and scans it. */
#include "include.h"

#include <stdlib.h>
#include <string.h>

#include "../base/characters.h"
#include "../base/file.h"
#include "lines.h"

/* The nesting depth of includes at a use; *twice if `path` is one of them. */
static unsigned include_depth(const struct sources *s, uint32_t file, uint32_t use, const char *path, bool *twice) {
    unsigned depth = 0;
    *twice = strcmp(s->file[file].path, path) == 0;
    for (; use != 0; use = s->use[use - 1].parent) {
        const struct source_use *u = &s->use[use - 1];
        *twice = *twice || strcmp(s->file[u->file].path, path) == 0;
        depth += u->kind == SOURCE_INCLUDE ? 1 : 0;
    }
    return depth;
}

void include_report(struct expander *x, const struct flow *f, const struct message *found, size_t count) {
    for (size_t i = 0; i < count; i++) expander_error(x, f, found[i].offset, found[i].length, "%s", found[i].text);
}

/* Makes a flow of a file's text, of which it takes ownership. */
static bool scan_included(struct expander *x, const struct flow *f, size_t at, const char *path, char *text,
                          size_t size, struct flow *included) {
    uint32_t file, use = expander_use(x, SOURCE_INCLUDE, f, at, (struct span){"", 0});
    struct messages found;
    struct scan scan;
    if (sources_add_file(x->sources, path, text, size, text, &file) != STATUS_OK) return expander_no_memory(x);
    messages_init(&found, path, text, size);
    const bool good = scan_text(text, size, &scan, &found) == STATUS_OK || expander_no_memory(x);
    if (good) {
        flow_from_scan(included, &scan, file, use);
        if (included->failed) expander_no_memory(x);
        include_report(x, included, found.list, found.count);
    }
    messages_release(&found);
    return good;
}

bool include_file(struct expander *x, const struct flow *f, size_t start, size_t at, size_t end,
                  struct flow *included) {
    end = trim_blanks(f->text, at, end);
    at = skip_blanks(f->text, at, end);
    if (end - at < 3 || f->text[at] != '"' || memchr(f->text + at + 1, '"', end - at - 1) != f->text + end - 1) {
        char name[CHARACTERS_MAX];
        const size_t bytes = characters_name(f->text + at, end - at, name);
        expander_error(x, f, at,
                       bytes > 0  ? bytes
                       : end > at ? end - at
                                  : 1,
                       "%s", bytes > 0 ? name : "expected a file name in quotes, alone on its line");
        return false;
    }
    struct source_piece place = flow_place(f, start);
    char *path = file_beside(x->sources->file[place.file].path, f->text + at + 1, end - at - 2), *text = NULL;
    size_t size;
    struct diag d = {0};
    bool twice, good = false;
    if (path == NULL) return expander_no_memory(x);
    if (include_depth(x->sources, place.file, place.use, path, &twice) >= EXPAND_FILES_MAX) {
        expander_error(x, f, at, end - at, "files are included more than %d deep", EXPAND_FILES_MAX);
    } else if (twice) {
        expander_error(x, f, at, end - at, "%s includes itself", path);
    } else if (file_read(path, &text, &size, &d) == STATUS_NO_MEMORY) {
        expander_no_memory(x);
    } else if (text == NULL) {
        expander_error(x, f, at, end - at, "%s: %s", path, d.text);
    } else if (memchr(text, '\0', size) != NULL) {
        expander_error(x, f, at, end - at, "%s: is not a text", path);
    } else {
        good = scan_included(x, f, start, path, text, size, included);
        text = NULL;
    }
    free(text);
    free(path);
    return good;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by all parts of the expansion. A wrong directive leaves blanks, which mark the place of its
 * error. */
#include "expander.h"

#include <stdarg.h>
#include <string.h>

#include "lines.h"

bool expander_no_memory(struct expander *x) {
    x->no_memory = x->stop = true;
    return false;
}

void expander_blank(struct flow *f, size_t at) {
    for (; at < f->size; at++)
        if (f->text[at] != '\n') f->text[at] = ' ';
}

bool expander_error(struct expander *x, const struct flow *f, size_t start, size_t length, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t at = x->out.size, end = start + length < f->size ? start + length : f->size;
    flow_append(&x->out, f, start, end, FLOW_SAME_USE);
    if (x->out.failed) return expander_no_memory(x);
    expander_blank(&x->out, at);
    flow_append_fixed(&x->out, "\n", 1, f, start, FLOW_SAME_USE);
    messages_add(x->messages, at, length, "%s", text);
    return false;
}

uint32_t expander_use(struct expander *x, enum source_use_kind kind, const struct flow *f, size_t at,
                      struct span name) {
    struct source_piece place = flow_place(f, at);
    struct source_use use = {.kind = kind, .file = place.file, .offset = place.offset, .parent = place.use};
    size_t length = name.length < sizeof use.name ? name.length : sizeof use.name - 1;
    if (length > 0) memcpy(use.name, name.text, length);
    uint32_t number = sources_add_use(x->sources, &use);
    if (number == 0) expander_no_memory(x);
    return number;
}

bool expander_directive(const struct flow *f, size_t at, size_t end, const char *name, size_t *rest) {
    size_t n = strlen(name);
    at = skip_blanks(f->text, at, end);
    *rest = at + n;
    return end - at >= n && memcmp(f->text + at, name, n) == 0 && (*rest == end || !is_name_char(f->text[*rest]));
}

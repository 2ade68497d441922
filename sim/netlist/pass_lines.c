// SPDX-License-Identifier: Apache-2.0
// ghdl precedes each statement of its Verilog by a comment with its line in the VHDL. This turns the comments into
// Verilog's own form, before each line, so that yosys names lines of VHDL as the source of each register.
#include <stdlib.h>
#include <string.h>

#include "pass.h"
#include "print.h"
#include "source_line.h"

static struct item *with_lines(struct design *design, const struct item *item, const struct source_line *place) {
    const char *text = print_item_text(&design->pool, item);
    char *all = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&all, &size);
    if (!out) return NULL;
    for (const char *end; *text; text = end) {
        end = strchr(text, '\n') + 1;
        fprintf(out, "`line %u \"%.*s\" 0\n%.*s", place->line, (int)place->length, place->file, (int)(end - text),
                text);
    }
    fclose(out);
    struct item *lines = item_text(design, pool_text(&design->pool, all, size));
    free(all);
    lines->next = item->next;
    return lines;
}

bool pass_lines(struct design *design, const char *argument, struct fault *fault) {
    (void)argument;
    for (struct module *module = design->modules; module; module = module->next) {
        struct source_line place = {0};
        for (struct item **item = &module->items; *item;) {
            if ((*item)->kind == ITEM_COMMENT && source_line_read((*item)->text, &place)) {
                *item = (*item)->next;
                continue;
            }
            if (place.file) *item = with_lines(design, *item, &place);
            if (!*item) return fault_set(fault, (struct place){0}, "no memory");
            item = &(*item)->next;
        }
    }
    return true;
}

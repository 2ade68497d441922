// SPDX-License-Identifier: Apache-2.0
// yosys drops the source of a memory. Instead of the design this prints commands that give it to the cells of each
// memory: the line of the VHDL that instantiates ram_1r1w.
//
//     memories:TOP            TOP: the top module
//     memories:TOP:PATH.      PATH: its instance in the surrounding design
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass.h"
#include "source_line.h"

static const struct module *module_named(const struct design *design, const char *name, size_t length) {
    const struct module *module = design->modules;
    while (module && (strlen(module->name) != length || strncmp(module->name, name, length) != 0))
        module = module->next;
    return module;
}

static void walk(struct design *design, FILE *out, const struct module *module, const char *path) {
    struct source_line place = {.file = ""};
    for (const struct item *item = module ? module->items : NULL; item; item = item->next) {
        if (item->kind == ITEM_COMMENT) source_line_read(item->text, &place);
        if (item->kind != ITEM_INSTANCE) continue;
        const char *inner = pool_format(&design->pool, "%s%s", path, item->instance);
        if (strncmp(item->text, "ram_1r1w", 8) == 0)
            fprintf(out, "setattr -set src \"%.*s:%u.1\" c:%s.*\n", (int)place.length, place.file, place.line, inner);
        else
            walk(design, out, module_named(design, item->text, strlen(item->text)),
                 pool_format(&design->pool, "%s.", inner));
    }
}

bool pass_memories(struct design *design, const char *argument, struct fault *fault) {
    size_t length = strcspn(argument, ":");
    const struct module *top = module_named(design, argument, length);
    if (!top) return fault_set(fault, (struct place){0}, "there is no module '%.*s'", (int)length, argument);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return fault_set(fault, (struct place){0}, "no memory");
    walk(design, out, top, argument[length] ? argument + length + 1 : "");
    fclose(out);
    design->report = pool_text(&design->pool, text, size);
    free(text);
    return true;
}

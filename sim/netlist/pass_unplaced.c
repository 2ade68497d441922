// SPDX-License-Identifier: Apache-2.0
// Leaves out the comments that say which line of the VHDL a statement comes from: where only a line has moved, the text
// stays the same, and nothing is made of it again.
#include "pass.h"
#include "source_line.h"

bool pass_unplaced(struct design *design, const char *argument, struct fault *fault) {
    if (*argument) return fault_set(fault, (struct place){0}, "has no argument '%s'", argument);
    for (struct module *module = design->modules; module; module = module->next)
        for (struct item **item = &module->items; *item;) {
            struct source_line place;
            if ((*item)->kind == ITEM_COMMENT && source_line_read((*item)->text, &place))
                *item = (*item)->next;
            else
                item = &(*item)->next;
        }
    return true;
}

// SPDX-License-Identifier: Apache-2.0
// ghdl's generated nets (n123_o) outnumber those of the source by fifty to one. This keeps them out of waves: code that
// traces them would take longer to compile than everything else. With the argument `coverage`, they are excluded from
// coverage, too.
#include <string.h>

#include "names.h"
#include "pass.h"

bool pass_hide(struct design *design, const char *argument, struct fault *fault) {
    enum hidden hidden = HIDDEN_FROM_WAVES;
    if (strcmp(argument, "coverage") == 0)
        hidden = HIDDEN_FROM_COVERAGE;
    else if (*argument)
        return fault_set(fault, (struct place){0}, "has no argument '%s'", argument);
    for (struct module *module = design->modules; module; module = module->next)
        for (struct item *item = module->items; item; item = item->next)
            if (item->kind == ITEM_DECLARATION && !item->value && !item->net->is_constant &&
                name_is_invented(item->net->name))
                item->hidden = hidden;
    return true;
}

// SPDX-License-Identifier: Apache-2.0
// Makes a wire of an unknown constant: Verilator 5.006 fails on a constant of X in a module that it does not inline.
#include <string.h>

#include "names.h"
#include "pass.h"

bool pass_unknown(struct design *design, const char *argument, struct fault *fault) {
    (void)argument, (void)fault;
    for (struct module *module = design->modules; module; module = module->next)
        for (struct item *item = module->items; item; item = item->next) {
            if (item->kind != ITEM_DECLARATION || !item->net->is_constant || !name_is_invented(item->net->name))
                continue;
            unsigned bits;
            const char *digits = expr_binary_digits(item->value, &bits);
            if (!digits || digits[strspn(digits, "X")] != '\0') continue;
            item->text = "wire";
            item->net->is_constant = false;
        }
    return true;
}

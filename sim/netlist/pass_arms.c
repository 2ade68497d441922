// SPDX-License-Identifier: Apache-2.0
// For coverage, which knows only lines of the Verilog. Instead of the design this prints the lines that are an arm of a
// case, with its choice and the number that it assigns, or `net`; and the lines that do not count: a default, which
// only unknown values reach, the initial value of a register, and a combinational process as such.
//
//     117  none
//     118  4'b0010 2'b01
#include <stdlib.h>
#include <string.h>

#include "pass.h"

static void print_arm(FILE *out, const struct stmt *arm) {
    unsigned bits;
    const char *digits = expr_binary_digits(arm->label, &bits);
    if (!arm->label)
        fprintf(out, "%u\tnone\n", arm->place.line);
    else if (digits && digits[strspn(digits, "01")] == '\0')
        fprintf(out, "%u\t%s %s\n", arm->place.line, arm->label->text,
                arm->kind == STMT_ASSIGN && arm->value->kind == EXPR_NUMBER ? arm->value->text : "net");
}

static void print_arms(FILE *out, const struct stmt *stmt) {
    for (const struct stmt *inner = stmt->first; inner; inner = inner->next) {
        if (stmt->kind == STMT_CASE) print_arm(out, inner);
        print_arms(out, inner);
    }
    if (stmt->otherwise) print_arms(out, stmt->otherwise);
}

bool pass_arms(struct design *design, const char *argument, struct fault *fault) {
    (void)argument;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return fault_set(fault, (struct place){0}, "no memory");
    for (const struct module *module = design->modules; module; module = module->next)
        for (const struct item *item = module->items; item; item = item->next) {
            if (item->kind == ITEM_INITIAL || (item->kind == ITEM_ALWAYS && !item->edges))
                fprintf(out, "%u\tnone\n", item->place.line);
            if (item->does) print_arms(out, item->does);
        }
    fclose(out);
    design->report = pool_text(&design->pool, text, size);
    free(text);
    return true;
}

// SPDX-License-Identifier: Apache-2.0
// Writes the Verilog of any ghdl version in the form of version 2, which all other passes read. Later versions write
// the same differently:
//
//     version 2                                later
//     assign n1_o = n2_o[3];                   assign n1_o = n2_o[3]; // extract
//     assign y = n1_o;                         assign y = n1_o; //(module output)
//     3'b001: n1_o <= n2_o;                    3'b001: n1_o = n2_o;                     and `default:` alike
//     initial                                  initial
//       n1_q <= 1'b0;                            n1_q = 1'b0;
//     assign n3_o = n1_o * n2_o; // smul       assign n3_o = $signed(n1_o) * $signed(n2_o); // smul
//
// The signs of factors that are as wide as their product have no effect, and ghdl's factors are.
#include <string.h>

#include "pass.h"

static bool remark_says(const char *remark, const char *text) {
    if (!remark) return false;
    remark += strspn(remark, " ");
    remark += strspn(remark, "/");
    remark += strspn(remark, " ");
    return strcmp(remark, text) == 0;
}

static const struct expr *without_sign(struct design *design, const struct expr *e, void *with) {
    (void)design, (void)with;
    return e->kind == EXPR_CALL && e->count == 1 && strcmp(e->text, "$signed") == 0 ? e->part[0] : e;
}

static void assign_later(struct stmt *stmt) {
    for (struct stmt *choice = stmt->first; choice; choice = choice->next)
        if (choice->kind == STMT_ASSIGN) choice->waits = true;
}

static void cases_of(struct stmt *stmt) {
    for (; stmt; stmt = stmt->next) {
        if (stmt->kind == STMT_CASE) assign_later(stmt);
        cases_of(stmt->first);
        cases_of(stmt->otherwise);
    }
}

static void change(struct design *design, struct item *item) {
    if (item->kind == ITEM_ASSIGN && remark_says(item->remark, "smul"))
        item->value = expr_rewrite(design, item->value, without_sign, NULL);
    if (item->kind == ITEM_ASSIGN &&
        (remark_says(item->remark, "extract") || remark_says(item->remark, "(module output)")))
        item->remark = NULL;
    if (item->kind == ITEM_INITIAL && item->does->kind == STMT_ASSIGN) item->does->waits = true;
    if (item->kind == ITEM_ALWAYS) cases_of(item->does);
}

bool pass_form(struct design *design, const char *argument, struct fault *fault) {
    (void)argument, (void)fault;
    for (struct module *module = design->modules; module; module = module->next)
        for (struct item *item = module->items; item; item = item->next) change(design, item);
    return true;
}

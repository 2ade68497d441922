// SPDX-License-Identifier: Apache-2.0
#include "print.h"

#include <stdlib.h>
#include <string.h>

// A space ends a name that is escaped.
static void print_name(FILE *out, const char *name) {
    fputs(name, out);
    if (name[0] == '\\') putc(' ', out);
}

static void print_list(FILE *out, const char *open, const struct expr *e, const char *close) {
    fputs(open, out);
    for (size_t i = 0; i < e->count; i++) {
        if (i > 0) fputs(", ", out);
        print_expression(out, e->part[i]);
    }
    fputs(close, out);
}

static void print_slice(FILE *out, const struct expr *e) {
    print_name(out, e->net->name);
    putc('[', out);
    print_expression(out, e->part[0]);
    if (e->kind == EXPR_SLICE) {
        fprintf(out, strcmp(e->text, ":") == 0 ? "%s" : " %s ", e->text);
        print_expression(out, e->part[1]);
    }
    putc(']', out);
}

void print_expression(FILE *out, const struct expr *e) {
    switch (e->kind) {
    case EXPR_NET: print_name(out, e->net->name); break;
    case EXPR_NUMBER:
    case EXPR_STRING: fputs(e->text, out); break;
    case EXPR_UNARY:
        fputs(e->text, out);
        print_expression(out, e->part[0]);
        break;
    case EXPR_BINARY:
        print_expression(out, e->part[0]);
        fprintf(out, " %s ", e->text);
        print_expression(out, e->part[1]);
        break;
    case EXPR_CHOICE:
        print_expression(out, e->part[0]);
        fputs(" ? ", out);
        print_expression(out, e->part[1]);
        fputs(" : ", out);
        print_expression(out, e->part[2]);
        break;
    case EXPR_JOIN: print_list(out, "{", e, "}"); break;
    case EXPR_REPEAT:
        putc('{', out);
        print_expression(out, e->part[0]);
        print_expression(out, e->part[1]);
        putc('}', out);
        break;
    case EXPR_BIT:
    case EXPR_SLICE: print_slice(out, e); break;
    case EXPR_CALL:
        fputs(e->text, out);
        print_list(out, "(", e, ")");
        break;
    case EXPR_GROUP: print_list(out, "(", e, ")"); break;
    }
}

static void indent(FILE *out, unsigned depth) { fprintf(out, "%*s", (int)depth, ""); }

static void print_end(FILE *out, const char *remark) { fprintf(out, ";%s\n", remark ? remark : ""); }

static void print_statement(FILE *out, const struct stmt *stmt, unsigned depth);

static void print_assignment(FILE *out, const struct stmt *stmt) {
    print_expression(out, stmt->target);
    fputs(stmt->waits ? " <= " : " = ", out);
    print_expression(out, stmt->value);
    print_end(out, stmt->remark);
}

static void print_case(FILE *out, const struct stmt *stmt, unsigned depth) {
    fputs("case (", out);
    print_expression(out, stmt->value);
    fputs(")\n", out);
    for (const struct stmt *choice = stmt->first; choice; choice = choice->next) {
        indent(out, depth + 2);
        if (choice->label)
            print_expression(out, choice->label);
        else
            fputs("default", out);
        fputs(choice->kind == STMT_ASSIGN ? ": " : ":\n", out);
        if (choice->kind == STMT_ASSIGN)
            print_assignment(out, choice);
        else
            print_statement(out, choice, depth + 4);
    }
    indent(out, depth);
    fputs("endcase\n", out);
}

static void print_statement(FILE *out, const struct stmt *stmt, unsigned depth) {
    indent(out, depth);
    switch (stmt->kind) {
    case STMT_ASSIGN: print_assignment(out, stmt); break;
    case STMT_IF:
        fputs("if (", out);
        print_expression(out, stmt->value);
        fputs(")\n", out);
        print_statement(out, stmt->first, depth + 2);
        if (!stmt->otherwise) break;
        indent(out, depth);
        fputs("else\n", out);
        print_statement(out, stmt->otherwise, depth + 2);
        break;
    case STMT_CASE: print_case(out, stmt, depth); break;
    case STMT_BLOCK:
        fputs("begin\n", out);
        for (const struct stmt *inner = stmt->first; inner; inner = inner->next) print_statement(out, inner, depth + 2);
        indent(out, depth);
        fputs("end\n", out);
        break;
    case STMT_TASK:
        print_expression(out, stmt->value);
        print_end(out, stmt->remark);
        break;
    }
}

// ghdl indents the end of a memory's list of values more than its beginning.
static void print_process(FILE *out, const struct item *item) {
    if (item->kind == ITEM_INITIAL) {
        fputs("  initial", out);
    } else if (!item->edges) {
        fputs("  always @*", out);
    } else {
        fputs("  always @(", out);
        for (const struct edge *edge = item->edges; edge; edge = edge->next) {
            if (edge != item->edges) fputs(" or ", out);
            fprintf(out, "%s%s", edge->word, *edge->word ? " " : "");
            print_expression(out, edge->signal);
        }
        putc(')', out);
    }
    if (item->does->kind != STMT_BLOCK) {
        putc('\n', out);
        print_statement(out, item->does, 4);
        return;
    }
    fputs(" begin\n", out);
    for (const struct stmt *inner = item->does->first; inner; inner = inner->next) print_statement(out, inner, 4);
    fputs(item->kind == ITEM_INITIAL ? "    end\n" : "  end\n", out);
}

static void print_declaration(FILE *out, const struct item *item) {
    if (item->hidden != HIDDEN_NOT) fputs("/*verilator tracing_off*/", out);
    if (item->hidden == HIDDEN_FROM_COVERAGE) fputs("/*verilator coverage_off*/", out);
    fputs("  ", out);
    if (item->type) {
        print_name(out, item->type);
        putc(' ', out);
    } else {
        fprintf(out, "%s ", item->text);
        if (item->range) fprintf(out, "%s ", item->range);
    }
    print_name(out, item->net->name);
    if (item->depth) fprintf(out, "%s ", item->depth);
    if (item->value) {
        fputs(" = ", out);
        print_expression(out, item->value);
    }
    putc(';', out);
    if (item->hidden != HIDDEN_NOT) fputs("/*verilator tracing_on*/", out);
    if (item->hidden == HIDDEN_FROM_COVERAGE) fputs("/*verilator coverage_on*/", out);
    fprintf(out, "%s\n", item->remark ? item->remark : "");
}

static void print_instance(FILE *out, const struct item *item) {
    fputs("  ", out);
    print_name(out, item->text);
    putc(' ', out);
    print_name(out, item->instance);
    fputs(" (", out);
    for (const struct connection *c = item->connections; c; c = c->next) {
        fputs(c == item->connections ? "\n    ." : ",\n    .", out);
        print_name(out, c->port);
        putc('(', out);
        if (c->value) print_expression(out, c->value);
        putc(')', out);
    }
    putc(')', out);
    print_end(out, item->remark);
}

static void print_item(FILE *out, const struct item *item) {
    switch (item->kind) {
    case ITEM_COMMENT: fprintf(out, "  %s\n", item->text); break;
    case ITEM_DECLARATION: print_declaration(out, item); break;
    case ITEM_ASSIGN:
        fputs("  assign ", out);
        print_expression(out, item->target);
        fputs(" = ", out);
        print_expression(out, item->value);
        print_end(out, item->remark);
        break;
    case ITEM_ALWAYS:
    case ITEM_INITIAL: print_process(out, item); break;
    case ITEM_INSTANCE: print_instance(out, item); break;
    case ITEM_TEXT: fputs(item->text, out); break;
    }
}

static const char *text_of(struct pool *pool, const struct expr *e, const struct item *item) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) abort();
    if (e) print_expression(out, e);
    if (item) print_item(out, item);
    if (fclose(out) != 0) abort();
    const char *kept = pool_text(pool, text, length);
    free(text);
    return kept;
}

const char *print_text(struct pool *pool, const struct expr *e) { return text_of(pool, e, NULL); }

const char *print_item_text(struct pool *pool, const struct item *item) { return text_of(pool, NULL, item); }

static void print_ports(FILE *out, const struct module *module) {
    for (const struct port *port = module->ports; port; port = port->next) {
        fputs(port == module->ports ? "\n  (" : ",\n   ", out);
        if (port->type) {
            fprintf(out, "%s ", port->word);
            print_name(out, port->type);
            putc(' ', out);
        } else {
            fprintf(out, "%-6s ", port->word);
            if (port->range) fprintf(out, "%s ", port->range);
        }
        print_name(out, port->net->name);
    }
    fputs(module->ports ? ");\n" : ";\n", out);
}

void print_module(FILE *out, const struct module *module) {
    if (module->types) fputs(module->types, out);
    fputs("module ", out);
    print_name(out, module->name);
    print_ports(out, module);
    for (const struct item *item = module->items; item; item = item->next) print_item(out, item);
    fputs("endmodule\n\n", out);
}

void print_design(FILE *out, const struct design *design) {
    for (const struct module *module = design->modules; module; module = module->next) print_module(out, module);
}

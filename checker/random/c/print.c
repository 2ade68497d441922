/* SPDX-License-Identifier: Apache-2.0 */
#include "print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- statements ---- */

static void begin(const struct printer *w) {
    for (unsigned i = 0; i < w->depth; i++) fputs("    ", w->to);
}

static void print_body(struct printer *w, const struct node *n) {
    fputs("{\n", w->to);
    w->depth++;
    print_statement(w, n);
    w->depth--;
    begin(w);
    fputc('}', w->to);
}

static bool may_compound(unsigned op, struct type t) {
    const bool is_word = base_bits(t.base) >= 32 && base_is_signed(t.base);
    if (base_is_float(t.base)) return false;
    if (op == AND || op == OR || op == XOR) return true;
    if (t.lanes > 1) return false;
    if (op == ADD || op == SUB) return !is_word;
    return (op == MUL && !is_word && t.base != U16) || op == SHR || (op == SHL && base_bits(t.base) >= 32 && !is_word);
}

static void print_assignment(struct printer *w, const struct node *n) {
    static const char *const OPS[BINARIES] = {"+", "-", "*", "&", "|", "^", "<<", ">>"};
    const struct node *to = n->child[0];
    const unsigned op = n->op - 1;
    const bool compound = n->op > 0 && may_compound(op, to->type);
    begin(w);
    print_value(w, to);
    fprintf(w->to, " %s= ", compound ? OPS[op] : "");
    print_kept(w, n->child[1], to->type);
    if (compound && (op == SHL || op == SHR)) fprintf(w->to, " & %u", base_bits(to->type.base) - 1);
    fputs(";\n", w->to);
}

static void print_step(struct printer *w, const struct node *n) {
    const struct node *to = n->child[0];
    begin(w);
    print_value(w, to);
    if (may_compound(ADD, to->type)) {
        fputs(n->op == 0 ? "++;\n" : "--;\n", w->to);
    } else {
        fputs(" = (", w->to);
        print_type(w, to->type);
        fputs(")((", w->to);
        print_type(w, type_of(base_unsigned(to->type.base)));
        fputc(')', w->to);
        print_value(w, to);
        fputs(n->op == 0 ? " + 1);\n" : " - 1);\n", w->to);
    }
}

static void print_if(struct printer *w, const struct node *n) {
    begin(w);
    fputs("if (", w->to);
    print_value(w, n->child[0]);
    fputs(") ", w->to);
    print_body(w, n->child[1]);
    if (n->child[2]->kind != S_NOTHING) {
        fputs(" else ", w->to);
        print_body(w, n->child[2]);
    }
    fputc('\n', w->to);
}

static void print_bound(struct printer *w, const struct node *n) {
    if (n->kind == E_CONST) {
        fprintf(w->to, "%d", (int)n->value & 15);
        return;
    }
    fputc('(', w->to);
    print_as(w, n, type_of(I32));
    fputs(" & 7)", w->to);
}

static void print_for(struct printer *w, const struct node *n) {
    const int c = (int)n->value;
    if (n->op == DOWN)
        fprintf(w->to, "for (v%d = ", c);
    else
        fprintf(w->to, n->op == BY_TWO ? "for (v%d = 1; v%d <= " : "for (v%d = 0; v%d < ", c, c);
    print_bound(w, n->child[0]);
    if (n->op == DOWN)
        fprintf(w->to, "; v%d > 0; v%d--) ", c, c);
    else
        fprintf(w->to, n->op == BY_TWO ? "; v%d *= 2) " : "; v%d++) ", c);
    print_body(w, n->child[1]);
    fputc('\n', w->to);
}

static void print_while(struct printer *w, const struct node *n) {
    const int c = (int)n->value;
    fprintf(w->to, "v%d = 0;\n", c);
    begin(w);
    if (n->op == WHILE) {
        fprintf(w->to, "while (v%d++ < ", c);
        print_bound(w, n->child[0]);
        fputs(") ", w->to);
        print_body(w, n->child[1]);
        fputc('\n', w->to);
    } else {
        fputs("do ", w->to);
        print_body(w, n->child[1]);
        fprintf(w->to, " while (++v%d < ", c);
        print_bound(w, n->child[0]);
        fputs(");\n", w->to);
    }
}

static void print_loop(struct printer *w, const struct node *n) {
    begin(w);
    if (n->op == WHILE || n->op == DO)
        print_while(w, n);
    else
        print_for(w, n);
}

static void print_switch(struct printer *w, const struct node *n) {
    begin(w);
    fputs("switch (", w->to);
    print_as(w, n->child[0], type_of(I32));
    fputs(" & 31) {\n", w->to);
    for (unsigned i = 1; i < n->count; i++) {
        begin(w);
        if (i + 1 < n->count)
            fprintf(w->to, "case %u: ", (i - 1) * n->op);
        else
            fputs("default: ", w->to);
        print_body(w, n->child[i]);
        fputs(i + 1 < n->count && (n->value >> i & 1) == 0 ? " break;\n" : "\n", w->to);
    }
    begin(w);
    fputs("}\n", w->to);
}

static void print_label(struct printer *w, int64_t label) {
    begin(w);
    fprintf(w->to, "L%d:;\n", (int)label);
}

static void print_enter(struct printer *w, const struct node *n) {
    begin(w);
    fprintf(w->to, "v%u = 0;\n", n->op);
    begin(w);
    fputs("if (", w->to);
    print_value(w, n->child[0]);
    fprintf(w->to, ") goto L%d;\n", (int)n->value);
    begin(w);
    fprintf(w->to, "while (v%u++ < ", n->op);
    print_bound(w, n->child[3]);
    fputs(") {\n", w->to);
    w->depth++;
    print_statement(w, n->child[1]);
    print_label(w, n->value);
    print_statement(w, n->child[2]);
    w->depth--;
    begin(w);
    fputs("}\n", w->to);
}

static void print_exchange(struct printer *w, const struct node *n) {
    begin(w);
    fputs("shared[get_local_id(0)] = ", w->to);
    print_as(w, n->child[0], type_of(w->p->shared));
    fputs(";\n", w->to);
    begin(w);
    fputs("barrier(CLK_LOCAL_MEM_FENCE);\n", w->to);
    print_statement(w, n->child[1]);
    begin(w);
    fputs("barrier(CLK_LOCAL_MEM_FENCE);\n", w->to);
}

static void print_atomic(struct printer *w, const struct node *n) {
    static const char *const NAMES[] = {"add", "sub", "and", "or", "xor", "min", "max", "inc", "dec"};
    const unsigned cell = (unsigned)n->value, op = w->p->atomic_op[cell];
    const enum base b = w->p->atomic[cell];
    begin(w);
    fprintf(w->to, "atomic_%s(%s&cells[%u]", NAMES[op], b == I32 ? "(volatile __global int *)" : "", cell);
    if (op < 7) {
        fputs(", ", w->to);
        print_as(w, n->child[0], type_of(b));
    }
    fputs(");\n", w->to);
}

static void print_point(struct printer *w, const struct node *n) {
    const struct variable *v = &w->function->variable[n->op];
    begin(w);
    fprintf(w->to, "v%u = ", n->op);
    if (v->input) {
        fputs("(__global const ", w->to);
        print_type(w, v->type);
        fputs(" *)in", w->to);
    } else {
        fprintf(w->to, "v%d", (int)n->value);
    }
    fputs(" + (", w->to);
    print_as(w, n->child[0], type_of(I32));
    fprintf(w->to, " & %u);\n", v->length - 1);
}

static void print_line(struct printer *w, const char *text) {
    begin(w);
    fputs(text, w->to);
}

static void print_return(struct printer *w, const struct node *n) {
    begin(w);
    fputs("return", w->to);
    if (n->count > 0) fputc(' ', w->to), print_kept(w, n->child[0], w->function->type);
    fputs(";\n", w->to);
}

static void print_labelled(struct printer *w, const struct node *n) {
    begin(w);
    print_body(w, n->child[0]);
    fputc('\n', w->to);
    print_label(w, n->value);
}

void print_statement(struct printer *w, const struct node *n) {
    switch (n->kind) {
    case S_BLOCK:
        for (unsigned i = 0; i < n->count; i++) print_statement(w, n->child[i]);
        break;
    case S_ASSIGN: print_assignment(w, n); break;
    case S_STEP: print_step(w, n); break;
    case S_IF: print_if(w, n); break;
    case S_LOOP: print_loop(w, n); break;
    case S_SWITCH: print_switch(w, n); break;
    case S_BREAK: print_line(w, "break;\n"); break;
    case S_CONTINUE: print_line(w, "continue;\n"); break;
    case S_RETURN: print_return(w, n); break;
    case S_LABELLED: print_labelled(w, n); break;
    case S_LEAVE:
        begin(w);
        fprintf(w->to, "goto L%d;\n", (int)n->value);
        break;
    case S_ENTER: print_enter(w, n); break;
    case S_EXCHANGE: print_exchange(w, n); break;
    case S_ATOMIC: print_atomic(w, n); break;
    case S_POINT: print_point(w, n); break;
    case S_COPY:
        begin(w);
        fprintf(w->to, "v%u = v%d;\n", n->op, (int)n->value);
        break;
    default: break;
    }
}

/* ---- declarations ---- */

static void print_structure_data(const struct printer *w, const struct structure *s, int64_t seed) {
    fputc('{', w->to);
    for (unsigned f = 0; f < s->fields; f++) {
        fputs(f > 0 ? ", " : "", w->to);
        fputs(s->length[f] > 1 ? "{" : "", w->to);
        for (unsigned i = 0; i < s->length[f]; i++) {
            fputs(i > 0 ? ", " : "", w->to);
            print_constant(w, s->type[f], (int64_t)program_word(seed, f * 16 + i) >> (program_word(seed, i) & 63));
        }
        fputs(s->length[f] > 1 ? "}" : "", w->to);
    }
    fputc('}', w->to);
}

static void print_elements(const struct printer *w, struct type type, unsigned length, int64_t seed) {
    fputs(" = {", w->to);
    for (unsigned i = 0; i < length; i++) {
        fputs(i > 0 ? ", " : "", w->to);
        print_constant(w, type, (int64_t)program_word(seed, i) >> (program_word(seed, i + 64) & 63));
    }
    fputc('}', w->to);
}

static void print_structures(const struct printer *w, const struct variable *v) {
    const struct structure *s = &w->p->structure[v->structure];
    fputs(" = ", w->to);
    if (v->length > 1) fputc('{', w->to);
    for (unsigned i = 0; i < v->length; i++) {
        fputs(i > 0 ? ", " : "", w->to);
        print_structure_data(w, s, v->seed + i);
    }
    if (v->length > 1) fputc('}', w->to);
}

/* Without its initial value. */
static void print_declarator(const struct printer *w, const struct variable *v, unsigned number) {
    const bool is_pointer = v->shape == POINTER || v->shape == STRUCTURE_POINTER || (v->shape == ARRAY && v->parameter);
    if (v->shape == STRUCTURE || v->shape == STRUCTURE_POINTER) {
        fprintf(w->to, "struct S%u", v->structure);
    } else {
        if (v->input) fputs("__global const ", w->to);
        print_type(w, v->type);
    }
    fprintf(w->to, " %sv%u", is_pointer ? "*" : "", number);
    if (v->length > 1 && (v->shape == STRUCTURE || (v->shape == ARRAY && !is_pointer)))
        fprintf(w->to, "[%u]", v->length);
}

static void print_variable(const struct printer *w, unsigned number) {
    const struct variable *v = &w->function->variable[number];
    begin(w);
    print_declarator(w, v, number);
    if (v->shape == ARRAY) {
        print_elements(w, v->type, v->length, v->seed);
    } else if (v->shape == STRUCTURE) {
        print_structures(w, v);
    } else if (v->shape == POINTER && v->input) {
        fputs(" = (__global const ", w->to);
        print_type(w, v->type);
        fputs(" *)in", w->to);
    } else if (v->shape == POINTER) {
        fprintf(w->to, " = v%u", v->target);
    } else {
        fputs(" = ", w->to);
        print_kept(w, v->first, v->type);
    }
    fputs(";\n", w->to);
}

static void print_variables(struct printer *w, uint64_t used) {
    for (unsigned i = w->function->parameters; i < w->function->variables; i++)
        if ((used >> i & 1) != 0) print_variable(w, i);
}

static void print_function(struct printer *w, unsigned number, uint64_t used) {
    const struct function *f = w->function = &w->p->function[number];
    fputs(f->apart ? "static __attribute__((noinline)) " : "static ", w->to);
    print_type(w, f->type);
    fprintf(w->to, " f%u(__global const uint *in", number);
    for (unsigned i = 0; i < f->parameters; i++) {
        fputs(", ", w->to);
        print_declarator(w, &f->variable[i], i);
    }
    fputs(") {\n", w->to);
    print_variables(w, used);
    print_statement(w, f->body);
    fputs("}\n\n", w->to);
}

static void print_kernel(struct printer *w, uint64_t used) {
    w->function = &w->p->function[KERNEL];
    fputs("__kernel void k(__global const uint *in, __global uint *out, volatile __global uint *cells) {\n", w->to);
    fputs("    __local ", w->to);
    print_type(w, type_of(w->p->shared));
    fprintf(w->to, " shared[%u];\n", w->p->threads);
    print_variables(w, used);
    print_statement(w, w->function->body);
    fputs("}\n", w->to);
}

static void print_types(const struct printer *w, const char *text) {
    char name[24];
    for (unsigned s = 0; s < w->p->structures; s++) {
        snprintf(name, sizeof name, "struct S%u ", s);
        if (strstr(text, name) == NULL) continue;
        fprintf(w->to, "%s{\n", name);
        for (unsigned f = 0; f < w->p->structure[s].fields; f++) {
            fputs("    ", w->to);
            print_type(w, w->p->structure[s].type[f]);
            fprintf(w->to, " %c", 'a' + (int)f);
            if (w->p->structure[s].length[f] > 1) fprintf(w->to, "[%u]", w->p->structure[s].length[f]);
            fputs(";\n", w->to);
        }
        fputs("};\n", w->to);
    }
    for (unsigned t = 0; t < TABLES; t++) {
        snprintf(name, sizeof name, "t%u[", t);
        if (strstr(text, name) == NULL) continue;
        fputs("__constant ", w->to);
        print_type(w, w->p->table[t]);
        fprintf(w->to, " t%u[%d]", t, TABLE_LENGTH);
        print_elements(w, w->p->table[t], TABLE_LENGTH, w->p->table_seed[t]);
        fputs(";\n", w->to);
    }
}

static void print_helpers(FILE *to, const char *text) {
    if (strstr(text, "small(") != NULL)
        fputs("static float small(float x) { return (float)((int)(x * 4.0f) % 2048) * 0.25f; }\n", to);
    if (strstr(text, "whole(") != NULL)
        fputs("static int whole(double x) { return x > -1e9 && x < 1e9 ? (int)x : 7; }\n", to);
    if (strstr(text, "number(") != NULL) fputs("static double number(double x) { return x == x ? x : 0; }\n", to);
}

void program_print(const struct program *p, FILE *to) {
    uint64_t used[FUNCTIONS];
    bool called[FUNCTIONS];
    char *text = NULL;
    size_t size = 0;
    FILE *body = open_memstream(&text, &size);
    if (body == NULL) return;
    struct printer w = {.p = p, .to = body, .depth = 1};
    program_find_used(p, used, called);
    for (unsigned f = 0; f < KERNEL; f++)
        if (called[f]) print_function(&w, f, used[f]);
    print_kernel(&w, used[KERNEL]);
    if (fclose(body) == 0) {
        w.to = to;
        print_types(&w, text);
        print_helpers(to, text);
        fputs(text, to);
    }
    free(text);
}

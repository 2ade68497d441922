/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the directives of a PTX module, see reader.h. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* Returns a string without its backslashes. */
static char *read_string(struct ptx_reader *r) {
    const struct ptx_token *t = &r->lexer.token;
    char *text = cc_text(r->cc, t->text, t->length), *to = text;
    for (uint32_t i = 0; i < t->length; i++) {
        if (t->text[i] == '\\' && i + 1 < t->length) i++;
        *to++ = t->text[i];
    }
    *to = '\0';
    ptx_next(&r->lexer);
    return text;
}

static void read_file(struct ptx_reader *r) {
    struct ptx_lexer *l = &r->lexer;
    const uint32_t number = ptx_read_count(l, 1 << 20);
    if (l->token.kind != PTX_STRING) ptx_fail(l, "expected the name of a file");
    char *name = read_string(r);
    if (l->token.kind == PTX_STRING) { /* directory and name */
        const char *base = read_string(r);
        name = base[0] == '/' || strcmp(name, ".") == 0 ? cc_text(r->cc, base, strlen(base))
                                                        : cc_format(r->cc, "%s/%s", name, base);
    }
    while (ptx_accept(l, ",")) ptx_read_count(l, UINT32_MAX);
    if (number >= r->cc->file_count) {
        const char **files = CC_ARRAY(r->cc, const char *, number + 16);
        if (r->cc->file_count > 0) memcpy(files, r->cc->files, r->cc->file_count * sizeof *files);
        r->cc->files = files;
        r->cc->file_count = number + 16;
    }
    r->cc->files[number] = name;
}

static void skip_section(struct ptx_reader *r) {
    struct ptx_lexer *l = &r->lexer;
    while (!ptx_is(l, "{")) {
        if (l->token.kind == PTX_END) ptx_fail(l, "expected '{' of a section, but the text ends");
        ptx_next(l);
    }
    while (!ptx_is(l, "}")) {
        if (l->token.kind == PTX_END) ptx_fail(l, "expected '}' of a section, but the text ends");
        ptx_next(l);
    }
    ptx_next(l);
}

static void read_target(struct ptx_reader *r) {
    struct ptx_lexer *l = &r->lexer;
    do {
        if (l->token.kind != PTX_WORD) ptx_fail(l, "expected a target");
        if (l->token.length > 3 && memcmp(l->token.text, "sm_", 3) == 0)
            r->module->target = (unsigned)strtoul(l->token.text + 3, NULL, 10);
        ptx_next(l);
    } while (ptx_accept(l, ","));
}

static void read_address_size(struct ptx_reader *r) {
    const struct ptx_lexer before = r->lexer;
    const uint32_t bits = ptx_read_count(&r->lexer, 64);
    if (bits != 32 && bits != 64) ptx_fail(&before, "addresses must have 32 or 64 bits");
    r->module->address_bytes = bits / 8;
}

static void read_parameters(struct ptx_reader *r, struct ptx_symbol ***list, size_t *count, size_t *capacity) {
    struct ptx_lexer *l = &r->lexer;
    ptx_expect(l, "(");
    if (ptx_accept(l, ")")) return;
    do {
        struct ptx_symbol *parameter = ptx_read_parameter(r);
        CC_PUSH_POINTER(r->cc, *list, *count, *capacity, parameter);
    } while (ptx_accept(l, ","));
    ptx_expect(l, ")");
}

static void read_dimensions(struct ptx_reader *r, uint32_t numbers[3]) {
    numbers[0] = numbers[1] = numbers[2] = 1;
    for (unsigned i = 0; i < 3; i++) {
        numbers[i] = ptx_read_count(&r->lexer, 65535);
        if (!ptx_accept(&r->lexer, ",")) break;
    }
}

/* Reads the attributes between parameters and body. */
static void read_attributes(struct ptx_reader *r, struct ptx_function *f) {
    struct ptx_lexer *l = &r->lexer;
    uint32_t ignored[3];
    for (;;)
        if (ptx_accept(l, ".reqntid"))
            read_dimensions(r, f->block);
        else if (ptx_accept(l, ".maxntid"))
            read_dimensions(r, ignored);
        else if (ptx_accept(l, ".maxnreg"))
            f->max_registers = ptx_read_count(l, 65535);
        else if (ptx_accept(l, ".minnctapersm") || ptx_accept(l, ".maxnctapersm"))
            ptx_read_count(l, 65535);
        else if (!ptx_accept(l, ".noreturn"))
            return;
}

/* Returns the function of this name; creates it at its first declaration. */
static struct ptx_function *declare_function(struct ptx_reader *r, const char *name, const struct cc_place *at) {
    struct ptx_symbol *symbol = ptx_names_find(&r->names, name, strlen(name));
    if (symbol != NULL && symbol->kind == PTX_FUNCTION) {
        if (symbol->function->has_body) cc_fail(r->cc, at, "function '%s' is defined twice", name);
        symbol->function->parameter_count = symbol->function->result_count = 0;
        return symbol->function;
    }
    struct ptx_function *f = CC_NEW(r->cc, struct ptx_function);
    f->name = name;
    symbol = CC_NEW(r->cc, struct ptx_symbol);
    *symbol = (struct ptx_symbol){.name = name, .kind = PTX_FUNCTION, .function = f, .place = *at};
    ptx_declare(r, symbol);
    CC_PUSH_POINTER(r->cc, r->module->functions, r->module->function_count, r->module->function_capacity, f);
    return f;
}

static void read_function(struct ptx_reader *r, bool is_kernel) {
    struct ptx_lexer *l = &r->lexer;
    struct ptx_function head = {.is_kernel = is_kernel};
    ptx_names_enter_scope(&r->names);
    if (ptx_is(l, "(")) read_parameters(r, &head.results, &head.result_count, &head.result_capacity);
    const struct cc_place place = ptx_place(l);
    if (l->token.text[0] == '%') ptx_fail(l, "a function name cannot begin with '%%'");
    char *name = ptx_read_name(r);
    if (ptx_is(l, "(")) read_parameters(r, &head.parameters, &head.parameter_count, &head.parameter_capacity);
    const uint32_t scope = r->names.scope;
    r->names.scope = 0; /* the name belongs to the module */
    struct ptx_function *f = declare_function(r, name, &place);
    r->names.scope = scope;
    head.name = f->name;
    *f = head;
    f->place = place;
    read_attributes(r, f);
    if (ptx_is(l, "{")) {
        f->has_body = true;
        r->function = f;
        for (size_t i = 0; i < f->parameter_count + f->result_count; i++) {
            struct ptx_symbol *p = i < f->parameter_count ? f->parameters[i] : f->results[i - f->parameter_count];
            if (p->kind == PTX_REGISTER) p->index = f->register_count++;
        }
        ptx_read_body(r);
        r->function = NULL;
    } else {
        ptx_expect(l, ";");
    }
    ptx_names_leave_scope(&r->names);
}

static bool accept_linkage(struct ptx_lexer *l, bool *is_extern) {
    const bool external = ptx_is(l, ".extern");
    if (!external && !ptx_is(l, ".visible") && !ptx_is(l, ".weak") && !ptx_is(l, ".common")) return false;
    *is_extern |= external;
    ptx_next(l);
    return true;
}

static void read_directive(struct ptx_reader *r) {
    struct ptx_lexer *l = &r->lexer;
    bool is_extern = false;
    while (accept_linkage(l, &is_extern)) {}
    if (ptx_accept(l, ".entry"))
        read_function(r, true);
    else if (ptx_accept(l, ".func"))
        read_function(r, false);
    else if (ptx_token_space(l) != PTX_NO_SPACE)
        ptx_read_variable(r, is_extern);
    else if (ptx_accept(l, ".version"))
        ptx_next(l);
    else if (ptx_accept(l, ".target"))
        read_target(r);
    else if (ptx_accept(l, ".address_size"))
        read_address_size(r);
    else if (ptx_accept(l, ".file"))
        read_file(r);
    else if (ptx_accept(l, ".loc"))
        ptx_read_loc(r);
    else if (ptx_accept(l, ".pragma"))
        ptx_next(l), ptx_expect(l, ";");
    else if (ptx_is(l, ".section"))
        skip_section(r);
    else if (ptx_is(l, ".tex") || ptx_is(l, ".texref") || ptx_is(l, ".surfref") || ptx_is(l, ".samplerref"))
        ptx_fail(l, "textures, surfaces and samplers are not supported");
    else
        ptx_fail(l, "unknown directive '%.*s'", (int)(l->token.length < 60 ? l->token.length : 60), l->token.text);
}

/* Returns whether one of the comments at the top is LLVM's. */
static bool is_of_llvm(const char *text, size_t size) {
    static const char LINE[] = "// Generated by LLVM";
    const char *end = text + size;
    while (text < end && (*text == '/' || *text == '\n' || *text == '\r')) {
        const size_t rest = (size_t)(end - text), length = sizeof LINE - 1;
        if (rest >= length && memcmp(text, LINE, length) == 0) return true;
        const char *line_end = memchr(text, '\n', rest);
        text = line_end != NULL ? line_end + 1 : end;
    }
    return false;
}

void ptx_read(struct cc *cc, const char *text, size_t size, struct ptx_module *module) {
    struct ptx_reader r = {.cc = cc, .module = module};
    if (module->address_bytes == 0) module->address_bytes = 4;
    module->is_of_llvm |= is_of_llvm(text, size);
    ptx_names_init(&r.names, cc);
    for (size_t i = 0; i < module->function_count; i++) { /* functions of an earlier text may be called */
        struct ptx_symbol *symbol = CC_NEW(cc, struct ptx_symbol);
        *symbol = (struct ptx_symbol){
            .name = module->functions[i]->name, .kind = PTX_FUNCTION, .function = module->functions[i]};
        ptx_names_add(&r.names, symbol);
    }
    ptx_lex_init(&r.lexer, cc, text, size);
    while (r.lexer.token.kind != PTX_END) read_directive(&r);
}

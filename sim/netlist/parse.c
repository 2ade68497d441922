// SPDX-License-Identifier: Apache-2.0
#include "parse.h"

#include <stdlib.h>
#include <string.h>

#include "parser.h"

static struct port *port(struct parser *p) {
    static const char *const words[] = {"input", "output", "inout"};
    struct port *port = pool_take(&p->design->pool, sizeof *port);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!port->word && parser_takes(p, words[i])) port->word = words[i];
    if (!port->word) parser_fail(p, "a port");
    if (p->token.kind == TOKEN_NAME && p->token.text[0] == '\\' &&
        strncmp(p->token.text + p->token.length, "  ", 2) == 0)
        port->type = parser_name(p);
    else
        port->range = parser_range(p);
    port->net = parser_net(p);
    port->net->is_port = true;
    port->net->bits = port->type ? 0 : port->range ? (unsigned)strtoul(port->range + 1, NULL, 10) + 1 : 1;
    return port;
}

static struct module *module(struct parser *p) {
    struct module *module = pool_take(&p->design->pool, sizeof *module);
    module->pool = &p->design->pool;
    module->place = p->token.place;
    p->module = module;
    p->keeps_comments = false;
    parser_expect(p, "module");
    module->name = parser_name(p);
    if (parser_takes(p, "(")) {
        struct port **end = &module->ports;
        do {
            *end = port(p);
            end = &(*end)->next;
        } while (parser_takes(p, ","));
        parser_expect(p, ")");
    }
    // Only the first item follows this semicolon.
    if (parser_is(p, ";")) p->keeps_comments = true;
    parser_expect(p, ";");
    struct item **end = &module->items;
    while (p->token.kind != TOKEN_END && !parser_is(p, "endmodule")) {
        *end = parse_item(p);
        end = &(*end)->next;
    }
    parser_expect(p, "endmodule");
    return module;
}

// typedef ... ; in the form of the pass `records`, a line each.
static const char *types(struct parser *p) {
    const char *from = p->token.text;
    const char *end = from;
    while (strncmp(end, "typedef ", 8) == 0) {
        const char *next = strchr(end, '\n');
        if (!next) break;
        end = next + 1;
        p->lexer.line++;
    }
    if (end == from) return NULL;
    p->lexer.at = p->lexer.line_start = end;
    p->lexer.line--; // the first one had been read
    p->keeps_comments = true;
    parser_step(p);
    return pool_text(&p->design->pool, from, (size_t)(end - from));
}

bool parse(struct design *design, const char *text, struct fault *fault) {
    struct parser p = {.design = design, .lexer = lexer_of(text), .fault = fault};
    struct module **end = &design->modules;
    p.keeps_comments = true;
    parser_step(&p);
    while (p.token.kind != TOKEN_END) {
        const char *before = parser_is(&p, "typedef") ? types(&p) : NULL;
        *end = module(&p);
        (*end)->types = before;
        end = &(*end)->next;
    }
    return !fault->found;
}

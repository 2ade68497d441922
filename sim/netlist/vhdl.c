// SPDX-License-Identifier: Apache-2.0
#include "vhdl.h"

#include <string.h>

#include "vhdl_lexer.h"

struct reader {
    struct vhdl *vhdl;
    struct vhdl_unit *unit; // NULL: outside of all units
    struct lexer lexer;
    struct token token;
    bool in_entity;
};

static bool at(const struct reader *r, const char *text) {
    return r->token.kind != TOKEN_END && token_is(&r->token, text);
}

static void step(struct reader *r) { r->token = vhdl_next_word(&r->lexer); }

static bool takes(struct reader *r, const char *text) {
    if (!at(r, text)) return false;
    step(r);
    return true;
}

static const char *take(struct reader *r) {
    const char *text = pool_text(r->vhdl->pool, r->token.text, r->token.length);
    step(r);
    return text;
}

// All words up to one of these, outside of parentheses, or up to the closing one of the surrounding parentheses.
static const char *take_until(struct reader *r, const char *end, const char *other) {
    char *text = NULL;
    size_t length = 0;
    for (unsigned depth = 0; r->token.kind != TOKEN_END; step(r)) {
        if (depth == 0 && (at(r, end) || at(r, other) || at(r, ")"))) break;
        if (at(r, "(")) depth++;
        if (at(r, ")")) depth--;
        for (size_t i = 0; i <= r->token.length; i++) {
            text = pool_grow(r->vhdl->pool, text, length, 1);
            text[length++] = ' ';
            if (i < r->token.length) text[length - 1] = r->token.text[i];
        }
    }
    if (length == 0) return "";
    text[length - 1] = '\0';
    return text;
}

static void skip_until(struct reader *r, const char *end) { (void)take_until(r, end, end); }

// ------------------------------------------------------------------------------------------------------------- names

static struct vhdl_unit *unit_named(struct vhdl *vhdl, const char *name) {
    struct vhdl_unit **unit = &vhdl->units;
    while (*unit && strcmp((*unit)->name, name) != 0) unit = &(*unit)->next;
    struct vhdl_unit *found = *unit;
    if (found) return found;
    found = *unit = pool_take(vhdl->pool, sizeof *found);
    found->name = name;
    found->end = &found->names;
    found->index.pool = vhdl->pool;
    return found;
}

static struct vhdl_name *add(struct reader *r, const char *text, enum vhdl_kind kind) {
    struct vhdl_unit *unit = r->unit;
    struct vhdl_name *name = pool_take(r->vhdl->pool, sizeof *name);
    unsigned known = unit->index.net_count;
    unsigned id = module_net(&unit->index, text, strlen(text))->id;
    if (id == known) unit->found = pool_grow(r->vhdl->pool, unit->found, known, sizeof(struct vhdl_name *));
    unit->found[id] = name;
    *name = (struct vhdl_name){.kind = kind, .name = text, .text = ""};
    *unit->end = name;
    unit->end = &name->next;
    return name;
}

const struct vhdl_name *vhdl_find(const struct vhdl_unit *unit, const char *name) {
    const struct net *net = module_find(&unit->index, name);
    return net ? unit->found[net->id] : NULL;
}

static void add_part(struct reader *r, struct vhdl_name *name, const char *part) {
    name->parts = pool_grow(r->vhdl->pool, name->parts, name->count, sizeof *name->parts);
    name->parts[name->count++] = (struct vhdl_part){part, ""};
}

// ------------------------------------------------------------------------------------------------------ declarations

// a, b : in std_ulogic := '0'
static void read_objects(struct reader *r, enum vhdl_kind kind) {
    struct vhdl_name *first = NULL;
    do {
        struct vhdl_name *name = add(r, take(r), kind);
        if (!first) first = name;
    } while (takes(r, ","));
    takes(r, ":");
    const char *word = at(r, "in") || at(r, "out") || at(r, "inout") ? take(r) : "";
    const char *type = take_until(r, ":=", ";");
    const char *value = takes(r, ":=") ? take_until(r, ";", ";") : "";
    for (struct vhdl_name *name = first; name; name = name->next) {
        name->word = word;
        name->text = kind == VHDL_CONSTANT ? value : type;
    }
}

// generic (...) or port (...) of an entity
static void read_interface(struct reader *r, enum vhdl_kind kind) {
    step(r);
    if (!takes(r, "(")) return;
    while (r->token.kind == TOKEN_NAME) {
        takes(r, "constant");
        read_objects(r, kind);
        takes(r, ";");
    }
}

static void read_fields(struct reader *r, struct vhdl_name *record) {
    while (r->token.kind == TOKEN_NAME && !at(r, "end")) {
        size_t first = record->count;
        do add_part(r, record, take(r));
        while (takes(r, ","));
        takes(r, ":");
        const char *type = take_until(r, ";", ";");
        for (size_t i = first; i < record->count; i++) record->parts[i].text = type;
        takes(r, ";");
    }
}

static void read_type(struct reader *r) {
    step(r);
    const char *name = take(r);
    takes(r, "is");
    if (takes(r, "(")) {
        struct vhdl_name *type = add(r, name, VHDL_ENUM);
        do add_part(r, type, take(r));
        while (takes(r, ","));
    } else if (takes(r, "array")) {
        struct vhdl_name *type = add(r, name, VHDL_ARRAY);
        takes(r, "(");
        type->range = take_until(r, ")", ")");
        takes(r, ")");
        takes(r, "of");
        type->text = take_until(r, ";", ";");
    } else if (takes(r, "record")) {
        read_fields(r, add(r, name, VHDL_RECORD));
    }
    skip_until(r, ";");
}

static void read_subtype(struct reader *r) {
    step(r);
    struct vhdl_name *name = add(r, take(r), VHDL_SUBTYPE);
    takes(r, "is");
    name->text = take_until(r, ";", ";");
}

// ------------------------------------------------------------------------------------------------------------- units

// Up to `end WORD`, or to the `;` of a subprogram without a body.
static void skip_body(struct reader *r, const char *word) {
    step(r);
    if (strcmp(word, "process") != 0) {
        (void)take_until(r, ";", "is");
        if (at(r, ";")) return;
    }
    while (r->token.kind != TOKEN_END)
        if (takes(r, "end")) {
            if (takes(r, word)) return;
        } else if (at(r, "function")) {
            skip_body(r, "function");
        } else if (at(r, "procedure")) {
            skip_body(r, "procedure");
        } else {
            step(r);
        }
}

// package NAME is, entity NAME is, architecture NAME of ENTITY is; or an instance: LABEL : entity work.ENTITY
static void read_unit(struct reader *r, const char *label) {
    bool is_package = at(r, "package"), is_entity = at(r, "entity");
    step(r);
    if (is_package && takes(r, "body")) {
        r->token = (struct token){.kind = TOKEN_END};
        return;
    }
    const char *name = take(r);
    if (takes(r, ".")) {
        if (r->unit) add(r, label, VHDL_INSTANCE)->text = take(r);
        return;
    }
    if (takes(r, "of")) name = take(r);
    if (!at(r, "is")) return;
    r->unit = unit_named(r->vhdl, name);
    r->unit->is_package = is_package;
    r->in_entity = is_entity;
}

static void read_declaration(struct reader *r) {
    if (at(r, "generic") && r->in_entity) {
        read_interface(r, VHDL_GENERIC);
    } else if (at(r, "port") && r->in_entity) {
        read_interface(r, VHDL_PORT);
    } else if (at(r, "function") || at(r, "procedure") || at(r, "process")) {
        skip_body(r, pool_text(r->vhdl->pool, r->token.text, r->token.length));
    } else if (at(r, "signal") || at(r, "constant")) {
        enum vhdl_kind kind = at(r, "signal") ? VHDL_SIGNAL : VHDL_CONSTANT;
        step(r);
        read_objects(r, kind);
    } else if (at(r, "subtype")) {
        read_subtype(r);
    } else if (at(r, "type")) {
        read_type(r);
    } else if (takes(r, "(")) {
        skip_until(r, ")");
    } else {
        step(r);
    }
}

void vhdl_read(struct vhdl *vhdl, const char *text) {
    struct reader r = {.vhdl = vhdl, .lexer = lexer_of(text)};
    const char *label = "";
    step(&r);
    while (r.token.kind != TOKEN_END) {
        if (at(&r, "package") || at(&r, "entity") || at(&r, "architecture")) {
            read_unit(&r, label);
        } else if (takes(&r, "end")) {
            skip_until(&r, ";");
        } else if (!r.unit) {
            step(&r);
        } else {
            if (r.token.kind == TOKEN_NAME) label = pool_text(vhdl->pool, r.token.text, r.token.length);
            read_declaration(&r);
        }
    }
}

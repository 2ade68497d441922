// SPDX-License-Identifier: Apache-2.0
// Restores the records, arrays and enumerations of the VHDL for signals, which ghdl turns into plain vectors: waves
// then show them by field. Nothing else changes, because a packed structure is a vector, too. ghdl splits a record port
// into its fields: PORT_FIELD. Sizes that depend on a unit's generics follow from the name of the module, which
// contains their values: sched_32; members of the configuration are given. A signal whose size differs from its type's
// is unchanged. So are the inputs of registers (rin, x2_in) and the decoder: to split a signal that no register holds,
// Verilator computes its source again for each field.
//
//     records:CORES=8,SMS=1:FILE.vhd,...      the files in the order of compilation
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "pass.h"
#include "records_type.h"
#include "text.h"

struct records {
    struct design *design;
    struct vhdl vhdl;
    struct record_types types;
    struct vhdl_generic *config;
    size_t config_count;
    struct module *module;
    struct record_type **of_net; // by id
    unsigned shown;              // signals shown by fields
};

// -------------------------------------------------------------------------------------------------------- arguments

static bool read_files(struct records *r, char *list, struct fault *fault) {
    for (char *path; (path = strsep(&list, ",")) != NULL;) {
        const char *text = text_read(r->vhdl.pool, path);
        if (!text) return fault_set(fault, (struct place){0}, "%s cannot be read", path);
        vhdl_read(&r->vhdl, text);
    }
    return true;
}

static void add_generic(struct pool *pool, struct vhdl_generic **list, size_t *count, const char *name,
                        long long value) {
    *list = pool_grow(pool, *list, *count, sizeof **list);
    (*list)[(*count)++] = (struct vhdl_generic){name, value};
}

static bool read_argument(struct records *r, const char *argument, struct fault *fault) {
    char *rest = pool_text(r->vhdl.pool, argument, strlen(argument));
    char *generics = strsep(&rest, ":");
    if (!rest) return fault_set(fault, (struct place){0}, "is records:MEMBER=VALUE,...:FILE.vhd,...");
    for (char *name; (name = strsep(&generics, ",")) != NULL;) {
        char *value = strchr(name, '=');
        if (!value) continue;
        *value++ = '\0';
        add_generic(r->vhdl.pool, &r->config, &r->config_count, name, strtoll(value, NULL, 10));
    }
    return read_files(r, rest, fault);
}

// ---------------------------------------------------------------------------------------------------- unit of a module

// sched_32 belongs to sched, or to sched_32 if it exists.
static const struct vhdl_unit *unit_of(const struct records *r, const char *module) {
    const struct vhdl_unit *found = NULL;
    for (const struct vhdl_unit *unit = r->vhdl.units; unit; unit = unit->next) {
        size_t length = strlen(unit->name);
        if (strncmp(module, unit->name, length) == 0 && (!module[length] || module[length] == '_') &&
            (!found || length > strlen(found->name)))
            found = unit;
    }
    return found;
}

// Generics that are numbers come first in the name of a module.
static void read_generics(struct records *r, const struct vhdl_unit *unit) {
    static const char *const numbers[] = {"positive", "natural", "integer"};
    struct vhdl_generic *list = NULL;
    size_t count = 0;
    const char *value = r->module->name + strlen(unit->name);
    for (const struct vhdl_name *name = unit->names; name; name = name->next) {
        if (name->kind != VHDL_GENERIC) continue;
        bool is_number = false;
        for (size_t i = 0; i < 3; i++)
            if (strncmp(name->text, numbers[i], strlen(numbers[i])) == 0) is_number = true;
        if (!is_number) continue;
        char *end;
        if (value[0] != '_' || !isdigit((unsigned char)value[1])) break;
        long long is = strtoll(value + 1, &end, 10);
        if (*end && *end != '_') break; // a digest
        add_generic(r->vhdl.pool, &list, &count, name->name, is);
        value = end;
    }
    r->types.scope.generics = list;
    r->types.scope.generic_count = count;
    r->types.scope.config = r->config;
    r->types.scope.config_count = r->config_count;
}

// ----------------------------------------------------------------------------------------------------------- signals

static void set_type(struct records *r, const char *name, struct record_type *type) {
    const struct net *net = module_find(r->module, name);
    if (!net) net = module_find(r->module, pool_format(r->vhdl.pool, "\\%s", name));
    if (net) r->of_net[net->id] = type;
}

static void learn(struct records *r, const struct vhdl_name *name) {
    struct record_types *types = &r->types;
    struct record_type *type = record_type_of(types, name->text);
    set_type(r, name->name, type);
    if (!type) return;
    record_type_box(types, type);
    const struct vhdl_unit *unit, *here = types->scope.unit;
    const struct vhdl_name *record = vhdl_look_up(&types->scope, name->text, &unit);
    if (!record || record->kind != VHDL_RECORD) return;
    if (unit->is_package) types->scope.unit = unit;
    for (size_t i = 0; i < record->count; i++)
        set_type(r, pool_format(r->vhdl.pool, "%s_%s", name->name, record->parts[i].name),
                 record_type_of(types, record->parts[i].text));
    types->scope.unit = here;
}

static void learn_all(struct records *r, const struct vhdl_unit *unit, enum vhdl_kind kind) {
    for (const struct vhdl_name *name = unit->names; name; name = name->next)
        if (name->kind == kind) learn(r, vhdl_find(unit, name->name));
}

static bool ends(const char *name, const char *with) {
    size_t length = strlen(name), end = strlen(with);
    return length >= end && strcmp(name + length - end, with) == 0;
}

// Only registers have fields: see above.
static const char *type_of_net(struct records *r, struct net *net) {
    const struct record_type *type = r->of_net[net->id];
    if (!type || type->is_plain || type->bits != net->bits) return NULL;
    if (strcmp(net->name, "rin") == 0 || ends(net->name, "_in")) return NULL;
    net->bits = 0;
    net->is_register = false;
    r->shown++;
    return record_type_word(&r->types, type);
}

static void change_item(struct records *r, struct item *item) {
    bool is_signal = item->kind == ITEM_DECLARATION && !item->value && !item->depth && !item->net->is_constant;
    if (!is_signal || item->hidden != HIDDEN_NOT) return;
    item->type = type_of_net(r, item->net);
    if (item->type) item->text = item->range = NULL;
}

static bool is_shown(const struct vhdl_unit *unit) {
    return strncmp(unit->name, "decode", 6) != 0 || strcmp(unit->name, "decode_word") == 0;
}

static void change_module(struct records *r, struct module *module) {
    const struct vhdl_unit *unit = unit_of(r, module->name);
    if (!unit) return;
    r->module = module;
    r->types.module = module->name;
    r->types.scope.unit = unit;
    r->of_net = module_notes(module, sizeof(struct record_type *));
    read_generics(r, unit);
    learn_all(r, unit, VHDL_SIGNAL);
    learn_all(r, unit, VHDL_PORT);
    if (!is_shown(unit)) return;
    for (struct port *port = module->ports; port; port = port->next) {
        port->type = type_of_net(r, port->net);
        if (port->type) port->range = NULL;
    }
    for (struct item *item = module->items; item; item = item->next) change_item(r, item);
}

// The typedefs of a module precede it, and all later modules see them.
static bool change_all(struct records *r) {
    for (struct module *module = r->design->modules; module; module = module->next) {
        char *text = NULL;
        size_t size = 0;
        r->types.out = open_memstream(&text, &size);
        if (!r->types.out) return false;
        change_module(r, module);
        fclose(r->types.out);
        if (size > 0) module->types = pool_text(r->vhdl.pool, text, size);
        free(text);
    }
    return true;
}

bool pass_records(struct design *design, const char *argument, struct fault *fault) {
    struct records r = {.design = design, .vhdl = {.pool = &design->pool}};
    if (!read_argument(&r, argument, fault)) return false;
    record_types_begin(&r.types, &design->pool, &r.vhdl);
    if (!change_all(&r)) return fault_set(fault, (struct place){0}, "no memory");
    return r.shown > 0 || fault_set(fault, (struct place){0}, "no signal of a record found");
}

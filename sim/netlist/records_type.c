// SPDX-License-Identifier: Apache-2.0
#include "records_type.h"

#include <string.h>

static struct record_type *new_type(struct record_types *types, const char *word, unsigned bits, bool is_plain) {
    struct record_type *type = pool_take(types->pool, sizeof *type);
    *type = (struct record_type){.word = word, .bits = bits, .is_plain = is_plain};
    type->number = ++types->count;
    return type;
}

static struct record_type *new_typedef(struct record_types *types, const char *text, unsigned bits, bool is_plain,
                                       const char *name) {
    struct record_type *type = new_type(types, NULL, bits, is_plain);
    type->word = pool_format(types->pool, "\\%s.%u ", name, type->number);
    fprintf(types->out, "typedef %s %s;\n", text, type->word);
    return type;
}

void record_types_begin(struct record_types *types, struct pool *pool, const struct vhdl *vhdl) {
    *types = (struct record_types){.pool = pool, .scope = {.vhdl = vhdl}};
    types->resolved.pool = types->literals.pool = pool;
    types->bit = new_type(types, "logic", 1, true);
    types->vague = new_type(types, "", 0, true);
    types->vague->is_vague = true;
}

static unsigned bits_for(long long values) {
    unsigned bits = 1;
    while (1LL << bits < values) bits++;
    return bits;
}

// The number of elements of a range; 0 if unknown.
static unsigned length_of(const struct record_types *types, const char *text, struct vhdl_range *range) {
    if (!vhdl_range_of(&types->scope, text, range)) return 0;
    long long length = range->downward ? range->left - range->right + 1 : range->right - range->left + 1;
    return length > 0 && length < 1 << 24 ? (unsigned)length : 0;
}

static struct record_type *vector(struct record_types *types, const char *constraint) {
    struct vhdl_range range;
    unsigned length = length_of(types, constraint, &range);
    if (length == 0) return types->vague;
    return new_type(types, pool_format(types->pool, "logic [%lld:%lld]", range.left, range.right), length, true);
}

static struct record_type *number(struct record_types *types, const char *text) {
    struct vhdl_range range;
    if (length_of(types, text, &range) == 0) return NULL;
    unsigned bits = bits_for(range.right + 1);
    return new_type(types, pool_format(types->pool, "logic [%u:0]", bits - 1), bits, true);
}

// Names are shared by all modules: a word that is a literal of two types gets a number.
static struct record_type *enumeration(struct record_types *types, const struct vhdl_name *name) {
    unsigned bits = bits_for((long long)name->count);
    const char *body = "";
    for (size_t i = 0; i < name->count; i++) {
        const char *literal = name->parts[i].name;
        unsigned before = module_net(&types->literals, literal, strlen(literal))->bits++;
        if (before > 0) literal = pool_format(types->pool, "%s.%u", literal, before + 1);
        body = pool_format(types->pool, "%s%s\\%s  = %u'd%zu", body, i > 0 ? ", " : "", literal, bits, i);
    }
    return new_typedef(types, pool_format(types->pool, "enum logic [%u:0] {%s}", bits - 1, body), bits, false,
                       name->name);
}

// The place of use gives the constraint, the place of declaration the rest.
static struct record_type *array(struct record_types *types, const struct vhdl_name *name, const char *constraint,
                                 const struct vhdl_unit *inner) {
    struct vhdl_range range;
    unsigned length = length_of(types, *constraint ? constraint : name->range, &range);
    if (length == 0) return NULL;
    const struct vhdl_unit *unit = types->scope.unit;
    types->scope.unit = inner;
    struct record_type *element = record_type_of(types, name->text);
    types->scope.unit = unit;
    if (!element || element->is_vague) return NULL;
    // In `logic [31:0] [0:7]` the first range would be that of the array.
    if (element->is_plain && element != types->bit)
        element = new_typedef(types, element->word, element->bits, true, "vector");
    const char *word = pool_format(types->pool, "%s[%lld:%lld]", element->word, range.left, range.right);
    struct record_type *type = new_typedef(types, word, length * element->bits, false, name->name);
    type->is_array = true;
    return type;
}

static struct record_type *record(struct record_types *types, const struct vhdl_name *name,
                                  const struct vhdl_unit *inner) {
    const struct vhdl_unit *unit = types->scope.unit;
    const char *body = "";
    unsigned bits = 0;
    bool known = true;
    types->scope.unit = inner;
    for (size_t i = 0; i < name->count && known; i++) {
        const struct record_type *field = record_type_of(types, name->parts[i].text);
        known = field && !field->is_vague;
        if (!known) break;
        body = pool_format(types->pool, "%s \\%s ; %s", field->word, name->parts[i].name, body);
        bits += field->bits;
    }
    types->scope.unit = unit;
    if (!known) return NULL;
    return new_typedef(types, pool_format(types->pool, "struct packed { %s}", body), bits, false, name->name);
}

// `inner`: the scope in which the declaration's words are looked up.
static struct record_type *declared(struct record_types *types, const struct vhdl_name *name, const char *constraint,
                                    const struct vhdl_unit *inner) {
    const struct vhdl_unit *unit = types->scope.unit;
    struct record_type *type = NULL;
    switch (name->kind) {
    case VHDL_SUBTYPE:
        types->scope.unit = inner;
        type = record_type_of(types, name->text);
        types->scope.unit = unit;
        return type;
    case VHDL_ENUM: return enumeration(types, name);
    case VHDL_ARRAY: return array(types, name, constraint, inner);
    case VHDL_RECORD: return record(types, name, inner);
    default: return NULL;
    }
}

// A package's contents are the same for all modules.
static struct record_type *named(struct record_types *types, const char *mark, const char *constraint) {
    const struct vhdl_unit *unit;
    const struct vhdl_name *name = vhdl_look_up(&types->scope, mark, &unit);
    if (!name) return NULL;
    const char *key = pool_format(types->pool, "%s\t%s\t%s",
                                  unit->is_package && !*constraint ? unit->name : types->module, mark, constraint);
    unsigned known = types->resolved.net_count;
    unsigned id = module_net(&types->resolved, key, strlen(key))->id;
    if (id < known) return types->of_resolved[id];
    types->of_resolved = pool_grow(types->pool, types->of_resolved, known, sizeof(struct record_type *));
    types->of_resolved[id] = NULL; // a type that contains itself is invalid
    struct record_type *type = declared(types, name, constraint, unit->is_package ? unit : types->scope.unit);
    types->of_resolved[id] = type;
    return type;
}

static bool is_one_of(const char *word, const char *const *list) {
    while (*list && strcmp(*list, word) != 0) list++;
    return *list != NULL;
}

struct record_type *record_type_of(struct record_types *types, const char *text) {
    static const char *const bits[] = {"std_ulogic", "std_logic", "boolean", NULL};
    static const char *const vectors[] = {"std_ulogic_vector", "std_logic_vector", "unsigned", "signed", NULL};
    static const char *const numbers[] = {"natural range ", "integer range "};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strncmp(text, numbers[i], strlen(numbers[i])) == 0) return number(types, text + strlen(numbers[i]));
    const char *open = strchr(text, '('), *constraint = "";
    const char *mark = text;
    if (open && open > text) {
        mark = pool_text(types->pool, text, (size_t)(open - text) - 1);
        constraint = pool_text(types->pool, open + 2, strlen(open + 2) > 2 ? strlen(open + 2) - 2 : 0);
    }
    if (strncmp(mark, "work . ", 7) == 0 && strrchr(mark, '.') > mark + 7) mark = strrchr(mark, '.') + 2;
    if (is_one_of(mark, bits)) return types->bit;
    if (is_one_of(mark, vectors)) return vector(types, constraint);
    return named(types, mark, constraint);
}

void record_type_box(struct record_types *types, struct record_type *type) {
    if (!type->is_array || type->box) return;
    type->box = pool_format(types->pool, "\\box.%u", type->number);
    fprintf(types->out, "typedef struct packed { %s at; } %s ;\n", type->word, type->box);
}

const char *record_type_word(struct record_types *types, const struct record_type *type) {
    return type->box ? type->box : pool_text(types->pool, type->word, strlen(type->word) - 1);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens, names, and the text outside of functions. See ptx.h. */
#include "reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 29, MOST_DEPTH = 100 };

struct allocation {
    struct allocation *next;
    max_align_t data[];
};

void *module_allocate(struct module *module, size_t bytes) {
    struct allocation *a = calloc(1, sizeof *a + bytes);
    if (a == NULL) abort();
    a->next = module->allocations;
    module->allocated += bytes;
    module->allocations = a;
    return a->data;
}

void module_free(struct module *module) {
    if (module == NULL) return;
    for (struct allocation *a = module->allocations, *next; a != NULL; a = next) {
        next = a->next;
        free(a);
    }
    free(module);
}

void *module_enlarge(struct module *module, void *list, size_t count, size_t *room, size_t bytes) {
    if (count < *room) return list;
    const size_t more = *room == 0 ? 16 : 2 * *room;
    void *larger = module_allocate(module, more * bytes);
    if (count != 0) memcpy(larger, list, count * bytes);
    *room = more;
    return larger;
}

/* ----------------------------------------------------------------------------------------------------- tokens */

void reader_fail(struct reader *r, struct place place, const char *format, ...) {
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(r->problem->text, sizeof r->problem->text, "%.100s:%d:%d: error: %s\n", r->module->file, place.line,
             place.column, text);
    longjmp(r->failed, 1);
}

void reader_unexpected(struct reader *r, const char *wanted) {
    const struct token *t = &r->token;
    if (t->kind == END_OF_TEXT) reader_fail(r, t->place, "the text ends; expected %s", wanted);
    reader_fail(r, t->place, "unexpected '%.*s'; expected %s", (int)(t->length < 60 ? t->length : 60), t->start,
                wanted);
}

void reader_advance(struct reader *r) {
    r->token = lexer_next(&r->lexer);
    const struct token *t = &r->token;
    if (r->module->allocated > MOST_BYTES) reader_fail(r, t->place, "the program is too large");
    if (t->kind == BAD_TOKEN)
        reader_fail(r, t->place, "'%.*s' is no number or text", (int)(t->length < 60 ? t->length : 60), t->start);
}

void reader_enter(struct reader *r) {
    if (++r->depth > MOST_DEPTH) reader_fail(r, r->token.place, "braces or signs nest too deep");
}

void reader_leave(struct reader *r) { r->depth--; }

bool next_is(const struct reader *r, const char *text) { return token_is(&r->token, text); }

bool reader_accept(struct reader *r, const char *text) {
    if (!next_is(r, text)) return false;
    reader_advance(r);
    return true;
}

void expect(struct reader *r, const char *text) {
    char wanted[24];
    if (reader_accept(r, text)) return;
    snprintf(wanted, sizeof wanted, "'%s'", text);
    reader_unexpected(r, wanted);
}

char *token_copy(struct reader *r) {
    char *copy = module_allocate(r->module, r->token.length + 1);
    memcpy(copy, r->token.start, r->token.length);
    return copy;
}

const char *take_name(struct reader *r) {
    if (r->token.kind != NAME) reader_unexpected(r, "a name");
    const char *name = token_copy(r);
    reader_advance(r);
    return name;
}

static uint64_t take_sum(struct reader *r);

static uint64_t take_signed(struct reader *r) {
    if (reader_accept(r, "-")) return 0 - take_integer(r);
    if (reader_accept(r, "~")) return ~take_integer(r);
    if (reader_accept(r, "(")) {
        const uint64_t value = take_sum(r);
        expect(r, ")");
        return value;
    }
    if (r->token.kind != NUMERAL || r->token.literal != INTEGER) reader_unexpected(r, "an integer");
    const uint64_t value = r->token.number;
    reader_advance(r);
    return value;
}

uint64_t take_integer(struct reader *r) {
    reader_enter(r);
    const uint64_t value = take_signed(r);
    reader_leave(r);
    return value;
}

static uint64_t take_product(struct reader *r) {
    uint64_t value = take_integer(r);
    while (reader_accept(r, "*")) value *= take_integer(r);
    return value;
}

static uint64_t take_sum(struct reader *r) {
    uint64_t value = take_product(r);
    for (;;)
        if (reader_accept(r, "+"))
            value += take_product(r);
        else if (reader_accept(r, "-"))
            value -= take_product(r);
        else
            return value;
}

void skip_line(struct reader *r) {
    const int line = r->token.place.line;
    while (r->token.kind != END_OF_TEXT && r->token.place.line == line) reader_advance(r);
}

/* ------------------------------------------------------------------------------------------------------ names */

static unsigned bucket_of(const char *name, size_t length) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)name[i]) * 16777619u;
    return (h ^ h >> 15) % BUCKETS;
}

static bool is_visible(const struct scope *from, const struct scope *scope) {
    for (; from != NULL; from = from->parent)
        if (from == scope) return true;
    return scope == NULL;
}

static struct entry *find(struct reader *r, struct scope *scope, const char *name, size_t length) {
    for (struct entry *e = r->buckets[bucket_of(name, length)]; e != NULL; e = e->next)
        if (strlen(e->name) == length && memcmp(e->name, name, length) == 0 && is_visible(scope, e->scope)) return e;
    return NULL;
}

struct entry *look_up(struct reader *r, struct scope *scope, const char *name, unsigned *index) {
    size_t length = strlen(name);
    *index = 0;
    struct entry *e = find(r, scope, name, length);
    if (e != NULL && !e->is_range) return e;
    while (length > 1 && name[length - 1] >= '0' && name[length - 1] <= '9') {
        length--;
        e = find(r, scope, name, length);
        const unsigned long member = strtoul(name + length, NULL, 10);
        if (e == NULL || !e->is_range || member >= e->count || (name[length] == '0' && name[length + 1] != '\0'))
            continue;
        *index = (unsigned)member;
        return e;
    }
    return NULL;
}

struct entry *declare(struct reader *r, const char *name, enum entry_kind kind, struct place place) {
    struct entry **bucket = &r->buckets[bucket_of(name, strlen(name))];
    for (const struct entry *e = *bucket; e != NULL; e = e->next)
        if (e->scope == r->scope && strcmp(e->name, name) == 0)
            reader_fail(r, place, "'%.60s' is already defined", name);
    struct entry *e = module_allocate(r->module, sizeof *e);
    e->name = name;
    e->kind = kind;
    e->scope = r->scope;
    e->next = *bucket;
    *bucket = e;
    return e;
}

/* -------------------------------------------------------------------------------------------------- functions */

static struct function *function_named(struct reader *r, const char *name, struct place place, bool is_kernel) {
    unsigned index;
    struct entry *e = look_up(r, NULL, name, &index);
    if (e != NULL && e->kind != FUNCTION) reader_fail(r, place, "'%.60s' is already defined", name);
    if (e != NULL) return e->function;
    struct function *f = module_allocate(r->module, sizeof *f);
    f->name = name;
    f->place = place;
    f->is_kernel = is_kernel;
    *r->functions_end = f;
    r->functions_end = &f->next;
    declare(r, name, FUNCTION, place)->function = f;
    return f;
}

/* Skips .maxntid 32, 1, 1 .noreturn etc., up to the body or the semicolon. */
static void skip_to_body(struct reader *r) {
    while (!next_is(r, "{") && !next_is(r, ";")) {
        const bool starts = next_is(r, "func") || next_is(r, "entry") || next_is(r, "visible");
        const bool is_sign = r->token.kind == SIGN && !next_is(r, ",");
        if (r->token.kind == END_OF_TEXT || is_sign || starts) reader_unexpected(r, "'{' or ';'");
        reader_advance(r);
    }
}

/* After .entry or .func. The parameters have their own scope, which contains the body's. */
static void read_function(struct reader *r, bool is_kernel) {
    struct function *header = module_allocate(r->module, sizeof *header);
    struct scope *scope = module_allocate(r->module, sizeof *scope);
    r->scope = scope;
    r->function = header;
    if (!is_kernel && next_is(r, "(")) read_parameters(r, &header->results, &header->result_count);
    header->place = r->token.place;
    header->is_kernel = is_kernel;
    header->name = take_name(r);
    if (next_is(r, "(")) read_parameters(r, &header->parameters, &header->parameter_count);
    header->given_bytes = header->param_bytes;
    r->scope = NULL;
    struct function *f = function_named(r, header->name, header->place, is_kernel);
    skip_to_body(r);
    if (!reader_accept(r, ";")) {
        if (f->has_body) reader_fail(r, header->place, "'%.60s' has two bodies", header->name);
        header->next = f->next;
        *f = *header;
        f->has_body = true;
        r->scope = scope;
        read_body(r, f);
    }
    r->scope = NULL;
    r->function = NULL;
}

/* Skips braces and their contents. */
static void skip_braces(struct reader *r) {
    int depth = 0;
    do {
        if (next_is(r, "{")) depth++;
        if (next_is(r, "}")) depth--;
        if (r->token.kind == END_OF_TEXT) reader_unexpected(r, "'}'");
        reader_advance(r);
    } while (depth > 0);
}

static void read_head(struct reader *r) {
    if (reader_accept(r, "target")) {
        const char *name = take_name(r);
        if (strncmp(name, "sm_", 3) != 0) reader_fail(r, r->token.place, "expected sm_NN as the target");
        r->module->target = (unsigned)strtoul(name + 3, NULL, 10);
        while (reader_accept(r, ",")) reader_advance(r);
    } else {
        expect(r, "address_size");
        const struct place place = r->token.place;
        r->module->address_bits = (unsigned)take_integer(r);
        if (r->module->address_bits != 32 && r->module->address_bits != 64) reader_fail(r, place, "expected 32 or 64");
    }
}

static bool is_linkage(const struct reader *r) {
    return next_is(r, "visible") || next_is(r, "extern") || next_is(r, "weak") || next_is(r, "common");
}

static void read_section(struct reader *r) {
    while (!next_is(r, "{") && r->token.kind != END_OF_TEXT) reader_advance(r);
    skip_braces(r);
}

static void read_module_variables(struct reader *r) {
    char word[16] = "";
    if (r->token.length < sizeof word) memcpy(word, r->token.start, r->token.length);
    const enum space space = space_of(word);
    if (space == NO_SPACE || space == PARAM || space == LOCAL)
        reader_fail(r, r->token.place, "'.%s' is not supported", word);
    reader_advance(r);
    read_variables(r, space);
}

static void read_directive(struct reader *r) {
    if (reader_accept(r, ";")) return;
    if (r->token.kind != DOTTED) reader_unexpected(r, "a directive");
    while (is_linkage(r)) reader_advance(r);
    if (reader_accept(r, "entry")) {
        read_function(r, true);
    } else if (reader_accept(r, "func")) {
        read_function(r, false);
    } else if (next_is(r, "target") || next_is(r, "address_size")) {
        read_head(r);
    } else if (next_is(r, "file") || next_is(r, "loc")) {
        skip_line(r);
    } else if (reader_accept(r, "version")) {
        reader_advance(r);
    } else if (reader_accept(r, "section")) {
        read_section(r);
    } else if (reader_accept(r, "pragma")) {
        reader_advance(r);
        expect(r, ";");
    } else {
        read_module_variables(r);
    }
}

static void check_functions(struct reader *r) {
    for (const struct function *f = r->module->functions; f != NULL; f = f->next)
        for (size_t i = 0; i < f->code_count; i++)
            for (unsigned k = 0; k < f->code[i].operand_count; k++) {
                const struct operand *o = &f->code[i].operands[k];
                if (o->kind == CALLEE && !o->function->has_body)
                    reader_fail(r, o->place, "function '%.60s' has no body", o->function->name);
            }
}

static bool read_all(struct reader *r, const char *text) {
    if (setjmp(r->failed) != 0) return false;
    r->lexer = lexer_open(text);
    reader_advance(r);
    while (r->token.kind != END_OF_TEXT) read_directive(r);
    check_functions(r);
    return true;
}

struct module *module_read(const char *file, const char *text, struct problem *problem) {
    struct reader *r = calloc(1, sizeof *r);
    struct module *module = calloc(1, sizeof *module);
    if (r == NULL || module == NULL) abort();
    module->address_bits = 32;
    module->file = file;
    r->module = module;
    r->functions_end = &module->functions;
    r->problem = problem;
    const bool good = read_all(r, text);
    if (!good) module_free(module);
    free(r);
    return good ? module : NULL;
}

/* True for _Z5saxpyPff and saxpy. */
static bool is_mangled(const char *mangled, const char *name) {
    char *end;
    if (strncmp(mangled, "_Z", 2) != 0) return false;
    const unsigned long length = strtoul(mangled + 2, &end, 10);
    return length == strlen(name) && strncmp(end, name, length) == 0;
}

const struct function *module_kernel(const struct module *module, const char *name) {
    for (const struct function *f = module->functions; f != NULL; f = f->next)
        if (f->is_kernel && f->has_body && (name == NULL || strcmp(f->name, name) == 0 || is_mangled(f->name, name)))
            return f;
    return NULL;
}

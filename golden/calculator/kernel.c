/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#include "sass.h"

enum { GLOBAL_BYTES = 1 << 20, BANK_BYTES = 1 << 16 };

_Noreturn static void complain(const struct statement *s, const char *what) { fail(s->file, s->line, what, s->text); }

static struct memory new_memory(size_t size) {
    struct memory memory = {calloc(1, size ? size : 1), size};
    if (!memory.bytes) fail("calculator", 0, "out of memory", "");
    return memory;
}

/* ---- data ---- */

/* Values of a list, including `.byte`, `.half` and `.fill COUNT, VALUE`; the first one lies at the address. */
static struct cells *read_cells(const struct statement *s, const char *at, uint32_t address, size_t *count) {
    struct cells *list = NULL;
    unsigned bytes = 4;
    *count = 0;
    if (skip(&at, ".byte"))
        bytes = 1;
    else if (skip(&at, ".half"))
        bytes = 2;
    do {
        struct cells c = {.address = address, .count = 1, .bytes = bytes, .statement = s};
        skip_blanks(&at);
        c.begin = (size_t)(at - s->text);
        if (skip(&at, ".fill") && (!read_number(&at, NULL, &c.count) || !skip(&at, ","))) complain(s, "unknown .fill");
        if (!read_number(&at, NULL, &c.value)) complain(s, "unknown value");
        c.end = (size_t)(at - s->text);
        list = enlarge(list, *count, sizeof *list);
        list[(*count)++] = c;
        address += c.count * bytes;
    } while (skip(&at, ","));
    skip_blanks(&at);
    if (*at) complain(s, "more text than values");
    return list;
}

static void set_memory(const struct statement *s, const char *at, uint32_t address, struct memory memory) {
    size_t count = 0;
    struct cells *list = read_cells(s, at, address, &count);
    for (size_t n = 0; n < count; n++) {
        const struct cells *c = &list[n];
        if (c->address > memory.size || (size_t)c->count * c->bytes > memory.size - c->address)
            complain(s, "beyond the memory");
        for (size_t k = 0; k < (size_t)c->count * c->bytes; k++)
            memory.bytes[c->address + k] = (uint8_t)(c->value >> k % c->bytes * 8);
    }
    free(list);
}

static uint32_t number(const struct statement *s, const char **at) {
    uint32_t value = 0;
    if (!read_number(at, NULL, &value)) complain(s, "unknown number");
    return value;
}

static uint32_t address_before(const struct statement *s, const char **at, const char *token) {
    uint32_t address = number(s, at);
    if (!skip(at, token)) complain(s, "unknown directive");
    return address;
}

static void add_parameters(struct kernel *k, const struct statement *s, const char *at) {
    do {
        k->parameters = enlarge(k->parameters, k->parameter_count, sizeof *k->parameters);
        k->parameters[k->parameter_count++] = number(s, &at);
    } while (skip(&at, ","));
}

static void read_shape(const struct statement *s, const char *at, uint32_t *shape, size_t dimensions) {
    size_t n = 0;
    do shape[n++] = number(s, &at);
    while (n < dimensions && skip(&at, ","));
}

static void add_expected(struct kernel *k, const struct statement *s, const char *at) {
    size_t count = 0;
    uint32_t address = address_before(s, &at, "=");
    struct cells *list = read_cells(s, at, address, &count);
    for (size_t n = 0; n < count; n++) {
        k->expected = enlarge(k->expected, k->expected_count, sizeof *k->expected);
        k->expected[k->expected_count++] = list[n];
    }
    free(list);
}

static void read_directive(struct kernel *k, const struct statement *s) {
    const char *at = s->text;
    if (skip(&at, ".param")) {
        add_parameters(k, s, at);
    } else if (skip(&at, ".const")) {
        uint32_t bank = address_before(s, &at, ":"), address = address_before(s, &at, "=");
        if (bank < BANKS)
            set_memory(s, at, address, k->constant[bank]);
        else
            complain(s, "no such bank");
    } else if (skip(&at, ".global")) {
        uint32_t address = address_before(s, &at, "=");
        set_memory(s, at, address, k->global);
    } else if (skip(&at, ".expect")) {
        add_expected(k, s, at);
    } else if (skip(&at, ".grid")) {
        read_shape(s, at, k->grid, 2);
    } else if (skip(&at, ".block")) {
        read_shape(s, at, k->block, 3);
    } else if (skip(&at, ".reg")) {
        k->registers = number(s, &at);
    } else if (skip(&at, ".local")) {
        k->local_bytes = number(s, &at);
    } else if (!skip(&at, ".kernel") && !skip(&at, ".arch") && !skip(&at, ".shared")) {
        complain(s, "unknown directive");
    }
}

/* ---- code ---- */

static void add_instruction(struct kernel *k, const struct statement *s, const char *text, const struct names *labels,
                            uint32_t *address) {
    k->code = enlarge(k->code, k->code_count, sizeof *k->code);
    struct instruction *i = &k->code[k->code_count].instruction;
    k->code[k->code_count++].origin = s;
    const char *wrong = sass_read(text, labels, i);
    if (wrong) complain(s, wrong);
    i->address = *address;
    *address += sass_size(text);
    i->next = *address;
}

/* A .word stands for the instruction in the comment beside it: a semicolon separates two half instructions. */
static char *next_instruction(const struct statement *s, const char **at) {
    skip_blanks(at);
    size_t length = strcspn(*at, ";");
    char *text = copy_text(*at, length);
    *at += length + ((*at)[length] == ';');
    if (sass_size(text) == 0) complain(s, "no instruction");
    return text;
}

static const char *instructions_of(const struct statement *s) {
    if (strncmp(s->text, ".word", 5) != 0) return s->text;
    if (!s->comment) complain(s, "no instruction beside the words");
    return s->comment;
}

static bool is_label(const struct statement *s) { return s->text[strlen(s->text) - 1] == ':'; }

static bool is_code(const struct statement *s) { return s->text[0] != '.' || strncmp(s->text, ".word", 5) == 0; }

static struct names find_labels(const struct source *source) {
    struct names labels = {0};
    uint32_t address = 0;
    for (size_t n = 0; n < source->count; n++) {
        const struct statement *s = &source->statements[n];
        if (is_label(s)) {
            labels.list = enlarge(labels.list, labels.count, sizeof *labels.list);
            struct name *label = &labels.list[labels.count++];
            *label = (struct name){.value = address};
            size_t length = strlen(s->text) - 1;
            if (length >= sizeof label->text) complain(s, "long name");
            memcpy(label->text, s->text, length);
        } else if (is_code(s)) {
            for (const char *at = instructions_of(s); *at;) {
                char *text = next_instruction(s, &at);
                address += sass_size(text);
                free(text);
            }
        }
    }
    return labels;
}

/* True if a thread can reach the place after the instruction. If so, the last instruction of a kernel without .end
 * carries END. */
static bool passes(const struct instruction *i) {
    switch (i->operation) {
    case OPERATION_RET:
    case OPERATION_BRA:
    case OPERATION_BRK: return i->condition != CONDITION_TRUE;
    case OPERATION_TRAP: return false;
    default: return true;
    }
}

void kernel_read(struct kernel *k, const char *path) {
    *k = (struct kernel){
        .grid = {1,  1},
          .block = { 1, 1, 1},
          .registers = REGISTERS, .global = new_memory(GLOBAL_BYTES)
    };
    for (size_t n = 0; n < BANKS; n++) k->constant[n] = new_memory(BANK_BYTES);
    source_read(&k->source, path);
    struct names labels = find_labels(&k->source);
    uint32_t address = 0;
    bool says_end = false;
    for (size_t n = 0; n < k->source.count; n++) {
        const struct statement *s = &k->source.statements[n];
        if (is_label(s)) continue;
        if (strcmp(s->text, ".end") == 0) {
            if (k->code_count == 0) complain(s, "no instruction before it");
            k->code[k->code_count - 1].instruction.ends = says_end = true;
        } else if (!is_code(s)) {
            read_directive(k, s);
        } else {
            for (const char *at = instructions_of(s); *at;) {
                char *text = next_instruction(s, &at);
                add_instruction(k, s, text, &labels, &address);
                free(text);
            }
        }
    }
    if (k->code_count == 0) fail(path, 0, "no instruction", "");
    if (!says_end && passes(&k->code[k->code_count - 1].instruction))
        k->code[k->code_count - 1].instruction.ends = true;
    free(labels.list);
}

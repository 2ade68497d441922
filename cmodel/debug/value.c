/* SPDX-License-Identifier: Apache-2.0 */
#include "value.h"

#include <stdio.h>
#include <string.h>

#include "../run/argument.h"

static const struct {
    const char *start;
    enum value_kind kind;
    uint64_t most;
    const char *expected; /* in place of a number out of range */
} KINDS[] = {
    {"R",       VALUE_REGISTER, 127,        "R0 to R127"   },
    {"A",       VALUE_ADDRESS,  4,          "A1 to A4"     },
    {"C",       VALUE_FLAGS,    3,          "C0 to C3"     },
    {"global[", VALUE_GLOBAL,   UINT32_MAX, "global[0x100]"},
    {"shared[", VALUE_SHARED,   UINT32_MAX, "shared[0x10]" },
    {"local[",  VALUE_LOCAL,    UINT32_MAX, "local[0x8]"   },
    {"const[",  VALUE_CONST,    UINT32_MAX, "const[1,0x4]" },
};

enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

bool value_has_lanes(const struct value *v) { return v->kind <= VALUE_FLAGS || v->kind == VALUE_LOCAL; }

unsigned value_digits(const struct value *v) {
    if (v->kind == VALUE_FLAGS) return 1;
    return v->kind == VALUE_LOW || v->kind == VALUE_HIGH || v->kind == VALUE_ADDRESS ? 4 : 8;
}

/* The text after the number: a half, or the bracket. */
static bool parse_end(struct value *v, const char **p) {
    if (v->kind >= VALUE_GLOBAL) return *(*p)++ == ']';
    if (v->kind == VALUE_REGISTER && (**p == 'L' || **p == 'H')) v->kind = *(*p)++ == 'L' ? VALUE_LOW : VALUE_HIGH;
    return v->kind != VALUE_ADDRESS || v->number > 0;
}

static bool parse_lane(struct value *v, const char *p, const char **why) {
    uint64_t lane;
    v->lane = -1;
    if (*p == '\0') return true;
    if (*p == '.') *why = value_has_lanes(v) ? "a lane from 0 to 31" : "no lane, as all share it";
    if (*p != '.' || !value_has_lanes(v) || !argument_number(p + 1, WARP_LANES - 1, &lane, NULL)) return false;
    v->lane = (int)lane;
    return true;
}

/* The kind that a text begins with: its index in KINDS, or the number of kinds if none. */
static size_t find_kind(const char *text) {
    size_t i = 0;
    while (i < KIND_COUNT && strncmp(text, KINDS[i].start, strlen(KINDS[i].start)) != 0) i++;
    return i;
}

/* The value that is meant by an operand in instruction syntax, whose number counts cells; NULL if it is no operand. */
static const char *meant_by(const char *text) {
    if (strncmp(text, "g[", 2) == 0) return "shared[0x10], with the address of a byte";
    return strncmp(text, "c[", 2) == 0 ? "const[1,0x4], with the address of a byte" : NULL;
}

bool value_parse(const char *text, struct value *v, const char **why) {
    uint64_t number, bank = 0;
    const size_t kind = find_kind(text);
    const char *meant = meant_by(text);
    *why = "R5, R5L, A1, C0, global[0x100], shared[0x10], local[0x8] or const[1,0x4], or one of these with its lane, "
           "R5.3;";
    if (meant != NULL) *why = meant;
    if (kind == KIND_COUNT) return false;
    *why = KINDS[kind].expected;
    const char *p = text + strlen(KINDS[kind].start);
    v->kind = KINDS[kind].kind;
    if (v->kind == VALUE_CONST && (!argument_number(p, IMAGE_CONST_BANKS - 1, &bank, &p) || *p++ != ',')) return false;
    if (!argument_number(p, KINDS[kind].most, &number, &p)) return false;
    v->number = (uint32_t)number;
    v->bank = (unsigned)bank;
    if (!parse_end(v, &p)) return false;
    snprintf(v->text, sizeof v->text, "%.*s", (int)(p - text), text);
    return parse_lane(v, p, why);
}

static bool fetch_word(const uint8_t *bytes, size_t size, uint32_t address, uint32_t *word) {
    if (bytes == NULL || address > size || size - address < sizeof *word) return false;
    memcpy(word, bytes + address, sizeof *word);
    return true;
}

bool value_fetch(struct model *m, const struct image *image, const struct machine *machine, unsigned sm, unsigned slot,
                 const struct value *v, unsigned lane, uint32_t *word) {
    struct model_warp warp;
    model_peek_warp(m, sm, slot, &warp);
    if (!warp.present && v->kind != VALUE_GLOBAL && v->kind != VALUE_CONST) return false;
    switch (v->kind) {
    case VALUE_REGISTER: *word = model_peek_reg(m, sm, slot, lane, v->number); break;
    case VALUE_LOW: *word = model_peek_reg(m, sm, slot, lane, v->number) & 0xffffu; break;
    case VALUE_HIGH: *word = model_peek_reg(m, sm, slot, lane, v->number) >> 16; break;
    case VALUE_ADDRESS: *word = model_peek_areg(m, sm, slot, lane, v->number); break;
    case VALUE_FLAGS: *word = model_peek_creg(m, sm, slot, lane, v->number); break;
    case VALUE_GLOBAL: return fetch_word(model_global(m), machine->global_bytes, v->number, word);
    case VALUE_SHARED: return fetch_word(model_shared(m, sm, slot), image->shared_bytes, v->number, word);
    case VALUE_LOCAL: return fetch_word(model_local(m, sm, slot, lane), image->local_bytes, v->number, word);
    case VALUE_CONST: return fetch_word(image->bank[v->bank].bytes, image->bank[v->bank].size, v->number, word);
    }
    return true;
}

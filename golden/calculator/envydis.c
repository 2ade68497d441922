/* SPDX-License-Identifier: Apache-2.0 */
#include "envydis.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* sub is a - b, subr b - a. */
static const struct verb {
    const char *name;
    enum operation operation;
    enum logic logic;
    bool minus_first, minus_last;
} VERBS[] = {
    {"add",  OPERATION_IADD,   0,            false, false},
    {"sub",  OPERATION_IADD,   0,            false, true },
    {"subr", OPERATION_IADD,   0,            true,  false},
    {"addc", OPERATION_IADD,   0,            false, false},
    {"mul",  OPERATION_IMUL,   0,            false, false},
    {"sad",  OPERATION_ISAD,   0,            false, false},
    {"min",  OPERATION_IMIN,   0,            false, false},
    {"max",  OPERATION_IMAX,   0,            false, false},
    {"set",  OPERATION_ISET,   0,            false, false},
    {"shl",  OPERATION_SHL,    0,            false, false},
    {"shr",  OPERATION_SHR,    0,            false, false},
    {"and",  OPERATION_LOP,    LOGIC_AND,    false, false},
    {"or",   OPERATION_LOP,    LOGIC_OR,     false, false},
    {"xor",  OPERATION_LOP,    LOGIC_XOR,    false, false},
    {"mov2", OPERATION_LOP,    LOGIC_PASS_B, false, false},
    {"cvt",  OPERATION_I2I,    0,            false, false},
    {"ld",   OPERATION_ATOMIC, 0,            false, false},
    {"red",  OPERATION_ATOMIC, 0,            false, false},
    {"cas",  OPERATION_ATOMIC, 0,            false, false},
    {"exch", OPERATION_ATOMIC, 0,            false, false},
};

static const struct {
    const char *name;
    uint32_t relations;
} COMPARISONS[] = {
    {"never",  0                     },
    {"l",      LESS                  },
    {"e",      EQUAL                 },
    {"le",     LESS | EQUAL          },
    {"g",      GREATER               },
    {"lg",     LESS | GREATER        },
    {"ge",     GREATER | EQUAL       },
    {"always", LESS | EQUAL | GREATER},
};

/* The operation of an atomic: the verb itself, or the word behind ld and red. */
static const struct {
    const char *name;
    enum atomic atomic;
    enum logic logic;
} ATOMICS[] = {
    {"add",  ATOMIC_IADD,  0        },
    {"inc",  ATOMIC_INC,   0        },
    {"dec",  ATOMIC_DEC,   0        },
    {"max",  ATOMIC_IMAX,  0        },
    {"min",  ATOMIC_IMIN,  0        },
    {"cas",  ATOMIC_CAS,   0        },
    {"exch", ATOMIC_EXCH,  0        },
    {"and",  ATOMIC_LOGIC, LOGIC_AND},
    {"or",   ATOMIC_LOGIC, LOGIC_OR },
    {"xor",  ATOMIC_LOGIC, LOGIC_XOR},
};

/* b32 u16 s24 ...: b is unsigned */
static bool read_type(const char *word, struct type *type) {
    if (!strchr("bus", word[0]) || word[1] < '0' || word[1] > '9') return false;
    *type = (struct type){(int)strtol(word + 1, NULL, 10), word[0] == 's'};
    return true;
}

/* $r4 $r4l $r4h 0x10 g14[$r0] */
static bool read_operand(const char *word, struct operand *o) {
    if (word[0] == '0') {
        o->kind = OPERAND_IMMEDIATE;
        o->number = (uint32_t)strtoul(word, NULL, 0);
        return true;
    }
    if (word[0] == 'g' && strchr(word, '$')) {
        *o = (struct operand){.kind = OPERAND_GLOBAL, .number = (uint32_t)strtoul(strchr(word, '$') + 2, NULL, 10)};
        return true;
    }
    if (strncmp(word, "$r", 2) != 0) return false;
    char *end = NULL;
    o->number = (uint32_t)strtoul(word + 2, &end, 10);
    o->kind = *end ? OPERAND_HALF : OPERAND_REGISTER;
    if (*end) o->number = 2 * o->number + (*end == 'h');
    return true;
}

/* Modifiers of the next operand. */
struct pending {
    bool inverted, negated, absolute;
    struct operand comparison;
};

/* An operand, which takes the pending modifiers, or a comparison. */
static const char *read_other(const char *word, struct instruction *i, struct pending *next) {
    if (i->operand_count < MAX_OPERANDS && read_operand(word, &i->operands[i->operand_count])) {
        struct operand *o = &i->operands[i->operand_count++];
        if (i->operand_count == 1) return NULL; /* neg and abs of a conversion precede the destination */
        o->inverted = next->inverted;
        o->negated = next->negated;
        o->absolute = next->absolute;
        next->inverted = next->negated = next->absolute = false;
        return NULL;
    }
    for (size_t n = 0; n < sizeof COMPARISONS / sizeof *COMPARISONS; n++) {
        if (strcmp(word, COMPARISONS[n].name) != 0) continue;
        next->comparison = (struct operand){.kind = OPERAND_COMPARISON, .number = COMPARISONS[n].relations};
        return NULL;
    }
    return "unknown word";
}

static bool read_atomic(const char *word, struct instruction *i) {
    if (i->operation != OPERATION_ATOMIC) return false;
    for (size_t n = 0; n < sizeof ATOMICS / sizeof *ATOMICS; n++) {
        if (strcmp(word, ATOMICS[n].name) != 0) continue;
        i->atomic = ATOMICS[n].atomic;
        i->logic = ATOMICS[n].logic;
        return true;
    }
    return false;
}

static const char *read_word(const char *word, struct instruction *i, struct pending *next) {
    struct type type = {0};
    if (read_atomic(word, i)) return NULL;
    if (strcmp(word, "sat") == 0)
        i->saturated = true;
    else if (strcmp(word, "high") == 0)
        i->high = true;
    else if (strcmp(word, "not") == 0)
        next->inverted = true;
    else if (strcmp(word, "neg") == 0)
        next->negated = true;
    else if (strcmp(word, "abs") == 0)
        next->absolute = true;
    else if (strcmp(word, "mul") == 0)
        i->operation = OPERATION_IMAD;
    else if (read_type(word, &type))
        i->types[i->types[0].bits ? 1 : 0] = type;
    else if (strncmp(word, "$c", 2) == 0)
        *(i->operand_count ? &i->carry : &i->flags) = word[2] - '0';
    else
        return read_other(word, i, next);
    return NULL;
}

/* A type of 8 bits: the low byte of a source, an 8-bit range of a destination; the register is wider. */
static bool widen(struct type *type, const struct operand *o) {
    if (type->bits != 8) return false;
    type->bits = o->kind == OPERAND_HALF ? 16 : 32;
    return true;
}

static const char *complete(const struct verb *verb, const struct pending *next, struct instruction *i) {
    struct operand *o = i->operands;
    if (i->operand_count < 2) return "too few operands";
    if (verb->minus_first) o[1].negated = true;
    if (verb->minus_last) o[i->operand_count - 1].negated = true;
    if (i->operation == OPERATION_ISET) o[i->operand_count++] = next->comparison;
    if (i->operation == OPERATION_IMUL && i->types[1].bits == 0) i->types[1] = i->types[0];
    if (i->operation == OPERATION_I2I) {
        if (widen(&i->types[0], &o[0])) i->saturated = true;
        i->low_byte = widen(&i->types[1], &o[1]);
    }
    return NULL;
}

const char *envydis_read(const char *text, struct instruction *i) {
    char *words = copy_text(text, strlen(text)), *rest = NULL;
    const char *wrong = NULL;
    const struct verb *verb = VERBS, *end = VERBS + sizeof VERBS / sizeof *VERBS;
    struct pending next = {0};
    char *word = strtok_r(words, " ()", &rest);
    while (word && verb < end && strcmp(word, verb->name) != 0) verb++;
    if (!word || verb == end) {
        wrong = "unknown instruction";
    } else {
        *i = (struct instruction){.operation = verb->operation,
                                  .logic = verb->logic,
                                  .carry = -1,
                                  .flags = -1,
                                  .lanes = 15,
                                  .condition = CONDITION_TRUE};
        read_atomic(verb->name, i);
        while (!wrong && (word = strtok_r(NULL, " ()", &rest)) != NULL) wrong = read_word(word, i, &next);
        if (!wrong) wrong = complete(verb, &next, i);
    }
    free(words);
    return wrong;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The coverage space: bins, each named section/group/item. The bins of instructions come from the instruction table, so
 * that a new row or option must be covered from the start.
 *
 *     struct space *space = space_create();
 *     const uint32_t bin = space->row[insn.row].guard + GUARD_MIXED;
 *     char name[SPACE_NAME_MAX];
 *     if (space_exists(space, bin)) puts(space_name(space, bin, name));        // "guards/iadd_32_add_rr/mixed"
 *     space_destroy(space);
 *
 * Bins form blocks: consecutive numbers of one section and group. A block may have holes, values that are reserved or
 * impossible: such a bin does not exist. */
#ifndef WARPSTEP_COVERAGE_SPACE_H
#define WARPSTEP_COVERAGE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SPACE_NAME_MAX = 96,
    SPACE_FIELDS = 20, /* most fields of a format */
    SPACE_NONE = 0,    /* in place of a block's first bin: no such block; bin 0 is unused */
};

enum section {
    SECTION_ROWS,     /* rows of the instruction table */
    SECTION_OPTIONS,  /* row x option x value */
    SECTION_OPERANDS, /* row x operand x kind of register or number */
    SECTION_GUARDS,   /* row x lanes with a true guard */
    SECTION_FLAGS,    /* row x nibble written */
    SECTION_MASKS,    /* row x shape of the active mask */
    SECTION_VALUES,   /* row of floating point x classes of its sources, of its result; option x class */
    SECTION_PAIRS,    /* hazard x classes of two instructions x distance */
    SECTION_STACK,    /* depths, sequences of tokens */
    SECTION_BARRIERS,
    SECTION_BANKS, /* passes that shared accesses take */
    SECTION_LINES, /* lines that global accesses touch, and the order of lanes */
    SECTION_TRAPS,
    SECTION_COUNT
};

enum guard_bin { GUARD_NONE, GUARD_ALL, GUARD_MIXED, GUARD_NOBODY, GUARD_BINS };
enum mask_bin { MASK_FULL, MASK_LAST_WARP, MASK_FIRST_HALF, MASK_SINGLE, MASK_ALTERNATING, MASK_OTHER, MASK_BINS };
enum reg_bin { REG_LOW, REG_HIGH, REG_ZERO, REG_TOP, REG_BINS }; /* R0..R63, up to R126, R124, R127 */
enum number_bin { NUMBER_ZERO, NUMBER_OTHER, NUMBER_ONES, NUMBER_BINS };
enum same_bin { SAME_D_A, SAME_D_B, SAME_A_B, SAME_BINS }; /* registers of a word that are equal */

/* The class of a source or result of floating point. Integers have only the first few. */
enum value_class {
    VALUE_ZERO,
    VALUE_MINUS_ZERO,
    VALUE_NORMAL,
    VALUE_MINUS_NORMAL,
    VALUE_DENORMAL,
    VALUE_MINUS_DENORMAL,
    VALUE_INFINITY,
    VALUE_MINUS_INFINITY,
    VALUE_NAN,
    VALUE_CLASSES,
    INTEGER_ZERO = 0,
    INTEGER_POSITIVE,
    INTEGER_NEGATIVE, /* its top bit is set */
    INTEGER_MOST,     /* all bits but the top one */
    INTEGER_LEAST,    /* the top bit alone */
    INTEGER_CLASSES
};
enum { VALUE_SOURCES = 3 };

struct value_kind {
    bool is_integer;
    uint8_t bits; /* 0: no such source or result in a register */
};

/* Two instructions of a warp, 1 .. PAIR_DISTANCES apart, the second dependent on the first. */
enum class { CLASS_ALU, CLASS_SHARED, CLASS_LOAD, CLASS_STORE, CLASS_FLOW, CLASS_COUNT };
enum resource { RESOURCE_R, RESOURCE_HALF, RESOURCE_PART, RESOURCE_C, RESOURCE_A, RESOURCE_COUNT };
enum hazard { HAZARD_RAW, HAZARD_WAW, HAZARD_WAR, HAZARD_COUNT };
enum { PAIR_DISTANCES = 8 };

enum { STACK_DEPTHS = 65, TOKENS = 4, EVENTS = 2 * TOKENS }; /* an event: token * 2, plus 1 when it is popped */

enum barrier_order { ORDER_ALONE, ORDER_ASCENDING, ORDER_DESCENDING, ORDER_MIXED, ORDER_BINS };
enum barrier_event { BARRIER_BY_ARRIVAL, BARRIER_BY_EXIT, BARRIER_AGAIN, BARRIER_TWO_IDS, BARRIER_EVENTS };
enum { BARRIERS = 16, BARRIER_WARPS = 32 };

enum { CORE_COUNTS = 3 }; /* 8, 16, 32 */
enum bank_access { BANK_OPERAND, BANK_LOAD, BANK_STORE, BANK_ACCESSES };
enum { BANK_BROADCAST = 0, BANK_BINS = 33 }; /* item n: n passes */

enum line_access { LINE_LOAD, LINE_STORE, LINE_ATOMIC, LINE_ACCESSES };
enum { LINE_SIZES = 5, LINE_COUNTS = 6 }; /* 1, 2, 3..4, 5..8, 9..16, 17..32 lines; sizes 1, 2, 4, 8, 16 */
enum line_order { LINE_SAME, LINE_ASCENDING, LINE_DESCENDING, LINE_STRIDE, LINE_MIXED, LINE_ORDERS };

/* The kind of operation that trapped, for each cause. */
enum trap_bin {
#define TRAP_BIN(name, text) TRAP_BIN_##name,
#include "traps.def"
#undef TRAP_BIN
    TRAP_BINS
};

/* First bins of the blocks of a row; SPACE_NONE if the row has no such block. */
struct row_space {
    bool executes; /* this machine executes the row; otherwise it has the bin `trapped` alone */
    uint32_t executed, trapped, guard, flags, mask, same;
    uint32_t field[SPACE_FIELDS]; /* option or operand, by its place in the format */
    struct value_kind source_kind[VALUE_SOURCES], result_kind;
    uint32_t source[VALUE_SOURCES], result;
    uint32_t both;                  /* class of the first source x class of the second */
    uint8_t crossed_source;         /* the first source in a register that is not written */
    uint32_t crossed[SPACE_FIELDS]; /* option x class of that source, by the option's place */
};

struct block {
    uint32_t first;
    uint16_t count;
    uint8_t section;
    uint16_t row;    /* or the index of another group */
    uint8_t part;    /* block of the group, by section */
    uint64_t exists; /* bit n: item n exists; blocks of more than 64 items have no holes */
};

struct space {
    size_t rows;
    struct row_space *row;
    struct block *blocks;
    size_t block_count;
    uint32_t bins; /* numbers, including holes */
    uint32_t pairs[HAZARD_COUNT][RESOURCE_COUNT][CLASS_COUNT][CLASS_COUNT];
    uint32_t depths, token_pairs, token_triples;
    uint32_t barrier_ids, barrier_warps, barrier_orders, barrier_events;
    uint32_t banks[CORE_COUNTS][BANK_ACCESSES];
    uint32_t lines[LINE_ACCESSES][LINE_SIZES], orders[LINE_ACCESSES][LINE_SIZES];
    uint32_t traps;
};

struct space *space_create(void); /* NULL if out of memory */
void space_destroy(struct space *space);

bool space_exists(const struct space *space, uint32_t bin);
enum section space_section(const struct space *space, uint32_t bin);
const char *space_name(const struct space *space, uint32_t bin, char name[SPACE_NAME_MAX]);
const char *space_section_name(enum section section);  /* "rows" */
const char *space_section_title(enum section section); /* for people */

/* The item of a field's block for a value; -1: none. `width`: bits of the field. */
int space_field_item(unsigned field_id, uint32_t value);

/* The class of a value; upper bits beyond its kind are ignored. */
unsigned space_value_class(struct value_kind kind, uint32_t value);

/* A number that changes with the names and numbers of the bins: files of another space are unusable. */
uint64_t space_fingerprint(const struct space *space);

#endif

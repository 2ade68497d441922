/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of the bins and their names, see space.h. */
#include "space.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../assembler/isa/isa.h"
#include "../../spec/table.h"

enum { OPTION_BITS_MAX = 5, OFFSET_BITS_SMALL = 7 };

/* The kinds of a row's blocks; the blocks of its fields follow. */
enum row_part { PART_FIRST, PART_FIELDS };

/* Likewise for its values: the three sources come first. */
enum value_part { PART_BOTH = VALUE_SOURCES, PART_RESULT, PART_CROSSED };

static const struct {
    const char *name, *title;
} SECTIONS[SECTION_COUNT] = {
    [SECTION_ROWS] = {"rows",     "Rows of the instruction table"                                           },
    [SECTION_OPTIONS] = {"options",  "Formats x options: each value of each option of each row"                },
    [SECTION_OPERANDS] = {"operands", "Rows x operands: registers, halves, numbers, registers that are one"     },
    [SECTION_GUARDS] = {"guards",   "Rows x guard: none, true for all, for a part, for nobody"                },
    [SECTION_FLAGS] = {"flags",    "Rows x nibbles written to a C register"                                  },
    [SECTION_MASKS] = {"masks",    "Rows x shape of the active mask"                                         },
    [SECTION_VALUES] = {"values",   "Floating point: rows x classes of sources and results, options x classes"},
    [SECTION_PAIRS] = {"pairs",    "Dependent instructions by distance"                                      },
    [SECTION_STACK] = {"stack",    "Warp stack: depths, sequences of tokens"                                 },
    [SECTION_BARRIERS] = {"barriers", "Barriers: ids, warps, order of arrivals"                                 },
    [SECTION_BANKS] = {"banks",    "Shared memory: passes of an access"                                      },
    [SECTION_LINES] = {"lines",    "Global memory: lines of an access, order of the lanes"                   },
    [SECTION_TRAPS] = {"traps",    "Traps by cause, and rows that are not executed"                          },
};

const char *space_section_name(enum section section) { return SECTIONS[section].name; }
const char *space_section_title(enum section section) { return SECTIONS[section].title; }

/* ---------------------------------------------------------------------------------------------------------- fields */

static uint64_t first_bits(unsigned count) { return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1; }

static bool is_number(const struct field *f) {
    return (f->kind == KIND_HEX || f->kind == KIND_SHEX) && field_width(f) > OPTION_BITS_MAX;
}

static bool is_offset(const struct field *f) {
    return f->name == ISA_FIELD_goff || f->name == ISA_FIELD_coff || f->name == ISA_FIELD_loff;
}

/* Registers and numbers; all other fields are options. */
static bool is_operand(const struct field *f) {
    const bool reg = f->kind == KIND_REG32 || f->kind == KIND_REG16 || f->kind == KIND_REG16B;
    return reg || is_number(f) || is_offset(f) || f->kind == KIND_TARGET;
}

/* A field that texts never show counts as zero or nonzero. */
static bool is_two_valued(const struct field *f) { return f->kind == KIND_HIDDEN; }

static unsigned reg_item(uint32_t number) {
    if (number < 64) return REG_LOW;
    return number == 124 ? REG_ZERO : number == 127 ? REG_TOP : REG_HIGH;
}

static unsigned number_item(const struct field *f, uint32_t value) {
    const uint32_t ones = (uint32_t)(((uint64_t)1 << field_width(f)) - 1);
    return value == 0 ? NUMBER_ZERO : value == ones ? NUMBER_ONES : NUMBER_OTHER;
}

int space_field_item(unsigned field_id, uint32_t value) {
    const struct field *f = &isa_fields[field_id];
    switch ((enum field_kind)f->kind) {
    case KIND_REG32: return (int)reg_item(value);
    case KIND_REG16:
    case KIND_REG16B: return (int)(value & 1);
    case KIND_TARGET: return -1; /* forward or backward: the word alone does not tell */
    default: break;
    }
    if (is_operand(f)) return (int)number_item(f, value);
    return is_two_valued(f) ? value != 0 : (int)value;
}

/* A target is ahead or behind. */
static unsigned operand_items(const struct field *f, uint64_t *exists) {
    if (f->kind == KIND_REG32) {
        *exists = field_width(f) == 7 ? first_bits(REG_BINS) : 1;
        return REG_BINS;
    }
    const bool has_ones = !is_offset(f) || field_width(f) <= OFFSET_BITS_SMALL;
    const unsigned count = is_number(f) || is_offset(f) ? NUMBER_BINS : 2;
    *exists = first_bits(count == NUMBER_BINS && !has_ones ? NUMBER_ONES : count);
    return count;
}

static bool is_executed_value(const struct field *f, uint32_t value) {
    size_t length;
    switch ((enum field_kind)f->kind) {
    case KIND_ENUM: return field_spelling(f, value, &length) != NULL;
    case KIND_AREG: return value <= 4;
    default: return f->name != ISA_FIELD_mark || value <= ISA_MARK_JOIN;
    }
}

static unsigned option_items(const struct field *f, uint64_t *exists) {
    if (is_two_valued(f)) {
        *exists = first_bits(2);
        return 2;
    }
    *exists = 0;
    for (uint32_t v = 0; v < 1u << field_width(f); v++)
        if (is_executed_value(f, v)) *exists |= (uint64_t)1 << v;
    return 1u << field_width(f);
}

/* ---------------------------------------------------------------------------------------------------------- layout */

static uint32_t add_block(struct space *s, enum section section, size_t row, unsigned part, unsigned count,
                          uint64_t exists) {
    if (s->blocks == NULL) { /* only counted */
        s->block_count++;
        return SPACE_NONE;
    }
    s->blocks[s->block_count++] = (struct block){.first = s->bins,
                                                 .count = (uint16_t)count,
                                                 .section = (uint8_t)section,
                                                 .row = (uint16_t)row,
                                                 .part = (uint8_t)part,
                                                 .exists = exists};
    s->bins += count;
    return s->bins - count;
}

static uint32_t add_whole(struct space *s, enum section section, size_t row, unsigned part, unsigned count) {
    return add_block(s, section, row, part, count, first_bits(count));
}

static bool row_executes(const struct row *row) {
    const enum isa_unit unit = isa_op_unit((enum isa_op)row->op);
    const bool graphics = row->op == OP_KIL || row->op == OP_QUADON || row->op == OP_QUADPOP;
    return unit != UNIT_TEXTURE && !isa_unit_is_extension(unit) && !graphics;
}

static bool row_has(size_t row, enum isa_field name) { return isa_row_field_bits(row, name) != 0; }

/* Pairs among the registers d, a and b of a row that can be equal. */
static uint64_t same_items(size_t row) {
    int kind[3] = {-1, -1, -1};
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && row_format(row)->field[i] != NO_FIELD; i++) {
        const struct field *f = &isa_fields[row_format(row)->field[i]];
        if (f->kind != KIND_REG32 && f->kind != KIND_REG16) continue;
        if (f->name == ISA_FIELD_d) kind[0] = f->kind;
        if (f->name == ISA_FIELD_a) kind[1] = f->kind;
        if (f->name == ISA_FIELD_b) kind[2] = f->kind;
    }
    uint64_t items = 0;
    if (kind[0] >= 0 && kind[0] == kind[1]) items |= 1u << SAME_D_A;
    if (kind[0] >= 0 && kind[0] == kind[2]) items |= 1u << SAME_D_B;
    if (kind[1] >= 0 && kind[1] == kind[2]) items |= 1u << SAME_A_B;
    return items;
}

/* The fields of a row that belong to the section: the bins of a group are adjacent. */
static void add_fields(struct space *s, enum section section, size_t row, struct row_space *bins) {
    const struct format *format = row_format(row);
    for (unsigned i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
        const struct field *f = &isa_fields[format->field[i]];
        if (is_operand(f) != (section == SECTION_OPERANDS)) continue;
        uint64_t exists;
        const unsigned count = is_operand(f) ? operand_items(f, &exists) : option_items(f, &exists);
        bins->field[i] = add_block(s, section, row, PART_FIELDS + i, count, exists);
    }
}

/* ---------------------------------------------------------------------------------------------------------- values */

unsigned space_value_class(struct value_kind kind, uint32_t value) {
    const uint32_t top = (uint32_t)1 << (kind.bits - 1);
    const uint32_t magnitude = value & (top - 1), sign = (value & top) != 0;
    if (kind.is_integer) {
        if (magnitude == 0) return sign != 0 ? INTEGER_LEAST : INTEGER_ZERO;
        return sign != 0 ? INTEGER_NEGATIVE : magnitude == top - 1 ? INTEGER_MOST : INTEGER_POSITIVE;
    }
    const uint32_t infinity = kind.bits == 16 ? 0x7c00 : 0x7f800000, one = kind.bits == 16 ? 0x400 : 0x800000;
    if (magnitude > infinity) return VALUE_NAN;
    if (magnitude == infinity) return VALUE_INFINITY + sign;
    return (magnitude == 0 ? VALUE_ZERO : magnitude < one ? VALUE_DENORMAL : VALUE_NORMAL) + sign;
}

static uint64_t classes_of(struct value_kind kind) {
    return first_bits(kind.is_integer ? INTEGER_CLASSES : VALUE_CLASSES);
}

static bool is_register(const struct isa_operand *o) { return o->kind == ISA_REG32 || o->kind == ISA_REG16; }

/* 32-bit results are never denormal, except those that FCMP passes through; FSET gives all ones or zero. RRO gives a
 * sign and a fixed point. */
static uint64_t results_of(enum isa_op op, struct value_kind kind) {
    if (op == OP_FSET) return 1 << INTEGER_ZERO | 1 << INTEGER_NEGATIVE;
    if (op == OP_I2F)
        return first_bits(VALUE_NAN) & ~(UINT64_C(1) << VALUE_DENORMAL | UINT64_C(1) << VALUE_MINUS_DENORMAL);
    if (op == OP_RRO) return classes_of(kind) & ~(UINT64_C(1) << INTEGER_MOST);
    const bool denormals = kind.is_integer || kind.bits == 16 || op == OP_FCMP;
    return classes_of(kind) & ~(denormals ? 0 : UINT64_C(1) << VALUE_DENORMAL | UINT64_C(1) << VALUE_MINUS_DENORMAL);
}

/* Options that change the result. */
static bool is_arithmetic(const struct field *f) {
    const bool modifier = f->name >= ISA_FIELD_na && f->name <= ISA_FIELD_sat;
    return modifier || f->name == ISA_FIELD_cmp || (f->name >= ISA_FIELD_rnd && f->name <= ISA_FIELD_fn);
}

static void add_crossed(struct space *s, size_t row, struct row_space *bins) {
    const struct format *format = row_format(row);
    const uint64_t classes = classes_of(bins->source_kind[bins->crossed_source]);
    for (unsigned i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
        const struct field *f = &isa_fields[format->field[i]];
        if (!is_arithmetic(f)) continue;
        const unsigned values = 1u << field_width(f);
        uint64_t exists = 0;
        for (unsigned v = 0; v < values && values * VALUE_CLASSES <= 64; v++) exists |= classes << VALUE_CLASSES * v;
        bins->crossed[i] = add_block(s, SECTION_VALUES, row, PART_CROSSED + i, values * VALUE_CLASSES, exists);
    }
}

static void add_values(struct space *s, size_t row, const struct isa_insn *insn, struct row_space *bins) {
    bins->crossed_source = VALUE_SOURCES;
    for (unsigned i = VALUE_SOURCES; i-- > 0;) {
        if (!is_register(&insn->src[i])) continue;
        const unsigned bytes = insn->src[i].bytes;
        bins->source_kind[i] = (struct value_kind){insn->op == OP_I2F, (uint8_t)(8 * bytes)};
        if (i < 2 || row_has(row, ISA_FIELD_c)) bins->crossed_source = (uint8_t)i;
    }
    for (unsigned i = 0; i < VALUE_SOURCES; i++)
        if (bins->source_kind[i].bits != 0)
            bins->source[i] = add_block(s, SECTION_VALUES, row, i, VALUE_CLASSES, classes_of(bins->source_kind[i]));
    if (bins->source_kind[0].bits != 0 && bins->source_kind[1].bits != 0)
        bins->both = add_whole(s, SECTION_VALUES, row, PART_BOTH, VALUE_CLASSES * VALUE_CLASSES);
    bins->result_kind = (struct value_kind){insn->op == OP_F2I || insn->op == OP_FSET || insn->op == OP_RRO,
                                            (uint8_t)(insn->dst.kind == ISA_REG16 ? 16 : 32)};
    bins->result =
        add_block(s, SECTION_VALUES, row, PART_RESULT, VALUE_CLASSES, results_of(insn->op, bins->result_kind));
    if (bins->crossed_source < VALUE_SOURCES) add_crossed(s, row, bins);
}

static void add_row(struct space *s, size_t row, struct row_space *bins) {
    *bins = (struct row_space){.executes = row_executes(&isa_rows[row])};
    if (!bins->executes) {
        bins->trapped = add_whole(s, SECTION_TRAPS, row, PART_FIRST, 1);
        return;
    }
    bins->executed = add_whole(s, SECTION_ROWS, row, PART_FIRST, 1);
    add_fields(s, SECTION_OPTIONS, row, bins);
    add_fields(s, SECTION_OPERANDS, row, bins);
    if (same_items(row) != 0) bins->same = add_block(s, SECTION_OPERANDS, row, PART_FIRST, SAME_BINS, same_items(row));
    uint32_t lo, hi;
    struct isa_fields fields;
    struct isa_insn insn;
    isa_default_fields(row, &fields);
    const bool decodes = isa_encode(row, &fields, &lo, &hi) && isa_decode(lo, hi, &insn) == ISA_OK;
    if (decodes && insn.guarded) bins->guard = add_whole(s, SECTION_GUARDS, row, PART_FIRST, GUARD_BINS);
    if (row_has(row, ISA_FIELD_ce)) bins->flags = add_whole(s, SECTION_FLAGS, row, PART_FIRST, 16);
    bins->mask = add_whole(s, SECTION_MASKS, row, PART_FIRST, MASK_BINS);
    if (decodes && (insn.unit == UNIT_FLOAT || insn.unit == UNIT_SFU)) add_values(s, row, &insn, bins);
}

static bool class_writes(enum class c, enum resource r) {
    switch (r) {
    case RESOURCE_R: return c <= CLASS_LOAD;
    case RESOURCE_PART: return c <= CLASS_LOAD;
    case RESOURCE_HALF:
    case RESOURCE_C: return c <= CLASS_SHARED;
    case RESOURCE_A: return c != CLASS_FLOW;
    default: return false;
    }
}

static bool class_reads(enum class c, enum resource r) {
    if (r == RESOURCE_HALF) return c == CLASS_ALU || c == CLASS_SHARED || c == CLASS_STORE;
    return r == RESOURCE_C || r == RESOURCE_A || c != CLASS_FLOW;
}

/* Loads name whole registers, so two of them never share only a part. */
static bool pair_exists(enum hazard h, enum resource r, enum class first, enum class second) {
    if (r == RESOURCE_PART && first == CLASS_LOAD && second == CLASS_LOAD) return false;
    const bool first_does = h == HAZARD_WAR ? class_reads(first, r) : class_writes(first, r);
    return first_does && (h == HAZARD_RAW ? class_reads(second, r) : class_writes(second, r));
}

static void add_pairs(struct space *s) {
    for (unsigned h = 0; h < HAZARD_COUNT; h++)
        for (unsigned r = 0; r < RESOURCE_COUNT; r++)
            for (unsigned first = 0; first < CLASS_COUNT; first++)
                for (unsigned second = 0; second < CLASS_COUNT; second++)
                    if (pair_exists((enum hazard)h, (enum resource)r, (enum class)first, (enum class)second))
                        s->pairs[h][r][first][second] = add_whole(s, SECTION_PAIRS, h * RESOURCE_COUNT + r,
                                                                  first * CLASS_COUNT + second, PAIR_DISTANCES);
}

static void add_memories(struct space *s) {
    for (unsigned cores = 0; cores < CORE_COUNTS; cores++)
        for (unsigned access = 0; access < BANK_ACCESSES; access++)
            s->banks[cores][access] =
                add_block(s, SECTION_BANKS, cores, access, BANK_BINS, first_bits((8u << cores) + 1));
    for (unsigned access = 0; access < LINE_ACCESSES; access++)
        for (unsigned size = 0; size < LINE_SIZES; size++) {
            if (access == LINE_ATOMIC && size != 2) continue; /* words only */
            s->lines[access][size] = add_whole(s, SECTION_LINES, access * LINE_SIZES + size, 0, LINE_COUNTS);
            s->orders[access][size] = add_whole(s, SECTION_LINES, access * LINE_SIZES + size, 1, LINE_ORDERS);
        }
}

static void lay_out(struct space *s) {
    s->block_count = 0;
    s->bins = 1; /* SPACE_NONE */
    for (size_t row = 0; row < s->rows; row++) add_row(s, row, &s->row[row]);
    add_pairs(s);
    s->depths = add_whole(s, SECTION_STACK, 0, 0, STACK_DEPTHS);
    s->token_pairs = add_whole(s, SECTION_STACK, 1, 0, EVENTS * EVENTS);
    s->token_triples = add_whole(s, SECTION_STACK, 2, 0, EVENTS * EVENTS * EVENTS);
    s->barrier_ids = add_whole(s, SECTION_BARRIERS, 0, 0, 2 * BARRIERS);
    s->barrier_warps = add_whole(s, SECTION_BARRIERS, 1, 0, BARRIER_WARPS);
    s->barrier_orders = add_whole(s, SECTION_BARRIERS, 2, 0, ORDER_BINS);
    s->barrier_events = add_whole(s, SECTION_BARRIERS, 3, 0, BARRIER_EVENTS);
    add_memories(s);
    s->traps = add_whole(s, SECTION_TRAPS, s->rows, 0, TRAP_BINS);
}

struct space *space_create(void) {
    struct space *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->rows = isa_rows_count;
    s->row = calloc(s->rows, sizeof *s->row);
    if (s->row != NULL) {
        lay_out(s);
        s->blocks = calloc(s->block_count, sizeof *s->blocks);
    }
    if (s->blocks == NULL) {
        space_destroy(s);
        return NULL;
    }
    lay_out(s);
    return s;
}

void space_destroy(struct space *s) {
    if (s == NULL) return;
    free(s->row);
    free(s->blocks);
    free(s);
}

/* ----------------------------------------------------------------------------------------------------------- names */

/* Blocks are in the order of their bins. */
static const struct block *find_block(const struct space *s, uint32_t bin) {
    size_t low = 0, high = s->block_count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (s->blocks[middle].first <= bin)
            low = middle;
        else
            high = middle;
    }
    return &s->blocks[low];
}

bool space_exists(const struct space *s, uint32_t bin) {
    if (bin == SPACE_NONE || bin >= s->bins) return false;
    const struct block *b = find_block(s, bin);
    return b->count > 64 || (b->exists >> (bin - b->first) & 1) != 0;
}

enum section space_section(const struct space *s, uint32_t bin) { return (enum section)find_block(s, bin)->section; }

static void name_field(const struct block *b, unsigned item, char *text, size_t size) {
    static const char *const regs[] = {"low", "high", "R124", "R127"};
    static const char *const numbers[] = {"zero", "other", "ones"};
    const struct field *f = &isa_fields[row_format(b->row)->field[b->part - PART_FIELDS]];
    const char *name = isa_field_name((enum isa_field)f->name);
    size_t length = 0;
    const char *spelling = f->kind == KIND_ENUM ? field_spelling(f, item, &length) : NULL;
    if (f->kind == KIND_REG32)
        snprintf(text, size, "%s=%s", name, regs[item]);
    else if (f->kind == KIND_REG16 || f->kind == KIND_REG16B)
        snprintf(text, size, "%s=%s-half", name, item == 0 ? "low" : "high");
    else if (f->kind == KIND_TARGET)
        snprintf(text, size, "%s=%s", name, item == 0 ? "ahead" : "behind");
    else if (is_operand(f))
        snprintf(text, size, "%s=%s", name, numbers[item]);
    else if (is_two_valued(f))
        snprintf(text, size, "%s=%s", name, item == 0 ? "zero" : "nonzero");
    else if (f->kind == KIND_COND)
        snprintf(text, size, "%s=%s", name, isa_cond_name(item));
    else if (spelling != NULL && length > 0)
        snprintf(text, size, "%s=%.*s", name, (int)length, spelling);
    else
        snprintf(text, size, "%s=%u", name, item);
}

static void name_value(const struct space *s, const struct block *b, unsigned item, char *text, size_t size) {
    static const char *const floats[] = {"+0",        "-0",        "+normal",   "-normal", "+denormal",
                                         "-denormal", "+infinity", "-infinity", "nan"};
    static const char *const integers[INTEGER_CLASSES] = {"zero", "positive", "negative", "most", "least"};
    static const char *const sources[] = {"a", "b", "c"};
    const struct row_space *row = &s->row[b->row];
    const unsigned source = b->part >= PART_CROSSED ? row->crossed_source : b->part;
    const struct value_kind kind = b->part == PART_RESULT ? row->result_kind : row->source_kind[source % PART_BOTH];
    const char *const *names = kind.is_integer ? integers : floats;
    const char *class = kind.is_integer && item % VALUE_CLASSES >= INTEGER_CLASSES ? "" : names[item % VALUE_CLASSES];
    if (b->part == PART_RESULT) {
        snprintf(text, size, "result=%s", class);
    } else if (b->part == PART_BOTH) {
        snprintf(text, size, "a=%s,b=%s", floats[item / VALUE_CLASSES], class);
    } else if (b->part < PART_BOTH) {
        snprintf(text, size, "%s=%s", sources[source], class);
    } else {
        struct block of_field = *b;
        char option[24];
        of_field.part = (uint8_t)(PART_FIELDS + b->part - PART_CROSSED);
        name_field(&of_field, item / VALUE_CLASSES, option, sizeof option);
        snprintf(text, size, "%s,%s=%s", option, sources[source], class);
    }
}

static void name_row_item(const struct block *b, unsigned item, char *text, size_t size) {
    static const char *const guards[] = {"none", "all", "part", "nobody"};
    static const char *const masks[] = {"full", "last-warp", "first-half", "single", "alternating", "other"};
    static const char *const same[] = {"d-is-a", "d-is-b", "a-is-b"};
    switch ((enum section)b->section) {
    case SECTION_GUARDS: snprintf(text, size, "%s", guards[item]); return;
    case SECTION_MASKS: snprintf(text, size, "%s", masks[item]); return;
    case SECTION_FLAGS:
        snprintf(text, size, "%u%u%u%u", item >> 3, item >> 2 & 1, item >> 1 & 1, item & 1); /* OCSZ */
        return;
    case SECTION_ROWS: snprintf(text, size, "executed"); return;
    case SECTION_TRAPS: snprintf(text, size, "trapped"); return;
    default: break;
    }
    if (b->part >= PART_FIELDS)
        name_field(b, item, text, size);
    else
        snprintf(text, size, "%s", same[item]);
}

static void name_event(unsigned event, char *text, size_t size) {
    static const char *const tokens[] = {"sync", "diverge", "call", "break"};
    snprintf(text, size, "%c%s", event % 2 == 0 ? '+' : '-', tokens[event / 2]);
}

static void name_stack(const struct block *b, unsigned item, char *text, size_t size) {
    char event[3][12];
    for (unsigned i = 0, rest = item; i < 3; i++, rest /= EVENTS) name_event(rest % EVENTS, event[i], sizeof event[i]);
    if (b->row == 0)
        snprintf(text, size, "depth/%u", item);
    else if (b->row == 1)
        snprintf(text, size, "pair/%s%s", event[1], event[0]);
    else
        snprintf(text, size, "triple/%s%s%s", event[2], event[1], event[0]);
}

static void name_pair(const struct block *b, unsigned item, char *text, size_t size) {
    static const char *const hazards[] = {"raw", "waw", "war"};
    static const char *const resources[] = {"r", "half", "part", "c", "a"};
    static const char *const classes[] = {"alu", "shared", "load", "store", "flow"};
    snprintf(text, size, "%s-%s/%s-%s-%u", hazards[b->row / RESOURCE_COUNT], resources[b->row % RESOURCE_COUNT],
             classes[b->part / CLASS_COUNT], classes[b->part % CLASS_COUNT], item + 1);
}

static void name_barrier(const struct block *b, unsigned item, char *text, size_t size) {
    static const char *const orders[] = {"alone", "ascending", "descending", "mixed"};
    static const char *const events[] = {"by-arrival", "by-exit", "same-id-again", "two-ids-pending"};
    switch (b->row) {
    case 0: snprintf(text, size, "id/%u-%s", item / 2, item % 2 == 0 ? "arrive" : "wait"); break;
    case 1: snprintf(text, size, "warps/%u", item + 1); break;
    case 2: snprintf(text, size, "order/%s", orders[item]); break;
    default: snprintf(text, size, "event/%s", events[item]); break;
    }
}

static void name_bank(const struct block *b, unsigned item, char *text, size_t size) {
    static const char *const accesses[] = {"operand", "g2r", "r2g"};
    if (item == BANK_BROADCAST)
        snprintf(text, size, "%u-banks/%s-broadcast", 8u << b->row, accesses[b->part]);
    else
        snprintf(text, size, "%u-banks/%s-%u", 8u << b->row, accesses[b->part], item);
}

static void name_line(const struct block *b, unsigned item, char *text, size_t size) {
    static const char *const accesses[] = {"load", "store", "atomic"};
    static const char *const counts[] = {"1", "2", "3..4", "5..8", "9..16", "17..32"};
    static const char *const orders[] = {"same", "ascending", "descending", "stride", "mixed"};
    snprintf(text, size, "%s-%u/%s%s", accesses[b->row / LINE_SIZES], 1u << b->row % LINE_SIZES,
             b->part == 0 ? "lines-" : "order-", b->part == 0 ? counts[item] : orders[item]);
}

const char *space_name(const struct space *s, uint32_t bin, char name[SPACE_NAME_MAX]) {
    static const char *const traps[] = {
#define TRAP_BIN(id, text) text,
#include "traps.def"
#undef TRAP_BIN
    };
    const struct block *b = find_block(s, bin);
    const unsigned item = bin - b->first;
    char text[SPACE_NAME_MAX - 16] = "";
    switch ((enum section)b->section) {
    case SECTION_PAIRS: name_pair(b, item, text, sizeof text); break;
    case SECTION_STACK: name_stack(b, item, text, sizeof text); break;
    case SECTION_BARRIERS: name_barrier(b, item, text, sizeof text); break;
    case SECTION_BANKS: name_bank(b, item, text, sizeof text); break;
    case SECTION_LINES: name_line(b, item, text, sizeof text); break;
    default: {
        char of_row[40];
        if (b->row == s->rows) {
            snprintf(text, sizeof text, "%s", traps[item]);
            break;
        }
        if (b->section == SECTION_VALUES)
            name_value(s, b, item, of_row, sizeof of_row);
        else
            name_row_item(b, item, of_row, sizeof of_row);
        snprintf(text, sizeof text, "%.38s/%s", isa_row_id(b->row), of_row);
    }
    }
    snprintf(name, SPACE_NAME_MAX, "%s/%s", space_section_name((enum section)b->section), text);
    return name;
}

uint64_t space_fingerprint(const struct space *s) {
    uint64_t sum = s->bins; /* FNV-1a, one number a step */
    for (size_t i = 0; i < s->block_count; i++) {
        const struct block *b = &s->blocks[i];
        const uint64_t parts[] = {b->first, b->count, b->section, b->row, b->part, b->exists};
        for (size_t n = 0; n < sizeof parts / sizeof parts[0]; n++) sum = (sum ^ parts[n]) * UINT64_C(0x100000001b3);
    }
    return sum;
}

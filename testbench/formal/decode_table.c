/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the module decode_table: the decoder's required output for any word pair, derived from the instruction table.
 *
 *     decode_table > decode_table.v
 *
 * The table's masks, reserved values and aliases determine the row of every word. Within a row, the control signals
 * come from expect_control (testbench/decode/expect.c), bit by bit: first the bits of the word that each depends on,
 * then all their values; words drawn at random afterwards must agree. So the table within a row rests on dependences
 * found by sampling, as in decode_bench, while the proof covers every word. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/isa/isa.h"
#include "spec/table.h"
#include "testbench/decode/control.h"

enum {
    BITS_MAX = 512,
    PATTERNS_MAX = 4096,
    BASES = 200,
    CHECKS = 3000,
    ATTEMPTS = 20,
    SUPPORT_MAX = 14,
    TRIES = 10000
};

static const unsigned WIDTH[CONTROL_COUNT] = {
    1,
#define CONTROL(name, type, bits, text) bits,
#include "spec/control.def"
};

#define CONTROL(name, type, bits, text) +bits
static_assert(1
#include "spec/control.def"
                  <= BITS_MAX,
              "as many bits as all control signals have");

/* Words of one row: those of a bucket that match under the mask, without reserved values. An alias is a row under
 * another opcode. */
struct pattern {
    uint64_t mask, match;
    size_t row;
    bool alias;
    bool drawn, executes; /* words were drawn; some of them execute */
};

/* All control signals as bits, the least significant of control_o first; followed by the mask of known ones. */
struct answer {
    bool bit[2 * BITS_MAX];
};

/* The dependence of one answer bit on the word. */
struct function {
    unsigned count;
    uint8_t support[64];
    bool *table; /* by the values of the support, its first bit the lowest */
};

static unsigned total_bits;

static uint64_t next_random(void) {
    static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}

static bool in_bucket(size_t row, uint64_t word) {
    unsigned bucket = bucket_of(word);
    for (size_t i = derived_bucket_start[bucket]; i < derived_bucket_start[bucket + 1]; i++)
        if (derived_bucket_rows[i] == row) return true;
    return false;
}

static bool is_legal(const struct pattern *p, uint64_t word) {
    const struct format *format = row_format(p->row);
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
        unsigned reserved = derived_reserved[format->field[i]];
        if ((reserved >> (field_get(&isa_fields[format->field[i]], word) & 15) & 1) != 0) return false;
    }
    return (word & p->mask) == p->match && (p->alias ? (word >> 32 & 3) != 3 : in_bucket(p->row, word));
}

/* True if the table defines the signal. decode_rules.sv proves that all others are inactive if a word traps: here each
 * would depend on everything that makes a word trap. */
static bool is_told(const struct expectation *must, enum control c) {
    return must->known[c] && (must->value[CONTROL_trap] == DECODE_FINE || c == CONTROL_trap || c == CONTROL_is_long ||
                              c == CONTROL_redirects);
}

static struct answer ask(uint64_t word) {
    struct expectation must;
    struct answer answer = {{0}};
    expect_control((uint32_t)word, (uint32_t)(word >> 32), &must);
    unsigned place = 0;
    for (unsigned c = CONTROL_COUNT; c-- > 0; place += WIDTH[c]) {
        for (unsigned i = 0; i < WIDTH[c]; i++) {
            answer.bit[place + i] = is_told(&must, c) && (must.value[c] >> i & 1) != 0;
            answer.bit[total_bits + place + i] = is_told(&must, c);
        }
    }
    return answer;
}

/* A word of the pattern; each field all zeros, all ones or random, for the sake of rare cases. */
static uint64_t draw_any(const struct pattern *p) {
    const struct format *format = row_format(p->row);
    for (unsigned attempt = 0; attempt < TRIES; attempt++) {
        uint64_t word = next_random();
        for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
            const struct field *f = &isa_fields[format->field[i]];
            uint64_t ones = field_put(f, UINT32_MAX);
            uint64_t kind = next_random() >> 60;
            word = kind < 4 ? word & ~ones : kind < 8 ? word | ones : word;
        }
        word = (word & ~p->mask) | p->match;
        if (!isa_is_long((uint32_t)word)) word = (uint32_t)word;
        if (is_legal(p, word)) return word;
    }
    fprintf(stderr, "decode_table: no word of row %s\n", isa_rows[p->row].id);
    exit(1);
}

static bool executes(uint64_t word) {
    struct expectation must;
    expect_control((uint32_t)word, (uint32_t)(word >> 32), &must);
    return must.value[CONTROL_trap] == DECODE_FINE;
}

/* Mostly a word that executes, if the row has such words: in some rows they are few. */
static uint64_t draw(struct pattern *p) {
    unsigned tries = !p->drawn ? TRIES : p->executes && next_random() % 4 != 0 ? 200 : 1;
    uint64_t word = draw_any(p);
    for (unsigned i = 1; i < tries && !executes(word); i++) word = draw_any(p);
    p->drawn = true;
    p->executes = p->executes || executes(word);
    return word;
}

/* An unknown bit may have any value. */
static bool counts(const struct answer *answer, unsigned b) { return b >= total_bits || answer->bit[total_bits + b]; }

typedef bool depends_t[2 * BITS_MAX][64];

/* Adds the bits of the word that make a difference here. */
static void explore(const struct pattern *p, uint64_t word, depends_t depends) {
    struct answer plain = ask(word);
    for (unsigned i = 0; i < ((p->match & 1) != 0 ? 64 : 32); i++) {
        uint64_t other = word ^ (uint64_t)1 << i;
        if ((p->mask >> i & 1) != 0 || !is_legal(p, other)) continue;
        struct answer flipped = ask(other);
        for (unsigned b = 0; b < 2 * total_bits; b++)
            if (counts(&plain, b) && counts(&flipped, b)) depends[b][i] |= plain.bit[b] != flipped.bit[b];
    }
}

static unsigned index_of(const struct function *f, uint64_t word) {
    unsigned index = 0;
    for (unsigned i = 0; i < f->count; i++) index |= (unsigned)(word >> f->support[i] & 1) << i;
    return index;
}

static void fill_table(struct pattern *p, struct function *f, unsigned b, const bool depends[64]) {
    free(f->table);
    *f = (struct function){0};
    for (unsigned i = 0; i < 64; i++)
        if (depends[i]) f->support[f->count++] = (uint8_t)i;
    if (f->count > SUPPORT_MAX) {
        fprintf(stderr, "decode_table: row %s: bit %u depends on %u bits\n", isa_rows[p->row].id, b, f->count);
        exit(1);
    }
    f->table = calloc((size_t)1 << f->count, sizeof *f->table);
    if (f->table == NULL) exit(1);
    for (unsigned value = 0; value < 1u << f->count; value++) {
        for (unsigned attempt = 0; attempt < 100; attempt++) { /* some values may be in no legal word */
            uint64_t word = draw(p);
            for (unsigned i = 0; i < f->count; i++)
                word = (word & ~((uint64_t)1 << f->support[i])) | (uint64_t)(value >> i & 1) << f->support[i];
            if (!is_legal(p, word)) continue;
            struct answer answer = ask(word);
            f->table[value] = answer.bit[b];
            if (counts(&answer, b)) break;
        }
    }
}

/* Draws words at random and, if the functions are wrong for one, adds the bits that make the difference. */
static bool agrees(struct pattern *p, const struct function *functions, depends_t depends) {
    bool all = true;
    for (unsigned n = 0; n < CHECKS; n++) {
        uint64_t word = draw(p);
        struct answer answer = ask(word);
        bool same = true;
        for (unsigned b = 0; b < 2 * total_bits; b++)
            same = same && (!counts(&answer, b) || functions[b].table[index_of(&functions[b], word)] == answer.bit[b]);
        if (!same) explore(p, word, depends);
        all = all && same;
    }
    return all;
}

static void learn(struct pattern *p, struct function *functions) {
    static depends_t depends;
    memset(depends, 0, sizeof depends);
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        for (unsigned base = 0; base < BASES; base++) explore(p, draw(p), depends);
        for (unsigned b = 0; b < 2 * total_bits; b++) fill_table(p, &functions[b], b, depends[b]);
        if (agrees(p, functions, depends)) return;
    }
    fprintf(stderr, "decode_table: what row %s depends on is not found\n", isa_rows[p->row].id);
    exit(1);
}

/* ---- Verilog ---- */

/* The values of a table whose index has `count` bits, as a tree of decisions, the highest bit first. */
static void print_tree(FILE *out, const bool *table, const uint8_t *support, unsigned count) {
    size_t half = ((size_t)1 << count) / 2;
    if (half == 0) {
        fprintf(out, "1'b%d", table[0]);
    } else if (memcmp(table, table + half, half * sizeof *table) == 0) {
        print_tree(out, table, support, count - 1);
    } else {
        fprintf(out, "(w[%d] ? ", support[count - 1]);
        print_tree(out, table + half, support, count - 1);
        fprintf(out, " : ");
        print_tree(out, table, support, count - 1);
        fprintf(out, ")");
    }
}

static bool is_zero(const struct function *f) {
    for (unsigned value = 0; value < 1u << f->count; value++)
        if (f->table[value]) return false;
    return true;
}

static void write_row(size_t n, const struct pattern *p) {
    const struct format *format = row_format(p->row);
    printf("    assign row[%zu] = (w & 64'h%016" PRIx64 ") == 64'h%016" PRIx64, n, p->mask, p->match);
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
        const struct field *f = &isa_fields[format->field[i]];
        for (unsigned value = 0; value < 16; value++) {
            if ((derived_reserved[format->field[i]] >> value & 1) == 0) continue;
            uint64_t mask = field_put(f, 15), match = field_put(f, value);
            if (field_get(f, match) != value) continue; /* the field is narrower */
            printf(" && (w & 64'h%016" PRIx64 ") != 64'h%016" PRIx64, mask, match);
        }
    }
    if (p->alias) {
        printf(" && w[33:32] != 3");
    } else {
        const char *separator = " && (";
        for (unsigned bucket = 0; bucket < BUCKET_COUNT; bucket++) {
            for (size_t i = derived_bucket_start[bucket]; i < derived_bucket_start[bucket + 1]; i++) {
                if (derived_bucket_rows[i] != p->row) continue;
                printf("%sbucket == %u", separator, bucket);
                separator = " || ";
            }
        }
        printf(")");
    }
    printf("; // %s%s\n", isa_rows[p->row].id, p->alias ? " by another opcode" : "");
}

/* A function of the word, and the rows that use it for a bit of the answer. */
struct term {
    char *function;
    bool *rows;
    struct term *next;
};

static void add_term(struct term **first, size_t n, const struct function *f, size_t count) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) exit(1);
    print_tree(out, f->table, f->support, f->count);
    fclose(out);
    struct term **t = first;
    while (*t != NULL && strcmp((*t)->function, text) != 0) t = &(*t)->next;
    if (*t != NULL) {
        free(text);
    } else {
        *t = calloc(1, sizeof **t);
        if (*t == NULL) exit(1);
        (*t)->function = text;
        (*t)->rows = calloc(count, sizeof(bool));
        if ((*t)->rows == NULL) exit(1);
    }
    (*t)->rows[n] = true;
}

/* The rows of a term are a mask, because long sums of names nest too deeply for yosys. */
static void write_bit(unsigned b, struct term *term, size_t count) {
    printf("    assign %s[%u] =", b < total_bits ? "value" : "known", b % total_bits);
    if (term == NULL) printf(" 1'b0");
    for (const char *separator = "\n        "; term != NULL; separator = "\n        | ") {
        struct term *next = term->next;
        printf("%s(|(row & %zu'b", separator, count);
        for (size_t n = count; n-- > 0;) printf("%d", term->rows[n]);
        printf(")) & %s", term->function);
        free(term->function);
        free(term->rows);
        free(term);
        term = next;
    }
    printf(";\n");
}

static size_t list_patterns(struct pattern *patterns, size_t room) {
    const uint64_t opcode = (uint64_t)7 << 61 | (uint64_t)15 << 28;
    size_t count = 0;
    for (size_t row = 0; row < isa_rows_count; row++) {
        patterns[count++] = (struct pattern){derived_fixed[row], isa_rows[row].match, row, false, false, false};
        if (isa_row_ignored(row) == 0 || (isa_rows[row].match & 3) != 1) continue;
        for (size_t i = 0; i < isa_aliases_count; i++) {
            const struct alias *a = &isa_aliases[i];
            uint64_t instead = (uint64_t)a->sub_instead << 61 | (uint64_t)a->opcode_instead << 28;
            if (!in_bucket(row, (isa_rows[row].match & ~opcode) | instead)) continue;
            if (((isa_rows[row].match ^ instead) & opcode & derived_fixed[row]) != 0) continue;
            for (uint64_t sub = a->sub_first; sub <= a->sub_last && count + 1 < room; sub++) {
                patterns[count++] =
                    (struct pattern){derived_fixed[row] | opcode,
                                     (isa_rows[row].match & ~opcode) | sub << 61 | (uint64_t)a->opcode << 28,
                                     row,
                                     true,
                                     false,
                                     false};
            }
        }
    }
    return count;
}

int main(void) {
    static struct pattern patterns[PATTERNS_MAX];
    static struct function functions[2 * BITS_MAX];
    static struct term *terms[2 * BITS_MAX];
    for (unsigned c = 0; c < CONTROL_COUNT; c++) total_bits += WIDTH[c];
    assert(isa_rows_count <= PATTERNS_MAX / 2);
    size_t count = list_patterns(patterns, PATTERNS_MAX);

    printf("// Written by testbench/formal/decode_table.c from the instruction table.\n"
           "module decode_table (input [63:0] w, output [%zu:0] row, output [%u:0] value, output [%u:0] known);\n"
           "    wire [7:0] bucket = w[0] == 0 ? {3'b0, w[1], w[31:28]} : w[1] ? %d + w[31:28]\n"
           "                        : w[33:32] == 3 ? %d + w[31:28] : %d + {w[31:28], w[63:61]};\n",
           count - 1, total_bits - 1, total_bits - 1, BUCKET_FLOW, BUCKET_IMM, BUCKET_LONG);
    for (size_t n = 0; n < count; n++) {
        learn(&patterns[n], functions);
        write_row(n, &patterns[n]);
        for (unsigned b = 0; b < 2 * total_bits; b++)
            if (!is_zero(&functions[b])) add_term(&terms[b], n, &functions[b], count);
    }
    for (unsigned b = 0; b < 2 * total_bits; b++) {
        free(functions[b].table);
        write_bit(b, terms[b], count);
    }
    printf("endmodule\n");
    return 0;
}

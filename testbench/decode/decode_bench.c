/* SPDX-License-Identifier: Apache-2.0 */
/* Checks rtl/front/decode.vhd and its parts decode_*.vhd (their Verilog, in Verilator) against the instruction table,
 * signal by signal. Prints TAP.
 *
 *     decode_bench [--words N] [--seed S] [--record FILE COUNT]
 *
 * The words: every row of the table with its fields at all bits 0, all bits 1, random and mixed; each of these with any
 * one bit flipped, with ignored bits set, and with another opcode; and N random ones. --record writes COUNT words,
 * spread over all of these, with the Verilog's results, for GHDL to repeat (decode_words_tb.vhd). */
// link: -lstdc++ -lz
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assembler/isa/isa.h"
#include "control.h"

enum { WORD_BITS = 64, PATTERNS = 40, ENCODE_TRIES = 200, SHOWN = 20, ROWS_MAX = 4096 };

static const char *const NAMES[CONTROL_COUNT] = {
    "is_long",
#define CONTROL(name, type, bits, text) #name,
#include "../../spec/control.def"
};
static const unsigned BITS[CONTROL_COUNT] = {
    1,
#define CONTROL(name, type, bits, text) bits,
#include "../../spec/control.def"
};

struct bench {
    struct decoder *decoder;
    uint64_t random;
    uint64_t words, differing;
    uint64_t by_trap[3];
    bool row_seen[ROWS_MAX]; /* legal words of this row were compared */
    FILE *record;
    uint64_t record_every;
};

static uint32_t next_random(struct bench *b) {
    b->random ^= b->random << 13;
    b->random ^= b->random >> 7;
    b->random ^= b->random << 17;
    return (uint32_t)(b->random >> 16);
}

static void print_difference(uint32_t lo, uint32_t hi, const struct expectation *must, const uint32_t *is) {
    struct isa_insn insn;
    char text[ISA_TEXT_MAX] = "no instruction";
    if (isa_decode(lo, hi, &insn) == ISA_OK) isa_print(&insn, ISA_DIALECT_3, text, sizeof text);
    printf("# %08" PRIx32 " %08" PRIx32 " %s:", lo, hi, text);
    for (unsigned i = 0; i < CONTROL_COUNT; i++) {
        if (!must->known[i] || must->value[i] == is[i]) continue;
        printf(" %s must be %" PRIx32 ", is %" PRIx32 ";", NAMES[i], must->value[i], is[i]);
    }
    printf("\n");
}

/* The signals as one hexadecimal number, in the order of the VHDL vector. */
static void record_word(FILE *file, uint32_t lo, uint32_t hi, const uint32_t *is) {
    unsigned digit = 0, bits = 0, total = 0;
    for (unsigned i = 0; i < CONTROL_COUNT; i++) total += BITS[i];
    bits = (4 - total % 4) % 4;
    fprintf(file, "%08" PRIX32 " %08" PRIX32 " ", lo, hi);
    for (unsigned i = 0; i < CONTROL_COUNT; i++) {
        for (unsigned bit = BITS[i]; bit-- > 0;) {
            digit = digit << 1 | (is[i] >> bit & 1);
            if (++bits % 4 == 0) fprintf(file, "%X", digit & 15);
        }
    }
    fprintf(file, "\n");
}

static void compare(struct bench *b, uint32_t lo, uint32_t hi) {
    struct expectation must;
    uint32_t is[CONTROL_COUNT];
    bool same = true;
    expect_control(lo, hi, &must);
    decoder_run(b->decoder, lo, hi, is);
    for (unsigned i = 0; i < CONTROL_COUNT; i++) same = same && (!must.known[i] || must.value[i] == is[i]);
    if (!same && b->differing++ < SHOWN) print_difference(lo, hi, &must, is);
    if (b->record != NULL && b->words % b->record_every == 0) record_word(b->record, lo, hi, is);
    b->words++;
    b->by_trap[must.value[CONTROL_trap]]++;
    struct isa_insn insn;
    if (must.value[CONTROL_trap] != DECODE_UNDEFINED && isa_decode(lo, hi, &insn) == ISA_OK)
        b->row_seen[insn.row] = true;
}

/* The value of a field with these bits in a word of mixed fields: all bits 0, all bits 1, or random. */
static uint32_t field_value(struct bench *b, uint32_t ones) {
    uint32_t random = next_random(b);
    switch (next_random(b) % 4) {
    case 0: return 0;
    case 1: return ones;
    default: return random & ones;
    }
}

/* A word of the row: fields all 0 (pattern 0), all 1 (pattern 1), or each one of these or random. Reserved values are
 * replaced, so patterns 0 and 1 may become random in places; false if no try succeeds. */
static bool word_of_row(struct bench *b, size_t row, unsigned pattern, uint32_t *lo, uint32_t *hi) {
    for (unsigned attempt = 0; attempt < ENCODE_TRIES; attempt++) {
        struct isa_fields fields = {0};
        for (unsigned f = 0; f < ISA_FIELD_COUNT; f++) {
            unsigned bits = isa_row_field_bits(row, (enum isa_field)f);
            if (bits == 0) continue;
            uint32_t ones = bits == 32 ? UINT32_MAX : ((uint32_t)1 << bits) - 1;
            bool random = pattern > 1 || (attempt > 0 && bits < 8 && next_random(b) % 2 == 0);
            fields.value[f] = random ? field_value(b, ones) : pattern == 1 ? ones : 0;
        }
        if (isa_encode(row, &fields, lo, hi)) return true;
    }
    return false;
}

/* Neighbours of a word of the row: any one bit flipped, ignored bits set, another opcode and subopcode. */
static void compare_near(struct bench *b, size_t row, uint64_t word) {
    const uint64_t opcode = (uint64_t)7 << 61 | (uint64_t)15 << 28;
    for (unsigned bit = 0; bit < WORD_BITS; bit++) {
        uint64_t other = word ^ (uint64_t)1 << bit;
        compare(b, (uint32_t)other, (uint32_t)(other >> 32));
    }
    uint64_t random = (uint64_t)next_random(b) << 32 | next_random(b);
    uint64_t ignores = word | (random & isa_row_ignored(row));
    compare(b, (uint32_t)ignores, (uint32_t)(ignores >> 32));
    word = (ignores & ~opcode) | (random & opcode);
    compare(b, (uint32_t)word, (uint32_t)(word >> 32));
}

static void compare_rows(struct bench *b) {
    for (size_t row = 0; row < isa_row_count(); row++) {
        for (unsigned pattern = 0; pattern < PATTERNS; pattern++) {
            uint32_t lo, hi;
            if (!word_of_row(b, row, pattern, &lo, &hi)) continue;
            compare(b, lo, hi);
            compare_near(b, row, (uint64_t)hi << 32 | lo);
        }
    }
}

static unsigned report(const struct bench *b) {
    size_t unseen = 0;
    for (size_t row = 0; row < isa_row_count(); row++) {
        if (b->row_seen[row]) continue;
        unseen++;
        printf("# no legal word of row %s was compared\n", isa_row_id(row));
    }
    bool all_traps = b->by_trap[0] > 0 && b->by_trap[1] > 0 && b->by_trap[2] > 0;
    printf("%sok 1 - every row of the table was compared: %zu rows\n", unseen == 0 && all_traps ? "" : "not ",
           isa_row_count());
    printf("# %" PRIu64 " words execute, %" PRIu64 " are undefined, %" PRIu64 " unimplemented\n", b->by_trap[0],
           b->by_trap[1], b->by_trap[2]);
    printf("%sok 2 - control signals agree with the table: %" PRIu64 " of %" PRIu64 " words differ\n",
           b->differing == 0 ? "" : "not ", b->differing, b->words);
    return unseen > 0 || !all_traps || b->differing > 0;
}

int main(int argc, char **argv) {
    uint64_t random_words = 1000000, recorded = 0;
    uint64_t seed = 1;
    const char *record_path = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--words") == 0) random_words = strtoull(argv[i + 1], NULL, 0);
        if (strcmp(argv[i], "--seed") == 0) seed = strtoull(argv[i + 1], NULL, 0);
        if (strcmp(argv[i], "--record") == 0 && i + 2 < argc) {
            record_path = argv[i + 1];
            recorded = strtoull(argv[++i + 1], NULL, 0);
        }
    }
    struct bench b = {.random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1, .record_every = 1};
    if (isa_row_count() > ROWS_MAX) return 2;
    if (record_path != NULL && recorded > 0) {
        b.record = fopen(record_path, "w");
        if (b.record == NULL) {
            perror(record_path);
            return 2;
        }
        b.record_every = 1 + (random_words + isa_row_count() * PATTERNS * (3 + WORD_BITS)) / recorded;
    }
    b.decoder = decoder_create();
    printf("# seed %" PRIu64 "\n", seed);
    compare_rows(&b);
    for (uint64_t i = 0; i < random_words; i++) compare(&b, next_random(&b), next_random(&b));
    decoder_destroy(b.decoder);
    if (b.record != NULL && fclose(b.record) != 0) return 2;
    return (int)report(&b);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a file of semantic vectors of the corpus (semantics/int_NAME.tsv, atom32.tsv) into a kernel: for each row it
 * sets R0..R7, C0 and C1, executes the row's words, and stores R0..R7, C0 and C1. The expected stores are the row's
 * destination and flags, and the old values of the rest.
 *
 * Rows with canon = 0 have bits that silicon ignores, or a reserved opcode. Rows that are undefined in the table are
 * skipped and counted: the decoder's bench shows that the RTL traps on them.
 *
 * Rows that need a bit of the mode word which no launch sets (fmad_i.0228) are skipped silently.
 *
 *     vector_kernel NAME.tsv DIR      writes DIR/code.hex and DIR/flags (one argument a line), prints the rows
 *
 * The rows are distributed over eight blocks of one warp each, because a lone warp waits most of the time. A block has
 * eight threads, so that each core of a row of eight computes every vector.
 *
 * A row of an atomic has a word of memory, which is set before and stored after with the rest; one thread runs these,
 * because they share words. Those on 8 and 16 bits, which the machine does not execute, are skipped, too. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assembler/isa/isa.h"
#include "cmodel/test/table.h"

enum {
    BLOCKS = 8,
    THREADS = 8,
    REGISTERS = 24,  /* of a thread */
    OPERANDS = 8,    /* R0..R7 */
    FLAG_SOURCE = 8, /* register that C0 and C1 are loaded from */
    ADDRESS = 9,
    FLAGS = 10, /* R10, R11: C0 and C1 after the instruction */
    CREGS = 2,
    MODE_ZERO_WINS = 2, /* bit of the mode word: a factor of zero wins over NaN and infinity */
    WORD = 12,          /* R12: the word of memory after the instruction */
    MEMORY_CELL = OPERANDS + CREGS,
    CELLS,                  /* words stored by a vector */
    ATOMIC_RESULTS = 0x8000 /* after all words that atomics change */
};

struct vector {
    const char *id;
    uint32_t lo, hi;
    uint32_t before[CELLS], after[CELLS], compared[CELLS]; /* compared: mask of bits */
    bool atomic;
    uint32_t addr; /* of the atomic's word */
};

static void fail(const char *what, const char *name) {
    fprintf(stderr, "vector_kernel: %s: %s\n", name, what);
    exit(2);
}

/* ---- reading ---- */

/* "r7", "c1": the number, below the limit. */
static unsigned numbered(const struct table *t, const char *column, char kind, unsigned limit) {
    const char *text = table_text(t, column);
    unsigned number = text[0] == kind && text[1] != 0 && text[2] == 0 ? (unsigned)(text[1] - '0') : limit;
    if (number >= limit) fail("names no register of the vectors", column);
    return number;
}

static void add_atomic(struct vector *v, const struct table *t) {
    v->atomic = true;
    v->addr = table_hex(t, "addr") & ~3u;
    v->before[MEMORY_CELL] = table_hex(t, "mem_before");
    v->after[MEMORY_CELL] = table_hex(t, "mem_after");
    v->compared[MEMORY_CELL] = UINT32_MAX;
}

static struct vector vector_of(const struct table *t) {
    static const char *const BEFORE[CELLS] = {"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "c0_in", "c1_in", "-"};
    struct vector v = {.id = table_text(t, "id"), .lo = table_hex(t, "op_lo"), .hi = table_hex(t, "op_hi")};
    for (size_t i = 0; i < MEMORY_CELL; i++) {
        v.before[i] = v.after[i] = table_hex(t, BEFORE[i]);
        v.compared[i] = UINT32_MAX;
    }
    struct isa_insn insn;
    const bool sets_c = isa_decode(v.lo, v.hi, &insn) == ISA_OK && insn.set_c;
    if (strcmp(table_text(t, "dst"), "-") != 0) {
        unsigned dst = numbered(t, "dst", 'r', OPERANDS);
        v.after[dst] = table_hex(t, "dst_val");
        v.compared[dst] = table_hex(t, "dst_mask");
    }
    if (strcmp(table_text(t, "cc_reg"), "-") != 0) {
        unsigned flags = OPERANDS + numbered(t, "cc_reg", 'c', CREGS);
        v.after[flags] = table_hex(t, "cc_val");
        if (table_hex(t, "cc_mask") != 15) v.compared[flags] = 0;
    } else if (sets_c && insn.cdst < CREGS) { /* special functions: its contents are unspecified */
        v.compared[OPERANDS + insn.cdst] = 0;
    }
    if (table_text(t, "addr")[0] != 0) add_atomic(&v, t);
    return v;
}

/* ---- writing ---- */

/* One instruction from its text. */
static __attribute__((format(printf, 2, 3))) void emit(FILE *code, const char *format, ...) {
    char text[ISA_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    uint32_t lo, hi;
    struct isa_error error;
    if (!isa_parse(text, (size_t)length, NULL, &lo, &hi, &error)) fail(error.text, text);
    fprintf(code, "%08" PRIx32 "\n%08" PRIx32 "\n", lo, hi);
}

static void write_vector(FILE *code, const struct vector *v, uint32_t address) {
    fprintf(code, "# %s\n", v->id);
    if (v->atomic) {
        emit(code, "MVI R%d, 0x%" PRIx32, ADDRESS, v->addr);
        emit(code, "MVI R%d, 0x%" PRIx32, WORD, v->before[MEMORY_CELL]);
        emit(code, "GST.U32 global14 [R%d], R%d", ADDRESS, WORD);
    }
    for (unsigned c = 0; c < CREGS; c++) {
        emit(code, "MVI R%d, 0x%" PRIx32, FLAG_SOURCE, v->before[OPERANDS + c]);
        emit(code, "R2C C%u, R%d", c, FLAG_SOURCE);
    }
    for (unsigned r = 0; r < OPERANDS; r++) emit(code, "MVI R%u, 0x%" PRIx32, r, v->before[r]);
    fprintf(code, "%08" PRIx32 "\n%08" PRIx32 "\n", v->lo, v->hi);
    for (unsigned c = 0; c < CREGS; c++) emit(code, "C2R R%u, C%u", FLAGS + c, c);
    if (v->atomic) {
        emit(code, "MVI R%d, 0x%" PRIx32, ADDRESS, v->addr);
        emit(code, "GLD.U32 R%d, global14 [R%d]", WORD, ADDRESS);
    }
    emit(code, "MVI R%d, 0x%" PRIx32, ADDRESS, address);
    for (unsigned i = 0; i < (v->atomic ? CELLS : MEMORY_CELL); i++) {
        emit(code, "GST.U32 global14 [R%d], R%u", ADDRESS, i < OPERANDS ? i : FLAGS + i - OPERANDS);
        emit(code, "IADD32I R%d, R%d, 0x4", ADDRESS, ADDRESS);
    }
}

/* --expect flags for the compared bytes, one for each run of them. */
static void write_expect(FILE *flags, const struct vector *v, uint32_t address) {
    bool running = false;
    for (uint32_t byte = 0; byte < CELLS * 4; byte++) {
        unsigned shift = byte % 4 * 8;
        uint32_t mask = v->compared[byte / 4] >> shift & 0xff;
        if (mask != 0 && mask != 0xff) fail("masks part of a byte", v->id);
        if (mask != 0 && !running) fprintf(flags, "--expect\n0x%" PRIx32 "=", address + byte);
        if (mask == 0 && running) fprintf(flags, "\n");
        running = mask != 0;
        if (running) fprintf(flags, "%02" PRIx32, v->after[byte / 4] >> shift & 0xff);
    }
    if (running) fprintf(flags, "\n");
}

static FILE *create(const char *directory, const char *name) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) fail("path too long", directory);
    FILE *out = fopen(path, "w");
    if (out == NULL) fail("cannot be written", path);
    return out;
}

/* The instructions of each block. The code begins with jumps to the blocks' parts. */
struct parts {
    FILE *code[BLOCKS];
    char *text[BLOCKS];
    size_t size[BLOCKS];
};

static void open_parts(struct parts *p) {
    for (unsigned b = 0; b < BLOCKS; b++)
        if ((p->code[b] = open_memstream(&p->text[b], &p->size[b])) == NULL) fail("out of memory", "code");
}

static uint32_t bytes_of_code(const char *text) {
    uint32_t bytes = 0;
    for (const char *line = text; *line != 0; line = strchr(line, '\n') + 1) bytes += *line == '#' ? 0 : 4;
    return bytes;
}

static void end_parts(struct parts *p) {
    for (unsigned b = 0; b < BLOCKS; b++) {
        emit(p->code[b], "RET");
        if (fclose(p->code[b]) != 0) fail("out of memory", "code");
    }
}

static void write_parts(FILE *code, struct parts *p) {
    enum { INSTRUCTION = 8, AHEAD = (2 + 3 * (BLOCKS - 1)) * INSTRUCTION };
    emit(code, "MVI R0, 0x0");
    emit(code, "MOV.U16 R0L, g [0x6].U16");
    uint32_t begins = AHEAD;
    for (unsigned b = 1; b < BLOCKS; b++) {
        begins += bytes_of_code(p->text[b - 1]);
        emit(code, "MVI R1, 0x%x", b);
        emit(code, "ISET.C0 o [0x7f], R0, R1, EQ");
        emit(code, "BRA C0.NE, 0x%" PRIx32, begins);
    }
    for (unsigned b = 0; b < BLOCKS; b++) {
        fputs(p->text[b], code);
        free(p->text[b]);
    }
}

enum verdict { RUNS, UNDEFINED, UNIMPLEMENTED };

static enum verdict judge(const struct vector *v) {
    struct isa_insn insn;
    if (isa_decode(v->lo, v->hi, &insn) != ISA_OK) return UNDEFINED;
    unsigned bytes = insn.op == OP_GRED ? insn.dst.bytes : insn.op == OP_GATOM ? insn.src[0].bytes : 4;
    return bytes == 4 ? RUNS : UNIMPLEMENTED;
}

int main(int argc, char **argv) {
    static struct table t;
    if (argc != 3) {
        fprintf(stderr, "usage: vector_kernel VECTORS.tsv DIR\n");
        return 2;
    }
    if (!table_open(&t, argv[1])) fail("cannot be read", argv[1]);
    FILE *code = create(argv[2], "code.hex"), *flags = create(argv[2], "flags");
    struct parts parts;
    open_parts(&parts);
    unsigned rows = 0, ignoring = 0, left_out[UNIMPLEMENTED + 1] = {0};
    bool atomic = false;
    while (table_next(&t)) {
        struct vector v = vector_of(&t);
        if ((table_hex(&t, "mp") & MODE_ZERO_WINS) != 0) continue;
        bool canon = strcmp(table_text(&t, "canon"), "1") == 0;
        enum verdict verdict = canon ? RUNS : judge(&v);
        left_out[verdict]++;
        if (verdict != RUNS) continue;
        atomic = v.atomic;
        uint32_t address = (atomic ? ATOMIC_RESULTS : 0) + rows * CELLS * 4;
        if (v.addr >= ATOMIC_RESULTS) fail("has its word among the results", v.id);
        ignoring += canon ? 0 : 1;
        write_vector(parts.code[atomic ? 0 : rows % BLOCKS], &v, address);
        write_expect(flags, &v, address);
        rows++;
    }
    end_parts(&parts);
    write_parts(code, &parts);
    fprintf(flags, "--grid\n%d\n--block\n%d\n--reg\n%d\n", atomic ? 1 : BLOCKS, atomic ? 1 : THREADS, REGISTERS);
    if (atomic) fprintf(flags, "--arch\nsm_11\n");
    if (rows == 0) fail("has no row to run", argv[1]);
    if (fclose(code) != 0 || fclose(flags) != 0) fail("cannot be written", argv[2]);
    printf("# %u rows, of which %u with ignored bits or a reserved opcode; %u undefined and %u "
           "unimplemented ones left out\n",
           rows, ignoring, left_out[UNDEFINED], left_out[UNIMPLEMENTED]);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Writes kernels that cover the instruction table: every value of every option and every kind of operand of each row,
 * each row under every shape of the active mask and with the marker END, and each row that this machine does not
 * execute, which must trap. They have no expectations: lockstep compares RTL and model.
 *
 *     sweep DIRECTORY
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../space.h"
#include "accesses.h"
#include "floats.h"
#include "flow.h"
#include "pairs.h"
#include "solved.h"
#include "stacks.h"
#include "traps.h"

enum {
    WARP = 32,
    THREADS = WARP + 8,
    REGISTERS = 120,
    CODE_BYTES = 240000,
    FLAG_WORDS = 40,
    MASK_BANK = 7,
    END_BANK = 8,
    SHAPES = 4
};

/* First half, one lane, every other lane, any lanes. */
static const uint32_t SHAPE_MASKS[SHAPES] = {0x0000ffff, 0x00000800, 0x55555555, 0x3a1c0f72};

static bool is_breakpoint(size_t row) {
    return strcmp(isa_row_mnemonic(row), "TRAP") == 0 || strcmp(isa_row_mnemonic(row), "BPT") == 0;
}

static bool fail(const char *directory) {
    fprintf(stderr, "%s: cannot be written\n", directory);
    return false;
}

/* Sums and shifts set all flags, and are few. */
static unsigned flag_words(size_t row) {
    static const char *const names[] = {"IADD", "ISAD", "SHL", "SHR"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(isa_row_mnemonic(row), names[i]) == 0) return 3 * FLAG_WORDS;
    return FLAG_WORDS;
}

static void write_row(struct program *p, size_t row) {
    struct isa_fields base;
    program_comment(p, isa_row_id(row));
    program_restore_flags(p);
    if (flow_is(row)) {
        flow_vary(p, row);
    } else if (vary_base(row, &base)) {
        if (floats_is(row)) floats_vary(p, row, &base);
        vary_options(p, row, &base);
        vary_flags(p, row, &base, flag_words(row));
        solved_emit(p, row, &base);
        program_restore_flags(p);
        vary_guard(p, row, &base);
    }
}

/* As many rows a kernel as its code has room for; rows of floating point have their own kernels. */
static bool write_options(const struct space *space, const char *directory, bool floats) {
    struct program p = {0};
    char name[32];
    unsigned kernels = 0;
    for (size_t row = 0; row < space->rows; row++) {
        if (!space->row[row].executes || is_breakpoint(row) || floats_is(row) != floats) continue;
        if (p.out != NULL && p.pc > CODE_BYTES && !program_close(&p)) return fail(directory);
        if (p.out == NULL || p.pc > CODE_BYTES) {
            snprintf(name, sizeof name, "%s_%u", floats ? "floats" : "options", kernels++);
            if (!program_open(&p, directory, name, &(struct shape){THREADS, 1, REGISTERS})) return fail(directory);
            if (floats) floats_fill(&p);
            program_prologue(&p);
            solved_prologue(&p);
        }
        write_row(&p, row);
    }
    return program_close(&p) || fail(directory);
}

static void write_plain(struct program *p, size_t row) {
    struct isa_fields base;
    if (flow_is(row)) {
        flow_base(row, &base);
        flow_emit(p, row, &base, false);
    } else if (vary_base(row, &base)) {
        vary_emit(p, row, &base);
    }
}

/* Lane L stays if bit L of R61 is set; the others wait at the join, whose address is filled in later. */
static void shut_out(struct program *p) {
    program_text(p, "SHR R61, R61, R41");
    program_text(p, "LOP.AND.C0 o [0x7f], R61, c [0x1] [0x2]");
    program_text(p, "SSY joined");
    program_text(p, "BRA C0.EQ, joined");
}

static bool write_masks(const struct space *space, const char *directory) {
    struct program p;
    if (!program_open(&p, directory, "masks", &(struct shape){WARP, 1, REGISTERS})) return fail(directory);
    memcpy(p.bank[MASK_BANK], SHAPE_MASKS, sizeof SHAPE_MASKS);
    program_prologue(&p);
    program_text(&p, "MVI R60, 0x0");
    fprintf(p.out, "again:\n");
    program_text(&p, "R2A A1, R60");
    program_text(&p, "MVC R61, c [0x%x] [A1+0x0]", MASK_BANK);
    program_restore_areg(&p, 1);
    shut_out(&p);
    for (size_t row = 0; row < space->rows; row++)
        if (space->row[row].executes && !is_breakpoint(row) && strcmp(isa_row_mnemonic(row), "BAR") != 0)
            write_plain(&p, row);
    fprintf(p.out, "joined:\n");
    program_text(&p, "NOP.S");
    program_text(&p, "IADD32I R60, R60, 0x4");
    program_text(&p, "MVI R61, 0x%x", 4 * SHAPES);
    program_text(&p, "ISET.C0 o [0x7f], R60, R61, LT");
    program_text(&p, "BRA C0.NE, again");
    return program_close(&p) || fail(directory);
}

/* A barrier takes a whole warp: the lanes outside of the shape have left before. */
static bool write_barriers(const struct space *space, const char *directory) {
    struct program p;
    if (!program_open(&p, directory, "barriers", &(struct shape){WARP, SHAPES, REGISTERS})) return fail(directory);
    memcpy(p.bank[MASK_BANK], SHAPE_MASKS, sizeof SHAPE_MASKS);
    program_prologue(&p);
    program_text(&p, "I2I.U32.U16 R60, g [0x6].U16");
    program_text(&p, "R2A A1, R60, 0x2");
    program_text(&p, "MVC R61, c [0x%x] [A1+0x0]", MASK_BANK);
    program_text(&p, "SHR R61, R61, R41");
    program_text(&p, "LOP.AND.C0 o [0x7f], R61, c [0x1] [0x2]");
    program_text(&p, "RET C0.EQ");
    for (size_t row = 0; row < space->rows; row++)
        if (strcmp(isa_row_mnemonic(row), "BAR") == 0) write_plain(&p, row);
    return program_close(&p) || fail(directory);
}

static bool has_end(const struct space *space, size_t row) {
    const bool flow = flow_is(row) || is_breakpoint(row);
    return space->row[row].executes && !flow && isa_row_field_bits(row, ISA_FIELD_mark) != 0;
}

/* One block a row: it jumps to the word with END, through a table that fills a bank. Returns the first remaining
 * row. */
static size_t write_ends_from(const struct space *space, struct program *p, size_t row) {
    unsigned blocks = 0;
    struct isa_fields base;
    program_prologue(p);
    program_text(p, "I2I.U32.U16 R60, g [0x6].U16");
    program_text(p, "R2A A1, R60, 0x2");
    program_text(p, "BRX c [0x%x] [A1+0x0]", END_BANK);
    for (; row < space->rows && blocks < SWEEP_BANK_WORDS; row++) {
        if (!has_end(space, row) || !vary_base(row, &base)) continue;
        base.value[ISA_FIELD_mark] = ISA_MARK_END;
        p->bank[END_BANK][blocks] = p->pc;
        blocks += vary_emit(p, row, &base);
    }
    while (blocks < SWEEP_BANK_WORDS) p->bank[END_BANK][blocks++] = p->pc; /* the NOP that ends the kernel */
    return row;
}

static bool write_ends(const struct space *space, const char *directory) {
    unsigned kernels = 0;
    for (size_t row = 0; row < space->rows;) {
        struct program p;
        char name[32];
        snprintf(name, sizeof name, "ends_%u", kernels++);
        if (!program_open(&p, directory, name, &(struct shape){WARP, SWEEP_BANK_WORDS, REGISTERS}))
            return fail(directory);
        row = write_ends_from(space, &p, row);
        if (!program_close(&p)) return fail(directory);
    }
    return true;
}

static bool open_trapped(struct program *p, const char *directory, const char *what, size_t row, unsigned threads) {
    char name[96];
    snprintf(name, sizeof name, "trapped_%.16s_%.40s", what, isa_row_id(row));
    return program_open(p, directory, name, &(struct shape){threads, 1, REGISTERS}) || fail(directory);
}

static void write_twice_if_half(struct program *p, uint32_t lo, uint32_t hi) {
    sweep_program_word(p, lo, hi);
    if (!isa_is_long(lo)) sweep_program_word(p, lo, hi);
}

/* Rows that this machine does not execute: one kernel each, which ends in the trap. */
static bool write_trapped(const struct space *space, const char *directory) {
    for (size_t row = 0; row < space->rows; row++) {
        struct program p;
        struct isa_fields fields;
        uint32_t lo, hi;
        isa_default_fields(row, &fields);
        if (space->row[row].executes || !isa_encode(row, &fields, &lo, &hi)) continue;
        if (!open_trapped(&p, directory, "as", row, WARP)) return false;
        program_comment(&p, isa_row_class(row) == 'E' ? "trap: undefined" : "trap: unimplemented");
        write_twice_if_half(&p, lo, hi);
        if (!program_close(&p)) return fail(directory);
    }
    return true;
}

/* A breakpoint under each shape; before it breakpoints without effect, one for each guard that does not hold. */
static void pass_breakpoints(struct program *p, size_t row) {
    for (unsigned code = 0; code < 32 && isa_row_field_bits(row, ISA_FIELD_cr) != 0; code++) {
        struct isa_fields f;
        unsigned nibble = 0;
        while (nibble < 16 && isa_cond_holds(code, nibble)) nibble++;
        if (nibble == 16) continue; /* TRUE */
        isa_default_fields(row, &f);
        f.value[ISA_FIELD_cond] = code;
        f.value[ISA_FIELD_cr] = code % 4;
        f.value[ISA_FIELD_mark] = code / 4 % 2;
        program_text(p, "MVI R54, 0x%x", nibble);
        program_text(p, "R2C C%u, R54", code % 4);
        vary_emit(p, row, &f);
    }
}

static bool write_breakpoint(const char *directory, size_t row, const char *shape, uint32_t mask, unsigned threads) {
    struct program p;
    struct isa_fields fields;
    uint32_t lo, hi;
    if (!open_trapped(&p, directory, shape, row, threads)) return false;
    program_comment(&p, "trap: breakpoint");
    program_prologue(&p);
    isa_default_fields(row, &fields);
    if (strcmp(isa_row_mnemonic(row), "BPT") == 0) pass_breakpoints(&p, row);
    program_text(&p, "MVI R61, 0x%x", mask);
    shut_out(&p);
    fields.value[ISA_FIELD_mark] = fields.value[ISA_FIELD_cr] = mask & 1;
    if (strcmp(isa_row_mnemonic(row), "TRAP") == 0) fields.value[ISA_FIELD_cond] = 15 * (mask & 1); /* has no guard */
    if (isa_encode(row, &fields, &lo, &hi)) write_twice_if_half(&p, lo, hi);
    fprintf(p.out, "joined:\n");
    program_text(&p, "NOP.S");
    return program_close(&p) || fail(directory);
}

static bool write_breakpoints(const struct space *space, const char *directory) {
    bool good = true;
    for (size_t row = 0; row < space->rows && good; row++) {
        if (!is_breakpoint(row)) continue;
        good = write_breakpoint(directory, row, "full", UINT32_MAX, WARP) &&
               write_breakpoint(directory, row, "last", UINT32_MAX, WARP / 4);
        for (unsigned i = 0; i < SHAPES && good; i++) {
            char shape[12];
            snprintf(shape, sizeof shape, "%x", SHAPE_MASKS[i]);
            good = write_breakpoint(directory, row, shape, SHAPE_MASKS[i], WARP);
        }
    }
    return good;
}

static bool write_warp(const char *directory, const char *name, void (*emit)(struct program *p)) {
    struct program p;
    if (!program_open(&p, directory, name, &(struct shape){WARP, 1, REGISTERS})) return fail(directory);
    program_prologue(&p);
    emit(&p);
    return program_close(&p) || fail(directory);
}

/* Barriers of blocks of any number of warps, which arrive in reverse order. */
static bool write_block(const char *directory, unsigned warps) {
    struct program p;
    char name[32];
    snprintf(name, sizeof name, "barrier_%u_warps", warps);
    if (!program_open(&p, directory, name, &(struct shape){warps * WARP, 1, 4})) return fail(directory);
    program_text(&p, "BAR.ARV.WAIT b0, 0xfff");
    program_text(&p, "BAR.ARV.WAIT b1, 0xfff");
    return program_close(&p) || fail(directory);
}

/* Every barrier of every block that is resident at once. */
static bool write_ids(const char *directory) {
    struct program p;
    if (!program_open(&p, directory, "barrier_ids", &(struct shape){4 * WARP, BARRIERS, 4})) return fail(directory);
    for (unsigned id = 0; id < BARRIERS; id++) program_text(&p, "BAR.ARV.WAIT b%u, 0xfff", id);
    return program_close(&p) || fail(directory);
}

/* Warp 0 waits until warp 1 leaves. */
static bool write_left_alone(const char *directory) {
    struct program p;
    if (!program_open(&p, directory, "barrier_left_alone", &(struct shape){2 * WARP, 1, 4})) return fail(directory);
    program_text(&p, "I2I.U32.U16 R1, R0L");
    program_text(&p, "SHR.C0 R1, R1, 0x5");
    program_text(&p, "BRA C0.EQU, waits");
    for (unsigned i = 0; i < WARP; i++) program_text(&p, "NOP");
    program_text(&p, "RET");
    fprintf(p.out, "waits:\n");
    program_text(&p, "BAR.ARV.WAIT b0, 0xfff");
    return program_close(&p) || fail(directory);
}

static bool write_state(const char *directory) {
    bool good = write_warp(directory, "pairs", pairs_emit) && write_warp(directory, "stacks", stacks_emit) &&
                write_warp(directory, "banks", accesses_emit_banks) &&
                write_warp(directory, "lines", accesses_emit_lines);
    for (unsigned warps = 1; warps <= BARRIER_WARPS && good; warps++) good = write_block(directory, warps);
    return good && write_ids(directory) && write_left_alone(directory) && (traps_write(directory) || fail(directory));
}

int main(int argc, char **argv) {
    struct space *space = space_create();
    if (argc != 2 || space == NULL) {
        fprintf(stderr, "usage: sweep DIRECTORY\n");
        return 2;
    }
    const bool good = write_options(space, argv[1], false) && write_options(space, argv[1], true) &&
                      write_masks(space, argv[1]) && write_barriers(space, argv[1]) && write_ends(space, argv[1]) &&
                      write_trapped(space, argv[1]) && write_state(argv[1]) && write_breakpoints(space, argv[1]);
    space_destroy(space);
    return good ? 0 : 2;
}

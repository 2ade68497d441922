/* SPDX-License-Identifier: Apache-2.0 */
/* The state after the prologue, in each thread:
 *
 *     R1..R15    corner values, different in each lane     R100       another one
 *     R40, R104  an address in global memory, a line of 16 bytes a lane
 *     R41        lane                                      R50..R53   nibbles for C0..C3
 *     A1..A4     0x10, 0x20, 0x30, 0x40
 *     C0         the low four bits of the lane             C1, C2     0000, 0001
 *     C3         Z in every other lane
 *     shared and local memory: corner values in the operands' cells; R16..R31 are destinations. */
#include "program.h"

#include <stdarg.h>
#include <string.h>

#include "../../../assembler/isa/isa.h"

/* Two sets: few numbers, so that pairs coincide; shift counts and limits of all widths. */
static const uint32_t FEW[] = {0, 0x80000000, 0x80008000, 0xffffffff, 0x7fffffff, 0x7fff7fff, 0x800000, 0x100};
static const uint32_t MANY[] = {0,      1,      0x10001,  1,          2,          0x7f,       0x80,       0xff,
                                15,     16,     31,       32,         0x7fff,     0x8000,     0xffff,     0x10000,
                                0x3fff, 0x4000, 0xffffff, 0x80000001, 0xffff8000, 0xfffffffe, 0x80000000, 0x7fff8000};

uint32_t program_random(struct program *p) { /* xorshift64* */
    p->random ^= p->random >> 12;
    p->random ^= p->random << 25;
    p->random ^= p->random >> 27;
    return (uint32_t)(p->random * UINT64_C(0x2545f4914f6cdd1d) >> 32);
}

uint32_t program_corner(struct program *p, bool few) {
    const uint32_t any = program_random(p) >> 4;
    if (any % 8 == 0) return program_random(p);
    return few ? FEW[any / 8 % (sizeof FEW / sizeof FEW[0])] : MANY[any / 8 % (sizeof MANY / sizeof MANY[0])];
}

bool program_open(struct program *p, const char *directory, const char *name, const struct shape *shape) {
    char path[512];
    *p = (struct program){.random = UINT64_C(0x9e3779b97f4a7c15)};
    snprintf(path, sizeof path, "%.400s/%s.sass", directory, name);
    p->out = fopen(path, "w");
    if (p->out == NULL) return false;
    for (unsigned bank = 0; bank < SWEEP_BANKS; bank++)
        for (unsigned i = 0; i < SWEEP_BANK_WORDS; i++) p->bank[bank][i] = program_corner(p, (bank + i / 32) % 2 == 0);
    p->bank[1][0] = 31;
    p->bank[1][1] = 15;
    p->bank[1][2] = 1;
    fprintf(p->out, ".kernel sweep_%s\n.arch sm_11\n.reg %u\n.local 128\n.shared 16384\n.grid %u\n.block %u\n", name,
            shape->registers, shape->blocks, shape->threads);
    return true;
}

static void print_bank(const struct program *p, unsigned bank) {
    fprintf(p->out, ".const %u:0 = ", bank);
    for (unsigned i = 0; i < SWEEP_BANK_WORDS; i++)
        fprintf(p->out, "%s0x%x", i == 0 ? "" : i % 8 == 0 ? ",\n    " : ", ", p->bank[bank][i]);
    fprintf(p->out, "\n");
}

bool program_close(struct program *p) {
    program_text(p, "NOP");
    for (unsigned bank = 0; bank < SWEEP_BANKS; bank++) print_bank(p, bank);
    const bool good = ferror(p->out) == 0;
    return fclose(p->out) == 0 && good;
}

void program_comment(struct program *p, const char *text) { fprintf(p->out, "// %s\n", text); }

void program_text(struct program *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(p->out, "    ");
    vfprintf(p->out, format, args);
    fprintf(p->out, "\n");
    va_end(args);
    p->pc += SWEEP_LONG;
}

void program_label(struct program *p, char letter, unsigned number) { fprintf(p->out, "%c%u:\n", letter, number); }

void sweep_program_word(struct program *p, uint32_t lo, uint32_t hi) {
    if (isa_is_long(lo))
        fprintf(p->out, "    .word 0x%x, 0x%x\n", lo, hi);
    else
        fprintf(p->out, "    .word 0x%x\n", lo);
    p->pc += isa_is_long(lo) ? SWEEP_LONG : SWEEP_LONG / 2;
}

unsigned program_slot(struct program *p, unsigned bank) { return SWEEP_BANK_WORDS - ++p->used[bank]; }

void program_restore_flags(struct program *p) {
    for (unsigned c = 0; c < 4; c++) program_text(p, "R2C C%u, R%u", c, 50 + c);
}

void program_restore_areg(struct program *p, unsigned areg) { program_text(p, "ADA A%u, A0, 0x%x", areg, 16 * areg); }

/* A register is half a bank: one of its words for each lane. */
void program_load_registers(struct program *p) {
    program_text(p, "R2A A1, R41, 0x2");
    for (unsigned r = 1; r <= 15; r++)
        program_text(p, "MVC R%u, c [0x%x] [A1+0x%x]", r, 2 + (r - 1) / 3, 0x20 * ((r - 1) % 3));
}

static void fill_memories(struct program *p) {
    for (unsigned i = 0; i < 5; i++) program_text(p, "R2G.U32.U32 g [A1+0x%x], R%u", 4 + 0x20 * i, 1 + i);
    for (unsigned i = 0; i < 8; i++) program_text(p, "LST.S128 local [0x%x], R%u", 16 * i, 4 + 4 * (i % 3));
}

void program_prologue(struct program *p) {
    program_text(p, "I2I.U32.U16 R41, R0L");
    program_text(p, "LOP.AND R41, R41, c [0x1] [0x0]");
    program_load_registers(p);
    fill_memories(p);
    program_text(p, "SHL R40, R41, 0x4");
    program_text(p, "IADD32I R40, R40, 0x1000");
    program_text(p, "MOV R104, R40");
    program_text(p, "MOV R100, R7");
    program_text(p, "GST.S128 global14 [R40], R4");
    program_text(p, "LOP.AND R50, R41, c [0x1] [0x1]");
    program_text(p, "MVI R51, 0x0");
    program_text(p, "MVI R52, 0x1");
    program_text(p, "LOP.AND R53, R41, c [0x1] [0x2]");
    for (unsigned r = 16; r < 32; r++) program_text(p, "MOV R%u, R%u", r, r - 15);
    for (unsigned r = 101; r < 104; r++) program_text(p, "MOV R%u, R%u", r, r - 100);
    program_restore_flags(p);
    for (unsigned a = 1; a <= 4; a++) program_restore_areg(p, a);
}

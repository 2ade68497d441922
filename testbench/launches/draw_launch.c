/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a launch from a seed and writes it as a kernel with the expected global memory: FILE.sass and FILE.bin. Each
 * thread determines its index from R0 and the block's header, and adds a hash of all its numbers to a word of its own,
 * which reveals a thread that is missing, ran twice or got a wrong number. The hash passes through the last register,
 * the last word of shared memory and the last word of local memory of the launch, which reveals blocks that share any
 * of these. The expectation comes from the loops of `expect` below, which use neither warps nor machine.
 *
 *     draw_launch --seed N [--threads N] [--grid X,Y] [--block X,Y,Z] [--reg N] [--shared N] [--local N] [--sms N] FILE
 *
 * Options fix drawn values. --threads is the maximum number of threads of the grid, --sms the number of SMs for which
 * local memory must have room. */
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../checker/random/rng.h"
#include "../../spec/memory.h"

enum {
    LANES = 32,
    SM_THREADS = 1024,
    SM_REGISTERS = 16384,
    SM_SHARED = 16384,
    MAX_REGS = 128,
    MAX_Y = 1024,
    MAX_Z = 64,
    FIRST_BYTES = HEADER_BYTES + 8, /* header and two parameters */
    MIN_REGS = 4,                   /* with fewer, only the smallest kernel can be written */
    LOCAL_WORDS = 2,                /* words of global memory for the local memory of each thread of the grid */
};

struct shape {
    unsigned grid[2], block[3], regs, shared, local, rounds; /* rounds: a power of two */
};

static unsigned threads_of(const struct shape *s) { return s->block[0] * s->block[1] * s->block[2]; }
static unsigned lower(unsigned a, unsigned b) { return a < b ? a : b; }

/* ------------------------------------------------------------------------------------------------------------ draw */

static unsigned draw_between(struct rng *rng, unsigned low, unsigned high) {
    return low + rng_below(rng, high - low + 1);
}

static unsigned draw_threads(struct rng *rng) {
    static const unsigned edges[] = {1,   31,  32,  33,  63,  64,  65,  255,  256,
                                     257, 480, 511, 512, 513, 992, 993, 1023, 1024};
    switch (rng_below(rng, 6)) {
    case 0:
    case 1: return edges[rng_below(rng, sizeof edges / sizeof edges[0])];
    case 2: return draw_between(rng, 513, SM_THREADS);
    default: return draw_between(rng, 1, 512);
    }
}

/* One of the divisors of n that are at most `most`. */
static unsigned draw_divisor(struct rng *rng, unsigned n, unsigned most) {
    unsigned count = 0, chosen = 1;
    for (unsigned d = 1; d <= n && d <= most; d++)
        if (n % d == 0 && rng_below(rng, ++count) == 0) chosen = d;
    return chosen;
}

static void draw_block(struct rng *rng, struct shape *s, unsigned most_threads) {
    const unsigned threads = lower(draw_threads(rng), most_threads), dimensions = draw_between(rng, 1, 3);
    s->block[2] = dimensions > 2 ? draw_divisor(rng, threads, MAX_Z) : 1;
    s->block[1] = dimensions > 1 ? draw_divisor(rng, threads / s->block[2], MAX_Y) : 1;
    s->block[0] = threads / s->block[1] / s->block[2];
}

static void draw_grid(struct rng *rng, struct shape *s, unsigned most_threads) {
    const unsigned most = most_threads / threads_of(s);
    const unsigned blocks = draw_between(rng, 1, most > 0 ? most : 1);
    const unsigned rows = rng_below(rng, 3) == 0 ? blocks : draw_between(rng, 1, blocks);
    s->grid[1] = rng_below(rng, 3) == 0 ? 1 : rows;
    s->grid[0] = blocks / s->grid[1];
}

static unsigned draw_regs(struct rng *rng, unsigned warps) {
    const unsigned most = lower(MAX_REGS, SM_REGISTERS / (warps * LANES));
    return rng_below(rng, 4) == 0 ? most : draw_between(rng, MIN_REGS, most);
}

static unsigned draw_shared(struct rng *rng) {
    switch (rng_below(rng, 4)) {
    case 0: return FIRST_BYTES;
    case 1: return SM_SHARED / draw_between(rng, 1, 8);
    case 2: return SM_SHARED / draw_between(rng, 2, 8) + 4;
    default: return draw_between(rng, FIRST_BYTES, SM_SHARED);
    }
}

static unsigned draw_local(struct rng *rng, unsigned warps, unsigned sms, unsigned most_threads) {
    const unsigned most = lower(128, 4 * LOCAL_WORDS * most_threads / (warps * LANES * sms)) & ~3u;
    return most == 0 || rng_below(rng, 3) != 0 ? 0 : 4 * draw_between(rng, 1, most / 4);
}

/* ----------------------------------------------------------------------------------------------------------- kernel */

static unsigned last_word(unsigned bytes) { return (bytes & ~3u) - 4; }
static bool uses_shared(const struct shape *s) { return s->shared >= FIRST_BYTES + 4; }

static void print_head(const struct shape *s, const char *binary, FILE *out) {
    fprintf(out, "// SPDX-License-Identifier: Apache-2.0\n.kernel launch\n.grid %u, %u\n.block %u, %u, %u\n.reg %u\n",
            s->grid[0], s->grid[1], s->block[0], s->block[1], s->block[2], s->regs);
    fprintf(out, ".shared %u\n", s->shared);
    if (s->local > 0) fprintf(out, ".local %u\n", s->local);
    fprintf(out, ".param 0x0, %u               // words, threads of a block\n", threads_of(s));
    fprintf(out, ".const 1:0 = 0x3ff, 0x%x\n.expect 0x0 = @%s\n\n", s->rounds - 1, binary);
}

/* R124 reads zero and R127 stores nothing. */
static unsigned last_register(const struct shape *s) {
    if (s->regs <= MIN_REGS) return 2;
    const unsigned last = s->regs - 1;
    return last == 124 || last == 127 ? last - 1 : last;
}

/* The smallest kernel needs R0 alone, and a block of one dimension. */
static void print_smallest(FILE *out) {
    fputs("        SHL R0, R0, 0x2\n        GST.U32 global14 [R0], R0\n        .end\n", out);
}

static void print_body(const struct shape *s, FILE *out) {
    const unsigned keep = last_register(s);
    fputs("        SHR R1, R0, 0x1a                 // z\n"
          "        IMUL.U16.U16 R1, g [0x2].U16, R1L\n"
          "        SHR R2, R0, 0x10\n"
          "        LOP.AND R2, R2, c [0x1] [0x0]    // y\n"
          "        IADD R1, R1, R2\n"
          "        IMUL.U16.U16 R1, g [0x1].U16, R1L\n"
          "        I2I.U32.U16 R2, R0L              // x\n"
          "        IADD R1, R1, R2                  // thread of the block\n"
          "        MOV.U16 R2L, g [0x7].U16\n"
          "        IMUL.U16.U16 R2, g [0x4].U16, R2L\n"
          "        I2I.U32.U16 R3, g [0x6].U16\n"
          "        IADD R2, R2, R3                  // block of the grid\n"
          "        MOV R3, g [0x5]\n"
          "        IMUL.U24.U24 R2, R2, R3\n"
          "        IADD R1, R1, R2\n"
          "        SHL R1, R1, 0x2\n"
          "        IADD R1, g [0x4], R1             // the thread's word\n"
          "        MOV R2, R0\n",
          out);
    for (unsigned word = 0; word < 4; word++)
        fprintf(out, "        SHL R3, R2, 0x5\n        IADD R2, R2, R3\n        IADD R2, g [0x%x], R2\n", word);
    fputs("        I2I.U32.U16 R3, g [0x6].U16\n"
          "        LOP.AND R3, R3, c [0x1] [0x1]    // rounds\n"
          "again:  IADD32I R3, R3, -1\n"
          "        I2I.S32.S32.C0 o [0x7f], R3\n"
          "        BRA C0.GT, again\n",
          out);
    fprintf(out, "        MOV R%u, R2\n", keep);
    if (uses_shared(s))
        fprintf(out, "        ADA A1, A0, 0x%x\n        MOV R3, g [0x3]\n        R2G.U32.U32 g [A1+0x0], R3\n",
                last_word(s->shared));
    fprintf(out, "        BAR.ARV.WAIT b0, 0xfff\n        MOV R3, R%u\n", keep);
    if (uses_shared(s)) fputs("        IADD R3, g [A1+0x0], R3\n", out);
    if (s->local > 0)
        fprintf(out,
                "        ADA A2, A0, 0x%x\n        LST.U32 local [A2+0x0], R3\n        MVI R3, 0x0\n"
                "        LLD.U32 R3, local [A2+0x0]\n",
                last_word(s->local));
    fputs(
        "        GLD.U32 R2, global14 [R1]\n        IADD R3, R3, R2\n        GST.U32 global14 [R1], R3\n        .end\n",
        out);
}

/* ------------------------------------------------------------------------------------------------------ expectation */

static uint32_t hash(const struct shape *s, unsigned bx, unsigned by, unsigned x, unsigned y, unsigned z) {
    const uint32_t block = bx | by << 16;
    const uint32_t header[4] = {s->block[0] << 16, s->block[1] | s->block[2] << 16, s->grid[0] | s->grid[1] << 16,
                                block};
    uint32_t h = x | y << 16 | z << 26;
    for (unsigned i = 0; i < 4; i++) h = h * 33 + header[i];
    return uses_shared(s) ? h + block : h;
}

static void put_word(uint32_t word, FILE *out) {
    for (unsigned i = 0; i < 4; i++) fputc((int)(word >> (8 * i) & 0xff), out);
}

static void expect(const struct shape *s, FILE *out) {
    for (unsigned by = 0; by < s->grid[1]; by++)
        for (unsigned bx = 0; bx < s->grid[0]; bx++)
            for (unsigned z = 0; z < s->block[2]; z++)
                for (unsigned y = 0; y < s->block[1]; y++)
                    for (unsigned x = 0; x < s->block[0]; x++)
                        put_word(s->regs < MIN_REGS ? 4 * x : hash(s, bx, by, x, y, z), out);
}

/* ------------------------------------------------------------------------------------------------------------ main */

static void numbers(const char *text, unsigned *n, unsigned count) {
    for (unsigned i = 0; i < count; i++) n[i] = 1;
    for (unsigned i = 0; i < count && *text != 0; i++) {
        char *end;
        n[i] = (unsigned)strtoul(text, &end, 0);
        text = *end == ',' ? end + 1 : end;
    }
}

static FILE *create(const char *stem, const char *suffix, char path[512]) {
    snprintf(path, 512, "%s%s", stem, suffix);
    FILE *f = fopen(path, "wb");
    if (f == NULL) {
        perror(path);
        exit(2);
    }
    return f;
}

static const char *name_of(const char *path) {
    const char *name = path;
    for (const char *c = path; *c != 0; c++)
        if (*c == '/') name = c + 1;
    return name;
}

static void write_launch(const struct shape *s, const char *stem) {
    char path[512];
    FILE *out = create(stem, ".bin", path);
    expect(s, out);
    const bool written = fclose(out) == 0;
    out = create(stem, ".sass", (char[512]){0});
    print_head(s, name_of(path), out);
    if (s->regs < MIN_REGS)
        print_smallest(out);
    else
        print_body(s, out);
    if (fclose(out) != 0 || !written) {
        perror(stem);
        exit(2);
    }
}

int main(int argc, char **argv) {
    static const struct option names[] = {
        {"seed",             required_argument, NULL, 's'},
        {"threads",              required_argument, NULL, 't'},
        {"grid",                  required_argument, NULL, 'g'},
        {"block",required_argument, NULL, 'b'},
        {"reg",               required_argument, NULL, 'r'},
        {"shared",             required_argument, NULL, 'm'},
        {"local",              required_argument, NULL, 'l'},
        {"sms",                  required_argument, NULL, 'n'},
        {0             }
    };
    const char *grid = NULL, *block = NULL, *reg = NULL, *shared = NULL, *local = NULL;
    unsigned most_threads = 8192, sms = 1;
    struct rng rng = {1};
    int c;
    while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
        switch (c) {
        case 's': rng.state = strtoull(optarg, NULL, 0); break;
        case 't': most_threads = (unsigned)strtoul(optarg, NULL, 0); break;
        case 'g': grid = optarg; break;
        case 'b': block = optarg; break;
        case 'r': reg = optarg; break;
        case 'm': shared = optarg; break;
        case 'l': local = optarg; break;
        case 'n': sms = (unsigned)strtoul(optarg, NULL, 0); break;
        default: optind = argc;
        }
    }
    if (optind + 1 != argc) {
        fputs(
            "usage: draw_launch --seed N [--threads N] [--grid X,Y] [--block X,Y,Z] [--reg N] [--shared N] [--local N]"
            " [--sms N] FILE\n",
            stderr);
        return 2;
    }
    struct shape s = {0};
    draw_block(&rng, &s, most_threads);
    if (block != NULL) numbers(block, s.block, 3);
    const unsigned warps = (threads_of(&s) + LANES - 1) / LANES;
    draw_grid(&rng, &s, most_threads);
    if (grid != NULL) numbers(grid, s.grid, 2);
    s.regs = draw_regs(&rng, warps);
    if (reg != NULL) numbers(reg, &s.regs, 1);
    s.shared = draw_shared(&rng);
    if (shared != NULL) numbers(shared, &s.shared, 1);
    s.local = draw_local(&rng, warps, sms, most_threads);
    if (local != NULL) numbers(local, &s.local, 1);
    s.rounds = 1u << rng_below(&rng, 7);
    write_launch(&s, argv[optind]);
    printf("grid %u,%u block %u,%u,%u reg %u shared %u local %u\n", s.grid[0], s.grid[1], s.block[0], s.block[1],
           s.block[2], s.regs, s.shared, s.local);
    return 0;
}

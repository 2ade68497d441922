/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one random kernel that ends, touches only memory that it has and reads nothing undefined, with its launch:
 *
 *     random_kernel --seed N [--length ITEMS] [--flow PERCENT] [--wild PERCENT] [--atomics] [--undefined]
 *                   [-o FILE.sass]
 *
 * With --undefined it reads what it has not written, wherever that does no harm; with --wild it may trap.
 *
 * The same options give the same kernel. Warps write disjoint global memory; shared memory is raced for, which lockstep
 * replays in the order of the RTL. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "shape.h"

enum {
    DATA_WORDS = 256,  /* at address 0: random words that registers start from */
    WARP_BYTES = 1024, /* global memory of each warp, behind them */
    SM_REGS = 16384,
    SM_SHARED = 16384,
    PARAMS_MAX = 4,
    HEADER_BYTES = 16,
};

struct launch {
    uint32_t grid[2], block[3];
    unsigned params;
    unsigned words_per_thread_log2; /* words of shared memory that each thread fills */
};

static unsigned thread_count(const struct launch *l) { return l->block[0] * l->block[1] * l->block[2]; }

static void draw_launch(struct launch *l, struct rules *r, struct rng *rng) {
    static const uint16_t widths[] = {1, 7, 16, 31, 32, 33, 48, 64, 70, 96, 128};
    *l = (struct launch){
        .block = {widths[rng_below(rng, 11)], 1, 1}
    };
    if (rng_percent(rng, 30)) {
        l->block[0] = 1 + rng_below(rng, 12);
        l->block[1] = 1 + rng_below(rng, 5);
        l->block[2] = 1 + rng_below(rng, 3);
    }
    l->grid[0] = 1 + rng_below(rng, rng_percent(rng, 30) ? 5 : 2);
    l->grid[1] = 1 + rng_below(rng, rng_percent(rng, 20) ? 3 : 1);
    l->params = rng_below(rng, PARAMS_MAX + 1);
    const unsigned threads = thread_count(l);
    while ((threads * 4 << l->words_per_thread_log2) < 512) {
        l->words_per_thread_log2++;
    }
    r->shared_bytes = HEADER_BYTES + 4 * l->params + (threads * 4 << l->words_per_thread_log2);
    const unsigned most = SM_REGS / ((threads + 31) / 32 * 32);
    r->regs = REG_FREE + 3 + rng_below(rng, rng_percent(rng, 15) ? 100 : 14);
    if (r->regs > most) {
        r->regs = most;
    }
    if (r->regs > 124) {
        r->regs = 124;
    }
    const uint8_t far_bank = (uint8_t)(2 + rng_below(rng, 14));
    memcpy(r->banks, (const uint8_t[4]){0, 1, far_bank, 1}, sizeof r->banks);
    r->guard_percent = rng_below(rng, 3) * 30;
    const uint64_t bits = rng_next(rng);
    r->arrive_only = (uint16_t)(bits & bits >> 16 & 0xfffeu);
    const uint32_t local = rng_below(rng, 20);
    r->local_bytes = local < 5    ? 0
                     : local < 11 ? 4 * (1 + rng_below(rng, 8))
                                  : AREG_LIMIT + 16 * (1 + rng_below(rng, 4));
}

/* Addresses: linear thread number, bases of the warp's and the lane's global memory. */
static void add_addresses(const struct launch *l, struct program *p) {
    const unsigned warps = (thread_count(l) + 31) / 32;
    program_add(p, NO_LABEL, "I2I.U32.U16 R4, R0L");
    if (l->block[1] * l->block[2] > 1) {
        program_add(p, NO_LABEL, "SHR R11, R0, 0x10");
        program_add(p, NO_LABEL, "SHR R12, R0, 0x1a");
        program_add(p, NO_LABEL, "LOP.AND R11, R11, c [0x1] [0x%x]", MASK_G);
        program_add(p, NO_LABEL, "IMUL32I.U16.U16 R11, R11L, 0x%x", l->block[0]);
        program_add(p, NO_LABEL, "IADD R4, R4, R11");
        program_add(p, NO_LABEL, "IMUL32I.U16.U16 R12, R12L, 0x%x", l->block[0] * l->block[1]);
        program_add(p, NO_LABEL, "IADD R4, R4, R12");
    }
    program_add(p, NO_LABEL, "MOV.U16 R11L, g [0x7].U16");
    program_add(p, NO_LABEL, "IMUL32I.U16.U16 R11, R11L, 0x%x", l->grid[0]);
    program_add(p, NO_LABEL, "I2I.U32.U16 R12, g [0x6].U16");
    program_add(p, NO_LABEL, "IADD R11, R11, R12");
    program_add(p, NO_LABEL, "IMUL32I.U16.U16 R11, R11L, 0x%x", warps);
    program_add(p, NO_LABEL, "SHR R12, R4, 0x5");
    program_add(p, NO_LABEL, "IADD R11, R11, R12");
    program_add(p, NO_LABEL, "IADD32I R1, R11, 0x1"); /* the data are as long as what belongs to a warp */
    program_add(p, NO_LABEL, "SHL R1, R1, 0xa");
    program_add(p, NO_LABEL, "LOP.AND R12, R4, c [0x1] [0x%x]", MASK_LANE);
    program_add(p, NO_LABEL, "SHL R12, R12, 0x2");
    program_add(p, NO_LABEL, "IADD R2, R1, R12");
}

static void add_registers(const struct rules *r, struct rng *rng, struct program *p) {
    for (unsigned reg = REG_COUNTER; reg < REG_FREE; reg++) {
        program_add(p, NO_LABEL, "MVI R%u, 0x0", reg);
    }
    for (unsigned reg = REG_FREE; reg < r->regs && !r->undefined; reg++) {
        const uint32_t pick = rng_below(rng, 3);
        if (pick == 0) {
            program_add(p, NO_LABEL, "MVI R%u, 0x%x", reg, rng_word(rng));
        } else if (pick == 1 && reg < 64) {
            program_add(p, NO_LABEL, "IADD32I R%u, R4, 0x%x", reg, rng_word(rng));
        } else {
            program_add(p, NO_LABEL, "SHL R3, R4, 0x2");
            program_add(p, NO_LABEL, "IADD32I R3, R3, 0x%x", 4 * rng_below(rng, DATA_WORDS));
            program_add(p, NO_LABEL, "LOP.AND R3, R3, c [0x1] [0x%x]", MASK_G4);
            program_add(p, NO_LABEL, "GLD.U32 R%u, global14 [R3]", reg);
        }
    }
}

/* Writes the thread's local memory, as what is never written is undefined. */
static void add_local(const struct rules *r, struct rng *rng, struct program *p) {
    if (r->local_bytes <= AREG_LIMIT) {
        for (uint32_t at = 0; at < r->local_bytes; at += 4) {
            program_add(p, NO_LABEL, "LST.U32 local [0x%x], R%u", at, draw_register(r, rng));
        }
        return;
    }
    const int top = program_new_label(p);
    program_add(p, NO_LABEL, "MVI R%d, 0x%x", REG_COUNTER, r->local_bytes / 16);
    program_add(p, NO_LABEL, "ADA A1, A0, 0x0");
    program_place_label(p, top);
    program_add(p, NO_LABEL, "LST.S128 local [A1+++0x10], R12");
    program_add(p, NO_LABEL, "IADD R12, R12, R4");
    program_add(p, NO_LABEL, "IADD32I R%d, R%d, 0xffffffff", REG_COUNTER, REG_COUNTER);
    program_add(p, NO_LABEL, "I2I.U32.U32.C0 o [0x7f], R%d", REG_COUNTER);
    program_add(p, top, "BRA C0.NE, 0x0");
}

static void add_files(const struct launch *l, const struct rules *r, struct rng *rng, struct program *p) {
    const unsigned words = 1u << l->words_per_thread_log2;
    program_add(p, NO_LABEL, "R2A A1, R4, 0x%x", 2 + l->words_per_thread_log2);
    for (unsigned i = 0; i < words && !r->undefined; i++) {
        program_add(p, NO_LABEL, "R2G.U32.U32 g [A1+0x%x], R%u", HEADER_BYTES / 4 + l->params + i,
                    draw_register(r, rng));
    }
    program_add(p, NO_LABEL, "BAR.ARV.WAIT b0, 0xfff");
    for (unsigned areg = 1; areg <= 4; areg++) {
        program_add(p, NO_LABEL, "LOP.AND R3, R%u, c [0x1] [0x%x]", draw_register(r, rng),
                    areg <= 2   ? MASK_A4
                    : areg == 3 ? MASK_A2
                                : MASK_A);
        program_add(p, NO_LABEL, "R2A A%u, R3", areg);
        if (!r->undefined) {
            program_add(p, NO_LABEL, "R2C C%u, R%u", areg - 1, draw_register(r, rng));
        }
    }
    program_add(p, NO_LABEL, "MOV R3, R4");
}

static void print_words(FILE *out, struct rng *rng, const uint32_t *first, unsigned first_count, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        fprintf(out, "%s0x%x%s",
                i == 0       ? ""
                : i % 8 == 0 ? "    "
                             : " ",
                i < first_count ? first[i] : rng_word(rng),
                i + 1 == count ? "\n"
                : i % 8 == 7   ? ",\n"
                               : ",");
    }
}

static void print_launch(const struct launch *l, const struct rules *r, struct rng *rng, FILE *out) {
    static const uint32_t masks[CONST_MASKS] = {
        [MASK_A] = 0xff,   [MASK_A2] = 0xfe,  [MASK_A4] = 0xfc,  [MASK_LANE] = 0x1f, [MASK_G4] = 0x3fc,
        [MASK_G2] = 0x3fe, [MASK_G] = 0x3ff,  [MASK_2] = 0x3,    [MASK_G8] = 0x3f8,  [MASK_G16] = 0x3f0,
        [MASK_A8] = 0xf8,  [MASK_A16] = 0xf0, [MASK_CASE] = 0xc,
    };
    fprintf(out, ".kernel random\n%s.grid %u, %u\n.block %u, %u, %u\n.reg %u\n.shared %u\n",
            r->atomics ? ".arch sm_11\n" : "", l->grid[0], l->grid[1], l->block[0], l->block[1], l->block[2], r->regs,
            r->shared_bytes);
    if (l->params != 0) {
        fprintf(out, ".param ");
        print_words(out, rng, NULL, 0, l->params);
    }
    for (unsigned i = 0; i < 3; i++) {
        fprintf(out, ".const %u:0 = ", r->banks[i]);
        print_words(out, rng, masks, i == 1 ? CONST_MASKS : 0, CONST_BYTES / 4);
    }
    if (r->local_bytes > 0) {
        fprintf(out, ".local %u\n", r->local_bytes);
    }
    fprintf(out, ".global 0 = ");
    print_words(out, rng, NULL, 0, DATA_WORDS);
    const unsigned warps = (thread_count(l) + 31) / 32 * l->grid[0] * l->grid[1];
    fprintf(out, ".global 0x%x = 0 // the last word that a warp has\n", (warps + 1) * WARP_BYTES - 4);
}

static void print_targets(const struct program *p, FILE *out) {
    for (unsigned i = 0; i < p->target_count; i++) {
        fprintf(out, ".const 1:%u = 0x%x\n", CONST_BYTES + 4 * i, program_label_address(p, p->target[i]));
    }
}

static void write_kernel(uint64_t seed, const struct shape_options *options, bool atomics, bool undefined, FILE *out) {
    struct rng rng = {seed};
    struct rules rules = {0};
    struct launch launch;
    struct program *p = calloc(1, sizeof *p);
    if (p == NULL) {
        fputs("random_kernel: out of memory\n", stderr);
        exit(2);
    }
    rules.atomics = atomics;
    rules.undefined = undefined;
    draw_launch(&launch, &rules, &rng);
    draw_init(&rules);
    add_addresses(&launch, p);
    add_registers(&rules, &rng, p);
    if (!undefined) {
        add_local(&rules, &rng, p);
    }
    add_files(&launch, &rules, &rng, p);
    shape_kernel(&rules, &rng, p, options);
    fprintf(
        out,
        "// SPDX-License-Identifier: Apache-2.0\n// random_kernel --seed %llu --length %u --flow %u --wild %u%s%s\n",
        (unsigned long long)seed, options->length, options->flow_percent, options->wild_percent,
        atomics ? " --atomics" : "", undefined ? " --undefined" : "");
    print_launch(&launch, &rules, &rng, out);
    print_targets(p, out);
    program_print(p, out);
    free(p);
}

int main(int argc, char **argv) {
    static const struct option names[] = {
        {"seed",             required_argument, NULL, 's'},
        {"length",              required_argument, NULL, 'l'},
        {"flow",                  required_argument, NULL, 'f'},
        {"wild",required_argument, NULL, 'w'},
        {"atomics",               no_argument, NULL, 'a'},
        {"undefined",             no_argument, NULL, 'u'},
        {"output",              required_argument, NULL, 'o'},
        {0                 }
    };
    struct shape_options options = {.length = 60, .flow_percent = 20};
    uint64_t seed = 1;
    bool atomics = false, undefined = false;
    const char *path = NULL;
    int c;
    while ((c = getopt_long(argc, argv, "o:", names, NULL)) != -1) {
        switch (c) {
        case 's': seed = strtoull(optarg, NULL, 0); break;
        case 'l': options.length = (unsigned)strtoul(optarg, NULL, 0); break;
        case 'f': options.flow_percent = (unsigned)strtoul(optarg, NULL, 0); break;
        case 'w': options.wild_percent = (unsigned)strtoul(optarg, NULL, 0); break;
        case 'a': atomics = true; break;
        case 'u': undefined = true; break;
        case 'o': path = optarg; break;
        default:
            fputs("usage: random_kernel --seed N [--length ITEMS] [--flow PERCENT] [--wild PERCENT] [--atomics] "
                  "[--undefined] [-o FILE.sass]\n",
                  stderr);
            return 2;
        }
    }
    FILE *out = path == NULL ? stdout : fopen(path, "w");
    if (out == NULL) {
        perror(path);
        return 2;
    }
    write_kernel(seed, &options, atomics, undefined, out);
    if (fclose(out) != 0) {
        perror(path);
        return 2;
    }
    return 0;
}

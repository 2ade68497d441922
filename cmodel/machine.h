/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes of a machine: what the C model is created with and what the RTL's generics say. Per SM unless noted. */
#ifndef WARPSTEP_MACHINE_H
#define WARPSTEP_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "../assembler/base/linkage.h"

C_LINKAGE_BEGIN

enum { WARP_LANES = 32 };

struct machine {
    unsigned sms;       /* streaming multiprocessors, 1..8 */
    unsigned blocks;    /* resident blocks */
    unsigned warps;     /* resident warps */
    unsigned threads;   /* resident threads */
    unsigned registers; /* 32-bit registers, all threads together */
    uint32_t shared_bytes;
    uint32_t const_bytes;  /* all banks of a launch together, whole machine; each bank is padded to 4 bytes */
    uint32_t code_bytes;   /* whole machine */
    uint32_t global_bytes; /* whole machine */
    unsigned stack_depth;  /* entries of a warp stack */
    unsigned param_words;  /* most parameter words of a launch */
    bool has_atomics;      /* executes GRED and GATOM (sm_11); without it they trap as unimplemented */
    bool has_fpu;          /* executes floating point: FADD, FMUL, FMAD, comparisons, conversions, RRO; else the same */
    bool has_sfu;          /* executes special functions: RCP, RSQ, LG2, SIN, COS, EX2; else the same */
    unsigned wide;         /* lanes that multiply whole words: WMUL, WMAD (sm_10x); with 0 these are undefined */
    unsigned dividers;     /* units that divide integers: IDIV, IREM (sm_10x); likewise */
};

/* The defaults of the contract. Source: Roascio 2018; stack: 31 diverged groups and as many nested SSY, CAL and PBK. */
#define MACHINE_DEFAULT                                                                                          \
    {                                                                                                            \
        .sms = 1, .blocks = 8, .warps = 32, .threads = 1024, .registers = 16384, .shared_bytes = 16384,          \
        .const_bytes = 8192, .code_bytes = 262144, .global_bytes = 262144, .stack_depth = 64, .param_words = 60, \
        .has_atomics = false, .has_fpu = true, .has_sfu = true, .wide = 0, .dividers = 0                         \
    }

/* The bytes of global memory that `--global-bytes` takes. */
enum { MACHINE_GLOBAL_LEAST = 4096, MACHINE_GLOBAL_MOST = 1 << 28 };

/* Threads and warps of a block of x * y * z threads. */
static inline unsigned block_threads(const uint32_t dim[3]) { return dim[0] * dim[1] * dim[2]; }
static inline unsigned block_warps(const uint32_t dim[3]) { return (block_threads(dim) + WARP_LANES - 1) / WARP_LANES; }

C_LINKAGE_END

#endif

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

/* The defaults of the contract. Source: Roascio 2018; stack: 31 diverged groups and as many nested SSY, CAL and PBK. In
 * the order of the members, as C++ before 2020 has no names here: 1 SM of 8 blocks, 32 warps, 1024 threads and 16384
 * registers; bytes of shared memory, constants, code and global memory; stack and parameters; with floating point and
 * special functions alone. */
#define MACHINE_DEFAULT \
    { 1, 8, 32, 1024, 16384, 16384, 8192, 262144, 262144, 64, 60, false, true, true, 0, 0 }

/* The bytes of global memory that `--global-bytes` takes. */
enum { MACHINE_GLOBAL_LEAST = 4096, MACHINE_GLOBAL_MOST = 1 << 28 };

/* Threads and warps of a block of x * y * z threads. */
static inline unsigned block_threads(const uint32_t dim[3]) { return dim[0] * dim[1] * dim[2]; }
static inline unsigned block_warps(const uint32_t dim[3]) { return (block_threads(dim) + WARP_LANES - 1) / WARP_LANES; }

C_LINKAGE_END

#endif

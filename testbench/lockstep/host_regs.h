/* SPDX-License-Identifier: Apache-2.0 */
/* The host's view of the RTL: byte addresses on the 32-bit Wishbone port (rtl/host.vhd has the same list and the
 * meaning of each bit; host_tb.vhd goes by these addresses). Windows are word-addressed memories, one 32-bit word a
 * transfer. */
#ifndef WARPSTEP_HOST_REGS_H
#define WARPSTEP_HOST_REGS_H

enum host_reg {
    HOST_ID = 0x000,         /* r: HOST_ID_VALUE, "WARP" */
    HOST_CONFIG = 0x004,     /* r: [3:0] SMS, [9:4] CORES, [15:10] WARPS - 1, [19:16] BLOCKS */
    HOST_CONTROL = 0x008,    /* w: [0] start the grid, while none runs (only a reset stops a kernel that does not end),
                                [1] clear global memory; the start, and any other access, waits for its end */
    HOST_STATUS = 0x00c,     /* r: [1:0] 0 idle 1 running 2 done 3 trapped, [4] clearing (never seen: the access waits),
                                [11:8] trap code; trapped with code 0: the launch was refused, it has no block or none
                                that fits */
    HOST_TRAP_WHERE = 0x010, /* r: [7:0] warp slot, [15:8] SM */
    HOST_TRAP_PC = 0x014,    /* r: [23:0] */
    HOST_CYCLES_LO = 0x018,  /* r: cycles from start to done */
    HOST_CYCLES_HI = 0x01c,
    HOST_WARP_INSNS = 0x020,   /* r: retired warp instructions */
    HOST_THREAD_INSNS = 0x024, /* r: active lanes of these, summed */
    HOST_GRID = 0x080,         /* rw: [15:0] x, [31:16] y */
    HOST_BLOCK_XY = 0x084,     /* rw: [15:0] x, [31:16] y */
    HOST_BLOCK_Z = 0x088,      /* rw: [15:0] z */
    HOST_THREADS = 0x08c,      /* rw: [10:0] threads of a block (x * y * z), 1..1024 */
    HOST_REGS = 0x090,         /* rw: [7:0] registers per thread, 1..128 */
    HOST_SHARED = 0x094,       /* rw: [15:0] shared bytes per block with header and parameters, a multiple of 4 */
    HOST_CODE_BYTES = 0x098,   /* rw: [23:0] length of the code */
    HOST_PARAM_WORDS = 0x09c,  /* rw: [5:0] parameter words, 0..60 */
    HOST_LOCAL_BASE = 0x0a0,   /* rw: global byte address of local memory, a multiple of 128 */
    HOST_LOCAL_BYTES = 0x0a4,  /* rw: [15:0] local bytes per thread, a multiple of 4 */
    HOST_LOCAL_WARPS = 0x0a8,  /* rw: [5:0] warp slots of each SM that have local memory; not looked at without any */
    HOST_FEATURES = 0x0ac,     /* rw: [0] GATOM and GRED execute (reads 0 where the machine has none) */
    HOST_CONST_BANK =
        0x0c0, /* rw: 16 words: [15:0] byte offset of the bank in constant memory, [31:16] its size in bytes */
    HOST_PARAMS = 0x100,      /* w: 60 words, copied to shared memory from byte 16 of each block */
    HOST_CAUSES = 0x200,      /* r: 16 words an SM, its cycles by cause, see enum sim_cause; 0 while the grid runs */
    HOST_CODE = 0x10000000,   /* rw: window */
    HOST_CONST = 0x20000000,  /* rw: window */
    HOST_GLOBAL = 0x40000000, /* rw: window */
};

enum { HOST_ID_VALUE = 0x57415250 };
enum { HOST_CAUSES_OF_SM = 0x40 }; /* bytes from one SM's words to those of the next */

#endif

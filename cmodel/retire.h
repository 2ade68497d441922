/* SPDX-License-Identifier: Apache-2.0 */
/* The retire record in C: the model returns one for each step, a simulation one for each warp instruction.
 * spec/retire.def defines the fields, their widths and meanings. */
#ifndef WARPSTEP_RETIRE_H
#define WARPSTEP_RETIRE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../assembler/base/linkage.h"
#include "machine.h"

C_LINKAGE_BEGIN

enum { RETIRE_WORDS = 4 /* words of the widest access */ };

enum retire_dst { RETIRE_DST_NONE, RETIRE_DST_REG32, RETIRE_DST_REG16 };

enum retire_mem {
    RETIRE_MEM_NONE,
    RETIRE_MEM_GLOBAL_LOAD,
    RETIRE_MEM_GLOBAL_STORE,
    RETIRE_MEM_SHARED_STORE, /* R2G */
    RETIRE_MEM_LOCAL_LOAD,
    RETIRE_MEM_LOCAL_STORE,
    RETIRE_MEM_GLOBAL_ATOMIC,
};

enum retire_state { RETIRE_READY, RETIRE_BARRIER, RETIRE_FINISHED, RETIRE_TRAPPED };

/* The reasons for which a grid stops. The host reads the same codes from the RTL's status register. */
enum trap {
#define TRAP(name, code, text) TRAP_##name = (code),
#include "../spec/trap.def"
#undef TRAP
};

struct retire {
#define HARNESS(name, bits)              uint64_t name;
#define SCALAR(name, bits, compare)      uint32_t name;
#define MASK(name, compare)              uint32_t name;
#define LANES(name, bits, mask, compare) uint32_t name[WARP_LANES];
#define WORDS(name, of, mask, compare)   uint32_t name[RETIRE_WORDS - 1][WARP_LANES];
#include "../spec/retire.def"
};

/* Words of the access; 1 without an access. */
static inline unsigned retire_words(const struct retire *r) { return r->mem_bytes > 4 ? r->mem_bytes / 4 : 1; }

/* Bytes of the record in use: the later words of a wide access lie at its end, and most records lack them. */
static inline size_t retire_size(const struct retire *r) {
    return retire_words(r) > 1 ? sizeof *r : offsetof(struct retire, dst_rest);
}

static inline void retire_copy(struct retire *to, const struct retire *from) { memcpy(to, from, retire_size(from)); }

C_LINKAGE_END

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The retire record in C: what the model returns for each step and what a simulation reports for each warp
 * instruction. The fields, their widths and meanings are in spec/retire.def. */
#ifndef WARPSTEP_RETIRE_H
#define WARPSTEP_RETIRE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../assembler/base/linkage.h"
#include "machine.h"

C_LINKAGE_BEGIN

enum { RETIRE_WORDS = 4 /* of the widest access */ };

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

/* Why a grid was stopped. The host reads the same codes from the RTL's status register. */
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

/* Words of the access; 1 also where there is none. */
static inline unsigned retire_words(const struct retire *r) { return r->mem_bytes > 4 ? r->mem_bytes / 4 : 1; }

/* Bytes of the record that mean something: the words behind the first of a wide access stand last in it, and most
 * records do without. */
static inline size_t retire_size(const struct retire *r) {
    return retire_words(r) > 1 ? sizeof *r : offsetof(struct retire, dst_rest);
}

static inline void retire_copy(struct retire *to, const struct retire *from) { memcpy(to, from, retire_size(from)); }

C_LINKAGE_END

#endif

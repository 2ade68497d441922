/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of memory.def: a block's header in shared memory, segments, special registers. */
#ifndef WARPSTEP_ISA_MEMORY_H
#define WARPSTEP_ISA_MEMORY_H

enum header { /* byte offset in shared memory */
#define HEADER(name, byte, text) HEADER_##name = (byte),
#include "memory.def"
};

enum { /* lengths in shared memory */
#define LAYOUT(name, value, text) name = (value),
#include "memory.def"
};

enum segment { /* segments of global accesses */
#define SEGMENT(name, number, text) SEGMENT_##name = (number),
#include "memory.def"
};

enum special { /* registers that S2R reads */
#define SPECIAL(name, number, text) SREG_##name = (number),
#include "memory.def"
};

#endif

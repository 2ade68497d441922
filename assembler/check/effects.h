/* SPDX-License-Identifier: Apache-2.0 */
/* The registers that an instruction reads and writes, for the analyses behind the assembler's warnings.
 *
 * Registers are numbered in halves: 2n and 2n + 1 are the halves of Rn, followed by A1..A4 and C0..C3. A set of
 * registers is an array of bits. */
#ifndef WARPSTEP_EFFECTS_H
#define WARPSTEP_EFFECTS_H

#include "../isa/isa.h"

enum {
    EFFECTS_A = 256,           /* A1 */
    EFFECTS_C = EFFECTS_A + 4, /* C0 */
    EFFECTS_REGISTERS = EFFECTS_C + 4,
    EFFECTS_SET_WORDS = (EFFECTS_REGISTERS + 63) / 64,
};

struct register_set {
    uint64_t bits[EFFECTS_SET_WORDS];
};

/* Consecutive registers. */
struct register_range {
    uint16_t first, count;
};

/* Facts about a result that may vary: in a block of one dimension all threads of a warp agree on threadIdx.x / 32, and
 * on the comparison of threadIdx.x with a multiple of 32. */
enum effects_rule {
    EFFECTS_NO_RULE,
    EFFECTS_COPY,    /* the result is the first source, zero-extended */
    EFFECTS_WARP,    /* the first source shifted right by 5 or more */
    EFFECTS_ALIGNED, /* a multiple of 32 */
    EFFECTS_COMPARE, /* the comparison "first source below second", or its opposite */
};

enum { EFFECTS_READS_MAX = 8, EFFECTS_WRITES_MAX = 4 };

struct effects {
    struct register_range read[EFFECTS_READS_MAX], write[EFFECTS_WRITES_MAX];
    uint8_t reads, writes;
    bool conditional; /* the guard may be true in some lanes and false in others */
    bool never;       /* the guard is never true */
    bool partial;     /* some lanes keep their old value for another reason: a lane mask */
    uint8_t rule;     /* enum effects_rule; sources in the order of `read` */
    bool varies;      /* the result varies between lanes for any operands */
};

struct effects effects_of(const struct isa_insn *insn);

static inline bool set_has(const struct register_set *s, unsigned n) { return (s->bits[n / 64] >> (n % 64) & 1) != 0; }

void set_add(struct register_set *s, struct register_range r);
void set_remove(struct register_set *s, struct register_range r);

/* True if any register of the range is in the set. */
bool set_has_any(const struct register_set *s, struct register_range r);

/* Adds all of `from`; true if that changed the set. */
bool set_merge(struct register_set *s, const struct register_set *from);

/* "R5", "R5L", "A1", "C0"; `whole`: both halves, of a whole register. Returns `text`. */
const char *register_name(unsigned n, bool whole, char text[8]);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* C registers and conditions, see predicate.h. */
#include "predicate.h"

uint32_t flags_where(const struct flags *flags, unsigned cond) {
    const uint32_t z = flags->zero;
    const uint32_t s = flags->sign;
    const uint32_t c = flags->carry;
    const uint32_t o = flags->overflow;
    switch (cond) {
    case 1: return (s & ~z) ^ o;  /* LT */
    case 2: return z & ~s;        /* EQ */
    case 3: return s ^ (z | o);   /* LE */
    case 4: return ~z & ~(s ^ o); /* GT */
    case 5: return ~z;            /* NE */
    case 6: return ~(s ^ o);      /* GE */
    case 7: return ~z | ~s;       /* NUM */
    case 8: return z & s;         /* NAN */
    case 9: return s ^ o;         /* LTU */
    case 10: return z;            /* EQU */
    case 11: return z | (s ^ o);  /* LEU */
    case 12: return ~s ^ (z | o); /* GTU */
    case 13: return ~z | s;       /* NEU */
    case 14: return (~s | z) ^ o; /* GEU */
    case 15: return UINT32_MAX;   /* TRUE */
    case 16: return o;            /* OVERFLOW */
    case 17: return c;            /* CARRY */
    case 18: return c & ~z;       /* HI */
    case 19: return s;            /* SIGN */
    case 28: return ~s;           /* NOT_SIGN */
    case 29: return z | ~c;       /* LS */
    case 30: return ~c;           /* NOT_CARRY */
    case 31: return ~o;           /* NOT_OVERFLOW */
    default: return 0;            /* FALSE, and the reserved codes 20..27 */
    }
}

uint8_t flags_get(const struct flags *flags, unsigned lane) {
    return (uint8_t)(((flags->zero >> lane) & 1u) | ((flags->sign >> lane) & 1u) << 1 |
                     ((flags->carry >> lane) & 1u) << 2 | ((flags->overflow >> lane) & 1u) << 3);
}

static void set_bit(uint32_t *mask, unsigned lane, unsigned value) {
    *mask = (*mask & ~((uint32_t)1 << lane)) | (uint32_t)(value & 1u) << lane;
}

void flags_set(struct flags *flags, unsigned lane, uint8_t nibble) {
    set_bit(&flags->zero, lane, nibble);
    set_bit(&flags->sign, lane, nibble >> 1u);
    set_bit(&flags->carry, lane, nibble >> 2u);
    set_bit(&flags->overflow, lane, nibble >> 3u);
}

void flags_write(struct flags *flags, const struct flags *value, uint32_t mask) {
    flags->zero = (flags->zero & ~mask) | (value->zero & mask);
    flags->sign = (flags->sign & ~mask) | (value->sign & mask);
    flags->carry = (flags->carry & ~mask) | (value->carry & mask);
    flags->overflow = (flags->overflow & ~mask) | (value->overflow & mask);
}

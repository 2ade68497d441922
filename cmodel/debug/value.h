/* SPDX-License-Identifier: Apache-2.0 */
/* Values that can be inspected by name: R5, R5L, R5H, A1, C0, global[0x100], shared[0x10], local[0x8], const[1,0x4],
 * each with the lane after a dot if it has lanes.
 *
 *     struct value v;
 *     if (!value_parse("R5.3", &v, &why)) ...
 *     value_fetch(m, image, sm, slot, &v, 3, &word)
 */
#ifndef WARPSTEP_DEBUG_VALUE_H
#define WARPSTEP_DEBUG_VALUE_H

#include "../model.h"

enum value_kind {
    VALUE_REGISTER,
    VALUE_LOW, /* half of a register */
    VALUE_HIGH,
    VALUE_ADDRESS, /* A register */
    VALUE_FLAGS,   /* C register */
    VALUE_GLOBAL,
    VALUE_SHARED,
    VALUE_LOCAL,
    VALUE_CONST
};

struct value {
    enum value_kind kind;
    unsigned bank;   /* constant bank */
    uint32_t number; /* number of a register; byte address of a word */
    int lane;        /* -1: all */
    char text[32];   /* as written, without the lane */
};

/* False: not a value, *why names the expected syntax. */
bool value_parse(const char *text, struct value *v, const char **why);

/* Registers and local memory; each lane has its own. */
bool value_has_lanes(const struct value *v);

/* Number of hexadecimal digits of the whole value. */
unsigned value_digits(const struct value *v);

/* Fetches a lane of the warp in this slot. False: no such register, address or warp. */
bool value_fetch(struct model *m, const struct image *image, const struct machine *machine, unsigned sm, unsigned slot,
                 const struct value *v, unsigned lane, uint32_t *word);

#endif

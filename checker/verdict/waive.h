/* SPDX-License-Identifier: Apache-2.0 */
/* Known deviations of an RTL: which fields of which operations the checker takes over from it instead of calling them a
 * mismatch, and what each of these waivers has covered.
 *
 *     struct waivers *w = waivers_create();
 *     if (waivers_add(w, "I2I:c:1", "--waive", &d) != STATUS_OK) ...       // bit 1 of the flags: S
 *     if (waivers_read(w, "known.waive", &d) != STATUS_OK) ...
 *     options.waivers = w;                                                 // lockstep.h
 *
 * A waiver is OP:FIELD[:BITS]. OP is a mnemonic without modifiers (IADD, IADD32I), END or JOIN for whatever instruction
 * carries that marker, `undefined` for words that are no instruction, or *. FIELD is a name of retire.def or *; dst and
 * data include their further words. BITS is a list of bits and ranges, 0-7,15, of the value; of a mask they are
 * lanes. */
#ifndef WARPSTEP_WAIVE_H
#define WARPSTEP_WAIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../assembler/base/diag.h"
#include "../../assembler/base/linkage.h"
#include "../record/field.h"

C_LINKAGE_BEGIN

/* What one waiver or finding has met. */
struct tally {
    uint64_t records; /* warp instructions */
    uint64_t lanes;   /* lane values, of masks and of fields with lanes */
    uint64_t bits;    /* every bit that differed, in any of them */
};

struct waiver {
    char text[64]; /* as it was given */
    char *reason;  /* the comment; "" on the command line */
    char op[16];
    char field[16];
    uint64_t bits;
    struct tally covered;
    uint64_t last; /* number of the record counted last, from 1 */
};

struct waivers {
    struct waiver *list;
    size_t count;
};

struct waivers *waivers_create(void); /* NULL when memory is out */
void waivers_destroy(struct waivers *w);

/* Adds one. `file` is named in what is wrong with it: an option, without a line. */
enum status waivers_add(struct waivers *w, const char *text, const char *file, struct diag *d);

/* Adds those of a file, one a line: OP:FIELD[:BITS] # why. The comment is a must; lines of nothing else are none. */
enum status waivers_read(struct waivers *w, const char *path, struct diag *d);

/* The OPs of an instruction: its mnemonic, and that of its marker, NULL where it carries none. */
struct waiver_ops {
    const char *mnemonic, *marker;
};
struct waiver_ops waivers_op(uint32_t word_lo, uint32_t word_hi);

/* The one of them that a field goes with: the marker's where the field says how the warp goes on. */
const char *waivers_op_of(const struct waiver_ops *op, const char *field);

/* Bits of `differ` that waivers allow in this operation's field; each of these waivers counts them, as one lane value
 * if `is_lane`, of record number `record`. w may be NULL. */
uint64_t waivers_cover(struct waivers *w, const struct waiver_ops *op, const char *field, uint64_t differ, bool is_lane,
                       uint64_t record);

C_LINKAGE_END

#endif

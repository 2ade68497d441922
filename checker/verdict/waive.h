/* SPDX-License-Identifier: Apache-2.0 */
/* Known deviations of an RTL: the fields of operations that the checker takes from the RTL instead of reporting a
 * mismatch, with counts of the differences that each waiver has covered.
 *
 *     struct waivers *w = waivers_create();
 *     if (waivers_add(w, "I2I:c:1", "--waive", &d) != STATUS_OK) ...       // bit 1 of the flags: S
 *     if (waivers_read(w, "known.waive", &d) != STATUS_OK) ...
 *     options.waivers = w;                                                 // lockstep.h
 *
 * A waiver is OP:FIELD[:BITS]. OP is a mnemonic without modifiers (IADD, IADD32I), END or JOIN for any instruction with
 * that marker, `undefined` for words that are no instruction, or *. FIELD is a name of retire.def or *; dst and data
 * include their further words. BITS is a list of bits and ranges, 0-7,15, of the value; in a mask they are lanes. */
#ifndef WARPSTEP_WAIVE_H
#define WARPSTEP_WAIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../assembler/base/diag.h"
#include "../../assembler/base/linkage.h"
#include "../record/field.h"

C_LINKAGE_BEGIN

/* The uses of a waiver or finding. */
struct tally {
    uint64_t records; /* warp instructions */
    uint64_t lanes;   /* lane values, of masks and of fields with lanes */
    uint64_t bits;    /* every differing bit, in any of them */
};

struct waiver {
    char text[64]; /* as given */
    char *reason;  /* the comment; "" on the command line */
    char op[16];
    char field[16];
    uint64_t bits;
    struct tally covered;
    uint64_t last; /* number of the last counted record, from 1 */
};

struct waivers {
    struct waiver *list;
    size_t count;
};

struct waivers *waivers_create(void); /* NULL if out of memory */
void waivers_destroy(struct waivers *w);

/* Adds one. `file` is named in its error messages: an option, without a line. */
enum status waivers_add(struct waivers *w, const char *text, const char *file, struct diag *d);

/* Adds those of a file, one a line: OP:FIELD[:BITS] # why. The comment is required; lines that are empty or comments
 * are skipped. */
enum status waivers_read(struct waivers *w, const char *path, struct diag *d);

/* The OPs of an instruction: its mnemonic, and that of its marker, NULL without a marker. */
struct waiver_ops {
    const char *mnemonic, *marker;
};
struct waiver_ops waivers_op(uint32_t word_lo, uint32_t word_hi);

/* The OP that a field belongs to: the marker's if the field describes the next state of the warp. */
const char *waivers_op_of(const struct waiver_ops *op, const char *field);

/* Bits of `differ` that waivers allow in this operation's field; each of these waivers counts them, as one lane value
 * if `is_lane`, of record number `record`. w may be NULL. */
uint64_t waivers_cover(struct waivers *w, const struct waiver_ops *op, const char *field, uint64_t differ, bool is_lane,
                       uint64_t record);

C_LINKAGE_END

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Records that printf in a kernel leaves in global memory, and its formats: OpenCL C 1.2, 6.12.13.
 *
 * A kernel that prints has one of two variables in constant bank 0, three words that the launch sets: the address of
 * counts, the size of a region, the address of the first region; the others follow. PRINTED: there is one region, with
 * its count, for all threads, which take room by atomic operations. PRINTED_WARPS: each warp of the grid has one, in
 * the order of the blocks, x first.
 *
 * A count is the bytes of its region that are taken; PRINTED_FULL or more once a record has found no room. A region
 * has records, without gaps, and zeros. Words of a record:
 *
 *     words of it (bits 0 to 15), arguments with the format (bits 16 to 31); written last
 *     for each argument a byte: its size, 0 for 128; bit 7 of it: it is an address of constant bank 0
 *     the arguments, each from a word on, the format first
 *
 * A record of no arguments is a string, which an argument of a later record has the address of. */
#ifndef WARPSTEP_PRINTED_H
#define WARPSTEP_PRINTED_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/linkage.h"

C_LINKAGE_BEGIN

#define PRINTED       ".printf"
#define PRINTED_WARPS ".printf_warps"
enum {
    PRINTED_BYTES = 12,      /* size of the variable */
    PRINTED_FULL = 1 << 30,  /* threshold of the count */
    PRINTED_CONSTANT = 0x80, /* flag of an argument's byte */
    PRINTED_LARGEST = 128,   /* bytes of an argument: double16 */
    PRINTED_WORDS = 0xffff,  /* maximum words of a record, and maximum number of arguments */
};

enum printed_length {
    PRINTED_NO_LENGTH,
    PRINTED_HH,
    PRINTED_H,
    PRINTED_HL, /* for vectors with elements of 4 bytes */
    PRINTED_L,
    PRINTED_LL,
    PRINTED_J,
    PRINTED_Z,
    PRINTED_T,
};

enum printed_flag {
    PRINTED_LEFT = 1,      /* - */
    PRINTED_PLUS = 2,      /* + */
    PRINTED_SPACE = 4,     /* blank */
    PRINTED_ALTERNATE = 8, /* # */
    PRINTED_ZERO = 16,     /* 0 */
};

/* Widths and precisions. */
enum { PRINTED_NONE = -1, PRINTED_STAR = -2 /* an argument */, PRINTED_WIDEST = 0xffff };

struct printed_conversion {
    unsigned flags;
    int width, precision;
    unsigned vector; /* 2, 3, 4, 8 or 16 elements; 0 for a scalar */
    enum printed_length length;
    char kind; /* any letter; '\0' if the format ends before it */
};

/* Reads a conversion, which begins with '%'. Returns its number of characters. */
size_t printed_read(const char *format, struct printed_conversion *c);

/* Returns whether conversions of this kind take an argument. */
bool printed_takes(const struct printed_conversion *c);

C_LINKAGE_END

#endif

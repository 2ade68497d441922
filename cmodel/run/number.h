/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the command line, converted to a type of PTX: "13", "-1", "0x7f", "2.5".
 *
 *     char expected[96]; uint64_t bits;
 *     if (!number_convert("2.5", "f32", &bits, expected, sizeof expected)) ... "expected %s" ...
 */
#ifndef WARPSTEP_NUMBER_H
#define WARPSTEP_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if a text looks like a number, not like a file name. */
bool number_is_one(const char *text);

/* Bytes of "u8" to "u64", "f32", ...; 0: not a numeric type. */
unsigned number_type_bytes(const char *type);

/* The bits of the number, rounded to nearest for floats. False if it is no number of that type, or out of its range:
 * `expected` then describes a valid one. Integers take both signs: -1 is the u32 4294967295. Untyped ones (b16, b32,
 * b64) are floats if they have a point or an exponent. */
bool number_convert(const char *text, const char *type, uint64_t *bits, char *expected, size_t size);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes given on the command line: hex digits, or @FILE (raw bytes; by suffix .hex, .mif, .coe, .mem: memory_file.h),
 * and other values.
 *
 *     uint8_t *bytes; size_t size;
 *     if (argument_bytes("@picture.bin", 65536, &bytes, &size, &d) != STATUS_OK) return diag_report(stderr, &d);
 *     free(bytes);
 */
#ifndef WARPSTEP_ARGUMENT_H
#define WARPSTEP_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../assembler/base/diag.h"

/* On STATUS_OK *bytes is allocated (the caller frees it), otherwise NULL. Zero bytes are an error, and so are more than
 * `limit`; a longer file is read only up to there. */
enum status argument_bytes(const char *text, size_t limit, uint8_t **bytes, size_t *size, struct diag *d);

/* A whole decimal or 0x number of at most `max`, ending at *end (NULL: the text must end there). False: not a number,
 * or too large. */
bool argument_number(const char *text, uint64_t max, uint64_t *value, const char **end);

/* A 32-bit word: such a number, or a negative one of at least -2^31, as its two's complement. */
bool argument_word(const char *text, uint32_t *word, const char **end);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the host programs: whole files of bytes and of little-endian 32-bit words, and numbers on the command line.
 * The programs are filters for tests; on any error they report it and exit with 2. */
#ifndef GOLDEN_BYTES_H
#define GOLDEN_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* A decimal or 0x number between low and high. `argv` has `argc` entries; `name` appears in the message. */
uint32_t number_arg(int argc, char **argv, int index, const char *name, uint32_t low, uint32_t high);

/* The whole file ("-": standard input), which the caller frees; *size is its length. Exactly `expected` bytes, unless
 * that is 0. */
uint8_t *read_bytes(const char *path, size_t expected, size_t *size);

/* To standard output. */
void write_bytes(const uint8_t *bytes, size_t size);

uint32_t load_word(const uint8_t *bytes, size_t index);
void store_word(uint8_t *bytes, size_t index, uint32_t word);

void *allocate(size_t size);

#endif

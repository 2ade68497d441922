/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a .hex file. */
#ifndef WARPSTEP_IMAGE_HEX_H
#define WARPSTEP_IMAGE_HEX_H

#include "image.h"

/* One 32-bit word a line in memory order, 0x optional, '#' comments; `text` ends in a NUL after its `size` bytes, path
 * is for messages. On failure *img is unchanged and *d is filled. */
enum status image_from_hex(const char *path, const char *text, size_t size, struct image **img, struct diag *d);

/* The words in these bytes, each least significant byte first, as a kernel called "kernel". */
enum status image_from_bytes(const char *path, const uint8_t *bytes, size_t size, struct image **img, struct diag *d);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets share. A target is one file with one function, fuzz_input, that libFuzzer calls with whatever
 * it made up (fuzz.c is between them). It aborts when the code under test breaks a promise:
 *
 *   - a rejected input has a message;
 *   - what was accepted prints as text that means the same again.
 *
 * Memory errors, undefined behaviour, leaks and hangs are found by the sanitizers and by libFuzzer. */
#ifndef WARPSTEP_FUZZ_H
#define WARPSTEP_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../assembler/image/image.h"
#include "../../assembler/source/assemble.h"

/* The target. text[size] is 0, and nothing behind that may be read; the text may be changed. */
void fuzz_input(char *text, size_t size);

/* Says what is wrong on stderr and aborts unless `fine`. */
void fuzz_check(bool fine, const char *what);

/* The status is STATUS_OK, or it is STATUS_BAD_INPUT and the diag says why. */
void fuzz_check_diag(enum status status, const struct diag *d);

/* Assembles a source text; true when it is right. Otherwise there was at least one message. */
bool fuzz_assemble(const char *text, size_t size, struct assembly *a);

/* The image prints as a listing that assembles to the same image, in either dialect. */
void fuzz_check_image(const struct image *img);

/* Makes the text begin as an ELF file does, else most of what libFuzzer makes up would be read as a source. False when
 * it is too short. */
bool fuzz_make_elf(char *text, size_t size);

/* Reads the bytes as a kernel file of the given name and checks the image, if there is one. The caller destroys it. */
struct image *fuzz_load(const char *path, char *text, size_t size);

/* Writes the image with `write` and reads it back: all that a listing would show is the same. */
void fuzz_check_written(const struct image *img,
                        enum status (*write)(const struct image *img, const char *path, struct diag *d));

/* True when the text names other files, which a target must not open, or asks for megabytes of data, which is legal but
 * takes long: .fill with a number of six digits, or one that is computed. */
bool fuzz_is_unfit(const char *text, size_t size);

#endif

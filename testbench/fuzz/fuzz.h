/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the fuzz targets. A target is one file with one function, fuzz_input, that libFuzzer calls through fuzz.c
 * with generated input. It aborts if the code under test breaks a guarantee:
 *
 *   - a rejected input has a message;
 *   - accepted input prints as text with the same meaning.
 *
 * The sanitizers and libFuzzer find memory errors, undefined behaviour, leaks and hangs. */
#ifndef WARPSTEP_FUZZ_H
#define WARPSTEP_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../assembler/image/image.h"
#include "../../assembler/source/assemble.h"

/* The target. text[size] is 0, and bytes beyond it may not be read; the text may be changed. */
void fuzz_input(char *text, size_t size);

/* Prints the fault on stderr and aborts unless `fine`. */
void fuzz_check(bool fine, const char *what);

/* The status is STATUS_OK, or STATUS_BAD_INPUT with a message in the diag. */
void fuzz_check_diag(enum status status, const struct diag *d);

/* Assembles a source text; true if it is correct. Otherwise there was at least one message. */
bool fuzz_assemble(const char *text, size_t size, struct assembly *a);

/* The image prints as a listing that assembles to the same image, in either dialect. */
void fuzz_check_image(const struct image *img);

/* Makes the text begin like an ELF file; otherwise most generated input would be read as a source. False if it is too
 * short. */
bool fuzz_make_elf(char *text, size_t size);

/* Reads the bytes as a kernel file of the given name and checks the image, if there is one. The caller destroys it. */
struct image *fuzz_load(const char *path, char *text, size_t size);

/* Writes the image with `write` and reads it back: everything in a listing is unchanged. */
void fuzz_check_written(const struct image *img,
                        enum status (*write)(const struct image *img, const char *path, struct diag *d));

/* True if the text names other files, which a target must not open, or asks for megabytes of data, which is legal but
 * slow: .fill with a number of six digits, or a computed one. */
bool fuzz_is_unfit(const char *text, size_t size);

#endif

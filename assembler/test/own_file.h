/* SPDX-License-Identifier: Apache-2.0 */
/* A private directory of a test with one file in it: cmocka's set-up and tear-down. */
#ifndef WARPSTEP_ASSEMBLER_TEST_OWN_FILE_H
#define WARPSTEP_ASSEMBLER_TEST_OWN_FILE_H

#include <stddef.h>

struct own_file {
    char directory[32];
    char path[64]; /* of the file, which the test may write */
};

/* Makes the directory for a file called NAME; *state becomes a struct own_file. 0, or -1 without a directory. */
int own_file_setup(void **state, const char *name);

/* Removes both; not 0 if other files were left in the directory. */
int own_file_teardown(void **state);

/* Writes this file or another one; fails the test on an error. */
void write_bytes(const char *path, const char *bytes, size_t size);

#endif

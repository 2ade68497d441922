/* SPDX-License-Identifier: Apache-2.0 */
/* A directory for the files of a test of a tool, made and removed by the group of tests:
 *
 *     return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
 */
#ifndef WARPSTEP_TEST_SCRATCH_H
#define WARPSTEP_TEST_SCRATCH_H

#include <stddef.h>

extern char scratch[]; /* its path */

int scratch_make(void **state);
int scratch_remove(void **state);

/* The path of the file `name` in it, valid until the next call. */
const char *scratch_path(const char *name);

/* Both fail the test on an error. `text` gets as much of the file as it has room for, and a terminating 0; returns its
 * length. */
void scratch_write(const char *name, const char *text);
size_t scratch_read(const char *name, char *text, size_t size);

#endif

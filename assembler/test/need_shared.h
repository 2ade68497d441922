/* SPDX-License-Identifier: Apache-2.0 */
/* Files beside the repository, under ../shared: a test that reads one is skipped where it is absent, and fails where it
 * is there but cannot be read. */
#ifndef WARPSTEP_ASSEMBLER_TEST_NEED_SHARED_H
#define WARPSTEP_ASSEMBLER_TEST_NEED_SHARED_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

static inline void need_shared(const char *path) {
    if (access(path, F_OK) == 0 || errno != ENOENT) return;
    print_message("skipped: %s is absent\n", path);
    skip();
}

#endif

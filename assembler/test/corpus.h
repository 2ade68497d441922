/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the corpus, applications by other authors. CORPUS in the environment names its folder; a test that reads the
 * corpus is skipped without it. */
#ifndef WARPSTEP_ASSEMBLER_TEST_CORPUS_H
#define WARPSTEP_ASSEMBLER_TEST_CORPUS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CORPUS_PATH_MAX = 4096 };

/* The path of a file, FOLDER/NAME.SUFFIX in the corpus. */
static inline void corpus_path(char path[CORPUS_PATH_MAX], const char *folder, const char *name, const char *suffix) {
    const char *corpus = getenv("CORPUS");
    if (corpus == NULL || *corpus == '\0') {
        print_message("skipped: CORPUS is not set\n");
        skip();
    }
    assert_in_range(snprintf(path, CORPUS_PATH_MAX, "%s/%s%s%s", corpus, folder, name, suffix), 1, CORPUS_PATH_MAX - 1);
}

#endif

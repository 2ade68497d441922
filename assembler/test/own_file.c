/* SPDX-License-Identifier: Apache-2.0 */
#include "own_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

int own_file_setup(void **state, const char *name) {
    struct own_file *f = calloc(1, sizeof *f);
    if (f == NULL) return -1;
    strcpy(f->directory, "/tmp/warpstep-XXXXXX");
    if (mkdtemp(f->directory) == NULL) {
        free(f);
        return -1;
    }
    snprintf(f->path, sizeof f->path, "%s/%s", f->directory, name);
    *state = f;
    return 0;
}

int own_file_teardown(void **state) {
    struct own_file *f = *state;
    unlink(f->path);
    const int left = rmdir(f->directory);
    free(f);
    return left;
}

void write_bytes(const char *path, const char *bytes, size_t size) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

char scratch[] = "/tmp/warpstep_test.XXXXXX";

int scratch_make(void **state) {
    (void)state;
    return mkdtemp(scratch) == NULL;
}

int scratch_remove(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    return system(command);
}

const char *scratch_path(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
}

static FILE *open_file(const char *name, const char *mode) {
    FILE *file = fopen(scratch_path(name), mode);
    if (file == NULL) fail_msg("no %s", name);
    return file;
}

void scratch_write(const char *name, const char *text) {
    FILE *file = open_file(name, "w");
    fputs(text, file);
    fclose(file);
}

size_t scratch_read(const char *name, char *text, size_t size) {
    FILE *file = open_file(name, "r");
    const size_t length = fread(text, 1, size - 1, file);
    fclose(file);
    text[length] = '\0';
    return length;
}

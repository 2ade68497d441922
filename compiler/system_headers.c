/* SPDX-License-Identifier: Apache-2.0 */
/* Empty system headers, see system_headers.h. */
#include "system_headers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../assembler/base/grow.h"
#include "child.h"

enum { MOST_FOUND = 100, LONGEST_NAME = 200 };

/* Also found by #include "...". */
static const char *const NAMES[] = {"assert.h",
                                    "ctype.h",
                                    "float.h",
                                    "limits.h",
                                    "math.h",
                                    "stdarg.h",
                                    "stdbool.h",
                                    "stddef.h",
                                    "stdint.h",
                                    "stdio.h",
                                    "stdlib.h",
                                    "string.h",
                                    "sys/stat.h",
                                    "sys/time.h",
                                    "sys/types.h",
                                    "time.h",
                                    "unistd.h",
                                    "algorithm",
                                    "array",
                                    "cassert",
                                    "cfloat",
                                    "chrono",
                                    "climits",
                                    "cmath",
                                    "cstdarg",
                                    "cstddef",
                                    "cstdint",
                                    "cstdio",
                                    "cstdlib",
                                    "cstring",
                                    "ctime",
                                    "fstream",
                                    "iomanip",
                                    "iostream",
                                    "limits",
                                    "map",
                                    "sstream",
                                    "string",
                                    "type_traits",
                                    "unordered_map",
                                    "utility",
                                    "vector",
                                    "builtin_types.h",
                                    "cuComplex.h",
                                    "cublas.h",
                                    "cublas_v2.h",
                                    "cuda.h",
                                    "cuda_profiler_api.h",
                                    "cuda_runtime.h",
                                    "cuda_runtime_api.h",
                                    "cuda_texture_types.h",
                                    "cudnn.h",
                                    "cufft.h",
                                    "curand.h",
                                    "cusolverDn.h",
                                    "cusparse.h",
                                    "cutil.h",
                                    "cutil_inline.h",
                                    "cutil_math_bugfixes.h",
                                    "device_atomic_functions.h",
                                    "device_functions.h",
                                    "device_launch_parameters.h",
                                    "driver_functions.h",
                                    "driver_types.h",
                                    "helper_cuda.h",
                                    "helper_functions.h",
                                    "helper_image.h",
                                    "helper_string.h",
                                    "helper_timer.h",
                                    "host_defines.h",
                                    "math_constants.h",
                                    "math_functions.h",
                                    "sm_11_atomic_functions.h",
                                    "sm_12_atomic_functions.h",
                                    "sm_13_double_functions.h",
                                    "sm_20_intrinsics.h",
                                    "texture_fetch_functions.h",
                                    "vector_functions.h",
                                    "vector_types.h"};

static bool write_overlay_entry(int file, const char *name, bool is_first) {
    char line[LONGEST_NAME + 100];
    const int length =
        snprintf(line, sizeof line, "%s{\"name\":\"%s\",\"type\":\"file\",\"external-contents\":\"/dev/null\"}",
                 is_first ? "" : ",\n", name);
    return child_write_file(file, line, (size_t)length);
}

static bool write_overlay(const struct system_headers *h) {
    static const char BEGIN[] =
        "{\"version\":0,\"roots\":[{\"name\":\"/warpstep\",\"type\":\"directory\",\"contents\":[";
    static const char END[] = "]}]}";
    bool good = ftruncate(h->file, 0) == 0 && lseek(h->file, 0, SEEK_SET) == 0;
    good = good && child_write_file(h->file, BEGIN, strlen(BEGIN));
    for (size_t i = 0; good && i < sizeof NAMES / sizeof *NAMES; i++)
        good = write_overlay_entry(h->file, NAMES[i], i == 0);
    for (size_t i = 0; good && i < h->found_count; i++) good = write_overlay_entry(h->file, h->found[i], false);
    return good && child_write_file(h->file, END, strlen(END));
}

bool system_headers_open(struct system_headers *h) {
    *h = (struct system_headers){.file = child_create_file()};
    return h->file >= 0 && write_overlay(h);
}

/* Finds "fatal error: 'NAME' file not found", followed by the source line. */
static bool parse_missing_header(const char *messages, char name[LONGEST_NAME]) {
    static const char BEFORE[] = "fatal error: '", AFTER[] = "' file not found";
    char bracketed[LONGEST_NAME + 2];
    const char *begin = strstr(messages, BEFORE);
    if (begin == NULL) return false;
    begin += strlen(BEFORE);
    const char *end = strstr(begin, AFTER);
    if (end == NULL || end - begin >= LONGEST_NAME) return false;
    snprintf(name, LONGEST_NAME, "%.*s", (int)(end - begin), begin);
    snprintf(bracketed, sizeof bracketed, "<%s>", name);
    return strpbrk(name, "\"\\\n") == NULL && strstr(end, bracketed) != NULL;
}

bool system_headers_add_missing(struct system_headers *h, const char *messages) {
    char name[LONGEST_NAME];
    if (h->found_count == MOST_FOUND || !parse_missing_header(messages, name)) return false;
    char **grown = grow_array(h->found, h->found_count, &h->found_capacity, sizeof *grown);
    if (grown == NULL) return false;
    h->found = grown;
    h->found[h->found_count] = strdup(name);
    if (h->found[h->found_count] == NULL) return false;
    h->found_count++;
    return write_overlay(h);
}

void system_headers_close(struct system_headers *h) {
    if (h->file >= 0) close(h->file);
    for (size_t i = 0; i < h->found_count; i++) free(h->found[i]);
    free(h->found);
}

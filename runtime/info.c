/* SPDX-License-Identifier: Apache-2.0 */
/* Results of queries, see info.h. */
#include "info.h"

#include <string.h>

cl_int info_bytes(struct info to, const void *bytes, size_t size) {
    if (to.value != NULL) {
        if (to.room < size) return CL_INVALID_VALUE;
        if (size > 0) memcpy(to.value, bytes, size);
    }
    if (to.size != NULL) *to.size = size;
    return CL_SUCCESS;
}

cl_int info_string(struct info to, const char *text) {
    if (text == NULL) text = "";
    return info_bytes(to, text, strlen(text) + 1);
}

cl_int info_uint(struct info to, cl_uint value) { return info_bytes(to, &value, sizeof value); }
cl_int info_ulong(struct info to, cl_ulong value) { return info_bytes(to, &value, sizeof value); }
cl_int info_size(struct info to, size_t value) { return info_bytes(to, &value, sizeof value); }
cl_int info_pointer(struct info to, const void *value) { return info_bytes(to, &value, sizeof value); }

void *info_fail(cl_int *error_place, cl_int error) {
    if (error_place != NULL) *error_place = error;
    return NULL;
}

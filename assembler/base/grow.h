/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow at the end.
 *
 *     struct thing *grown = grow_array(list, count, &capacity, sizeof *grown);
 *     if (grown == NULL) return STATUS_NO_MEMORY;
 *     list = grown;
 *     list[count++] = ...;
 */
#ifndef WARPSTEP_GROW_H
#define WARPSTEP_GROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Makes room for one more element behind `count`. NULL if out of memory; the array is then unchanged. */
static inline void *grow_array(void *array, size_t count, size_t *capacity, size_t element_bytes) {
    if (count < *capacity) return array;
    size_t larger = *capacity > 0 ? *capacity * 2 : 16;
    if (larger > SIZE_MAX / element_bytes) return NULL;
    void *grown = realloc(array, larger * element_bytes);
    if (grown != NULL) *capacity = larger;
    return grown;
}

#endif

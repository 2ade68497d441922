/* SPDX-License-Identifier: Apache-2.0 */
/* Text written to memory.
 *
 *     FILE *out = open_memstream(&text, &size);
 *     if (out == NULL) return STATUS_NO_MEMORY;
 *     fprintf(out, ...);
 *     if (!memstream_close(out, &text)) { free(text); return STATUS_NO_MEMORY; }
 */
#ifndef WARPSTEP_MEMSTREAM_H
#define WARPSTEP_MEMSTREAM_H

#include <stdbool.h>
#include <stdio.h>

/* False if out of memory: the text is truncated or missing, which the C library does not always report. */
static inline bool memstream_close(FILE *stream, char *const *text) {
    const bool is_whole = ferror(stream) == 0;
    return fclose(stream) == 0 && is_whole && *text != NULL;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Cache of compiler results in files, in $XDG_CACHE_HOME/warpstep, else ~/.cache/warpstep. WARPSTEP_CACHE=0 switches
 * it off. The least recently used files are deleted if all would exceed CACHE_BYTES. Processes may share it: a file
 * is renamed into place when it is complete. Folders and files are private to the user; those that others own or may
 * write are ignored. Nothing here fails: a result that cannot be stored is computed again. */
#ifndef WARPSTEP_CC_CACHE_H
#define WARPSTEP_CC_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_BYTES = 256 << 20, CACHE_FOLDERS = 16 };

struct cache_text {
    char *bytes; /* followed by a zero; the caller frees it */
    size_t size;
};

/* Digest of everything that a result depends on; the name of its file. */
struct cache_key {
    uint64_t digest[2];
};

bool cache_is_on(void);

/* Returns a stored result; false if there is none. */
bool cache_find(const struct cache_key *key, struct cache_text *output, struct cache_text *messages);

void cache_store(const struct cache_key *key, const struct cache_text *output, const struct cache_text *messages);

#endif

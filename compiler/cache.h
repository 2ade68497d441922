/* SPDX-License-Identifier: Apache-2.0 */
/* Results of compilers, kept in files: $XDG_CACHE_HOME/warpstep, else ~/.cache/warpstep. WARPSTEP_CACHE=0 switches it
 * off. What was not used for longest goes where all would be more than CACHE_BYTES. Processes may use it at once: a
 * file gets its name when it is complete. Folders and files are the user's alone; those of others, or that others may
 * write to, do not count. Nothing here fails: what cannot be kept is computed again. */
#ifndef WARPSTEP_CC_CACHE_H
#define WARPSTEP_CC_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_BYTES = 256 << 20, CACHE_FOLDERS = 16 };

struct cache_text {
    char *bytes; /* a zero is behind them; to be freed */
    size_t size;
};

/* Of what a result depends on, and so the name of its file. */
struct cache_key {
    uint64_t digest[2];
};

bool cache_is_on(void);

/* What was stored; false: it is not there. */
bool cache_find(const struct cache_key *key, struct cache_text *output, struct cache_text *messages);

void cache_store(const struct cache_key *key, const struct cache_text *output, const struct cache_text *messages);

#endif

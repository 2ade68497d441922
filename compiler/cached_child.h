/* SPDX-License-Identifier: Apache-2.0 */
/* A child whose results the cache keeps (cache.h): they depend on its words, on the bytes of its input and extras, on
 * the state of the files that its words name, the program and its libraries among them, and on what is made of them
 * here. */
#ifndef WARPSTEP_CC_CACHED_CHILD_H
#define WARPSTEP_CC_CACHED_CHILD_H

#include "cache.h"
#include "child.h"

/* program: where the first word is; beside: a file in memory, of whose bytes it depends, too, or -1. False where there
 * is no cache. */
bool cached_child_key(const struct child *child, const char *program, int beside, struct cache_key *key);

/* What it wrote before; its messages go to child->messages, which is empty. False: it is to be run. */
bool cached_child_find(const struct cache_key *key, const struct child *child, char **text, size_t *size);

/* Keeps what it wrote, where the key is still the same. */
void cached_child_store(const struct cache_key *key, const struct child *child, const char *program, int beside,
                        char *text, size_t size);

/* Whether a source says all that its result depends on: it reads no other files, and asks for no time. */
bool cached_child_is_whole(const char *source, size_t size);

#endif

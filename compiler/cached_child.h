/* SPDX-License-Identifier: Apache-2.0 */
/* A child whose results the cache keeps (cache.h): they depend on its words, on the bytes of its input and extras, on
 * the state of the files that its words name, the program and its libraries among them, and on what is made of them
 * here. */
#ifndef WARPSTEP_CC_CACHED_CHILD_H
#define WARPSTEP_CC_CACHED_CHILD_H

#include "cache.h"
#include "child.h"

/* Computes the key of a child. program: path of the first word; beside: a file in memory whose bytes also count, or
 * -1. Returns false if the cache cannot be used. */
bool cached_child_key(const struct child *child, const char *program, int beside, struct cache_key *key);

/* Returns stored output in *text, and appends stored messages to child->messages, which is empty. Returns false if
 * the child must be run. */
bool cached_child_find(const struct cache_key *key, const struct child *child, char **text, size_t *size);

/* Keeps what it wrote, where the key is still the same. */
void cached_child_store(const struct cache_key *key, const struct child *child, const char *program, int beside,
                        char *text, size_t size);

/* Returns whether a result depends on nothing but the source: it includes no files and does not use the date or
 * time. */
bool cached_child_is_whole(const char *source, size_t size);

#endif

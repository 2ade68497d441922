/* SPDX-License-Identifier: Apache-2.0 */
/* Caches the results of child processes (cache.h). A result depends on the words of the command, on the bytes of its
 * input and extras, on the state of all files that the words name, including the program and its libraries, and on
 * the form in which it is stored. */
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

/* Stores the output and the messages of a child if its key has not changed. */
void cached_child_store(const struct cache_key *key, const struct child *child, const char *program, int beside,
                        char *text, size_t size);

/* Returns whether a result depends on nothing but the source: it includes no files and does not use the date or
 * time. */
bool cached_child_has_no_includes(const char *source, size_t size);

#endif

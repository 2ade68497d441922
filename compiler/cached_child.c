/* SPDX-License-Identifier: Apache-2.0 */
/* Cached results of child processes, see cached_child.h. */
#include "cached_child.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../assembler/base/siphash.h"
#include "../assembler/base/version.h"
#include "driver_dump.h"
#include "tool_state.h"

/* ---- keys ---- */

/* Adds the size as well, so that different sequences of texts have different digests. */
static void hash_text(struct siphash *h, const void *bytes, size_t size) {
    const uint64_t length = size;
    siphash_add(h, &length, sizeof length);
    siphash_add(h, bytes, size);
}

static bool hash_memory_file(struct siphash *h, int file) {
    size_t size = 0;
    char *text = child_read_file(file, &size);
    if (text != NULL) hash_text(h, text, size);
    free(text);
    return text != NULL;
}

/* Returns whether the exit status of a child is known. It is not if the process ignores SIGCHLD. */
static bool receives_exit_status(void) {
    struct sigaction action;
    return sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler != SIG_IGN;
}

bool cached_child_key(const struct child *child, const char *program, int beside, struct cache_key *key) {
    static const char *const LOADER[] = {"LD_LIBRARY_PATH", "LD_PRELOAD"}; /* may select other libraries */
    const unsigned form = DRIVER_DUMP_FORM;
    struct siphash h = siphash_begin(0, 0);
    if (!cache_is_on() || !receives_exit_status()) return false;
    hash_text(&h, WARPSTEP_VERSION, strlen(WARPSTEP_VERSION));
    hash_text(&h, &form, sizeof form);
    hash_text(&h, program, strlen(program));
    tool_state_add(&h, program);
    for (size_t i = 0; i < sizeof LOADER / sizeof *LOADER; i++) {
        const char *value = getenv(LOADER[i]);
        hash_text(&h, value != NULL ? value : "", value != NULL ? strlen(value) + 1 : 0);
    }
    for (const char *const *word = child->words; *word != NULL; word++) {
        if (strstr(*word, "__DATE__") != NULL || strstr(*word, "__TIME") != NULL) return false;
        hash_text(&h, *word, strlen(*word));
        tool_state_add_file(&h, *word);
        const char *value = strchr(*word, '=');
        if (value != NULL) tool_state_add_file(&h, value + 1);
    }
    if (!hash_memory_file(&h, child->input) || (beside >= 0 && !hash_memory_file(&h, beside))) return false;
    for (size_t i = 0; i < child->extra_count; i++)
        if (!hash_memory_file(&h, child->extras[i])) return false;
    siphash_end(&h, key->digest);
    return true;
}

/* ---- sources ---- */

/* Skips backslashes at the ends of lines; clang allows blanks and a carriage return behind them. */
static const char *skip_continuation(const char *at, const char *end) {
    while (at < end && *at == '\\') {
        const char *next = at + 1;
        while (next < end && strchr(" \t\v\f\r", *next) != NULL && *next != '\0') next++;
        if (next == end || *next != '\n') break;
        at = next + 1;
    }
    return at;
}

/* Returns the position behind a word if it is at the start of the text, else NULL. A backslash may continue the
 * line. */
static const char *match_word(const char *at, const char *end, const char *word) {
    while (*word != '\0') {
        at = skip_continuation(at, end);
        if (at == end || *at++ != *word++) return NULL;
    }
    return at;
}

/* Returns whether what follows on the line may be a directive: behind a #, also as a digraph or trigraph, or behind the
 * end of a comment that may have begun behind a #. */
static bool marks_directive(const char *at, const char *end) {
    static const char *const MARKS[] = {"#", "%:", "?\?=", "*/"};
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++)
        if (match_word(at, end, MARKS[i]) != NULL) return true;
    return false;
}

/* Returns whether the line that this newline ends goes on behind it. */
static bool is_continued(const char *source, const char *newline) {
    while (newline > source && newline[-1] != '\0' && strchr(" \t\v\f\r", newline[-1]) != NULL) newline--;
    return newline > source && newline[-1] == '\\';
}

bool cached_child_has_no_includes(const char *source, size_t size) {
    static const struct {
        const char *word;
        bool is_directive;
    } WORDS[] = {
        {"include",  true },
        {"import",   true },
        {"embed",    true },
        {"incbin",   false},
        {"__DATE__", false},
        {"__TIME",   false},
        {"?\?/",     false}
    };
    const char *end = source + size;
    bool may_direct = false; /* this line may be a directive */
    for (const char *at = source; at < end; at++) {
        if (*at == '\n') may_direct = is_continued(source, at);
        may_direct = may_direct || marks_directive(at, end);
        if (*at != 'i' && *at != 'e' && *at != '_' && *at != '?') continue;
        for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
            if (match_word(at, end, WORDS[i].word) != NULL && (!WORDS[i].is_directive || may_direct)) return false;
    }
    return true;
}

/* ---- output ---- */

bool cached_child_find(const struct cache_key *key, const struct child *child, char **text, size_t *size) {
    struct cache_text output, messages;
    if (!cache_find(key, &output, &messages)) return false;
    const bool is_said = child_write_file(child->messages, messages.bytes, messages.size);
    free(messages.bytes);
    if (!is_said) free(output.bytes);
    *text = is_said ? output.bytes : NULL;
    *size = is_said ? output.size : 0;
    return is_said;
}

/* Stores nothing if a file has changed while the program ran, because the program may have read either version. */
void cached_child_store(const struct cache_key *key, const struct child *child, const char *program, int beside,
                        char *text, size_t size) {
    struct cache_text messages = {0};
    struct cache_key now;
    if (!cached_child_key(child, program, beside, &now) || memcmp(&now, key, sizeof now) != 0) return;
    messages.bytes = child_read_file(child->messages, &messages.size);
    if (messages.bytes == NULL) return;
    const struct cache_text output = {.bytes = text, .size = size};
    cache_store(key, &output, &messages);
    free(messages.bytes);
}

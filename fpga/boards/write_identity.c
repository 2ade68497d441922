/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the identity of a board (loader/identity.h), a word a line in hex, as many as its memory has.
 *
 *     write_identity NAME=ulx3s CLOCK_HZ=25000000 MEMORY=sdr ... > identity.hex
 *
 * Missing words are 0. */
#include "../../loader/identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad(const char *argument) {
    fprintf(stderr, "write_identity: error: '%s' is not WORD=NUMBER, NAME=TEXT or MEMORY=KIND\n", argument);
    return 2;
}

int main(int argc, char **argv) {
    uint32_t words[IDENTITY_WORDS] = {0};
    for (int i = 1; i < argc; i++) {
        const char *value = strchr(argv[i], '=');
        const size_t length = value != NULL ? (size_t)(value - argv[i]) : 0;
        const int index = identity_find(argv[i], length);
        char *end = NULL;
        if (value++ == NULL || index < 0) return bad(argv[i]);
        if (index == IDENTITY_NAME) {
            identity_set_name(words, value);
            continue;
        }
        if (index == IDENTITY_MEMORY) {
            const int memory = identity_find_memory(value);
            if (memory < 0) return bad(argv[i]);
            words[index] = (uint32_t)memory;
            continue;
        }
        words[index] = (uint32_t)strtoul(value, &end, 0);
        if (end == value || *end != '\0') return bad(argv[i]);
    }
    identity_seal(words);
    for (unsigned i = 0; i < IDENTITY_WORDS; i++) printf("%08" PRIx32 "\n", words[i]);
    return fflush(stdout) == 0 ? 0 : 2;
}

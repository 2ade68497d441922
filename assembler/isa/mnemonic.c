/* SPDX-License-Identifier: Apache-2.0 */
/* A binary search in the sorted list of mnemonics. */
#include "mnemonic.h"

#include <string.h>

const struct mnemonic *mnemonic_find(const char *text, size_t length) {
    size_t low = 0, high = derived_mnemonics_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *candidate = derived_text + derived_mnemonics[middle].text;
        int order = strncmp(text, candidate, length);
        if (order == 0 && candidate[length] == '\0') return &derived_mnemonics[middle];
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

unsigned isa_mnemonic_bytes(const char *text, size_t length) {
    const struct mnemonic *m = mnemonic_find(text, length);
    return m != NULL ? m->bytes : 0;
}

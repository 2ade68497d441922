/* SPDX-License-Identifier: Apache-2.0 */
#include "written.h"

#include <stdlib.h>
#include <string.h>

#include "../../spec/host_regs.h"

enum { WORD = 4, WINDOWS = 2 };

struct window {
    uint32_t from, size; /* byte addresses of the bus */
    uint32_t *words;
    bool *known;
};

struct written {
    struct window window[WINDOWS];
};

static bool window_create(struct window *w, uint32_t from, uint32_t size) {
    *w = (struct window){.from = from, .size = size};
    w->words = calloc(size / WORD + 1, sizeof *w->words);
    w->known = calloc(size / WORD + 1, sizeof *w->known);
    return w->words != NULL && w->known != NULL;
}

struct written *written_create(const struct machine *machine) {
    struct written *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    const bool code = window_create(&w->window[0], HOST_CODE, machine->code_bytes);
    const bool constants = window_create(&w->window[1], HOST_CONST, machine->const_bytes);
    if (code && constants) return w;
    written_destroy(w);
    return NULL;
}

void written_destroy(struct written *w) {
    for (unsigned i = 0; w != NULL && i < WINDOWS; i++) {
        free(w->window[i].words);
        free(w->window[i].known);
    }
    free(w);
}

void written_forget(struct written *w) {
    for (unsigned i = 0; i < WINDOWS; i++)
        memset(w->window[i].known, 0, (w->window[i].size / WORD + 1) * sizeof *w->window[i].known);
}

bool written_differs(struct written *w, uint32_t adr, uint32_t value) {
    for (unsigned i = 0; i < WINDOWS; i++) {
        struct window *window = &w->window[i];
        if (adr < window->from || adr - window->from >= window->size) continue;
        const uint32_t at = (adr - window->from) / WORD;
        const bool same = window->known[at] && window->words[at] == value;
        window->known[at] = true;
        window->words[at] = value;
        return !same;
    }
    return true;
}

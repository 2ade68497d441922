/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>
#include <string.h>

#include "../../spec/host_regs.h"

enum { WORD = 4, FIRST_CAPACITY = 256, MAX_LINE_BYTES = WARP_LANES * WORD };

struct transfer {
    uint32_t adr, dat;
    bool we;
    bool line;     /* read: take the bytes from the whole line */
    uint16_t skip; /* read: bytes to skip at the front, */
    uint16_t size; /* and to take */
    uint8_t *into;
};

struct host {
    unsigned cores;
    struct transfer *queue;
    size_t capacity, count, issued, acked;
    uint32_t silence; /* cycles since a transfer was last taken or acknowledged */
    struct host_drive drive;
    bool no_memory;
    bool has_line; /* line_o exists, as far as observed */
    const char *why;
};

struct host *host_create(unsigned cores) {
    struct host *h = calloc(1, sizeof *h);
    if (h == NULL) return NULL;
    h->cores = cores;
    h->capacity = FIRST_CAPACITY;
    h->queue = calloc(h->capacity, sizeof *h->queue);
    if (h->queue == NULL) {
        free(h);
        return NULL;
    }
    host_reset(h);
    return h;
}

void host_destroy(struct host *h) {
    if (h == NULL) return;
    free(h->queue);
    free(h);
}

void host_reset(struct host *h) {
    h->count = h->issued = h->acked = 0;
    h->silence = 0;
    memset(&h->drive, 0, sizeof h->drive);
    h->no_memory = false;
    h->why = "";
}

bool host_idle(const struct host *h) { return h->acked == h->count; }
const char *host_why(const struct host *h) { return h->why; }

static void push(struct host *h, struct transfer t) {
    if (host_idle(h)) h->count = h->issued = h->acked = 0;
    if (h->count == h->capacity) {
        const size_t capacity = FIRST_CAPACITY + 2 * h->capacity;
        struct transfer *larger = realloc(h->queue, capacity * sizeof *larger);
        if (larger == NULL) {
            h->no_memory = true;
            return;
        }
        h->queue = larger;
        h->capacity = capacity;
    }
    h->queue[h->count++] = t;
}

void host_write(struct host *h, uint32_t adr, uint32_t value) {
    push(h, (struct transfer){.adr = adr, .dat = value, .we = true});
}

void host_read(struct host *h, uint32_t adr, uint8_t *into) {
    push(h, (struct transfer){.adr = adr, .size = WORD, .into = into});
}

void host_peek(struct host *h, enum sim_memory memory, uint32_t addr, uint8_t *bytes, size_t size) {
    const uint32_t window = memory == SIM_GLOBAL ? HOST_GLOBAL : memory == SIM_CODE ? HOST_CODE : HOST_CONST;
    const bool line = memory == SIM_GLOBAL && h->has_line;
    const uint32_t unit = line ? h->cores * WORD : WORD;
    for (size_t done = 0; done < size;) {
        const uint32_t at = addr + (uint32_t)done;
        const uint32_t skip = at % unit;
        const size_t take = unit - skip < size - done ? unit - skip : size - done;
        push(h, (struct transfer){.adr = window + (at - skip),
                                  .line = line,
                                  .skip = (uint16_t)skip,
                                  .size = (uint16_t)take,
                                  .into = bytes + done});
        done += take;
    }
}

static void deliver(struct host *h, const struct transfer *t, const struct host_sample *in) {
    if (t->we) return;
    const uint32_t *words = t->line ? in->line : &in->dat;
    const uint32_t *unknown = t->line ? in->line_unknown : &in->dat_unknown;
    const size_t count = t->line ? h->cores : 1;
    uint8_t bytes[MAX_LINE_BYTES];
    if (words == NULL) {
        h->why = "the memory line has gone away";
        return;
    }
    for (size_t i = 0; i < count * WORD; i++) bytes[i] = (uint8_t)(words[i / WORD] >> (8 * (i % WORD)));
    memcpy(t->into, bytes + t->skip, t->size);
    for (size_t i = 0; unknown != NULL && i < count; i++)
        if (unknown[i] != 0) h->why = "the host read bits that are neither 0 nor 1";
}

bool host_clock(struct host *h, const struct host_sample *in, struct host_drive *out) {
    h->has_line = in->line != NULL;
    if (h->no_memory) h->why = "out of memory";
    const bool taken = h->drive.stb && !in->stall;
    if (taken) h->issued++;
    h->silence = taken || in->ack || host_idle(h) ? 0 : h->silence + 1;
    if (h->silence > HOST_SILENCE_MOST) h->why = "the Wishbone slave no longer takes or acknowledges transfers";
    if (in->ack) {
        if (h->acked == h->issued)
            h->why = "the Wishbone slave acknowledges what nobody asked for";
        else
            deliver(h, &h->queue[h->acked++], in);
    }
    memset(&h->drive, 0, sizeof h->drive);
    if (h->issued < h->count) {
        const struct transfer *t = &h->queue[h->issued];
        h->drive = (struct host_drive){.adr = t->adr, .dat = t->dat, .sel = 0xf, .we = t->we, .stb = true};
    }
    h->drive.cyc = !host_idle(h);
    *out = h->drive;
    return h->why[0] == 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "slave.h"

#include <string.h>

void slave_reset(struct slave *s, unsigned cores) {
    memset(s, 0, sizeof *s);
    s->cores = cores;
    s->latency = 1;
    memset(s->global, 0xa5, sizeof s->global); /* initial contents: not zero */
}

bool slave_stalls(const struct slave *s) { return s->stall_in != 0 && s->clock % s->stall_in == 0; }

struct host_sample slave_sample(const struct slave *s) {
    const struct slave_answer *a = &s->pipe[0];
    return (struct host_sample){.dat = a->dat, .ack = a->ack && !s->dead, .stall = slave_stalls(s), .line = a->line};
}

static uint8_t *window(struct slave *s, uint32_t adr) {
    const uint32_t offset = adr & (SLAVE_WINDOW_BYTES - 1);
    if (adr >= HOST_GLOBAL) return s->global + offset;
    if (adr >= HOST_CONST) return s->constant + offset;
    return adr >= HOST_CODE ? s->code + offset : NULL;
}

static uint32_t get_word(const uint8_t *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void write_register(struct slave *s, uint32_t adr, uint32_t value) {
    s->regs[adr / 4 % (SLAVE_REG_BYTES / 4)] = value;
    if (adr != HOST_CONTROL) return;
    s->starts += value & 1;
    s->clears += value >> 1 & 1;
    if ((value & 2) != 0) memset(s->global, 0, sizeof s->global);
}

static void take(struct slave *s, const struct host_drive *in, struct slave_answer *answer) {
    uint8_t *cell = window(s, in->adr);
    answer->ack = true;
    if (in->we) {
        s->writes++;
        if (cell == NULL) write_register(s, in->adr, in->dat);
        for (unsigned i = 0; cell != NULL && i < 4; i++)
            if ((in->sel >> i & 1) != 0) cell[i] = (uint8_t)(in->dat >> (8 * i));
        return;
    }
    s->reads++;
    answer->dat = cell == NULL ? s->regs[in->adr / 4 % (SLAVE_REG_BYTES / 4)] : get_word(cell);
    const uint32_t line = (in->adr & (SLAVE_WINDOW_BYTES - 1)) / (s->cores * 4) * (s->cores * 4);
    for (unsigned i = 0; in->adr >= HOST_GLOBAL && i < s->cores; i++)
        answer->line[i] = get_word(s->global + line + 4 * i);
}

void slave_clock(struct slave *s, const struct host_drive *in) {
    const bool accepted = in->cyc && in->stb && !slave_stalls(s);
    memmove(&s->pipe[0], &s->pipe[1], sizeof s->pipe - sizeof s->pipe[0]);
    s->pipe[SLAVE_MAX_LATENCY - 1] = (struct slave_answer){.ack = false};
    if (accepted) take(s, in, &s->pipe[s->latency - 1]);
    s->clock++;
}

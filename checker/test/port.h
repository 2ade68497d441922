/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL's end of the trace port, for tests: writes beats into a port of `cores` lanes and `sms` SMs. */
#ifndef WARPSTEP_TEST_PORT_H
#define WARPSTEP_TEST_PORT_H

#include <stdbool.h>

#include "../record/unpack.h"

enum { PORT_WORDS = 8 * (RETIRE_BITS + 32 * RETIRE_LANE_BITS) / 32 + 1 };

struct port_image {
    unsigned cores;
    uint32_t words[PORT_WORDS];
};

void port_clear(struct port_image *p, unsigned cores);

/* One beat of `r` on SM `sm`: its scalars, and masks and values of the lanes in `lanes`, which are in row `row`;
 * without dst_mask if the beat is pending. In part 1 .. 3 dst and data are that word, and flags, A register and address
 * are omitted. */
struct port_beat {
    unsigned sm, row;
    uint32_t lanes;
    bool last, pending;
    unsigned part;
};
void port_put_beat(struct port_image *p, const struct port_beat *beat, const struct retire *r);

/* One load beat: dst of `lanes`. */
void port_put_load(struct port_image *p, const struct port_beat *beat, const struct retire *r);

/* Sets bits of one SM's port by hand. */
void port_put_bits(struct port_image *p, unsigned sm, unsigned first, unsigned count, uint32_t value);

#endif

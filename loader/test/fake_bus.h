/* SPDX-License-Identifier: Apache-2.0 */
/* The part behind the bridge of a fake board: its machine, sums over the bridge's transfers, identity and SDRAM. */
#ifndef WARPSTEP_TEST_FAKE_BUS_H
#define WARPSTEP_TEST_FAKE_BUS_H

#include "fake_board.h"

struct fake_bus;

/* The caller keeps the options, which must stay valid. */
struct fake_bus *fake_bus_create(const struct fake_options *options);
void fake_bus_destroy(struct fake_bus *bus);

void fake_bus_write(struct fake_bus *bus, uint32_t adr, uint32_t word);
uint32_t fake_bus_read(struct fake_bus *bus, uint32_t adr);

#endif

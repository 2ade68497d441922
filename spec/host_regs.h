/* SPDX-License-Identifier: Apache-2.0 */
/* The host's view of the RTL: byte addresses on the 32-bit Wishbone port, from host_regs.def. Windows are
 * word-addressed memories, one 32-bit word a transfer. */
#ifndef WARPSTEP_HOST_REGS_H
#define WARPSTEP_HOST_REGS_H

enum host_reg {
#define HOST_REG(name, address, access, text) HOST_##name = (address),
#include "host_regs.def"
};

enum {
#define HOST_NUMBER(name, value) HOST_##name = (value),
#include "host_regs.def"
};

#endif

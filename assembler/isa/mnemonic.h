/* SPDX-License-Identifier: Apache-2.0 */
/* The mnemonics of all instructions: IADD, IADD32, BRA ... */
#ifndef WARPSTEP_ISA_MNEMONIC_H
#define WARPSTEP_ISA_MNEMONIC_H

#include "../../spec/table.h"
#include "isa.h"

/* NULL if the name is no mnemonic. */
const struct mnemonic *mnemonic_find(const char *text, size_t length);

/* Size in bytes of the instructions of this mnemonic, 0 if it is none. */
unsigned isa_mnemonic_bytes(const char *text, size_t length);

#endif

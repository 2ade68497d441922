/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the generator: gen.c has main() and writes the VHDL packages, gen_derived.c the tables of derived.c. */
#ifndef WARPSTEP_ISA_GEN_H
#define WARPSTEP_ISA_GEN_H

/* Writes derived.c to stdout. */
void write_derived(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The units: each executes one kind of instruction for a step, from its operands to the gathered effects (struct step).
 * A unit runs if step.exec has lanes; flow operations change the warp themselves, once nothing can trap any more. */
#ifndef WARPSTEP_UNITS_H
#define WARPSTEP_UNITS_H

struct step;
typedef void unit_fn(struct step *s);

unit_fn unit_alu, unit_alu_avx2;                                    /* exec_alu.c: the operations of exec.h */
unit_fn unit_r2a, unit_a2r, unit_ada, unit_c2r, unit_r2c, unit_s2r; /* exec_move.c: between the register files */
unit_fn unit_load, unit_store, unit_atomic;                         /* exec_mem.c: global, local, R2G */
unit_fn unit_bra, unit_cal, unit_ret, unit_pbk, unit_brk, unit_ssy; /* exec_flow.c */
unit_fn unit_brx, unit_pret, unit_bar, unit_breakpoint, unit_nop;

/* The part of unit_store and unit_atomic that changes memory, after the last possible trap. */
unit_fn commit_memory;

#endif

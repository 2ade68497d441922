/* SPDX-License-Identifier: Apache-2.0 */
/* The units: each executes one kind of instruction for a step, from operands to gathered effects (struct step). They
 * run for the lanes of step.exec, where there are any; flow operations change the warp themselves, as the last thing
 * that can no longer trap. */
#ifndef WARPSTEP_UNITS_H
#define WARPSTEP_UNITS_H

struct step;
typedef void unit_fn(struct step *s);

unit_fn unit_alu, unit_alu_avx2;                                    /* exec_alu.c: what exec.h lists */
unit_fn unit_r2a, unit_a2r, unit_ada, unit_c2r, unit_r2c, unit_s2r; /* exec_move.c: between the register files */
unit_fn unit_load, unit_store, unit_atomic;                         /* exec_mem.c: global, local, R2G */
unit_fn unit_bra, unit_cal, unit_ret, unit_pbk, unit_brk, unit_ssy; /* exec_flow.c */
unit_fn unit_brx, unit_pret, unit_bar, unit_breakpoint, unit_nop;

/* The part of unit_store and unit_atomic that changes memory, once nothing can trap any more. */
unit_fn commit_memory;

#endif

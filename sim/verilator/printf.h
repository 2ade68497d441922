// SPDX-License-Identifier: Apache-2.0
// Included before everything else in a Verilator build (-include): sends what the simulation prints to
// sim_verilator.cpp instead of stdout, which belongs to the checker.
#ifndef WARPSTEP_VERILATOR_PRINTF_H
#define WARPSTEP_VERILATOR_PRINTF_H

__attribute__((format(printf, 1, 2))) int warpstep_verilated_printf(const char *format, ...);
#define VL_PRINTF warpstep_verilated_printf
#define VL_USER_FATAL

#endif

// SPDX-License-Identifier: Apache-2.0
// Included first in a Verilator build (-include): redirects the simulation's prints from stdout, which belongs to the
// checker, to sim_verilator.cpp.
#ifndef WARPSTEP_VERILATOR_PRINTF_H
#define WARPSTEP_VERILATOR_PRINTF_H

__attribute__((format(printf, 1, 2))) int warpstep_verilated_printf(const char *format, ...);
#define VL_PRINTF warpstep_verilated_printf
#define VL_USER_FATAL

#endif

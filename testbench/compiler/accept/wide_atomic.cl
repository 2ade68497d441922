// SPDX-License-Identifier: Apache-2.0
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
__kernel void count(__global ulong *y) { atom_add(y, 1ul); }

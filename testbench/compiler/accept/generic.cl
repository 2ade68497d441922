// SPDX-License-Identifier: Apache-2.0
// OpenCL C 2.0: generic pointers, a variable of the program, linear ids.
int base = 3;
static int square(int *p) { return *p * *p; }
__kernel void mixed(__global int *y, __local int *l) {
    const int i = get_global_linear_id();
    int mine = y[i];
    l[i] = mine + 1;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = square(&mine) + square(l + i) + square(y + i) + base + get_enqueued_local_size(0);
}

// SPDX-License-Identifier: Apache-2.0
// OpenCL C 2.0: generic pointers, asked for their memory; some are loaded from memory, so that only the address knows.
static int where(int *p) {
    return (to_private(p) ? 1 : 0) + (to_local(p) ? 2 : 0) + (to_global(p) ? 4 : 0) + 16 * get_fence(p);
}
__kernel void direct(__global int *y, __local int *l) {
    int mine = 1;
    y[0] = where(&mine);
    y[1] = where(l);
    y[2] = where(y);
    y[3] = *to_private(&mine);
}
__kernel void loaded(__global int *y, __local int *l, int n) {
    int mine[2] = {7, 8};
    int *list[3] = {mine, l, y};
    l[1] = 9;
    for (int i = 0; i < 3; i++) y[i] = where(list[(i + n) % 3] + 1);
    y[3] = 0;
    for (int i = 0; i < 3; i++) {
        __private int *p = to_private(list[i]);
        __local int *q = to_local(list[i]);
        if (p) y[3] += p[1];
        if (q) y[3] += q[1];
    }
}

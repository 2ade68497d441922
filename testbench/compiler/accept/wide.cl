// SPDX-License-Identifier: Apache-2.0
__kernel void wide(__global int *y, int n) {
    const double16 x = n;
    for (int i = 0; i < n; i++) y[0] = printf("%v16lf %v16lf %v16lf %v16lf\n", x, x, x, x);
}

// SPDX-License-Identifier: Apache-2.0
__constant int warp_printf[3] = {1, 2, 3}, warp_printf_warps[3] = {4, 5, 6};
__kernel void names(__global int *y, int n) {
    y[0] = warp_printf[n] + warp_printf_warps[n] + printf("%d of mine\n", warp_printf[n + 1]);
}

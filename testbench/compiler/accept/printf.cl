// SPDX-License-Identifier: Apache-2.0
__kernel void says(__global int *y) {
    const int i = get_global_id(0);
    y[i] = 5 + i + printf("%d %v4f\n", i, (float4)(i));
}

// SPDX-License-Identifier: Apache-2.0
// Each item prints: one line, as many as a loop has turns, or a vector.
__kernel void report(__global const float *values, __global int *failed) {
    const int i = get_global_id(0);
    int all = 0;
    if (i % 3 == 0) {
        all |= printf("item %d of group %u: %.3f\n", i, (uint)get_group_id(0), values[i]);
    } else {
        for (int k = 0; k < i % 3; k++)
            all |= printf("%s %+05d %#x %c, 100%%\n", k == 0 ? "first" : "next", i - 10, i, 'a' + i % 26);
    }
    if (i % 16 == 1) all |= printf("vector %v4hld %5.1v2hlf\n", (int4)(i, -i, i * i, 0), (float2)(values[i], 0.5f));
    failed[i] = all;
}

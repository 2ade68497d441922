// SPDX-License-Identifier: Apache-2.0
__kernel void autocorrelation(__global const short *samples, __global int *sums, uint count) {
    uint lag = get_global_id(0);
    if (lag >= count) return;
    int sum = 0;
    for (uint i = 0; i < count - lag; i++) sum += samples[i] * samples[i + lag];
    sums[lag] = sum;
}

// SPDX-License-Identifier: Apache-2.0
__kernel void collatz(__global const uint *numbers, __global uint *steps) {
    uint i = get_local_id(0), n = numbers[i], count = 0;
    for (; n > 1; count++) n = n & 1 ? 3 * n + 1 : n / 2;
    steps[i] = count;
}

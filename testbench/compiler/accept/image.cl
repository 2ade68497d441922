// SPDX-License-Identifier: Apache-2.0
__kernel void copy(__read_only image2d_t in, __global float4 *out) {
    const sampler_t nearest = CLK_FILTER_NEAREST;
    out[0] = read_imagef(in, nearest, (int2)(0, 0));
}

// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <vector_types.h>
__device__ uint3 position() { return threadIdx; }
__global__ __launch_bounds__(64) void shapes(float4 *__restrict__ y, int *z) {
    const uint3 t = position();
    const dim3 size = blockDim, one(5);
    if (t.x == 0) {
        y[0] = make_float4(1, 2, size.x, one.x + one.y);
        const uchar4 c = make_uchar4(1, 2, 3, 255);
        z[0] = c.x + c.y + c.z + c.w;
        z[1] = __CUDA_ARCH__;
        z[2] = std::numeric_limits<int>::max();
        std::swap(z[1], z[2]);
    }
}

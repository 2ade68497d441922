// SPDX-License-Identifier: Apache-2.0
extern __shared__ float2 part[];

__global__ void fft_float(const float2 *points, float2 *spectra) {
    unsigned t = threadIdx.x, n = blockDim.x, first = 2 * blockIdx.x * n + t, reversed = 0;
    float2 p = points[first], q = points[first + n];
    for (unsigned bits = t, size = n; size != 0; size /= 2, bits /= 2) reversed = (reversed | (bits & 1)) << 1;
    reversed /= 2;
    part[reversed] = p;
    part[reversed + 1] = q;
    float turn = -3.14159265f;
    for (unsigned half = 1, groups = n; groups != 0; half *= 2, groups /= 2) {
        unsigned k = t & (half - 1), a = 2 * t - k, b = a + half;
        float angle = (float)k * turn, s = __sinf(angle), c = __cosf(angle);
        __syncthreads();
        float2 x = part[b], y = part[a];
        float re = c * x.x - s * x.y, im = s * x.x + c * x.y;
        part[a] = make_float2(y.x + re, y.y + im);
        part[b] = make_float2(y.x - re, y.y - im);
        turn *= 0.5f;
    }
    __syncthreads();
    spectra[first] = part[t];
    spectra[first + n] = part[t + n];
}

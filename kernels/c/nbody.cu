// SPDX-License-Identifier: Apache-2.0
// The acceleration of each body by all of them; a body is x, y, z and mass. A block reads as many as it has threads.
extern __shared__ float4 tile[];

__global__ void nbody(const float4 *bodies, float *accelerations, unsigned count, float epsilon) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (unsigned first = 0; first < count; first += blockDim.x) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (unsigned k = 0; k < blockDim.x; k++) {
            float x = tile[k].x - own.x, y = tile[k].y - own.y, z = tile[k].z - own.z;
            float inverse = rsqrtf(z * z + (y * y + (x * x + epsilon)));
            float pull = tile[k].w * (inverse * inverse * inverse);
            ax += x * pull;
            ay += y * pull;
            az += z * pull;
        }
        __syncthreads();
    }
    accelerations[3 * i] = ax;
    accelerations[3 * i + 1] = ay;
    accelerations[3 * i + 2] = az;
}

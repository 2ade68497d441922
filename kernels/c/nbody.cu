// SPDX-License-Identifier: Apache-2.0
// The acceleration of each body by all of them; a body is x, y, z and mass. A block reads as many as it has threads.
#define THREADS 32

__global__ void nbody(const float4 *bodies, float *accelerations, int count, float epsilon) {
    __shared__ float4 tile[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 here = bodies[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int first = 0; first < count; first += blockDim.x) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++) {
            float dx = tile[k].x - here.x, dy = tile[k].y - here.y, dz = tile[k].z - here.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + epsilon);
            float pull = tile[k].w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    accelerations[3 * i] = ax;
    accelerations[3 * i + 1] = ay;
    accelerations[3 * i + 2] = az;
}

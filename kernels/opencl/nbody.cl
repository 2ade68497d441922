// SPDX-License-Identifier: Apache-2.0
// A step of bodies that attract each other: x, y, z and mass each. A work group reads as many of them as it has items.
__kernel void nbody(__global const float4 *bodies, __global float4 *velocities, __global float4 *moved,
                    __local float4 *tile, float epsilon, float time) {
    uint i = get_global_id(0), local_i = get_local_id(0), count = get_global_size(0), size = get_local_size(0);
    float4 here = bodies[i];
    float3 pull = (float3)(0.0f);
    for (uint first = 0; first < count; first += size) {
        tile[local_i] = bodies[first + local_i];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < size; k++) {
            float3 way = tile[k].xyz - here.xyz;
            float inverse = rsqrt(dot(way, way) + epsilon);
            pull += way * (tile[k].w * inverse * inverse * inverse);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float4 velocity = velocities[i];
    velocity.xyz += time * pull;
    velocities[i] = velocity;
    here.xyz += time * velocity.xyz;
    moved[i] = here;
}

// SPDX-License-Identifier: Apache-2.0
// Functions of work items, groups and memory. Each thread of 2 x 2 groups of 8 x 4 writes what it finds.
__kernel void ids(__global uint *out) {
    const size_t x = get_global_id(0), y = get_global_id(1);
    __global uint *to = out + 20 * (y * get_global_size(0) + x);
    to[0] = get_work_dim();
    to[1] = get_global_id(0), to[2] = get_global_id(1), to[3] = get_global_id(2);
    to[4] = get_local_id(0), to[5] = get_local_id(1), to[6] = get_local_id(2);
    to[7] = get_group_id(0), to[8] = get_group_id(1), to[9] = get_group_id(2);
    to[10] = get_global_size(0), to[11] = get_global_size(1), to[12] = get_global_size(2);
    to[13] = get_local_size(0), to[14] = get_local_size(1), to[15] = get_local_size(2);
    to[16] = get_num_groups(0), to[17] = get_num_groups(1), to[18] = get_num_groups(2);
    to[19] = get_global_offset(0) + get_global_offset(1);
}

// A group of 32 copies 100 numbers in, and every fifth of ten, doubles them, and copies them out; three go to every
// fourth place.
__kernel void copies(__global int *out, __global const int *in, __local int *room) {
    prefetch(in, 100);
    event_t e = async_work_group_copy(room, in, 100, 0);
    e = async_work_group_strided_copy(room + 100, in, 10, 5, e);
    wait_group_events(1, &e);
    for (int i = get_local_id(0); i < 110; i += get_local_size(0)) room[i] *= 2;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    read_mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    event_t f = async_work_group_copy(out, room, 110, 0);
    wait_group_events(1, &f);
    f = async_work_group_strided_copy(out + 110, room, 3, 4, 0);
    wait_group_events(1, &f);
}

// Of 64 threads, with i from 0 to 63. What atomics return goes to out + 32, thread by thread.
__kernel void atomics(__global int *out, __global uint *more, __global float *real) {
    const int i = get_global_id(0);
    atomic_add(&out[0], i);
    atomic_sub(&out[1], i);
    atomic_inc(&out[2]);
    atomic_dec(&out[3]);
    atomic_min(&out[4], -i);
    atomic_max(&out[5], i);
    atomic_and(&out[6], ~(i == 5 ? 4 : 0));
    atomic_or(&out[7], 1 << (i & 31));
    atomic_xor(&out[8], i);
    if (i == 7) atomic_xchg(&out[9], 77);
    atomic_cmpxchg(&out[10], 0, i == 9 ? 99 : 0);
    atom_add(&out[11], 2);
    atom_sub(&out[12], 2);
    atom_inc(&out[13]);
    atom_dec(&out[14]);
    atom_min(&out[15], -i);
    atom_max(&out[16], i);
    atom_and(&out[17], ~1);
    atom_or(&out[18], 3);
    atom_xor(&out[19], i);
    if (i == 3) atom_xchg(&out[20], 33);
    atom_cmpxchg(&out[21], 0, i == 11 ? 111 : 0);
    out[32 + atomic_inc(&out[22])] = 1;
    atomic_add(&more[0], (uint)i);
    atomic_sub(&more[1], (uint)i);
    atomic_min(&more[2], 0x80000000u + i);
    atomic_max(&more[3], 0x80000000u + i);
    atomic_inc(&more[4]);
    atomic_dec(&more[5]);
    atomic_or(&more[6], (uint)i);
    if (i == 1) atomic_xchg(real, 2.5f);
}

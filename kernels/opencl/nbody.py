#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bodies that attract each other, several steps; positions stay on the device, in two buffers that change places.

    nbody.py [BODIES [FILE]]        a multiple of 32
"""
import numpy as np
import pyopencl as cl

import host

STEPS, GROUP, EPSILON, TIME = 4, 32, 0.01, 0.01


def expected(bodies, velocities):
    """The same steps in double precision."""
    place, mass = bodies[:, :3].astype(float), bodies[:, 3].astype(float)
    speed = velocities[:, :3].astype(float)
    for _ in range(STEPS):
        way = place[None, :, :] - place[:, None, :]
        square = (way ** 2).sum(axis=2) + EPSILON
        speed += TIME * (way * (mass[None, :] / square ** 1.5)[:, :, None]).sum(axis=1)
        place = place + TIME * speed
    return place


def main():
    count = host.size(256)
    random = np.random.default_rng(6)
    bodies = random.uniform(-1, 1, (count, 4)).astype(np.float32)
    bodies[:, 3] = np.abs(bodies[:, 3]) / count
    velocities = np.zeros((count, 4), np.float32)
    queue = host.queue()
    kernel = host.build(queue, "nbody.cl").nbody
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    places = [cl.Buffer(queue.context, flags, hostbuf=bodies), cl.Buffer(queue.context, flags, hostbuf=bodies)]
    speeds = cl.Buffer(queue.context, flags, hostbuf=velocities)
    events = []
    for step in range(STEPS):
        kernel.set_args(places[step % 2], speeds, places[(step + 1) % 2], cl.LocalMemory(16 * GROUP),
                        np.float32(EPSILON), np.float32(TIME))
        events.append(cl.enqueue_nd_range_kernel(queue, kernel, (count,), (GROUP,)))
    moved = np.empty_like(bodies)
    cl.enqueue_copy(queue, moved, places[STEPS % 2])
    print(f"nbody: {count} bodies, {STEPS} steps, {host.milliseconds(events[0], events[-1]):.3f} ms")
    error = np.abs(moved[:, :3] - expected(bodies, velocities)).max()
    print(f"nbody: largest error {error:.2g}")
    host.finish("nbody", moved, error < 1e-5)


main()

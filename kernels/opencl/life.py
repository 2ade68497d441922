#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The game of life (kernels/c/life.cl): generations in two buffers that change places, each after the event of that
before it.

    life.py [WIDTH [FILE]]
"""
import numpy as np
import pyopencl as cl

import host

GENERATIONS, LIVE = 8, 255


def expected(cells):
    """The same generations by numpy, on a torus."""
    for _ in range(GENERATIONS):
        around = sum(np.roll(cells, (y, x), (0, 1)) for y in (-1, 0, 1) for x in (-1, 0, 1)) - cells
        cells = ((around == 3) | ((around == 2) & (cells == 1))).astype(np.uint8)
    return cells


def main():
    width = host.size(64)
    height = width * 3 // 4
    cells = (np.random.default_rng(10).random((height, width)) < 0.35).astype(np.uint8)
    queue = host.queue()
    program = host.build(queue, "../c/life.cl")
    flags = cl.mem_flags.READ_WRITE
    buffers = [cl.Buffer(queue.context, flags, cells.nbytes) for _ in range(2)]
    done = cl.enqueue_copy(queue, buffers[0], cells * np.uint8(LIVE))
    group = (16, 8)
    items = tuple((n + g - 1) // g * g for n, g in zip((width, height), group))
    for i in range(GENERATIONS):
        done = program.life(queue, items, group, buffers[i % 2], buffers[(i + 1) % 2], np.int32(width),
                            np.int32(height), wait_for=[done])
    found = np.empty_like(cells)
    cl.enqueue_copy(queue, found, buffers[GENERATIONS % 2], wait_for=[done])
    print(f"life: {width} x {height}, {GENERATIONS} generations, {found.astype(bool).sum()} cells live")
    host.finish("life", found, (found == expected(cells) * np.uint8(LIVE)).all())


main()

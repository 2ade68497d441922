#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The transposes of a stack of matrices: a range of three dimensions, a structure passed by value.

    transpose.py [COLUMNS [FILE]]
"""
import numpy as np
import pyopencl as cl

import host

TILE, MATRICES = 8, 3


def main():
    columns = host.size(70)
    rows = columns * 2 // 3 + 1
    stack = np.random.default_rng(7).integers(-2 ** 31, 2 ** 31, (MATRICES, rows, columns), dtype=np.int32)
    queue = host.queue()
    program = host.build(queue, "transpose.cl")
    flags = cl.mem_flags
    source = cl.Buffer(queue.context, flags.READ_ONLY | flags.USE_HOST_PTR, hostbuf=stack)
    target = cl.Buffer(queue.context, flags.READ_WRITE, stack.nbytes)
    shape = np.array((columns, rows), dtype=[("columns", np.uint32), ("rows", np.uint32)])
    items = tuple((n + TILE - 1) // TILE * TILE for n in (columns, rows)) + (MATRICES,)
    done = program.transpose(queue, items, (TILE, TILE, 1), source, target, shape)
    # Mapped, as programs do that share memory with the device.
    mapped, _ = cl.enqueue_map_buffer(queue, target, cl.map_flags.READ, 0, (MATRICES, columns, rows), np.int32)
    with mapped.base:
        found = mapped.copy()
    print(f"transpose: {MATRICES} of {columns} x {rows}, {host.milliseconds(done):.3f} ms")
    host.finish("transpose", found, (found == stack.transpose(0, 2, 1)).all())


main()

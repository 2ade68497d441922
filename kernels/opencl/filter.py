#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The edges of an image (kernels/c/edge.cl) after a Gaussian blur: four kernels of two programs, whose images stay on
the device.

    filter.py [WIDTH [FILE [PICTURE.png]]]
"""
import sys

import numpy as np
import pyopencl as cl
from pyopencl.cltypes import make_int2

import host

RADIUS = 3


def drawing(width, height):
    """Discs and bars in grey."""
    y, x = np.mgrid[0:height, 0:width] / width
    image = 40 + 60 * (np.sin(30 * x) > 0)
    image[(x - 0.3) ** 2 + (y - 0.3) ** 2 < 0.04] = 230
    image[(x - 0.7) ** 2 + (y - 0.4) ** 2 < 0.02] = 10
    return image.astype(np.float32)


def expected_bytes(image, weights):
    """The blurred image, by numpy in double precision."""
    def along(data, axis):
        padded = np.pad(data, [(RADIUS, RADIUS) if a == axis else (0, 0) for a in (0, 1)], mode="edge")
        return sum(w * np.take(padded, range(i, i + data.shape[axis]), axis=axis) for i, w in enumerate(weights))
    return np.rint(along(along(image.astype(float), 1), 0)).clip(0, 255)


def expected_edges(grey):
    """Sobel's gradient of bytes; the outermost pixels are 0."""
    g = grey.astype(int)
    column, row = g[:-2] + 2 * g[1:-1] + g[2:], g[:, :-2] + 2 * g[:, 1:-1] + g[:, 2:]
    edges = np.zeros_like(g)
    edges[1:-1, 1:-1] = np.abs(column[:, 2:] - column[:, :-2]) + np.abs(row[2:] - row[:-2])
    return edges.clip(0, 255)


def main():
    width = host.size(96)
    height = width * 3 // 4
    image = drawing(width, height)
    weights = np.exp(-0.5 * (np.arange(-RADIUS, RADIUS + 1) / 1.2) ** 2)
    weights = (weights / weights.sum()).astype(np.float32)
    queue = host.queue()
    context, flags = queue.context, cl.mem_flags
    blur = host.build(queue, "blur.cl", [f"-DRADIUS={RADIUS}"])
    edge = host.build(queue, "../c/edge.cl")
    source = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=image)
    weight = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=weights)
    half, whole = (cl.Buffer(context, flags.READ_WRITE, image.nbytes) for _ in range(2))
    grey, edges = (cl.Buffer(context, flags.READ_WRITE, image.size) for _ in range(2))
    size, group = make_int2(width, height), (16, 4)
    items = tuple((n + g - 1) // g * g for n, g in zip((width, height), group))
    first = blur.blur(queue, items, group, source, half, weight, size, make_int2(1, 0))
    blur.blur(queue, items, group, half, whole, weight, size, make_int2(0, 1))
    blur.to_bytes(queue, (image.size,), None, whole, grey)
    last = edge.edge(queue, items, group, grey, edges, np.int32(width), np.int32(height))
    found_grey, found_edges = (np.empty((height, width), np.uint8) for _ in range(2))
    cl.enqueue_copy(queue, found_grey, grey)
    cl.enqueue_copy(queue, found_edges, edges)
    print(f"filter: {width} x {height}, {host.milliseconds(first, last):.3f} ms")
    if len(sys.argv) > 3:
        host.write_png(sys.argv[3], found_edges)
    near = np.abs(found_grey - expected_bytes(image, weights)).max()
    exact = (found_edges == expected_edges(found_grey)).all()
    print(f"filter: blurred within {near:.0f}, edges {'exact' if exact else 'wrong'}")
    host.finish("filter", found_edges, near <= 1 and exact)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Mandelbrot set, as a picture in colours.

    mandelbrot.py [WIDTH [FILE [PICTURE.png]]]
"""
import sys

import numpy as np
import pyopencl as cl

import host

LIMIT = 64


def palette():
    """64 colours, red, green and blue: from deep blue over white to brown and back."""
    at = np.linspace(0, 1, 64, endpoint=False)
    stops = [0, 0.16, 0.42, 0.64, 0.86, 1]
    parts = [[0, 32, 237, 255, 0, 0], [7, 107, 255, 170, 2, 7], [100, 203, 255, 0, 0, 100]]
    return np.stack([np.interp(at, stops, part) for part in parts], axis=1).astype(np.uint8)


def expected(width, height, left, top, step, colours):
    """The same picture, by numpy in single precision."""
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    re, im = left + step * x, top - step * y
    a, b = np.zeros_like(re), np.zeros_like(re)
    count = np.zeros((height, width), np.int64)
    for _ in range(LIMIT):
        inside = a * a + b * b <= 4
        count += inside
        a, b = np.where(inside, a * a - b * b + re, a), np.where(inside, 2 * a * b + im, b)
    picture = colours[count % len(colours)]
    picture[count == LIMIT] = 0
    return picture


def main():
    width = host.size(240)
    height = width * 2 // 3
    left, top, step = np.float32(-2.2), np.float32(1.1), np.float32(3.3 / width)
    colours = palette()
    queue = host.queue()
    program = host.build(queue, "mandelbrot.cl")
    flags = cl.mem_flags
    palette_buffer = cl.Buffer(queue.context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=colours)
    picture = np.empty((height, width, 3), np.uint8)
    picture_buffer = cl.Buffer(queue.context, flags.WRITE_ONLY, picture.nbytes)
    done = program.mandelbrot(queue, (width, height), None, picture_buffer, left, top, step, np.uint32(LIMIT),
                              palette_buffer, np.uint32(len(colours)))
    cl.enqueue_copy(queue, picture, picture_buffer)
    print(f"mandelbrot: {width} x {height}, {host.milliseconds(done):.3f} ms")
    if len(sys.argv) > 3:
        host.write_png(sys.argv[3], picture)
    # Where a point is close to |z| = 2, rounding decides.
    wrong = (picture != expected(width, height, left, top, step, colours)).any(axis=2).mean()
    print(f"mandelbrot: {100 * wrong:.2f} % of the pixels are not those of numpy")
    host.finish("mandelbrot", picture, wrong < 0.02)


main()

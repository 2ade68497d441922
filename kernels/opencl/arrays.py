#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Arrays on the device that are used like numpy's: pyopencl writes the kernels.

    arrays.py [ELEMENTS [FILE]]
"""
import numpy as np
import pyopencl.array as cl_array
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import InclusiveScanKernel

import host


def main():
    count = host.size(3000)
    random = np.random.default_rng(9)
    x, y = (random.uniform(-1, 1, count).astype(np.float32) for _ in range(2))
    words = random.integers(0, 1000, count, dtype=np.int32)
    queue = host.queue()
    context = queue.context
    device_x, device_y, device_words = (cl_array.to_device(queue, a) for a in (x, y, words))
    combined = 2 * device_x + device_y * device_y - device_x / 3
    blend = ElementwiseKernel(context, "float a, float *x, float *y, float *z", "z[i] = a * x[i] + (1 - a) * y[i]",
                              "blend")
    blended = cl_array.empty_like(device_x)
    blend(np.float32(0.25), device_x, device_y, blended)
    dot = ReductionKernel(context, np.float32, neutral="0", reduce_expr="a + b", map_expr="x[i] * y[i]",
                          arguments="__global const float *x, __global const float *y")
    product = dot(device_x, device_y).get()
    most = cl_array.max(device_words).get()
    sums = device_words.copy()
    InclusiveScanKernel(context, np.int32, "a + b", neutral="0")(sums)
    right = (np.allclose(combined.get(), 2 * x + y * y - x / 3, atol=1e-6) and
             np.allclose(blended.get(), 0.25 * x + 0.75 * y, atol=1e-6) and
             abs(product - np.dot(x.astype(float), y)) < 1e-3 and
             most == words.max() and (sums.get() == np.cumsum(words)).all())
    print(f"arrays: {count} elements, x y = {product:.4f}, largest word {most}, sum {sums[-1].get()}")
    host.finish("arrays", np.concatenate((combined.get(), blended.get())), right)


main()

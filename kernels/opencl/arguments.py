#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A kernel with many arguments of every kind, whose source is made here: numbers, vectors, a structure, buffers and
local memory. It writes back what it was given.

    arguments.py [NUMBERS [FILE]]       numbers of each type, beside the others
"""
import numpy as np
import pyopencl as cl

import host

TYPES = {"char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "int": np.int32,
         "uint": np.uint32, "long": np.int64, "ulong": np.uint64, "float": np.float32}
PAIR = np.dtype([("first", np.int32), ("second", np.float32)])


def source(each):
    """The kernel. Numbers come first, so that some of them must be far behind."""
    numbers = [(name, f"{name}_{i}") for i in range(each) for name in TYPES]
    parameters = [f"{name} {variable}" for name, variable in numbers]
    stores = [f"out[{i}] = (float){variable};" for i, (_, variable) in enumerate(numbers)]
    at = len(numbers)
    return f"""
        typedef struct {{ int first; float second; }} pair_t;
        __kernel void arguments({", ".join(parameters)}, float4 four, uchar2 two, pair_t pair, __local int *scratch,
                                __global const int *added, __constant int *constants, __global float *out) {{
            uint i = get_local_id(0);
            scratch[i] = added[i];
            barrier(CLK_LOCAL_MEM_FENCE);
            if (i != 0) return;
            {" ".join(stores)}
            out[{at}] = four.x + 10 * four.y + 100 * four.z + 1000 * four.w;
            out[{at + 1}] = two.x + 1000 * two.y;
            out[{at + 2}] = pair.first + pair.second;
            out[{at + 3}] = scratch[0] + 10 * scratch[7] + constants[3];
        }}"""


def main():
    each = host.size(8)
    random = np.random.default_rng(11)
    numbers = [kind(random.integers(0 if np.dtype(kind).kind == "u" else -100, 100))
               for _ in range(each) for kind in TYPES.values()]
    queue = host.queue()
    program = cl.Program(queue.context, source(each)).build()
    flags = cl.mem_flags
    added = np.arange(8, dtype=np.int32)
    constants = np.arange(40, 44, dtype=np.int32)
    out = np.empty(len(numbers) + 4, np.float32)
    inputs = [cl.Buffer(queue.context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=a) for a in (added, constants)]
    out_buffer = cl.Buffer(queue.context, flags.WRITE_ONLY, out.nbytes)
    program.arguments(queue, (8,), (8,), *numbers, cl.cltypes.make_float4(1, 2, 3, 4), cl.cltypes.make_uchar2(5, 6),
                      np.array((7, 0.5), PAIR), cl.LocalMemory(32), *inputs, out_buffer)
    cl.enqueue_copy(queue, out, out_buffer)
    expected = [float(n) for n in numbers] + [4321, 6005, 7.5, 70 + 43]
    print(f"arguments: {len(numbers) + 7}")
    host.finish("arguments", out, (out == expected).all())


main()

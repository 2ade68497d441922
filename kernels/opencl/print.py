#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What items print, which is in no order: sorted, and compared with what Python prints.

    print.py [ITEMS [FILE]]
"""
import os
import sys
import tempfile

import numpy as np
import pyopencl as cl

import host

GROUP = 16


def printed(run):
    """The bytes that something writes to the standard output of the process."""
    sys.stdout.flush()
    kept = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            run()
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        return file.read()


def expected(i, value):
    """The lines of an item, as print.cl has them."""
    if i % 3 == 0:
        yield "item %d of group %d: %.3f" % (i, i // GROUP, value)
    for k in range(i % 3):
        yield "%s %+05d %#x %c, 100%%" % ("next" if k else "first", i - 10, i, ord("a") + i % 26)
    if i % 16 == 1:
        yield "vector %d,%d,%d,0 %5.1f,%5.1f" % (i, -i, i * i, value, 0.5)


def main():
    items = host.size(2048) // GROUP * GROUP
    values = np.arange(items, dtype=np.float32) / 8
    failed = np.ones(items, np.int32)
    queue = host.queue()
    program = host.build(queue, "print.cl")
    flags = cl.mem_flags
    source = cl.Buffer(queue.context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=values)
    target = cl.Buffer(queue.context, flags.WRITE_ONLY, failed.nbytes)

    def run():
        program.report(queue, (items,), (GROUP,), source, target)
        queue.finish()

    found = sorted(printed(run).decode().splitlines())
    cl.enqueue_copy(queue, failed, target)
    wanted = sorted(line for i in range(items) for line in expected(i, values[i]))
    print(f"print: {len(found)} lines")
    host.finish("print", np.array(found).astype("S"), found == wanted and not failed.any())


main()

# SPDX-License-Identifier: Apache-2.0
"""A board goes away while it runs a kernel: its commands fail with a text, and the rest of the context goes on.

    WARPSTEP_DEVICES=board:PORT,model python3 testbench/opencl/unplug.py PROCESS    of the simulated board: is killed
"""

import os
import signal
import sys
import time

import numpy as np
import pyopencl as cl

SOURCE = """
__kernel void spin(__global uint *p, uint count) {
    uint x = get_global_id(0);
    for (uint i = 0; i < count; i++) x = x * 1664525u + 1013904223u + i;
    p[get_global_id(0)] = x;
}
__kernel void add_one(__global uint *p) { p[get_global_id(0)]++; }
"""
COUNT = 64
FOR_HOURS = np.uint32(1_000_000)  # of simulation


def fails(what, *arguments):
    try:
        what(*arguments)
    except cl.Error:
        return
    sys.exit(f"unplug: {what.__name__} does not fail")


def main():
    board, model = cl.get_platforms()[0].get_devices()
    context = cl.Context([board, model])
    of_board, of_model = (cl.CommandQueue(context, device) for device in (board, model))
    program = cl.Program(context, SOURCE).build()
    numbers = np.arange(COUNT, dtype=np.uint32)
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, numbers.nbytes)
    cl.enqueue_copy(of_board, buffer, numbers)
    events = [
        program.spin(of_board, (COUNT,), None, buffer, FOR_HOURS),
        program.add_one(of_board, (COUNT,), None, buffer),
    ]
    while events[0].command_execution_status != cl.command_execution_status.RUNNING:
        time.sleep(0.01)
    time.sleep(0.5)
    os.kill(int(sys.argv[1]), signal.SIGKILL)
    for event in events:
        fails(event.wait)
    of_board.finish()
    fails(cl.enqueue_copy, of_board, numbers, buffer)
    log = program.get_build_info(board, cl.program_build_info.LOG)
    if "kernel spin: lost" not in log or "the board has gone" not in log:
        sys.exit(f"unplug: the build log says '{log}'")

    # The model goes on, with buffers from before and new ones.
    for place in (buffer, cl.Buffer(context, cl.mem_flags.READ_WRITE, numbers.nbytes)):
        found = np.zeros_like(numbers)
        cl.enqueue_copy(of_model, place, numbers)
        program.add_one(of_model, (COUNT,), None, place)
        cl.enqueue_copy(of_model, found, place)
        if (found != numbers + 1).any():
            sys.exit("unplug: the model's results are wrong")
    print("unplug: as it must be")


if __name__ == "__main__":
    main()

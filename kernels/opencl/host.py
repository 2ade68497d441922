# SPDX-License-Identifier: Apache-2.0
"""The steps that each program in Python begins and ends with: sizes and files of the command line, a queue with times,
a program of one file, results that are compared, a picture."""
import pathlib
import struct
import sys
import zlib

import pyopencl as cl

HERE = pathlib.Path(__file__).resolve().parent


def size(otherwise):
    """The number that the first argument gives, or another where there is none."""
    return int(sys.argv[1]) if len(sys.argv) > 1 else otherwise


def queue():
    """A queue on the first device of the first platform, or on that which PYOPENCL_CTX names. Prints its name."""
    context = cl.create_some_context(interactive=False)
    print("device:", context.devices[0].name)
    return cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)


def build(on, file, options=()):
    """The program of a file, relative to this folder."""
    return cl.Program(on.context, (HERE / file).read_text()).build(options=list(options))


def milliseconds(first, last=None):
    """Milliseconds of the device from the start of one event to the end of another."""
    return ((last or first).profile.end - first.profile.start) * 1e-6


def finish(name, results, right):
    """Writes the array of results to the file that the second argument names; ends the program: code 0 if right."""
    data = results.tobytes()
    print(f"{name}: checksum {zlib.crc32(data):08x}, {'right' if right else 'WRONG'}")
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_bytes(data)
    sys.exit(0 if right else 1)


def write_png(file, pixels):
    """Writes bytes of height x width (grey) or height x width x 3 (red, green, blue) as a picture."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    height, width = pixels.shape[:2]
    header = struct.pack(">IIBBBBB", width, height, 8, 0 if pixels.ndim == 2 else 2, 0, 0, 0)
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    pathlib.Path(file).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
                                   chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))

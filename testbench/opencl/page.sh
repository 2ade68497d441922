#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The programs of docs/opencl.md, typed by testbench/follow.sh: in Python and in C, on the model and in lockstep. The
# program on the simulated board is in fpga/boards/sim/test.sh. Prints TAP; skipped without pyopencl.
#
#     testbench/opencl/page.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
. testbench/opencl/vendors.sh
if [ -z "$python" ] || [ ! -x build/kernels/opencl/vecadd ]; then
    echo "ok 1 - docs/opencl.md # SKIP python3-pyopencl or ocl-icd-opencl-dev is not there"
    echo "1..1"
    exit 0
fi
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
ln -s "$(command -v "$python")" "$here/python3"
PYTHONDONTWRITEBYTECODE=1 PATH=$here:$PATH on_warpstep testbench/follow.sh docs/opencl.md python c rtl

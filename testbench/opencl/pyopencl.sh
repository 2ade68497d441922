#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs pyopencl's own tests on a device of Warpstep, except those that pyopencl.tsv lists, each with its reason. They
# come from the source of the installed version, from PyPI, and are kept in build/testbench/opencl. Prints TAP; skipped
# if pyopencl, pytest or the source are unavailable.
#
#     testbench/opencl/pyopencl.sh [-d DEVICE] [ARGUMENT...]     of pytest: test_array.py, -k reduction
set -u
cd "$(dirname "$0")/../.." || exit 2
. testbench/opencl/vendors.sh
device=model
if [ "${1-}" = -d ]; then
    device=$2
    shift 2
fi
skip() {
    echo "ok 1 - pyopencl # SKIP $1"
    echo "1..1"
    exit 0
}
[ -n "$python" ] || skip "python3-pyopencl is not there"
"$python" -c 'import pytest' 2> /dev/null || skip "python3-pytest is not there"
version=$("$python" -c 'import pyopencl; print(pyopencl.VERSION_TEXT)')
place=$PWD/build/testbench/opencl/pyopencl-$version
if [ ! -d "$place/test" ]; then
    fetched=$(mktemp -d)
    trap 'rm -rf "$fetched"' EXIT
    # Without the packages for building it, pip fails after the download, which is all that is needed here.
    for pip in "$python -m pip" pip; do
        timeout 300 $pip download --quiet --no-deps --no-binary pyopencl --dest "$fetched" "pyopencl==$version" \
            > "$fetched/log" 2>&1 && break
    done
    mkdir -p build/testbench/opencl
    tar -xzf "$fetched/pyopencl-$version.tar.gz" -C "$fetched" 2> /dev/null || skip "its source cannot be fetched"
    rm -rf "$place" && mv "$fetched/pyopencl-$version" "$place"
fi
# Kernels that pyopencl cached in another run would not be compiled.
export PYOPENCL_NO_CACHE=1 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$PWD/testbench/opencl WARPSTEP_DEVICES=$device
cd "$place/test" || exit 2
on_warpstep timeout "${SUITE_SECONDS:-3600}" "$python" -m pytest -p tap -p no:cacheprovider -q --no-header --tb=short \
    --show-capture=no --disable-warnings --without "$OLDPWD/testbench/opencl/pyopencl.tsv" "${@:-.}"

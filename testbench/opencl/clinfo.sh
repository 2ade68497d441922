#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# clinfo queries each device for every property that it knows, and the compiler for a kernel: no query may fail. The
# answers must meet OpenCL 1.2's requirements of an embedded profile. Prints TAP; skipped without clinfo.
#
#     testbench/opencl/clinfo.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
. testbench/opencl/vendors.sh
if ! command -v clinfo > /dev/null; then
    echo "ok 1 - clinfo # SKIP clinfo is not there"
    echo "1..1"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0 failed=0
expect() { # NAME COMMAND...
    number=$((number + 1))
    "${@:2}" > "$work/log" 2>&1 && echo "ok $number - $1" && return
    failed=1
    echo "not ok $number - $1"
    sed 's/^/# /' "$work/log"
}
ask() { WARPSTEP_DEVICES=model,model on_warpstep clinfo "$@"; }

expect "clinfo ends" ask
# Two equal devices; clinfo prints failed queries in angle brackets, or as an error's name.
no_errors() {
    cp "$work/log" "$work/people" && ask --raw > "$work/raw" && ! grep -iE 'error|<[^>]*(CL_|fail)|CL_INVALID|CL_OUT' \
        <(grep -viE 'error.correction|errors? *(no|false)$' "$work/people" "$work/raw")
}
expect "... without an error" no_errors
value() { awk -v name="$1" '$2 == name { $1 = $2 = ""; sub(/^ +/, ""); print; exit }' "$work/raw"; } # NAME
is() { echo "$1: $(value "$1")" && [[ $(value "$1") = $2 ]]; }                                       # NAME PATTERN
least() { echo "$1: $(value "$1")" && [ "$(value "$1")" -ge "$2" ]; }                                # NAME NUMBER
expect "two devices" is '#DEVICES' 2
expect "profile" is CL_DEVICE_PROFILE EMBEDDED_PROFILE
expect "version" is CL_DEVICE_VERSION 'OpenCL 1.2 *'
expect "version of the language" is CL_DEVICE_OPENCL_C_VERSION 'OpenCL C 1.2 *'
expect "no images" is CL_DEVICE_IMAGE_SUPPORT CL_FALSE
expect "a compiler" is CL_DEVICE_COMPILER_AVAILABLE CL_TRUE
# OpenCL 1.2, 10, "OpenCL embedded profile", table of minimum values.
expect "parameters" least CL_DEVICE_MAX_PARAMETER_SIZE 240
expect "constant memory" least CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE 1024
expect "constant arguments" least CL_DEVICE_MAX_CONSTANT_ARGS 4
expect "local memory" least CL_DEVICE_LOCAL_MEM_SIZE 1024
expect "the largest buffer" least CL_DEVICE_MAX_MEM_ALLOC_SIZE 1048576
expect "global memory" least CL_DEVICE_GLOBAL_MEM_SIZE 67108864
expect "the buffer of printf" least CL_DEVICE_PRINTF_BUFFER_SIZE 1024
echo "1..$number"
exit $failed

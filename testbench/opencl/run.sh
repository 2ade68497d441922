#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the OpenCL programs of kernels/opencl on devices of Warpstep and on pocl, Debian's OpenCL for processors. Each
# compares its results with the host's; the results of both must also agree, within OpenCL's bounds. Prints TAP.
# Programs are skipped without pocl, pyopencl or OpenCL's loader.
#
#     testbench/opencl/run.sh [-d "DEVICE..."] [-s] [PROGRAM...]       vecadd mandelbrot ...; default: all
#
#     -d   as in WARPSTEP_DEVICES; default: model
#     -s   small sizes, for the RTL
set -u
cd "$(dirname "$0")/../.." || exit 2
. testbench/opencl/vendors.sh
devices=model small=
while getopts d:s option; do
    case $option in
        d) devices=$OPTARG ;;
        s) small=1 ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Program, size, small size, and the comparison of results: the absolute and the relative error of single precision, or
# the bytes that may differ, in thousandths.
table='
arguments   8       8     bytes 0
arrays      3000    70    near 1e-6 1e-6
fft         8       1     near 1e-3 1e-4
filter      96      16    bytes 10
hash        1024    -     bytes 0
histogram   200     16    bytes 0
life        64      16    bytes 0
mandelbrot  240     12    bytes 20
matmul      128     16    near 1e-5 1e-5
nbody       256     32    near 1e-5 1e-5
options     500     32    near 1e-3 1e-4
print       2048    64    bytes 0
reduce      100000  1024  bytes 0
sort        16384   64    bytes 0
transpose   70      9     bytes 0
vecadd      1000000 256   bytes 0
'

number=0 failed=0
report() { # NAME STATUS
    number=$((number + 1))
    [ "$2" -eq 0 ] && echo "ok $number - $1" && return
    failed=1
    echo "not ok $number - $1"
    sed 's/^/# /' "$work/log"
}
skip() { # NAME REASON
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

# Sets `command` to the program's command line; fails if something is missing, which `lacks` names.
find_program() { # NAME
    if [ -f "kernels/opencl/$1.py" ]; then
        command=("$python" "kernels/opencl/$1.py")
        lacks="python3-pyopencl is not there"
        [ -n "$python" ]
    else
        command=("build/kernels/opencl/$1")
        lacks="ocl-icd-opencl-dev is not there"
        [ -x "${command[0]}" ]
    fi
}
alike() { # HOW BYTES-OR-ABSOLUTE RELATIVE FOUND EXPECTED
    if [ "$1" = near ]; then
        build/golden/host/near "$2" "$3" "$4" "$5"
        return
    fi
    local size differ
    size=$(stat -c %s "$5")
    differ=$(cmp -l "$4" "$5" | wc -l)
    echo "$differ of $size bytes differ"
    [ "$(stat -c %s "$4")" = "$size" ] && [ $((1000 * differ)) -le $(($2 * size)) ]
}

export PYTHONDONTWRITEBYTECODE=1
[ $# -gt 0 ] || set -- $(awk '{ print $1 }' <<< "$table")
for name in "$@"; do
    read -r _ size little how bound relative < <(grep "^$name " <<< "$table") ||
        { echo "run.sh: no program $name" >&2; exit 2; }
    [ -z "$small" ] || size=$little
    [ "$size" != - ] || continue
    if ! find_program "$name"; then
        skip "$name" "$lacks"
        continue
    fi
    for device in $devices; do
        WARPSTEP_DEVICES=$device on_warpstep "${command[@]}" "$size" "$work/found" > "$work/log" 2>&1
        code=$?
        report "$name $size: $device" $code
        if [ -z "$pocl" ]; then
            skip "$name $size: $device and pocl" "pocl-opencl-icd is not there"
        elif [ $code -eq 0 ]; then
            on_pocl "${command[@]}" "$size" "$work/expected" > "$work/log" 2>&1 &&
                alike "$how" "$bound" "${relative:-0}" "$work/found" "$work/expected" >> "$work/log" 2>&1
            report "$name $size: $device and pocl" $?
        fi
    done
done
echo "1..$number"
exit $failed

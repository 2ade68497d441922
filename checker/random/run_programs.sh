#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A fixed batch of random programs in OpenCL C, as TAP: on the model with the race checker, some in lockstep with the
# RTL, each compared with this machine. Skipped without clang.
#
#     checker/random/run_programs.sh COUNT LOCKSTEP [SEED]
set -u
cd "$(dirname "$0")/../.." || exit 2
count=${1:?usage: checker/random/run_programs.sh COUNT LOCKSTEP [SEED]} lockstep=${2:?} seed=${3:-1}
[ -n "${WARPSTEP_CLANG-}" ] || testbench/toolchain/clang.sh clang > /dev/null ||
    { echo "ok 1 - random programs in C # SKIP clang not found"; echo 1..1; exit; }
output=$(mktemp)
trap 'rm -f "$output"' EXIT
number=0
batch() { # COUNT OPTIONS...
    local verdict=ok
    [ "$1" -gt 0 ] || return
    set -- --c --count "$@" --jobs 2
    number=$((number + 1))
    build/bin/warp-fuzz "$@" > "$output" 2>&1 || verdict="not ok"
    echo "$verdict $number - warp-fuzz $*"
    [ "$verdict" = ok ] || sed 's/^/# /' "$output"
}
batch "$count" --seed "$seed" --races
batch "$lockstep" --seed $((seed + 100000)) --rtl
echo "1..$number"

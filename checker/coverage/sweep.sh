#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs kernels that cover the instruction table (sweep/sweep.c) in lockstep, as TAP. A kernel with a line `// trap:
# TEXT` must end in that trap.
#
#     checker/coverage/sweep.sh [-s SIM] [-k PATTERN] [CORES...]     default verilator, all kernels, 8
set -u
cd "$(dirname "$0")/../.." || exit 2
sim=verilator pattern='*'
while getopts s:k: option; do
    case $option in
        s) sim=$OPTARG ;;
        k) pattern=$OPTARG ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- 8
kernels=$(mktemp -d)
trap 'rm -rf "$kernels"' EXIT
build/checker/coverage/sweep/sweep "$kernels" || exit 2

number=0 failed=0
run() { # KERNEL CORES
    local must=0 code text
    number=$((number + 1))
    text=$(sed -n 's|^// trap: *||p' "$1")
    [ -z "$text" ] || must=3
    build/bin/warp-lockstep "$1" --sim "$sim" --cores "$2" > "$kernels/log" 2>&1
    code=$?
    if [ $code -eq $must ] && { [ -z "$text" ] || grep -q "$text" "$kernels/log"; }; then
        echo "ok $number - $(basename "$1"), $2 cores"
    else
        echo "not ok $number - $(basename "$1"), $2 cores: exit code $code"
        sed 's/^/# /' "$kernels/log"
        failed=1
    fi
}

for cores in "$@"; do
    for kernel in "$kernels"/$pattern.sass; do run "$kernel" "$cores"; done
done
echo "1..$number"
exit $failed

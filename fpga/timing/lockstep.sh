#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The simulation of a netlist in lockstep with the model: every kernel of kernels/formats, which has one for each
# encoding of each unit, and random kernels. Prints TAP.
#
#     fpga/timing/lockstep.sh SIMULATION.so BYTES [KERNEL...]
set -u
cd "$(dirname "$0")/../.." || exit 2
simulation=$1 bytes=$2
shift 2
[ $# -gt 0 ] || set -- kernels/formats/*.sass
count=20
echo 1..$(($# + 1))
number=0 failed=0
verdict() { # NAME COMMAND...
    number=$((number + 1))
    if output=$("${@:2}" 2>&1); then
        echo "ok $number - $1"
    else
        failed=1
        printf 'not ok %s - %s\n%s\n' "$number" "$1" "$output"
        echo "# to repeat it: ${*:2}"
    fi
}
for kernel in "$@"; do
    verdict "$kernel" build/bin/warp-lockstep "$kernel" --sim "$PWD/$simulation" --cores 8 --global-bytes "$bytes"
done
machine=$(mktemp)
trap 'rm "$machine"' EXIT
echo "global $bytes" > "$machine"
verdict "$count random kernels" build/bin/warp-fuzz --sim "$PWD/$simulation" --cores 8 --machine "$machine" \
    --count $count --seed 1 --no-shrink
exit $failed

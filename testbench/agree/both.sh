#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Random kernels (short ones, because GHDL is slow) on both simulators: the same records in the same cycles. Prints TAP.
#
#     [SEED=N] testbench/agree/both.sh COUNT CORES
set -u
cd "$(dirname "$0")/../.." || exit 2
seed=${SEED:-$((RANDOM * 32768 + RANDOM + 1))}
echo "# SEED=$seed $0 $*"
command=(build/bin/warp-fuzz --seed "$seed" --count "$1" --cores "$2" --steps 1000 --sim both)
echo 1..1
if output=$("${command[@]}" 2>&1); then
    echo "ok 1 - ${command[*]}"
else
    echo "not ok 1 - ${command[*]}"
    sed 's/^/# /' <<< "$output"
    exit 1
fi

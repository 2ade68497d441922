#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a kernel of kernels/extension/ under GHDL, which needs no separate build for machines of sm_10x: with known
# answers and with random inputs of the smallest size, on a machine whose lanes all have multipliers and dividers, and
# on one with half as many multipliers and one divider; other sizes on the model. Prints TAP.
#
#     [SEED=N] testbench/run_extension.sh KERNEL
set -u
cd "$(dirname "$0")/.." || exit 2
output=$(mktemp)
trap 'rm -f "$output"' EXIT
number=0 failed=0
verdict() { # NAME COMMAND...
    local ok=ok
    "${@:2}" > "$output" 2>&1 || { ok='not ok' && failed=1; }
    number=$((number + 1))
    echo "$ok $number - $1"
    [ "$ok" = ok ] || sed 's/^/# /' "$output"
}
known() { # WIDE DIVIDERS
    verdict "$name: known answers, $1 wide lanes, $2 dividers" testbench/run_kernel.sh -v "" -g 8 -m 65536 \
        "$kernel" --wide "$1" --dividers "$2"
}
kernel=${1?a kernel}
name=$(basename "$kernel" .sass)
known 8 8
known 4 1
WIDE=4 DIVIDERS=2 verdict "$name: random inputs" testbench/run_golden.sh -v "" -g 8 "$name"
echo "1..$number"
exit $failed

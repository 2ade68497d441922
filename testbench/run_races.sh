#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks kernels for races, on the C model, or in lockstep with SMS SMs, and prints TAP: a kernel has some, or none.
#
#     testbench/run_races.sh [-s SMS] some|none KERNEL... [-- LAUNCH FLAGS]
set -u
cd "$(dirname "$0")/.." || exit 2
tool=(build/bin/warp-run)
[ "$1" != -s ] || { tool=(build/bin/warp-lockstep --no-wave --sms "$2") && shift 2; }
must=$1
shift
kernels=() flags=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do kernels+=("$1") && shift; done
[ $# -eq 0 ] || flags=("${@:2}")
number=0 failed=0
echo "1..${#kernels[@]}"
for kernel in "${kernels[@]}"; do
    number=$((number + 1))
    report=$("${tool[@]}" "$kernel" "${flags[@]}" --check-races 2>&1)
    code=$?
    found=none
    [[ $report != *": race: "* ]] || found=some
    # A trap of traps/ ends in 3; a racing kernel need not give the expected results.
    if [ $found = "$must" ] && { [ $code -eq 0 ] || [ $code -eq 3 ] || [ $must = some ]; }; then
        echo "ok $number - $kernel: races: $found"
    else
        failed=1
        echo "not ok $number - $kernel: races: $found, must be $must"
        printf '%s\n' "$report" "exit code $code" "repeat: ${tool[*]} $kernel ${flags[*]} --check-races" | sed 's/^/# /'
    fi
done
exit $failed

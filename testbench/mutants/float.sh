#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tries the mutants of the floating-point units: DIR/unit_bench contains all of DIR/netlist.list. First as in `make
# test`, then as in `make test-all`. Prints the numbers caught, and the surviving ones: number, place, kind, line. Exit
# status 1 if the bench fails without a mutant.
#
#     testbench/mutants/float.sh DIR
set -u
dir=$1
short=(--words 3 --blocks 3) long=(--words 40 --blocks 40)
caught() { ! WARPSTEP_MUTANT=$1 "$dir/unit_bench" "${@:2}" > /dev/null; }

! caught 0 "${short[@]}" || { echo "the bench fails without a mutant" >&2; exit 1; }
by_short=0 by_long=0 left=0
while IFS=$'\t' read -r number _ _ place kind; do
    if caught "$number" "${short[@]}"; then
        by_short=$((by_short + 1))
    elif caught "$number" "${long[@]}"; then
        by_long=$((by_long + 1))
    else
        left=$((left + 1))
        IFS=: read -r file line column <<< "$place"
        printf '%s\t%s\t%s\t%s\n' "$number" "$file:$line:$column" "$kind" "$(sed -n "${line}s/^ *//p" "$file")"
    fi
done < "$dir/netlist.list"
echo "$((by_short + by_long + left)) mutants: $by_short caught by make test, $by_long by make test-all, $left left"

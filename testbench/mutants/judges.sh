#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Judges mutants, each a line of DIR/wakes, in several processes (JOBS, 2): prints the lines of judge.c.
#
#     testbench/mutants/judges.sh JUDGE DIR CORES MOST LOG < LINES
set -eu
judge=$1 dir=$2 cores=$3 most=$4 log=$5
jobs=${JOBS:-2}
judges=()
cat > "$dir/order"
for ((job = 0; job < jobs; job++)); do
    awk -v job=$job -v jobs="$jobs" 'NR % jobs == job' "$dir/order" > "$dir/order.$job"
    "$judge" "$dir" "$cores" "$most" < "$dir/order.$job" 2>> "$log" &
    judges+=($!)
done
for judge in "${judges[@]}"; do wait "$judge"; done

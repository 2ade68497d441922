#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the VHDL benches that contain an entity on one mutant of its source (a line of DIR/bench.list); appends a line to
# DIR/bench.tsv like model_judge.sh. The layer is build, bench, or none.
#
#     testbench/mutants/bench_judge.sh DIR NUMBER
set -u
dir=$1 number=$2
here=$(dirname "$0")
key=$(awk -F '\t' -v number="$number" '$1 == number { print $2 }' "$dir/bench.list")
file=${key%%:*}
entity=${file##*/}
entity=${entity%.vhd}
work=$PWD/$dir/bench/$number
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
build/testbench/mutants/source -m "$key" "$file" > "$work/$entity.vhd" || exit 2
layer=none by=-
for bench in $(grep -lw "entity work.$entity" testbench/unit/*_tb.vhd | sed 's,.*/,,; s/\.vhd$//'); do
    "$here/bench.sh" "$work/$entity.vhd" "$bench" "$work"
    code=$?
    [ $code -ne 1 ] || { layer=bench by=$bench; break; }
    [ $code -ne 2 ] || { layer=build by=ghdl; break; }
done
printf '%s\t%s\t%s\t-\t-\t1000\n' "$number" $layer $by >> "$dir/bench.tsv"

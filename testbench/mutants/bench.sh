#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a VHDL bench of testbench/unit/ on a mutated entity. Exit code 0: it passes; 1: it fails; 2: it does not compile.
#
#     testbench/mutants/bench.sh MUTATED.vhd BENCH WORK      in the directory WORK, both with absolute paths; WORK/log
#                                                            has the output
set -u
mutated=$1 bench=$2 work=$3
ghdl=${GHDL:-$(command -v ghdl-llvm || command -v ghdl-mcode || command -v ghdl)}
rm -rf "$work/unit"
cp -R build/unit "$work/unit"
# If the bench has the entity inside another one, that one too: it would be outdated.
name=${mutated##*/}
name=${name%.vhd}
around=()
grep -qw "entity work.$name" "testbench/unit/$bench.vhd" ||
    mapfile -t around < <(grep -lw "entity work.$name" "$PWD"/rtl/*.vhd "$PWD"/rtl/*/*.vhd)
for file in "$mutated" "${around[@]}" "$PWD/testbench/unit/$bench.vhd"; do
    (cd "$work/unit" && "$ghdl" -a --std=08 -O0 "$file") > "$work/log" 2>&1 || exit 2
done
(cd "$work/unit" && "$ghdl" -e --std=08 "$bench") > "$work/log" 2>&1 || exit 2
# Ends a bench that loops or waits because of a fault. A merely slow bench would count as failing: without a fault none
# simulates more than 1.2 ms, or takes more than nine seconds with the slower GHDL.
(cd "$work/unit" && ulimit -t 100 && "$ghdl" -r --std=08 "$bench" --assert-level=error --ieee-asserts=disable \
    --stop-time=10ms) > "$work/log" 2>&1 || exit 1
grep -q 'report note): done$' "$work/log" || exit 1

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a VHDL bench of testbench/unit/ on a mutated entity. Exit code 0: it passes; 1: it fails; 2: it does not compile.
#
#     testbench/mutants/bench.sh MUTATED.vhd BENCH WORK      in the directory WORK, both with whole paths; WORK/log says
#                                                            what was said
set -u
mutated=$1 bench=$2 work=$3
ghdl=${GHDL:-$(command -v ghdl-llvm || command -v ghdl-mcode || command -v ghdl)}
program=()
"$ghdl" --version | grep -q mcode || program=(-o bench)
rm -rf "$work/unit"
cp -R build/unit "$work/unit"
for file in "$mutated" "$PWD/testbench/unit/$bench.vhd"; do
    (cd "$work/unit" && "$ghdl" -a --std=08 "$file") > "$work/log" 2>&1 || exit 2
done
(cd "$work/unit" && ulimit -t 60 && "$ghdl" --elab-run --std=08 "${program[@]}" "$bench" --assert-level=error \
    --ieee-asserts=disable --stop-time=100ms) > "$work/log" 2>&1 || exit 1
grep -q 'report note): done$' "$work/log" || exit 1

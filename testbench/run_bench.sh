#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs one self-checking VHDL bench, analysed by `make benches`, under GHDL. It passes if it ends without a failed
# assertion and its last line is `report "done"`, which an empty bench lacks.
#
#     testbench/run_bench.sh NAME_tb
set -u
cd "$(dirname "$0")/.." || exit 2
ghdl=${GHDL:-$(command -v ghdl-llvm || command -v ghdl-mcode || command -v ghdl)}
output=$(mktemp)
trap 'rm -f "$output"' EXIT
echo 1..1
# Only a GHDL that makes programs accepts a program name.
program=(-o "$1")
"$ghdl" --version | grep -q mcode && program=()
# Memories are variables with an initial value; that of the code memory exceeds the limit.
flags=(--assert-level=error --ieee-asserts=disable --max-stack-alloc=0)
(cd build/unit && "$ghdl" --elab-run --std=08 "${program[@]}" "$1" "${flags[@]}") > "$output" 2>&1
code=$?
if [ $code -eq 0 ] && grep -q 'report note): done$' "$output"; then
    echo "ok 1 - $1"
else
    echo "not ok 1 - $1"
    sed 's/^/# /' "$output"
    exit 1
fi

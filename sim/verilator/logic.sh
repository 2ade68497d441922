#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A combinational module, compiled by Verilator; it takes Verilator's runtime besides.
#
#     sim/verilator/logic.sh MODULE FILE.v OUT.a [VERILATOR FLAG ...]      works in OUT.a's folder
set -eu
module=$1 verilog=$2 out=$3
dir=$(dirname "$out")
rm -rf "$dir" && mkdir -p "$dir"
unset MAKEFLAGS # of an enclosing make, which has other jobs
{
    verilator --cc --top-module "$module" --prefix "V$module" -O3 "${@:4}" -Wno-lint -Wno-fatal --Mdir "$dir" "$verilog"
    make -s -C "$dir" -f "V$module.mk" RM='rm -f' OPT_FAST=-O1 "V${module}__ALL.a"
    cp "$dir/V${module}__ALL.a" "$out"
} > "$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }

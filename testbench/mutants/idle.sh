#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Which stuck bits of the netlist DIR/gpu_flat.v can nobody find, whatever runs? Those of nets that always have that
# value, and those of nets that change, but end nowhere: yosys propagates constants through the whole machine, and takes
# away what nothing reads. Where an entity stands in several places, that holds in all of them. Prints their lines of
# DIR/all.list. Nothing is merged that is alike: of two that are, one may be stuck.
#
#     testbench/mutants/idle.sh DIR
set -eu -o pipefail
dir=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
top=$(sed -n 's/^module //p' "$dir/gpu_flat.v" | tail -n 1)
# assertions are left out
awk '/^  always @\*$/ { held = $0; next }
     held != "" { keep = !/^    if \(!n[0-9]+_q\)$/; if (keep) print held "\n" $0; else skip = 1; held = ""; next }
     skip { skip = 0; next }
     { print }' "$dir/gpu_flat.v" > "$work/machine.v"
yosys -q -l "$work/log" -p "
    read_verilog $work/machine.v; hierarchy -top $top; proc; flatten
    opt_expr; opt_muxtree; opt_reduce; opt_dff; opt_clean; opt_expr; opt_muxtree; opt_dff; opt_clean
    opt_expr; opt_muxtree; opt_dff; opt_clean
    write_json $work/machine.json" > "$work/out" 2>&1 || { tail -n 5 "$work/log" >&2; exit 1; }
awk -f "$here/idle.awk" "$work/machine.json" "$dir/all.list"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Stuck bits of the netlist DIR/gpu_flat.v that no test can find: those of nets that always have that value, and those
# of nets that change, but end nowhere: yosys propagates constants through the whole machine, and removes unread logic.
# For an entity with several instances, this must hold in all of them. Prints their lines of DIR/all.list. Equal logic
# is not merged: one of two equal parts may be stuck; nor does a multiplexer before a register become its enable or its
# reset.
#
#     testbench/mutants/idle.sh DIR
set -eu -o pipefail
dir=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
top=$(sed -n 's/^module //p' "$dir/gpu_flat.v" | tail -n 1)
dff="opt_dff -nodffe -nosdff"
yosys -q -l "$work/log" -p "
    read_verilog $dir/gpu_flat.v; hierarchy -top $top; proc; flatten
    opt_expr; opt_muxtree; $dff; opt_clean; opt_expr; opt_muxtree; $dff; opt_clean
    opt_expr; opt_muxtree; $dff; opt_clean
    write_json $work/machine.json" > "$work/out" 2>&1 || { tail -n 5 "$work/log" >&2; exit 1; }
awk -f "$here/idle.awk" "$work/machine.json" "$dir/all.list"

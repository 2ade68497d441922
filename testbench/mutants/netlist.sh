#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Puts mutants into the netlist DIR/gpu_flat.v: DIR/netlist.list says which, DIR/netlist.v has them. They are COUNT,
# drawn by SEED, or, with the same numbers, those of the netlist in the directory OTHER, where this one has them too.
#
#     testbench/mutants/netlist.sh DIR draw COUNT SEED
#     testbench/mutants/netlist.sh DIR like OTHER
set -eu
dir=$1 how=$2
here=$(dirname "$0")
awk -f "$here/names.awk" -f "$here/netlist.awk" "$dir/gpu_flat.v" > "$dir/all.list"
case $how in
    draw) awk -f "$here/names.awk" -f "$here/choose.awk" -v count="$3" -v seed="$4" "$dir/all.list" ;;
    like) awk -f "$here/names.awk" -f "$here/like.awk" "$3/all.list" "$3/netlist.list" "$dir/all.list" ;;
esac > "$dir/netlist.list"
cat "$here/pins.v" > "$dir/netlist.v"
awk -f "$here/names.awk" -f "$here/netlist.awk" -v chosen="$dir/netlist.list" "$dir/gpu_flat.v" >> "$dir/netlist.v"

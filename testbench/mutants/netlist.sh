#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Puts COUNT mutants, drawn by SEED, into the netlist DIR/gpu_flat.v: DIR/netlist.list says which, DIR/netlist.v has
# them.
#
#     testbench/mutants/netlist.sh COUNT SEED DIR
set -eu
count=$1 seed=$2 dir=$3
here=$(dirname "$0")
awk -f "$here/netlist.awk" "$dir/gpu_flat.v" > "$dir/all.list"
awk -f "$here/choose.awk" -v count="$count" -v seed="$seed" "$dir/all.list" > "$dir/netlist.list"
cat "$here/pins.v" > "$dir/netlist.v"
awk -f "$here/netlist.awk" -v chosen="$dir/netlist.list" "$dir/gpu_flat.v" >> "$dir/netlist.v"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Puts mutants into the netlist DIR/gpu_flat.v, whose last module is its top: lists them in DIR/netlist.list and writes
# DIR/netlist.v. They are COUNT, drawn by SEED, of all entities or of the given ones; or, with the same numbers, those
# of the netlist in the directory OTHER that exist here, too.
#
#     testbench/mutants/netlist.sh DIR draw COUNT SEED [ENTITY ...]
#     testbench/mutants/netlist.sh DIR like OTHER [stuck]    stuck: OTHER's were drawn by unit
#     testbench/mutants/netlist.sh DIR stuck COUNT SEED      only bits stuck at 0 and 1, drawn by unit (units.tsv)
set -eu -o pipefail
dir=$1 how=$2
here=$(dirname "$0")
entities=
[ "$how" != draw ] || entities=" ${*:5} "
netlist=build/sim/netlist/netlist draw=build/testbench/mutants/draw
$netlist "$dir/gpu_flat.v" mutants |
    awk -F '\t' -v entities="$entities" 'entities !~ /[a-z]/ || index(entities, " " $2 " ")' |
    if [ "$how" = stuck ] || [ "$how ${4:-}" = 'like stuck' ]; then
        awk -F '\t' -v OFS='\t' '
            FILENAME ~ /tsv$/ { if (!/^#/) unit[$1] = $2; next }
            $4 ~ /^(zero|one):/ && $2 in unit { $2 = unit[$2]; print }' "$here/units.tsv" -
    else
        cat
    fi > "$dir/all.list"
case $how in
    draw | stuck) $draw choose "$3" "$4" "$dir/all.list" ;;
    like) $draw like "$3/all.list" "$3/netlist.list" "$dir/all.list" ;;
esac > "$dir/netlist.list"
top=$(sed -n 's/^module //p' "$dir/gpu_flat.v" | tail -n 1)
cat "$here/pins.v" > "$dir/netlist.v"
$netlist "$dir/gpu_flat.v" "mutants:$dir/netlist.list:$top" >> "$dir/netlist.v"

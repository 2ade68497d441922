#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Does a mutant of the netlist in a part of decode change what decode says of some word? The parts have no registers.
# Prints a line for each mutant, number and verdict with a tab between:
#
#     formal     another word traps, or traps otherwise. `make formal` proves of all words that they trap as the table
#                says (testbench/formal/decode_flat.sv): with this mutant that proof fails
#     proved     nothing: the mutant is equivalent
#     differs    other control signals of some word
#     unknown    no answer
#
#     testbench/mutants/prove_decode.sh DIR NUMBER...      of DIR/netlist.list; PROVE_SECONDS limits a proof
set -u
. "$(dirname "$0")/compare.sh"

# Its name has its generics in it. Its registers are wires here, as if one word stood in front of it for ever: mutants
# of the registers themselves are not for this script.
module=$(grep -m 1 -oxP 'module \Kdecode_[0-9]+_[0-9]+_[0-9a-f]+' "$dir/netlist.v")
[ -n "$module" ] || { echo "$dir/netlist.v: error: no module of decode" >&2; exit 1; }
entity "$module" whole > "$work/entity.v"
{
    echo "read_verilog $work/entity.v; hierarchy -top $module; proc; flatten; opt_clean -purge"
    echo "delete -input w:moves_i; connect -set moves_i ~0"
    echo "opt_expr; opt_clean; techmap -map $(dirname "$0")/../formal/wires.v; opt_clean"
    for number in "$@"; do
        echo "design -push-copy"
        compare "$module" "$number"
        prove "$number" trap gold_control_o_trap gate_control_o_trap
        prove "$number" all trigger 0
        echo "design -pop"
    done
} > "$work/prove.ys"
yosys -q -s "$work/prove.ys" > "$work/log" 2>&1 || cat "$work/log" >&2
for number in "$@"; do
    said=$(verdict "$number" all)
    [ "$(verdict "$number" trap)" != differs ] || said=formal
    grep -q "(mutant == $number)" "$work/entity.v" || said=unknown
    printf '%s\t%s\n' "$number" "$said"
done

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests whether a mutant of the netlist in a part of decode changes the output of decode for some word. The parts have
# no registers. Prints a line for each mutant, number and verdict separated by a tab:
#
#     formal     another word traps, or with another trap. `make formal` proves for all words the traps of the table
#                (testbench/formal/decode_flat.sv): with this mutant that proof fails
#     proved     no change: the mutant is equivalent
#     differs    other control signals of some word
#     unknown    no answer
#
#     testbench/mutants/prove_decode.sh DIR NUMBER...      of DIR/netlist.list; PROVE_SECONDS limits a proof
set -u
. "$(dirname "$0")/compare.sh"

# Its name contains its generics. Its registers are wires here, as if one word were applied for ever: mutants of the
# registers themselves are not for this script.
module=$(grep -m 1 -oxP 'module \Kdecode_[0-9a-f]{40}' "$dir/netlist.v")
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

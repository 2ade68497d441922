#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Does a mutant of the netlist in decode, or in a part of it, change what decode says of some word? Prints a line for
# each mutant, number and verdict with a tab between:
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

entity decode whole > "$work/entity.v"
{
    echo "read_verilog $work/entity.v; hierarchy -top decode; proc; flatten; opt_clean -purge"
    for number in "$@"; do
        echo "design -push-copy"
        compare decode "$number"
        prove "$number" trap gold_control_o_trap gate_control_o_trap
        prove "$number" all trigger 0
        echo "design -pop"
    done
} > "$work/prove.ys"
yosys -q -s "$work/prove.ys" > "$work/log" 2>&1 || cat "$work/log" >&2
for number in "$@"; do
    said=$(verdict "$number" all)
    [ "$(verdict "$number" trap)" != differs ] || said=formal
    printf '%s\t%s\n' "$number" "$said"
done

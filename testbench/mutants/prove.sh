#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Can mutants of the netlist change anything that leaves their entity? yosys compares the entity with and without each:
# for all inputs, all contents of its registers and all answers of the entities in it. What is proved here is equivalent
# wherever the entity is used; what differs may still be, for inputs or contents that never come. Prints a line for each
# mutant: number and "proved", "differs" or "unknown", with a tab between.
#
#     testbench/mutants/prove.sh DIR NUMBER...      of DIR/netlist.list; PROVE_SECONDS limits a proof
set -u
. "$(dirname "$0")/compare.sh"

# The entity, told by an input which mutant is in it, without assertions, which yosys does not read; those directly in
# it are black boxes.
entity() { # MODULE
    awk -v module="$1" '
        FNR == NR && /^module / { name = $2; known[name] }
        FNR == NR { text[name] = text[name] $0 "\n"; next }
        /^module / { own = $2 == module }
        !own { next }
        /^  \(input / { sub(/\(input/, "(input [15:0] mutant,\n   input") }
        /^  `MUTANTS$/ { next }
        { gsub(/`MUTANT\(/, "(mutant == ") }
        /^  always @\*$/ { held = $0; next }
        held != "" && /^    if \(!n[0-9]+_q\)$/ { held = ""; getline; next }
        held != "" { print held; held = "" }
        $1 in known { inside[$1] }
        { print }
        END {
            for (name in inside) {
                sub(/\);.*/, ");\nendmodule\n", text[name])
                print "(* blackbox *)\n" text[name]
            }
        }' "$dir/netlist.v" "$dir/netlist.v" | awk -f testbench/formal/complete_cases.awk
}

module_of() { awk -F '\t' -v number="$1" '$1 == number { sub(/\/.*/, "", $2); print $2 }' "$dir/netlist.list"; }
for number in "$@"; do echo "$(module_of "$number") $number"; done | sort > "$work/numbers"
for module in $(cut -d ' ' -f 1 "$work/numbers" | uniq); do
    entity "$module" > "$work/entity.v"
    {
        echo "read_verilog $work/entity.v; hierarchy -top $module; proc; memory_collect; expose -evert -evert-dff c:*"
        for number in $(sed -n "s/^$module //p" "$work/numbers"); do
            echo "design -push-copy"
            compare "$module" "$number"
            prove "$number" all trigger 0
            echo "design -pop"
        done
    } > "$work/prove.ys"
    yosys -q -s "$work/prove.ys" > "$work/log" 2>&1 || cat "$work/log" >&2
    for number in $(sed -n "s/^$module //p" "$work/numbers"); do
        printf '%s\t%s\n' "$number" "$(verdict "$number" all)"
    done
done

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests whether mutants of the netlist can change an output of their entity. yosys compares the entity with and without
# each: for all inputs, all contents of its registers and all answers of its inner entities. Unproved ones are tried
# again with those entities included, down to memories, because they do not give every answer. A proved mutant is
# equivalent wherever the entity is used; a differing one may still be, for inputs or contents that never occur. Prints
# a line for each mutant: number and "proved", "differs" or "unknown", separated by a tab.
#
#     testbench/mutants/prove.sh DIR NUMBER...      of DIR/netlist.list; PROVE_SECONDS limits a proof
set -u
. "$(dirname "$0")/compare.sh"

# Tries those of ${left[@]} in a module; leaves the unproved ones there, and verdicts in ${said[@]}. Without opt_clean
# `connect` would cut the module's inner entities off from its mutant input.
attempt() { # MODULE HOW
    local number open=()
    entity "$1" "$2" > "$work/next.v"
    ! cmp -s "$work/next.v" "$work/entity.v" || return 0 # nothing inside it
    mv "$work/next.v" "$work/entity.v"
    {
        echo "read_verilog $work/entity.v; hierarchy -top $1; proc; flatten; opt_clean; memory_collect"
        echo "expose -evert -evert-dff c:*"
        for number in "${left[@]}"; do
            echo "design -push-copy"
            compare "$1" "$number"
            prove "$number" "$2" trigger 0
            echo "design -pop"
        done
    } > "$work/prove.ys"
    timeout $((2 * seconds * (${#left[@]} + 1))) yosys -q -s "$work/prove.ys" > "$work/log" 2>&1 || cat "$work/log" >&2
    for number in "${left[@]}"; do
        said[number]=$(verdict "$number" "$2")
        [ "${said[number]}" = proved ] || open+=("$number")
    done
    left=("${open[@]}")
}

module_of() { awk -F '\t' -v number="$1" '$1 == number { sub(/\/.*/, "", $2); print $2 }' "$dir/netlist.list"; }
for number in "$@"; do echo "$(module_of "$number") $number"; done | sort > "$work/numbers"
said=()
for module in $(cut -d ' ' -f 1 "$work/numbers" | uniq); do
    mapfile -t left < <(sed -n "s/^$module //p" "$work/numbers")
    attempt "$module" boxes
    [ ${#left[@]} = 0 ] || attempt "$module" whole
done
for number in "$@"; do printf '%s\t%s\n' "$number" "${said[number]}"; done

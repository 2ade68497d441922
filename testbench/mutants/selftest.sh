#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the self-test, kernels/bringup and the traps of kernels/traps, on each stuck bit of DIR (netlist.sh) as a board
# would, without the model, and writes DIR/report.md: how many it finds, by unit, and which it does not. Of what it does
# not find prove.sh tries to prove that it changes nothing that leaves its entity. May be stopped and started again:
# results are in DIR/selftest.tsv as long as netlist and kernels stay the same, and in DIR/proved.tsv as long as the
# netlist does.
#
#     testbench/mutants/selftest.sh DIR BYTES      BYTES of global memory
set -eu -o pipefail
dir=$1 bytes=$2
here=$(dirname "$0")
jobs=${JOBS:-2}

mkdir -p "$dir/right" "$dir/active"
sum=$(cat "$dir/netlist.v" kernels/bringup/*.{sass,inc} kernels/traps/*.sass | cksum)
[ "$dir/proved.tsv" -nt "$dir/netlist.v" ] || : > "$dir/proved.tsv"
if [ "$(cat "$dir/selftest.stamp" 2> /dev/null)" != "$sum" ]; then
    for kernel in kernels/bringup/*.sass kernels/traps/*.sass; do
        case $kernel in */global-* | *-sm.sass | */largest-*) continue ;; esac # for more memory, or more SMs
        ! grep -q 'sm_11' "$kernel" || continue
        name=${kernel##*/}
        printf '%s\tselftest\t%s\t\n' "${name%.sass}" "$kernel"
    done > "$dir/trials"
    echo "without a fault: $(wc -l < "$dir/trials") kernels"
    cut -f 1 "$dir/trials" | xargs -P "$jobs" -n 1 "$here/reference.sh" "$dir" "$bytes" 8
    awk -F '\t' -v dir="$dir" '
        FILENAME ~ /list$/ { wakes[$1] = $1 " " $3; numbers[++count] = $1; next }
        { while ((getline number < (dir "/active/" $1)) > 0) wakes[number] = wakes[number] " " $1 }
        END { for (i = 1; i <= count; i++) print wakes[numbers[i]] }' "$dir/netlist.list" "$dir/trials" > "$dir/wakes"
    : > "$dir/caught"
    cut -f 1 "$dir/trials" | tr '\n' ' ' | sed 's/^/0 none /' | "$dir/judge" "$dir" 8 1000 > "$dir/sound"
    grep -q '^0	none' "$dir/sound" || { echo "the self-test fails without a fault: $(cat "$dir/sound")" >&2; exit 1; }
    : > "$dir/selftest.tsv"
    echo "$sum" > "$dir/selftest.stamp"
fi

awk 'FILENAME ~ /tsv$/ { done[$1]; next } !($1 in done)' "$dir/selftest.tsv" "$dir/wakes" > "$dir/todo"
echo "with one: $(wc -l < "$dir/todo") of $(wc -l < "$dir/netlist.list") stuck bits"
judges=()
for ((job = 0; job < jobs; job++)); do
    awk -v job=$job -v jobs="$jobs" 'NR % jobs == job' "$dir/todo" > "$dir/todo.$job"
    "$dir/judge" "$dir" 8 1000 < "$dir/todo.$job" >> "$dir/selftest.tsv" 2>> "$dir/judge.log" &
    judges+=($!)
done
for judge in "${judges[@]}"; do wait "$judge"; done

touch "$dir/proved.tsv"
[ "$dir/idle.list" -nt "$dir/gpu_flat.v" ] || "$here/idle.sh" "$dir" > "$dir/idle.new"
[ ! -e "$dir/idle.new" ] || mv "$dir/idle.new" "$dir/idle.list"
awk -F '\t' '
    FILENAME ~ /idle.list$/ { idle[$1]; next }
    FILENAME ~ /netlist.list$/ { if ($2 in idle) done[$1]; next }
    FILENAME ~ /proved.tsv$/ { done[$1]; next }
    $2 == "none" && !($1 in done) { print $1 }' \
    "$dir/idle.list" "$dir/netlist.list" "$dir/proved.tsv" "$dir/selftest.tsv" > "$dir/todo"
echo "proofs: $(wc -l < "$dir/todo") that nothing found"
export PROVE_SECONDS=${PROVE_SECONDS:-5}
xargs -r -P "$jobs" -n 2 "$here/prove.sh" "$dir" < "$dir/todo" >> "$dir/proved.tsv" 2>> "$dir/judge.log"

{
    cat "$here/selftest.in.md"
    printf 'These are %d bits, drawn by seed %d.\n\n' "$(wc -l < "$dir/netlist.list")" "$(cut -d ' ' -f 2 "$dir/draw")"
    awk -f "$here/selftest.awk" "$dir/idle.list" "$dir/all.list" "$dir/netlist.list" \
        "$dir/wakes" "$dir/proved.tsv" "$dir/selftest.tsv"
} | tee "$dir/report.md"

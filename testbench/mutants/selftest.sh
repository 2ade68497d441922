#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the kernels of the self-test on each stuck bit of DIR (netlist.sh) like a board, without the model, and writes
# DIR/report.md: the numbers found, by unit, and the bits not found. For those, prove.sh tries to prove that no output
# of their entity changes; the rest runs in lockstep on all kernels of `make mutants`, which shows whether any test of
# ours notices them. It may be interrupted and restarted: results are in DIR/selftest.tsv, while netlist and kernels
# stay the same, in DIR/proved.tsv, while the netlist does, and in DIR/lockstep/noticed.tsv.
#
#     testbench/mutants/selftest.sh DIR BYTES      BYTES of global memory
set -eu -o pipefail
dir=$1 bytes=$2
here=$(dirname "$0")
lockstep=$dir/lockstep
kernels=(kernels/{bringup,traps,formats,regress,memory}/*.sass)
export WARPSTEP_MUTANTS_PLACED=1 # a bit is stuck in one of several equal instances

# If these files have changed: drops the results, and runs the trials of stdin without a stuck bit.
begin() { # DIR RESULTS FILES...
    local sum
    sum=$(cat "${@:3}" | cksum)
    [ "$(cat "$1/stamp" 2> /dev/null)" != "$sum" ] || return 0
    cat > "$1/trials"
    "$here/wakes.sh" "$1" "$bytes" 8 "$dir/judge"
    : > "$1/$2"
    echo "$sum" > "$1/stamp"
}
self_tests() {
    for kernel in "${kernels[@]}"; do
        case $kernel in */global-* | *-sm.sass | */largest-*) continue ;; esac # for more memory, or more SMs
        ! grep -q 'sm_11' "$kernel" || continue
        name=${kernel#kernels/} name=${name%.sass}
        printf '%s\tselftest\t%s\t\n' "${name/\//-}" "$kernel"
    done
}
lines_of() { awk 'NR == FNR { wanted[$1]; next } $1 in wanted' "$1" "$2"; } # NUMBERS WAKES

[ "$dir/proved.tsv" -nt "$dir/netlist.v" ] || : > "$dir/proved.tsv"
begin "$dir" selftest.tsv "$dir/netlist.v" "${kernels[@]}" kernels/{bringup,formats}/*.inc < <(self_tests)
awk 'FILENAME ~ /tsv$/ { done[$1]; next } !($1 in done)' "$dir/selftest.tsv" "$dir/wakes" > "$dir/todo"
echo "with one: $(wc -l < "$dir/todo") of $(wc -l < "$dir/netlist.list") stuck bits"
"$here/judges.sh" "$dir/judge" "$dir" 8 1000 "$dir/judge.log" < "$dir/todo" >> "$dir/selftest.tsv"

[ "$dir/idle.list" -nt "$dir/gpu_flat.v" ] || "$here/idle.sh" "$dir" > "$dir/idle.new"
[ ! -e "$dir/idle.new" ] || mv "$dir/idle.new" "$dir/idle.list"
# Numbers that are neither found, nor idle, nor in the first column of one of the files
left() { # FILE...
    awk -F '\t' '
        FILENAME ~ /idle.list$/ { idle[$1]; next }
        FILENAME ~ /netlist.list$/ { if ($2 in idle) done[$1]; next }
        FILENAME ~ /selftest.tsv$/ { if ($2 == "none" && !($1 in done)) print $1; next }
        { done[$1] }' "$dir/idle.list" "$dir/netlist.list" "$@" "$dir/selftest.tsv"
}
left "$dir/proved.tsv" > "$dir/todo"
echo "proofs: $(wc -l < "$dir/todo") that nothing found"
export PROVE_SECONDS=${PROVE_SECONDS:-5}
xargs -r -P "${JOBS:-2}" -n 2 "$here/prove.sh" "$dir" < "$dir/todo" >> "$dir/proved.tsv" 2>> "$dir/judge.log"

mkdir -p "$lockstep"
ln -sf ../libsim-mutants.so ../netlist.list "$lockstep"
"$here/trials.sh" "$bytes" "$lockstep" > "$lockstep/all"
begin "$lockstep" noticed.tsv "$dir/netlist.v" "$lockstep/all" $(cut -f 3 "$lockstep/all" | sort -u) < "$lockstep/all"
awk -F '\t' '$2 == "proved"' "$dir/proved.tsv" > "$dir/equal.tsv"
left "$dir/equal.tsv" "$lockstep/noticed.tsv" > "$dir/todo"
echo "in lockstep: $(wc -l < "$dir/todo") of which nothing is proved"
for most in 1000 0; do # kernels; then other contents of memories, and the host
    lines_of "$dir/todo" "$lockstep/wakes" | "$here/judges.sh" "$dir/judge" "$lockstep" 8 $most "$dir/judge.log" |
        awk '$2 != "none"' >> "$lockstep/noticed.tsv"
    left "$dir/equal.tsv" "$lockstep/noticed.tsv" > "$dir/todo"
done

{
    cat "$here/selftest.in.md"
    printf 'These are %d bits, drawn by seed %d.\n\n' "$(wc -l < "$dir/netlist.list")" "$(cut -d ' ' -f 2 "$dir/draw")"
    awk -f "$here/selftest.awk" "$dir/idle.list" "$dir/all.list" "$dir/netlist.list" \
        "$dir/wakes" "$dir/proved.tsv" "$lockstep/noticed.tsv" "$dir/selftest.tsv"
} | tee "$dir/report.md"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs all mutants that have no result yet and writes DIR/report.md. It may be stopped and started again: results are
# kept in DIR/netlist.tsv, rest.tsv, proved.tsv, bench.tsv and model.tsv, a line each, as long as what was mutated stays
# the same; what survived is run again when there are other trials.
#
#     LIB_OBJ="OBJECTS" testbench/mutants/run.sh DIR BYTES KERNEL...      BYTES of global memory, directed kernels
set -eu
dir=$1 bytes=$2
shift 2
here=$(dirname "$0")
jobs=${JOBS:-2}
mkdir -p "$dir/right" "$dir/active"
touch "$dir/netlist.tsv" "$dir/model.tsv" "$dir/bench.tsv"

# Is STAMP still the checksum of these files? Writes it.
same() { # STAMP FILES...
    local stamp=$dir/$1.stamp sum
    shift
    sum=$(cat "$@" | cksum)
    [ "$(cat "$stamp" 2> /dev/null)" = "$sum" ] && return 0
    echo "$sum" > "$stamp.new"
    return 1
}
stamped() { mv "$dir/$1.stamp.new" "$dir/$1.stamp"; }
only() { awk -F '\t' "$1" "$dir/$2" > "$dir/$2.tmp" && mv "$dir/$2.tmp" "$dir/$2"; } # CONDITION FILE: keeps these lines

"$here/trials.sh" "$bytes" "$dir" "$@" > "$dir/trials"
mapfile -t kernels < <(cut -f 3 "$dir/trials" | sort -u)
if ! same netlist "$dir/netlist.v"; then
    rm -f "$dir/netlist.tsv" "$dir/rest.tsv" "$dir/proved.tsv"
    touch "$dir/netlist.tsv"
    stamped netlist
    rm -f "$dir/trials.stamp"
fi
if ! same trials "$dir/trials" "${kernels[@]}"; then
    echo "without a mutant: $(wc -l < "$dir/trials") trials"
    cut -f 1 "$dir/trials" | xargs -P "$jobs" -n 1 "$here/reference.sh" "$dir" "$bytes"
    # Number and entity of each mutant, and the trials that wake it.
    awk -F '\t' -v dir="$dir" '
        FILENAME ~ /list$/ { wakes[$1] = $1 " " $3; count++; next }
        {
            file = dir "/active/" $1
            while ((getline number < file) > 0) wakes[number] = wakes[number] " " $1
            close(file)
        }
        END { for (i = 1; i <= count; i++) print wakes[i] }' "$dir/netlist.list" "$dir/trials" > "$dir/wakes"
    only '$2 != "none"' netlist.tsv
    only '$2 != "none"' model.tsv
    rm -f "$dir/rest.tsv"
    stamped trials
fi

# First a few trials for each mutant, then all of them for what is left; entities mixed, in $jobs processes.
judge() { # MOST
    awk -F '\t' 'NR == FNR { entity[$1] = $3; next } $3 != "-" { print entity[$1], $3 }' \
        "$dir/netlist.list" "$dir/netlist.tsv" > "$dir/caught"
    awk 'FILENAME ~ /tsv$/ { done[$1]; next } !($1 in done) { print $1 * 7919 % 10007, $0 }' \
        "$dir/netlist.tsv" "$dir/wakes" | sort -n | cut -d ' ' -f 2- > "$dir/todo"
    echo "netlist: $(wc -l < "$dir/todo") mutants, at most $1 trials of a layer"
    for ((job = 0; job < jobs; job++)); do
        awk -v job=$job -v jobs="$jobs" 'NR % jobs == job' "$dir/todo" |
            "$dir/judge" "$dir" "$1" >> "$dir/netlist.tsv" 2>> "$dir/judge.log" &
    done
    wait
}
judge 15

# What survived is run again when there are other tests.
again() { # WHAT TESTS...
    local what=$1
    shift
    same "$what.tests" "$@" && return
    only '$2 != "none"' "$what.tsv"
    stamped "$what.tests"
}

# Mutants of sources, a build each: what has no result yet, with a script for one of them.
sources() { # WHAT
    if ! same "$1" "$dir/$1.list" $(cut -f 3 "$dir/$1.list" | sort -u); then
        : > "$dir/$1.tsv"
        stamped "$1"
    fi
    awk -F '\t' 'FILENAME ~ /tsv$/ { done[$1]; next } !($1 in done) { print $1 * 7919 % 10007, $1 }' \
        "$dir/$1.tsv" "$dir/$1.list" | sort -n | cut -d ' ' -f 2 > "$dir/todo"
    echo "$1: $(wc -l < "$dir/todo") mutants"
    xargs -r -P "$jobs" -n 1 "$here/$1_judge.sh" "$dir" < "$dir/todo"
}
again bench testbench/unit/*.vhd "$here/bench_judge.sh"
sources bench
again model cmodel/test/*.[ch] testbench/lockstep/test/*.[ch] testbench/robust/test/*.[ch] "$here/model_judge.sh"
grep -q '^0	none' "$dir/model.tsv" || "$here/model_judge.sh" "$dir" 0
grep -q '^0	none' "$dir/model.tsv" || { echo "without a mutant the model's tests fail" >&2; exit 1; }
sources model

only '$2 != "none" || $6 >= 1000' netlist.tsv
judge 1000

# What survived that: other layers, and proofs that it is equivalent, of what has neither yet.
touch "$dir/rest.tsv" "$dir/proved.tsv"
left() { # RESULTS: numbers of mutants that are not in it
    awk -F '\t' -v results="$1" 'FILENAME == results { done[$1]; next } $2 == "none" && !($1 in done) { print $1 }' \
        "$1" "$dir/netlist.tsv"
}
if ! grep -q '^0	' "$dir/rest.tsv"; then # without a mutant they must find nothing
    awk -F '\t' '$2 == "directed" { print 0, "host", $1 }' "$dir/trials" | "$dir/judge" "$dir" 0 > "$dir/rest.none"
    ! grep -v '^0	none' "$dir/rest.none" || { echo "without a mutant other layers find one" >&2; exit 1; }
    head -n 1 "$dir/rest.none" >> "$dir/rest.tsv"
fi
left "$dir/rest.tsv" > "$dir/todo"
echo "rest: $(wc -l < "$dir/todo") mutants"
awk 'FILENAME ~ /todo$/ { wanted[$1]; next } $1 in wanted' "$dir/todo" "$dir/wakes" |
    "$dir/judge" "$dir" 0 >> "$dir/rest.tsv" 2>> "$dir/judge.log"
left "$dir/proved.tsv" > "$dir/todo"
echo "proofs: $(wc -l < "$dir/todo") mutants"
prove() { # PATTERN PROVER: those whose entity is like this
    awk -F '\t' -v entity="$1" 'FILENAME ~ /todo$/ { wanted[$1]; next } $1 in wanted && $3 ~ entity { print $1 }' \
        "$dir/todo" "$dir/netlist.list" |
        xargs -r -P "$jobs" -n 6 "$here/$2" "$dir" >> "$dir/proved.tsv" 2>> "$dir/judge.log"
}
prove '^decode' prove_decode.sh
prove '^([^d]|d[^e]|de[^c])' prove.sh
"$here/report.sh" "$dir"

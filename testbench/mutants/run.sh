#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs all mutants that have no result yet and writes DIR/report.md. It may be interrupted and restarted: results are
# kept in DIR/netlist.tsv, rest.tsv, proved.tsv, cores.tsv, bench.tsv and model.tsv, a line each, while the mutated code
# stays the same; survivors run again when there are new trials.
#
#     LIB_OBJ="OBJECTS" testbench/mutants/run.sh DIR BYTES      BYTES of global memory
set -eu
dir=$1 bytes=$2
here=$(dirname "$0")
jobs=${JOBS:-2}

# True if STAMP is still the checksum of these files. Writes it.
same() { # STAMP FILES...
    local stamp=$dir/$1.stamp sum
    shift
    sum=$(cat "$@" | cksum)
    [ "$(cat "$stamp" 2> /dev/null)" = "$sum" ] && return 0
    echo "$sum" > "$stamp.new"
    return 1
}
stamped() { mv "$dir/$1.stamp.new" "$dir/$1.stamp"; }
only() { awk -F '\t' "$1" "$dir/$2" > "$dir/$2.tmp" && mv "$dir/$2.tmp" "$dir/$2"; } # CONDITION FILE: keeps the lines
                                                                                     # that satisfy it
# A mutant that was run again has two results, of which the last one counts.
newest() {
    tac "$dir/netlist.tsv" | awk -F '\t' '!($1 in seen) { seen[$1]; print }' | tac > "$dir/newest.tsv"
    mv "$dir/newest.tsv" "$dir/netlist.tsv"
}

# Survivors run again when there are other tests.
again() { # WHAT TESTS...
    local what=$1
    shift
    same "$what.tests" "$@" && return
    only '$2 != "none"' "$what.tsv"
    stamped "$what.tests"
}

# Runs the mutants of DIR/todo, each a line of WAKES; entities mixed.
judge() { # DIR CORES MOST RESULTS [WAKES]
    awk -F '\t' 'NR == FNR { entity[$1] = $3; next } $3 != "-" { print entity[$1], $3 }' \
        "$1/netlist.list" "$4" > "$1/caught"
    awk 'NR == FNR { wanted[$1]; next } $1 in wanted { print $1 * 7919 % 10007, $0 }' "$1/todo" "${5-$1/wakes}" |
        sort -n | cut -d ' ' -f 2- | "$here/judges.sh" "$dir/judge" "$1" "$2" "$3" "$dir/judge.log" >> "$4"
}
# Runs the survivors of all earlier trials on the new ones; drops results from trials that are gone or have changed.
on_new_trials() { # DIR CORES MOST RESULTS
    : > "$1/todo"
    awk -F '\t' -v most="$3" -v todo="$1/todo" '
        FILENAME ~ /fresh$/ { fresh[$1]; next }
        FILENAME ~ /trials$/ { if (!($1 in fresh)) old[$1]; next }
        $2 == "none" && $6 == most { print $1 > todo; next }
        $3 == "-" || $3 in old' "$dir/fresh" "$dir/trials" "$4" > "$4.kept"
    mv "$4.kept" "$4"
    awk 'NR == FNR { fresh[$1]; next }
        { line = $1 " " $2; for (i = 3; i <= NF; i++) if ($i in fresh) line = line " " $i; print line }' \
        "$dir/fresh" "$1/wakes" > "$1/fresh.wakes"
    echo "at $2 cores: $(wc -l < "$1/todo") mutants that survived, $(wc -l < "$dir/fresh") new trials"
    judge "$1" "$2" "$3" "$4" "$1/fresh.wakes"
}

# Numbers of mutants that nothing has caught yet, that no proof shows equivalent or refutes, and that are not in
# RESULTS. Other cycles alone do not count as caught.
left() { # RESULTS
    awk -F '\t' -v results="$1" '
        FILENAME == results { done[$1]; next }
        FILENAME ~ /proved.tsv$/ { if ($2 ~ /proved|formal/) done[$1]; next }
        FILENAME ~ /cores.tsv$/ { if ($2 != "none") done[$1]; next }
        FILENAME ~ /rest.tsv$/ { if ($2 ~ /seeds|host/) done[$1]; next }
        $2 == "none" && !($1 in done) { print $1 }' "$1" "$dir"/{proved,cores,rest,netlist}.tsv
}

"$here/trials.sh" "$bytes" "$dir" > "$dir/trials"
mapfile -t kernels < <(cut -f 3 "$dir/trials" | sort -u)
if ! same netlist "$dir/netlist.v" "$dir/32/netlist.v"; then
    rm -f "$dir"/{netlist,cores,rest,proved}.tsv "$dir"/trials.{stamp,sums}
    stamped netlist
fi
touch "$dir"/{netlist,cores,rest,proved,bench,model}.tsv
newest
if ! same trials "$dir/trials" "${kernels[@]}"; then
    "$here/wakes.sh" "$dir" "$bytes" 8 "$dir/judge"
    cp "$dir/trials" "$dir/32"
    "$here/wakes.sh" "$dir/32" "$bytes" 32 "$dir/judge"
    touch "$dir/trials.sums"
    while IFS=$'\t' read -r name _ kernel flags; do
        echo "$name $flags $(cksum < "$kernel")"
    done < "$dir/trials" > "$dir/trials.new"
    awk 'FILENAME ~ /sums$/ { old[$0]; next } !($0 in old) { print $1 }' \
        "$dir/trials.sums" "$dir/trials.new" > "$dir/fresh"
    on_new_trials "$dir" 8 1000 "$dir/netlist.tsv"
    on_new_trials "$dir/32" 32 50 "$dir/cores.tsv"
    mv "$dir/trials.new" "$dir/trials.sums"
    only '$2 != "none"' rest.tsv
    only '$2 != "none"' model.tsv
    stamped trials
fi

# First a few trials for each mutant.
awk -F '\t' 'FILENAME ~ /tsv$/ { done[$1]; next } !($1 in done) { print $1 }' \
    "$dir/netlist.tsv" "$dir/netlist.list" > "$dir/todo"
echo "netlist: $(wc -l < "$dir/todo") mutants, at most 15 trials of a layer"
judge "$dir" 8 15 "$dir/netlist.tsv"

# Then proofs that survivors are equivalent, or cannot be.
left "$dir/proved.tsv" > "$dir/todo"
echo "proofs: $(wc -l < "$dir/todo") mutants"
prove() { # PATTERN PROVER: mutants of matching entities
    awk -F '\t' -v entity="$1" 'FILENAME ~ /todo$/ { wanted[$1]; next } $1 in wanted && $3 ~ entity { print $1 }' \
        "$dir/todo" "$dir/netlist.list" |
        xargs -r -P "$jobs" -n 6 "$here/$2" "$dir" >> "$dir/proved.tsv" 2>> "$dir/judge.log"
}
# The parts of decode have no registers; decode itself and decode_word, which contains it, have some.
prove '^decode_[^w]' prove_decode.sh
left "$dir/proved.tsv" > "$dir/todo"
prove . prove.sh

# Then other layers, with a few runs of each. They must find nothing without a mutant.
again rest "$here/judge.c"
if ! grep -q '^0	' "$dir/rest.tsv"; then
    awk -F '\t' '$2 == "directed" && NR % 20 == 0 { print 0, "host", $1 }' "$dir/trials" |
        "$dir/judge" "$dir" 8 0 > "$dir/rest.none"
    ! grep -v '^0	none' "$dir/rest.none" || { echo "without a mutant other layers find one" >&2; exit 1; }
    grep -m 1 '^0	none' "$dir/rest.none" >> "$dir/rest.tsv"
fi
left "$dir/rest.tsv" > "$dir/todo"
echo "rest: $(wc -l < "$dir/todo") mutants"
judge "$dir" 8 0 "$dir/rest.tsv"

# Then all trials, for the rest.
left <(awk -F '\t' '$6 >= 1000' "$dir/netlist.tsv") > "$dir/todo"
echo "netlist: $(wc -l < "$dir/todo") mutants, all trials"
judge "$dir" 8 1000 "$dir/netlist.tsv"
newest

# Then 32 cores, with more work in progress at a time.
left "$dir/cores.tsv" > "$dir/32/todo"
echo "at 32 cores: $(wc -l < "$dir/32/todo") mutants"
judge "$dir/32" 32 50 "$dir/cores.tsv"

# Mutants of sources, a build each: those without a result, with a script for one of them.
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
again model cmodel/{,run/}test/*.[ch] checker/test/*.[ch] testbench/robust/test/*.[ch] "$here/model_judge.sh"
grep -q '^0	none' "$dir/model.tsv" || "$here/model_judge.sh" "$dir" 0
grep -q '^0	none' "$dir/model.tsv" || { echo "without a mutant the model's tests fail" >&2; exit 1; }
sources model

"$here/report.sh" "$dir"

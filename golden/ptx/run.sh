#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks the PTX interpreter and prints TAP: single instructions (rules.tsv), small programs with the results that they
# declare (programs/), and results of NVIDIA chips (golden/silicon/ptx). Then it runs drawn programs.
#
#     golden/ptx/run.sh [PROGRAMS [SEED]]        number of drawn programs, 100; the first seed, 1
set -u
cd "$(dirname "$0")/../.." || exit 2
built=$PWD/build/golden/ptx
tables=$PWD/golden/float/sfu-tables.csv
here=$PWD/golden/ptx
chips=$PWD/golden/silicon/ptx
count=${1:-100}
seed=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
number=1
report() { # name, error
    number=$((number + 1))
    [ -z "$2" ] && { echo "ok $number - $1"; return; }
    echo "not ok $number - $1"
    head -20 <<< "$2" | sed 's/^/# /'
    failed=1
}

"$built/check" golden/ptx/rules.tsv "$tables" || failed=1

# The lines "// run:", "// exit: CODE message" and "// words:" of a program.
try() {
    local words code message wanted out=$work/out
    words=$(sed -n 's|^// run: ||p' "$1")
    read -r code message <<< "$(sed -n 's|^// exit: ||p' "$1")"
    wanted=$(sed -n 's|^// words: ||p' "$1")
    rm -f "$out"
    "$built/run" "$1" --tables "$tables" ${words//OUT/$out} > "$work/said" 2>&1
    local got=$?
    [ "$got" = "$code" ] || echo "${1##*/}: exit $got instead of $code: $(head -1 "$work/said")"
    [[ $(< "$work/said") == *"$message"* ]] || echo "${1##*/}: '$message' was not said: $(head -1 "$work/said")"
    [ -z "$wanted" ] && return
    [ "$(od -An -v -tx4 "$out" | sed 's/\<0*\([0-9a-f]\)/\1/g' | xargs)" = "$wanted" ] || echo "${1##*/}: other words"
}
report "$(ls "$here"/programs/*.ptx | wc -l) small programs" "$(for p in "$here"/programs/*.ptx; do try "$p"; done)"

for archive in given drawn; do
    report "$(grep -c . "$chips/$archive.sha256") programs ($archive) as an H200 ran them" \
        "$("$chips/unpack.sh" $archive "$work/$archive" 2>&1)"
done

report "$count drawn programs from seed $seed on are defined" \
    "$("$built/draw" --seed "$seed" --count "$count" --tables "$tables" -o "$work" 2>&1)"
echo "1..$number"
exit $failed

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the trials of DIR/trials without a mutant, and writes DIR/wakes: number and entity of each mutant of
# DIR/netlist.list, and the trials that wake it, in which it would change something. Mutant 0, none at all, must survive
# them in JUDGE.
#
#     testbench/mutants/wakes.sh DIR BYTES CORES JUDGE      BYTES of global memory
set -eu -o pipefail
dir=$1 bytes=$2 cores=$3 judge=$4
here=$(dirname "$0")
mkdir -p "$dir/right" "$dir/active"
echo "without a mutant: $(wc -l < "$dir/trials") trials at $cores cores"
cut -f 1 "$dir/trials" | xargs -P "${JOBS:-2}" -n 1 "$here/reference.sh" "$dir" "$bytes" "$cores"
awk -F '\t' -v dir="$dir" '
    FILENAME ~ /list$/ { wakes[$1] = $1 " " $3; numbers[++count] = $1; next }
    {
        file = dir "/active/" $1
        while ((getline number < file) > 0) wakes[number] = wakes[number] " " $1
        close(file)
    }
    END { for (i = 1; i <= count; i++) print wakes[numbers[i]] }' "$dir/netlist.list" "$dir/trials" > "$dir/wakes"
: > "$dir/caught"
cut -f 1 "$dir/trials" | tr '\n' ' ' | sed 's/^/0 none /' | "$judge" "$dir" "$cores" 1000 > "$dir/sound"
grep -q '^0	none' "$dir/sound" || { echo "a trial fails without a mutant: $(cat "$dir/sound")" >&2; exit 1; }

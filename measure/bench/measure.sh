#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs cases (cases.sh) in lockstep under Verilator and prints their results, as TSV with a heading line: group, case,
# cores, SMs, cycles, warp and thread instructions, then the cycles of all SMs by cause, under the names of the RTL's
# counters. A run that does not pass ends it. Cases that need the corpus are skipped without it, with a note.
#
#     measure/bench/measure.sh GROUP "CASE..." "CORES..." "SMS..."
set -eu
cd "$(dirname "$0")/../.."
. measure/bench/cases.sh
group=$1
mkdir -p "$work"

# From the JSON of a run, one line of TSV; with HEADING the line of names.
to_tsv() { # HEADING GROUP CASE CORES SMS
    awk -v heading="$1" -v start="$2	$3	$4	$5" '
        function number(name) {
            if (!match($0, "\"" name "\":[0-9]+")) exit 1
            return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
        }
        {
            line = start "\t" number("cycles") "\t" number("warp_instructions") "\t" number("thread_instructions")
            names = "group\tcase\tcores\tsms\tcycles\twarp_instructions\tthread_instructions"
            match($0, /"stalls":\{[^}]*\}/)
            count = split(substr($0, RSTART + 10, RLENGTH - 11), stall, ",")
            for (i = 1; i <= count; i++) {
                split(stall[i], part, ":")
                gsub(/"/, "", part[1])
                names = names "\t" part[1]
                line = line "\t" part[2]
            }
            print heading == "" ? line : names
        }' "$work/json"
}

heading=yes
for name in $2; do
    if ! launch "$name"; then
        echo "$name is left out: CORPUS does not name its folder" >&2
        continue
    fi
    for sms in $4; do
        for cores in $3; do
            if ! build/bin/warp-lockstep "${command[@]}" --cores "$cores" --sms "$sms" --json > "$work/json"; then
                echo "failed: build/bin/warp-lockstep ${command[*]} --cores $cores --sms $sms" >&2
                exit 1
            fi
            [ -z "$heading" ] || to_tsv yes "$group" "$name" "$cores" "$sms"
            heading=
            to_tsv "" "$group" "$name" "$cores" "$sms"
        done
    done
done

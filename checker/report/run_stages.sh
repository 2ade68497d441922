#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Traces for Konata with the stages of the RTL, from Verilator; prints TAP. For each kernel, on each machine, every
# instruction with a record retires in its cycle, and has passed all stages in order (konata.awk).
#
#     checker/report/run_stages.sh KERNEL...
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stages=$(sed -n 's/^STAGE("\([^"]*\)".*/\1/p' checker/report/wave_view.def | paste -sd ' ' |
    sed 's/WRITE$/FLOAT WRITE/')
number=0 failed=0

# "CYCLE THREAD LABEL" of each record of a text trace, in Konata's form.
records() { # TRACE
    tr -d : < "$1" |
        sed -nE 's/^([0-9]+) sm([0-9]+) slot([0-9]+) block(\S+) warp([0-9]+) (\S+) .*/\1 \2 \3 \4 \5 \6/p' |
        awk '{ print $1, $2 * 64 + $3, "sm" $2, "warp", $5, "block" $4, $6 }' | sort
}

trial() { # KERNEL CORES SMS
    local options=("$1" --sim verilator --cores "$2" --sms "$3" --no-wave)
    number=$((number + 1))
    for form in txt kanata; do build/bin/warp-lockstep "${options[@]}" --trace "$work/t.$form" > "$work/out" 2>&1; done
    records "$work/t.txt" > "$work/records"
    if awk -v stages="$stages" -f checker/report/konata.awk "$work/t.kanata" > "$work/shown" 2> "$work/wrong" &&
        sed 's/: .*//' "$work/shown" | sort | diff "$work/records" - > "$work/wrong" && [ -s "$work/records" ]; then
        echo "ok $number - $1: stages, $2 cores, $3 SM"
    else
        failed=1
        echo "not ok $number - $1: stages, $2 cores, $3 SM"
        head -n 12 "$work/wrong" | sed 's/^/# /'
    fi
}

for kernel; do
    trial "$kernel" 8 1
    trial "$kernel" 32 1
    trial "$kernel" 8 2
done
echo "1..$number"
exit $failed

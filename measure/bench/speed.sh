#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The speed of the tools on this machine, as a section of docs/evidence/performance.md: the model on kernels that
# compute, the RTL under each simulator, alone and in lockstep, in turns so that other load affects all equally. The
# user time of the best run counts, including start-up. `make speed` calls it.
set -eu
cd "$(dirname "$0")/../.."
. measure/bench/cases.sh
mkdir -p "$work"
TIMEFORMAT=%U

field() { sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p" $work/json | head -n 1; }

# Runs a command that prints JSON; $best becomes the minimum of itself and the command's user seconds.
best=
time_once() {
    local seconds
    seconds=$({ time "$@" --json > $work/json 2> /dev/null; } 2>&1)
    [ -n "$best" ] && awk "BEGIN { exit !($best <= $seconds) }" || best=$seconds
}
rate() { awk "BEGIN { printf \"$3\", ($1) / ($2) }"; } # COUNT SECONDS FORMAT

model() { # LABEL COMMAND...
    local label=$1
    shift
    best=
    for _ in {1..30}; do time_once build/bin/warp-run "$@"; done
    echo "| $label | $(rate "$(field thread_instructions)" "$best * 1e6" %.0f) |"
}

rtl() { # SIMULATOR CORES RUNS CASE [FLAG...]
    local sim=$1 cores=$2 runs=$3 name=$4 free= checked=
    shift 4
    launch "$name"
    command+=("$@" --sim "$sim" --cores "$cores")
    for ((i = 0; i < runs; i++)); do
        best=$free
        time_once build/bin/warp-lockstep "${command[@]}" --unchecked
        free=$best best=$checked
        time_once build/bin/warp-lockstep "${command[@]}"
        checked=$best
    done
    echo "| $sim | $cores | $(rate "$(field cycles)" "$free" %.0f) | $(rate "$(field cycles)" "$checked" %.0f) |" \
        "$(awk "BEGIN { printf \"%+.1f\", 100 * ($checked / $free - 1) }") |"
}

cat << 'END'
## Speed of the tools

Written by `make speed`. Measured on two virtual cores of an AMD EPYC, which other work shared. A figure is the count of
the program's JSON divided by its user time, start-up and loading included, in the best run: of 30 for the model, of 3
for Verilator, the only one for GHDL. Unchecked runs and runs in lockstep take turns. No test checks these figures.

END
echo "| model, one core | million thread instructions a second |"
echo "|---|---:|"
model "kernels/bench/alu.sass, full warps" kernels/bench/alu.sass
model "kernels/bench/mixed.sass, full warps" kernels/bench/mixed.sass
made big.in $host/draw_picture 320 320
made big.out $host/edge 320 320 < $work/big.in
model "kernels/apps/edge.sass, 320 x 320 pixels" kernels/apps/edge.sass --grid 20,20 --param 0,0x20000,320,320 \
    --global 0=@$work/big.in --expect 0x20000=@$work/big.out
echo
echo "| simulator | cores | cycles a second, unchecked | in lockstep | cost of lockstep, % |"
echo "|---|---:|---:|---:|---:|"
for cores in 8 16 32; do rtl verilator $cores 3 alu; done
for cores in 8 32; do rtl ghdl $cores 1 straight --global-bytes 16384; done

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# How fast the tools are on this machine: the model on a kernel that only computes and on edge detection, the RTL under
# Verilator in lockstep with the model. Each is run several times, the best counts. Start-up of the tool is included.
set -eu
cd "$(dirname "$0")/.."
work=build/bench
mkdir -p $work
build/golden/host/draw_picture 320 320 > $work/picture
build/golden/host/edge 320 320 < $work/picture > $work/edges

field() { sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p" $work/json | head -n 1; }

# Prints how many millions of FIELD a second the fastest of RUNS runs made.
measure() { # LABEL UNIT FIELD RUNS COMMAND...
    local label=$1 unit=$2 field=$3 runs=$4 best=0 begin micros
    shift 4
    for ((i = 0; i < runs; i++)); do
        begin=$EPOCHREALTIME
        "$@" --json > $work/json
        micros=$((${EPOCHREALTIME/./} - ${begin/./}))
        [ $best -ne 0 ] && [ $micros -ge $best ] || best=$micros
    done
    awk -v label="$label" -v unit="$unit" -v count="$(field "$field")" -v micros=$best \
        'BEGIN { printf "%-44s %10.3f million %s a second\n", label, count / micros, unit }'
}

edge=(kernels/apps/edge.sass --grid 20,20 --param 0,0x20000,320,320 --global 0=@$work/picture
    --expect 0x20000=@$work/edges)
small=(kernels/apps/edge.sass)
run=build/bin/warp-run
measure "model, kernels/bench/alu.sass" thread-instructions thread_instructions 3 $run kernels/bench/alu.sass
measure "model, kernels/apps/edge.sass, 320 x 320" thread-instructions thread_instructions 5 $run "${edge[@]}"
for cores in 8 32; do
    [ -e build/sim/libsim-verilator-C$cores-S1.so ] || continue
    measure "lockstep, Verilator, $cores cores, edge 64 x 64" cycles cycles 2 \
        build/bin/warp-lockstep "${small[@]}" --sim verilator --cores $cores
done

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Bus utilisation of `stream` (c = a + b, see measure/bench): necessary beats as a share of its cycles, at latencies of
# 0, 30 and 100 cycles. Prints TAP; a bus of two words, which the machine could fill, must be used for 60 % of the time
# at 30 cycles.
#
#     testbench/memory/stream.sh "OPTIONS" WORDS CORES,SMS,BUS ...
#
#     OPTIONS  of warp-lockstep: the simulator, and other options for a quick run
#     WORDS    of each vector, a multiple of 256
set -u
cd "$(dirname "$0")/../.." || exit 2
. measure/bench/cases.sh
mkdir -p "$work"
options=$1 words=$2 number=0 failed=0
shift 2
add_vectors "$words"
for machine; do
    IFS=, read -r cores sms width <<< "$machine"
    for latency in 0 30 100; do
        number=$((number + 1))
        json=$(build/bin/warp-lockstep "${command[@]}" --json $options --cores "$cores" --sms "$sms" \
            --memory "bus,words=$width,latency=$latency")
        code=$?
        cycles=$(sed -n 's/.*"cycles":\([0-9]*\).*/\1/p' <<< "$json")
        share=0 least=0
        [ -z "$cycles" ] || share=$((300 * words / width / cycles))
        [ "$latency" = 30 ] && [ "$width" -le 2 ] && least=60
        verdict=ok
        if [ $code -ne 0 ] || [ "$share" -lt $least ]; then
            verdict="not ok" failed=1
        fi
        echo "$verdict $number - $sms SMs of $cores cores, bus of $width words, latency $latency:" \
            "${cycles:-no} cycles, $share % of the bus"
    done
done
echo "1..$number"
exit $failed

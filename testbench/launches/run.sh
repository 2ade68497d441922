#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Launches of all shapes in lockstep: each thread of each block must run once with its right numbers (checked as in
# draw_launch.c). First launches at the limits, then random ones. Prints TAP, the seed first; a failing launch stays in
# build/launches/.
#
#     [SEED=N] testbench/launches/run.sh [-c "8,1 16,1 ..."] [-s SIM] [-m BYTES] [-e] COUNT
#
#     COUNT   random launches
#     -c      machines to take in turn: cores,SMs (default those that `make all` builds)
#     -s, -m  simulator, and bytes of its global memory
#     -e      skips the launches at the limits
set -u
cd "$(dirname "$0")/../.." || exit 2
draw=build/testbench/launches/draw_launch
machines="8,1 16,1 32,1 8,2" sim=verilator memory=262144 limits=yes
while getopts c:s:m:e option; do
    case $option in
        c) machines=$OPTARG ;;
        s) sim=$OPTARG ;;
        m) memory=$OPTARG ;;
        e) limits=no ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
count=${1:?usage: testbench/launches/run.sh [-c MACHINES] [-s SIM] [-m BYTES] [-e] COUNT}
read -ra machines <<< "$machines"
seed=${SEED:-$((RANDOM * 32768 + RANDOM + 1))}
work=build/launches
mkdir -p "$work"
echo "# SEED=$seed testbench/launches/run.sh $*"

number=0 failed=0
launch() { # FLAGS OF DRAW...
    local machine=${machines[number % ${#machines[@]}]} what kernel command
    local cores=${machine%,*} sms=${machine#*,}
    number=$((number + 1))
    kernel=$work/$sim-$seed-$number
    what=$("$draw" --seed $((seed + number)) --sms "$sms" --threads $((memory / 32)) "$@" "$kernel") || exit 2
    command=(build/bin/warp-lockstep "$kernel.sass" --sim "$sim" --cores "$cores" --sms "$sms" --global-bytes "$memory")
    if "${command[@]}" > "$kernel.log" 2>&1; then
        echo "ok $number - $cores cores, $sms SMs: $what"
        rm "$kernel".*
    else
        failed=1
        echo "not ok $number - $cores cores, $sms SMs: $what"
        sed 's/^/# /' "$kernel.log"
        echo "# repeat: ${command[*]}"
    fi
}

if [ $limits = yes ]; then
    launch --grid 3,5 --block 1 --reg 128
    launch --grid 7 --block 512 --reg 32 --shared 16384      # all registers and shared bytes, one block at a time
    launch --grid 5 --block 1024 --reg 16 --local 0          # all warps and registers
    launch --grid 2,2 --block 16,1,64 --reg 4
    launch --grid 3 --block 1,1024 --reg 5 --shared 28
    launch --grid 3 --block 2,512 --reg 8 --shared 8192
    launch --grid 1 --block 33,31
    launch --grid 9 --block 128 --reg 128 --shared 5460
    launch --grid 1,40 --block 7,5,3 --reg 127 --shared 2048
    launch --grid 1 --block 97 --reg 1 --shared 24 --local 0
    launch --grid 500 --block 1 --shared 16384
    launch --grid 1,999 --block 1 --shared 24
    launch --grid 30,30 --block 3
fi
for ((i = 0; i < count; i++)); do launch; done
echo "1..$number"
exit $failed

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs random kernels in lockstep and prints TAP. Stops at the first that differs: prints the checker's report and the
# command that makes and runs that kernel again; the kernel stays in build/random/.
#
#     testbench/random/run.sh [-g COUNT] COUNT [SEED] [CORES]
#
#     COUNT   kernels under Verilator, the first made from SEED (default 1), on CORES scalar processors (default 8);
#             ten times as many on the model alone
#     -g      short kernels under GHDL besides, on two SMs of CORES and on one of 32 cores in turn (default 2)
set -u
cd "$(dirname "$0")/../.." || exit 2
ghdl_count=2
while getopts g: option; do
    case $option in
        g) ghdl_count=$OPTARG ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
count=${1:?usage: testbench/random/run.sh [-g COUNT] COUNT [SEED] [CORES]}
seed=${2:-1}
cores=${3:-8}
make_kernel=build/testbench/random/random_kernel
max_cycles=2000000
mkdir -p build/random
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# Seeds take turns: straight code, some control flow, mostly control flow.
styles=("--flow 0 --length 80" "--flow 20 --length 40" "--flow 45 --length 25")
short_styles=("--flow 0 --length 24" "--flow 20 --length 12" "--flow 45 --length 8")

number=0
fail() { # NAME OPTIONS KERNEL
    echo "not ok $number - $1"
    sed 's/^/# /' "$output"
    echo "# made by: $make_kernel $2 -o $3"
    echo "1..$number"
    exit 1
}

# On the model alone: no kernel may trap, hang or read what is undefined.
run_model() { # COUNT
    local s options kernel=build/random/model.sass
    number=$((number + 1))
    for ((s = seed; s < seed + $1; s++)); do
        options="--seed $s ${styles[s % 3]}"
        [ $((s % 4)) -eq 3 ] && options+=" --atomics"
        # shellcheck disable=SC2086
        "$make_kernel" $options -o "$kernel" || exit 2
        build/bin/warp-run "$kernel" --strict > "$output" 2>&1 ||
            fail "random kernel of seed $s, model" "$options" "$kernel"
    done
    echo "ok $number - $1 random kernels, model"
}

run_kernels() { # SIM COUNT MACHINE... ; the kernels take the machines, as "CORES SMS", in turn
    local sim=$1 count=$2 options last=$((seed + $2 - 1)) s machine kernel
    shift 2
    number=$((number + 1))
    for ((s = seed; s <= last; s++)); do
        read -ra machine <<< "${*:$(((s - seed) % $# + 1)):1}"
        options="--seed $s ${styles[s % 3]}"
        [ "$sim" = ghdl ] && options="--seed $s ${short_styles[s % 3]}"
        [ $((s % 4)) -eq 1 ] && options+=" --undefined" # values that the model takes over from the RTL
        [ $((s % 4)) -eq 3 ] && options+=" --atomics"
        kernel=build/random/$sim-$s.sass
        # shellcheck disable=SC2086
        "$make_kernel" $options -o "$kernel" || exit 2
        build/bin/warp-lockstep "$kernel" --sim "$sim" --cores "${machine[0]}" --sms "${machine[1]}" \
            --max-cycles $max_cycles > "$output" 2>&1 ||
            fail "random kernel of seed $s, $sim, ${machine[0]} cores, ${machine[1]} SMs" "$options" "$kernel"
        rm "$kernel"
    done
    echo "ok $number - $count random kernels, $sim, cores and SMs $*"
}

run_model $((10 * count))
run_kernels verilator "$count" "$cores 1"
[ "$ghdl_count" -gt 0 ] && run_kernels ghdl "$ghdl_count" "$cores 2" "32 1"
echo "1..$number"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The machine's behaviour must not depend on initial contents of registers and memories, nor on the value of an assigned
# X: Verilator draws both from --seed. Runs kernels in lockstep with several seeds, in each configuration; the records,
# with all fields and cycles, must be bit-identical. Records that depend on undefined contents of the launch ("adopted"
# in the JSON) are not compared: they should differ. Prints TAP.
#
#     testbench/agree/seeds.sh [-s "1 2 3 4 5 6"] [-c "8x1 16x1 32x1 8x2"] [-r COUNT] [KERNEL ...]
#
#     -s   seeds: n of them miss a decisive bit once in 2^(n-1) times
#     -c   cores x SMs          -r   also COUNT random kernels (SEED=N: the first seed)
set -u
cd "$(dirname "$0")/../.." || exit 2
seeds="1 2 3 4 5 6" configurations="8x1 16x1 32x1 8x2" random=0
while getopts s:c:r: option; do
    case $option in
        s) seeds=$OPTARG ;;
        c) configurations=$OPTARG ;;
        r) random=$OPTARG ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kernels=("$@")
for ((i = 0; i < random; i++)); do
    seed=$((${SEED:-7000} + i))
    build/bin/warp-fuzz --print --count 1 --seed $seed > "$work/random-$seed.sass" || exit 2
    kernels+=("$work/random-$seed.sass")
done

# The values to compare: status, number, digest and cycles of the records, and the cycles by cause; except the causes
# before a trap of the fetch, because the words behind the code are undefined and decide whether an instruction issues.
# Empty if the run gives no values.
run() { # KERNEL CORES SMS SEED
    build/bin/warp-lockstep "$1" --sim verilator --cores "$2" --sms "$3" --seed "$4" --json --no-wave \
        2> "$work/report" > "$work/json"
    local pattern='"status":"\([a-z]*\)".*\("compared":.*\),"warp_ins.*\("stalls":{[^}]*}\).*\("adopted":[0-9]*\).*'
    local causes=' \3'
    grep -q '"trap":{[^}]*"name":"fetch' "$work/json" && causes=
    sed -n "s/.*$pattern/\1 \2$causes \4/p" "$work/json"
}

number=0 failed=0 undefined=0 compared=0
for kernel in "${kernels[@]}"; do
    for configuration in $configurations; do
        first="" verdict=ok why=""
        for seed in $seeds; do
            now=$(run "$kernel" "${configuration%x*}" "${configuration#*x}" "$seed")
            case $now in
                pass*"\"adopted\":0" | trap*"\"adopted\":0") compared=$((compared + 1)) ;;
                pass* | trap*) undefined=$((undefined + 1)) && continue ;;
                *) verdict="not ok" why="seed $seed: $(head -n 3 "$work/report" | tr '\n' ' ')" && break ;;
            esac
            [ "${first:=$now}" = "$now" ] && continue
            verdict="not ok" why="seed $seed: $now; others: $first"
            break
        done
        number=$((number + 1))
        echo "$verdict $number - ${kernel#"$work"/}, $configuration, seeds $seeds"
        [ "$verdict" = ok ] || { failed=1 && echo "# $why"; }
    done
done
echo "# $compared runs compared, $undefined not, as they read what is undefined"
if [ $compared -lt 2 ]; then failed=1; fi
echo "1..$number"
exit $failed

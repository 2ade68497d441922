#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lists the trials of a mutant of the netlist, a line each: name, layer, kernel and flags, separated by tabs. Directed
# kernels come first, then launches and random kernels with fixed seeds; all fit in BYTES of global memory. The layer
# "cycles" has kernels whose cycles measure/bench/check.sh compares with docs/evidence/performance.md, and those whose
# losses, by cause, measure/counters/run.sh checks.
#
#     testbench/mutants/trials.sh BYTES DIR
set -eu
bytes=$1 dir=$2
mkdir -p "$dir/kernels"
for kernel in kernels/{formats,regress,traps}/*.sass \
    kernels/apps/{bitonic,scan,matmul,autocorrelation,fft,histogram}.sass; do
    case $kernel in */global-*) continue ;; esac # for more memory
    name=${kernel#kernels/}
    name=${name%.sass}
    printf '%s\tdirected\t%s\t\n' "${name//\//-}" "$kernel"
done

number=0
launch() { # FLAGS OF DRAW...
    number=$((number + 1))
    local kernel=$dir/kernels/launch-$number
    build/testbench/launches/draw_launch --seed $number --sms 1 --threads $((bytes / 32)) "$@" "$kernel" > /dev/null
    printf 'launch-%d\trandom\t%s\t\n' $number "$kernel.sass"
}
launch --grid 3,5 --block 1 --reg 128
launch --grid 2,2 --block 16,1,32 --reg 4
launch --grid 3 --block 2,256 --reg 8 --shared 8192
launch --grid 1 --block 33,15
for _ in 1 2 3 4 5 6; do launch; done

for kind in runs trap; do
    for seed in $(seq 1 60); do
        kernel=$dir/kernels/random-$kind-$seed.sass
        [ -s "$kernel" ] ||
            build/bin/warp-fuzz --seed $((seed + 7000)) --count 1 --kind $kind --steps 1500 --print > "$kernel"
        last=$(sed -n 's/^\.global \(0x[0-9a-f]*\) = 0 .*/\1/p' "$kernel")
        [ $((last + 4)) -gt "$bytes" ] || printf 'random-%s-%d\trandom\t%s\t\n' $kind "$seed" "$kernel"
    done
done

for name in straight chain branch; do printf 'cycles-%s\tcycles\tkernels/bench/%s.sass\t\n' $name $name; done
for kind in plain taken untaken reader compared called broken joined; do
    printf 'cycles-%s\tcycles\tkernels/bench/lone.sass\t--kernel %s --block 256\n' $kind $kind
    printf 'cycles-lone-%s\tcycles\tkernels/bench/lone.sass\t--kernel %s\n' $kind $kind
done
printf 'cycles-fft\tcycles\tkernels/apps/fft.sass\t\n'
for name in answered answers blocks-apart broadcast chase floats load-waits local-loads near-misses replay; do
    printf 'cycles-%s\tcycles\tkernels/counters/%s.sass\t\n' $name $name
done
for name in barrier blocks dispatch diverge drain; do
    printf 'counters-%s\tdirected\tkernels/counters/%s.sass\t\n' $name $name
done
printf 'counters-fetch\tdirected\tkernels/counters/fetch.sass\t--kernel far\n'

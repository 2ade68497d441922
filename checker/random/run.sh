#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The fixed batches of random kernels of `make test` and `make nightly`, as TAP: each line is a run of warp-fuzz, which
# prints the command that repeats a failure. GHDL gets short kernels, and must take as many cycles as Verilator; kernels
# of sm_10x run on GHDL alone, because Verilator needs a build for each machine.
#
#     checker/random/run.sh COUNT [DONE]     kernels for each machine under Verilator, skipping the first DONE
set -u
cd "$(dirname "$0")/../.." || exit 2
count=${1:?usage: checker/random/run.sh COUNT [DONE]} first=${2:-0}
number=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT

batch() { # SEED SHARE OPTIONS...: COUNT / SHARE kernels
    local verdict=ok begin=$((first / $2))
    [ $((count / $2)) -gt $begin ] || return # too few for this machine
    set -- --seed $(($1 + begin)) --count $((count / $2 - begin)) "${@:3}"
    number=$((number + 1))
    build/bin/warp-fuzz "$@" > "$output" 2>&1 || verdict="not ok"
    echo "$verdict $number - warp-fuzz $*"
    [ "$verdict" = ok ] || sed 's/^/# /' "$output"
}

for cores in 8 16 32; do
    batch $((1000 * cores)) 1 --cores $cores
done
batch 2000 2 --cores 8 --sms 2
batch 2500 2 --cores 8,16,32 --after
batch 2600 2 --cores 8 --sms 2 --after
batch 3000 4 --cores 8 --steps 300 --sim both
batch 4000 8 --cores 8 --sms 2 --steps 300 --sim ghdl
batch 5000 8 --cores 32 --steps 300 --sim ghdl
batch 6000 8 --cores 8 --steps 300 --sim ghdl --wide 8 --dividers 8
batch 6500 8 --cores 8 --steps 300 --sim ghdl --wide 4 --dividers 1
echo "1..$number"

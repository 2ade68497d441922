#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The fixed batch of random kernels of `make test`, as TAP: each line a run of warp-fuzz, which says how to repeat a
# failure. GHDL gets short ones, and must take as many cycles as Verilator; those of sm_10x are its alone, as Verilator
# needs a build for each machine.
#
#     testbench/random/run.sh [COUNT]     kernels for each machine under Verilator (default 24)
set -u
cd "$(dirname "$0")/../.." || exit 2
count=${1:-24}
extended=$((count / 8))
number=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT

batch() { # OPTIONS...
    number=$((number + 1))
    local verdict=ok
    build/bin/warp-fuzz "$@" > "$output" 2>&1 || verdict="not ok"
    echo "$verdict $number - warp-fuzz $*"
    [ "$verdict" = ok ] || sed 's/^/# /' "$output"
}

for cores in 8 16 32; do
    batch --seed $((1000 * cores)) --count "$count" --cores $cores
done
batch --seed 2000 --count $((count / 2)) --cores 8 --sms 2
batch --seed 2500 --count $((count / 2)) --cores 8,16,32 --after
batch --seed 2600 --count $((count / 2)) --cores 8 --sms 2 --after
batch --seed 3000 --count 2 --cores 8 --steps 300 --sim both
batch --seed 4000 --count 1 --cores 8 --sms 2 --steps 300 --sim ghdl
batch --seed 5000 --count 1 --cores 32 --steps 300 --sim ghdl
batch --seed 6000 --count "$extended" --cores 8 --steps 300 --sim ghdl --wide 8 --dividers 8
batch --seed 6500 --count "$extended" --cores 8 --steps 300 --sim ghdl --wide 4 --dividers 1
echo "1..$number"

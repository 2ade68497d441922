#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Random kernels in lockstep for some minutes: five eighths of the time on one SM, an eighth on two, with each kernel
# also launched after another one; the rest are programs in C, if clang is installed.
#
#     checker/random/minutes.sh MINUTES [SEED]      default SEED: from the time
set -eu
minutes=$1 seed=${2:-$(date +%s)}
run() { build/bin/warp-fuzz --seed "$seed" --jobs "$(nproc)" "$@"; }
run --cores 8,16,32 --time $((minutes * 37))
run --cores 8 --sms 2 --after --time $((minutes * 8))
testbench/toolchain/clang.sh clang > /dev/null || exit 0
run --c --races --time $((minutes * 10))
run --c --rtl --time $((minutes * 5))

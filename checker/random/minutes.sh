#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Random kernels in lockstep for some minutes: three quarters of the time on one SM, the rest on two, each launched
# after another kernel, too.
#
#     checker/random/minutes.sh MINUTES [SEED]      without SEED one of the time
set -eu
minutes=$1 seed=${2:-$(date +%s)}
run() { build/bin/warp-fuzz --seed "$seed" --jobs "$(nproc)" "$@"; }
run --cores 8,16,32 --time $((minutes * 45))
run --cores 8 --sms 2 --after --time $((minutes * 15))

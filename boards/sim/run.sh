#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the simulated board, whose identity is read when it starts.
#
#     [BOARD_DIR=build/fpga/sim] boards/sim/run.sh [--tcp PORT]      prints the port for warp-load
set -eu
dir=${BOARD_DIR:-build/fpga/sim}
cd "$(dirname "$0")/../.." || exit 2
sizes=$(awk -F '\t' '$1 == "sim" { print $5 }' boards/boards.tsv)
memory=$(awk -F '\t' '$1 == "sim" { print $7 }' boards/boards.tsv)
mhz=$(awk -F '\t' '$1 == "sim" { print $3 }' boards/boards.tsv)
# shellcheck disable=SC2086
build/boards/write_identity NAME=sim CLOCK_HZ="${mhz}000000" TIMING=1 CONST_BYTES=8192 MEMORY="${memory%% *}" \
    COMMIT="0x$(git rev-parse --short=8 HEAD 2> /dev/null || echo 0)" $sizes > "$dir/sim_identity.init"
cd "$dir" && exec ./board_sim "$@"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the simulated board, which reads its identity at start.
#
#     [BOARD=sim] fpga/boards/sim/run.sh [--tcp PORT]      prints the port for warp-load
set -eu
board=${BOARD:-sim}
cd "$(dirname "$0")/../../.." || exit 2
sizes=$(awk -F '\t' -v board="$board" '$1 == board { print $5 }' fpga/boards/boards.tsv)
memory=$(awk -F '\t' -v board="$board" '$1 == board { print $7 }' fpga/boards/boards.tsv)
mhz=$(awk -F '\t' -v board="$board" '$1 == board { print $3 }' fpga/boards/boards.tsv)
# shellcheck disable=SC2086
build/fpga/boards/write_identity NAME="$board" CLOCK_HZ="${mhz}000000" TIMING=1 CONST_BYTES=8192 \
    MEMORY="${memory%% *}" COMMIT="0x$(git rev-parse --short=8 HEAD 2> /dev/null || echo 0)" $sizes \
    > "build/fpga/$board/${board}_identity.init"
cd "build/fpga/$board" && exec ./board_sim "$@"

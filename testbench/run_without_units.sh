#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Machines without floating point or without special functions, or with one part of sm_10x, in lockstep under GHDL,
# which needs no further build for them: each traps on an absent unit, names the option that removes or adds it, and
# executes the rest. Prints TAP.
set -u
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0 failed=0

runs() { # INSTRUCTION OPTION EXIT TEXT
    printf '        MVI R2, 0x3f800000\n        %s\n        RET\n' "$1" > "$work/kernel.sass"
    # shellcheck disable=SC2086 # an option and its value
    build/bin/warp-lockstep "$work/kernel.sass" --sim ghdl --cores 8 --global-bytes 4096 $2 --no-wave \
        > "$work/out" 2>&1
    local code=$? ok='not ok'
    [ $code -eq "$3" ] && grep -q -e "$4" "$work/out" && ok=ok
    number=$((number + 1))
    echo "$ok $number - $1 $2"
    [ "$ok" = ok ] || { failed=1 && echo "# exit code $code" && sed 's/^/# /' "$work/out"; }
}
runs 'FADD R1, R2, R2' --no-fpu 3 'it executes without --no-fpu'
runs 'F2I.S32.F32 R1, R2' --no-fpu 3 'it executes without --no-fpu'
runs 'RCP R1, R2' --no-fpu 0 ': pass: 3 warp instructions compared'
runs 'RCP R1, R2' --no-sfu 3 'it executes without --no-sfu'
runs 'FADD R1, R2, R2' --no-sfu 0 ': pass: 3 warp instructions compared'
runs 'WMUL R1, R2, R2' '--dividers 8' 3 'undefined instruction.*it executes with --wide 8'
runs 'WMAD.HI R1, R2, R2, R2' '--wide 8' 0 ': pass: 3 warp instructions compared'
runs 'IDIV R1, R2, R2' '--wide 8' 3 'undefined instruction.*it executes with --dividers 8'
runs 'IREM.S32 R1, R2, R2' '--dividers 8' 0 ': pass: 3 warp instructions compared'
echo "1..$number"
exit $failed

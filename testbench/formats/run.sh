#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks kernels/formats as a whole and prints TAP: each format has a kernel that executes it, no row of the instruction
# table is omitted (format_coverage.c), docs/evidence/format-kernels.md lists the existing kernels, and each kernel
# expects values.
set -u
cd "$(dirname "$0")/../.." || exit 2

build/testbench/formats/format_coverage kernels/formats/*.sass kernels/traps/*.sass
failed=$?

report() { # NUMBER NAME DIFFERENCES
    [ -z "$3" ] && { echo "ok $1 - $2"; return; }
    echo "not ok $1 - $2"
    sed 's/^/# /' <<< "$3"
    failed=1
}
report 1 "the page of kernels names each" \
    "$(diff <(cd kernels/formats && printf '%s\n' *.sass | sed 's/\.sass$//' | sort) \
        <(grep -o '`[TPX][0-9]*-[a-z0-9][a-z0-9-]*`' docs/evidence/format-kernels.md | tr -d '`' | sort -u))"
report 2 "each kernel expects values" "$(grep -L '^ *\.expect' kernels/formats/*.sass)"
echo 1..2
exit $failed

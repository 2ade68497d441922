#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks kernels/formats as a whole and prints TAP: each format has a kernel that executes it, no row of the instruction
# table is omitted (format_coverage.c), and docs/evidence/format-kernels.md lists the existing kernels.
set -u
cd "$(dirname "$0")/../.." || exit 2

build/testbench/formats/format_coverage kernels/formats/*.sass kernels/traps/*.sass
failed=$?

differences=$(diff <(cd kernels/formats && printf '%s\n' *.sass | sed 's/\.sass$//' | sort) \
    <(grep -o '`[TPX][0-9]*-[a-z0-9][a-z0-9-]*`' docs/evidence/format-kernels.md | tr -d '`' | sort -u))
if [ -z "$differences" ]; then
    echo "ok 1 - the page of kernels names each"
else
    echo "not ok 1 - the page of kernels names each"
    echo "$differences" | sed 's/^/# /'
    failed=1
fi
echo 1..1
exit $failed

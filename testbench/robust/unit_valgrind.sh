#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The C unit tests under valgrind's memcheck, without their child processes. Prints TAP, a line a test program.
#
#     testbench/robust/unit_valgrind.sh build/cmodel/test/test_flow ...
set -u
cd "$(dirname "$0")/../.." || exit 2
command -v valgrind > /dev/null || { echo "Bail out! there is no valgrind: apt-get install valgrind"; exit 1; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
number=0 failed=0
for test in "$@"; do
    number=$((number + 1))
    if valgrind -q --error-exitcode=70 --leak-check=full --errors-for-leak-kinds=definite,possible "$test" \
        > "$log" 2>&1; then
        echo "ok $number - valgrind, $test"
    else
        failed=1
        echo "not ok $number - valgrind, $test"
        grep '^==\|ERROR\|FAILED' "$log" | head -n 40 | sed 's/^/# /'
    fi
done
echo "1..$number"
exit $failed

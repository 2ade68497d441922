#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make can make the prerequisites of all goals of `make help-all`, including goals that no test runs. Nothing is made:
# makefiles made by make are omitted, and failures for want of them do not count. Prints TAP.
#
#     testbench/goals.sh
set -u
cd "$(dirname "$0")/.." || exit 2
number=0 failed=0
while read -r goal _; do
    number=$((number + 1))
    if missing=$(make --keep-going --dry-run MAKE=true "$goal" 2>&1 | grep '\*\*\* No rule'); then
        failed=1
        echo "not ok $number - $goal"
        sed 's/^/# /' <<< "$missing"
    else
        echo "ok $number - $goal"
    fi
done < <(make help-all)
echo "1..$number"
exit $failed

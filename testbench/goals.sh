#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make can make the prerequisites of all goals of `make help-all`, including goals that no test runs. Nothing is made:
# makefiles made by make are omitted, and failures for want of them do not count. Prints TAP.
#
#     testbench/goals.sh
set -u
cd "$(dirname "$0")/.." || exit 2
# The targets that no rule makes for these goals.
missing() { make --keep-going --dry-run MAKE=true "$@" 2>&1 | grep '\*\*\* No rule'; }

mapfile -t goals < <(make help-all | sed 's/ .*//')
number=0 failed=0 lack=
all=$(missing "${goals[@]}")
for goal in "${goals[@]}"; do
    number=$((number + 1))
    if [ -n "$all" ] && lack=$(missing "$goal"); then
        failed=1
        echo "not ok $number - $goal"
        sed 's/^/# /' <<< "$lack"
    else
        echo "ok $number - $goal"
    fi
done
echo "1..$number"
exit $failed

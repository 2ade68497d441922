#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The longest path of the machine, its entities mapped one by one, has at most the number of levels in
# fpga/timing/levels.max. Prints TAP.
#
#     fpga/timing/levels.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
most=$(cat fpga/timing/levels.max)
echo 1..1
if report=$(build/fpga/timing/paths -n 3 -m "$most" build/timing/C8-entities.netlist.json 2>&1); then
    echo "ok 1 - at most $most levels: $(head -n 1 <<< "$report")"
else
    echo "not ok 1 - at most $most levels"
    echo "$report"
    exit 1
fi

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The table of the clock, with the given configurations' new rows, in fpga/timing/timing.md; prints their results as
# JSON, and their longest paths with the first seed.
#
#     fpga/timing/table.sh "CONFIG ..." "SEED ..."
set -eu -o pipefail
read -ra seeds <<< "$2"
here=fpga/timing built=build/timing
of() { # CONFIG NAME=VALUE...
    awk -f $here/report.awk "${@:2}" "$built/$1.stat" $(printf "$built/$1.seed-%s.mhz " "${seeds[@]}")
}
{
    cat $here/timing.in.md
    {
        awk -v now=" ${1//C/} " '/^\| [0-9]/ && !index(now, " " $2 " ")' $here/timing.md
        for config in $1; do of "$config" what=row name="${config#C}"; done
    } | sort -V
} > $built/timing.md
cp $built/timing.md $here/timing.md
for config in $1; do
    of "$config" what=json | tee "$built/$config.json"
    build/fpga/timing/paths "$built/$config.netlist.json" "$built/$config.seed-${seeds[0]}.sdf"
done

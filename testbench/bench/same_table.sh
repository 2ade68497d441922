#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Puts a table into a page, in the place of the one with the same beginning of its first line.
#
#     testbench/bench/same_table.sh BEGINNING FROM.md PAGE.md
set -eu
awk -v beginning="$1" '
    index($0, beginning) == 1 { inside = 1; if (FNR != NR) printf "%s", table }
    !/^\|/ { inside = 0 }
    FNR == NR { if (inside) table = table $0 "\n"; next }
    !inside' "$2" "$3" > "$3.tmp"
mv "$3.tmp" "$3"

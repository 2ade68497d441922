#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Replaces the section with the same heading.
#
#     measure/bench/section.sh SECTION.md PAGE.md
set -eu
awk 'FNR == NR { if (FNR == 1) heading = $0; section = section $0 "\n"; next }
    /^## / { if (old) print ""; old = $0 == heading; if (old) printf "%s", section }
    !old' "$1" "$2" > "$2.tmp"
mv "$2.tmp" "$2"

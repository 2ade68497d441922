#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The pages name files and tests. Each path in them (`dir/file`, also with wildcards, or a link) must exist, and
# `dir/file:name` must have that name in the file. A folder of more than two files must have a README.md. The numbers of
# bugs.md must be those of its tables. Prints violations, and exits 1.
#
#     testbench/check_pages.sh            check
#     testbench/check_pages.sh numbers    print the table of numbers
set -u
cd "$(dirname "$0")/.." || exit 2
places="RTL Model Assembler Checker Compiler Document"

# Rows of the sections named after a place, counted by their third column.
numbers() {
    awk -F ' *[|] *' -v places="$places" '
        BEGIN { n = split(places, place, " "); for (i = 1; i <= n; i++) known[place[i]] = 1 }
        /^## / { at = $0; sub(/^## /, "", at); sub(/ .*/, "", at) }
        /^\| `/ && at in known { if (!($4 in all)) order[++ways] = $4; all[$4]++; count[$4, at]++; sum[at]++; total++ }
        function row(name, way,   i, line) {
            line = "| " name " |"
            for (i = 1; i <= n; i++) line = line " " (way == "" ? sum[place[i]] : count[way, place[i]]) + 0 " |"
            print line " " (way == "" ? total : all[way]) " |"
        }
        END {
            for (i = 2; i <= ways; i++)                      # most frequent first
                for (k = i; k > 1 && all[order[k]] > all[order[k - 1]]; k--) {
                    swap = order[k]; order[k] = order[k - 1]; order[k - 1] = swap
                }
            for (i = 1; i <= ways; i++) row(order[i], order[i])
            row("all", "")
        }' docs/evidence/bugs.md
}
[ "${1-}" = numbers ] && { numbers; exit; }

check() {
    # A folder of more than two files has a README, except data of kernels and of fuzzing.
    find testbench kernels golden -type d ! -path '*/fuzz/seeds/*' ! -path 'kernels/apps/*' | while read -r folder; do
        files=("$folder"/*.*)
        [ ${#files[@]} -le 2 ] || [ -f "$folder/README.md" ] || echo "$folder has no README.md"
    done
    mapfile -t readmes < <(find testbench kernels golden -name README.md | sort)
    for page in README.md docs/*.md docs/*/*.md "${readmes[@]}"; do
        { grep -o '`[a-z]*/[^` ]*`' "$page" | tr -d '`'
          grep -o '][(][^#)][^)#]*' "$page" | sed "s,](,$(dirname "$page")/,"; } |
            sort -u | while read -r named; do
                path=${named%%:*}
                case $named in build/* | *://*) continue ;; esac # built, or not in this repository
                compgen -G "$path" > /dev/null || compgen -G "${page%/*}/$path" > /dev/null ||
                    echo "$page: there is no $path"
                case $named in *:*) grep -qw -- "${named#*:}" "$path" || echo "$page: $path has no ${named#*:}" ;; esac
            done
    done
    # "isa.md 3.1" in code, tests and tables names a heading of docs/isa.md; "isa.md 3.1 to 3.4" names two. Citations in
    # a patch are valid once it is applied.
    grep -rohE 'isa\.md [0-9]+(\.[0-9]+)?((, | to | and )[0-9]+(\.[0-9]+)?)*' \
        assembler cmodel rtl testbench kernels golden docs README.md --exclude={check_pages.sh,'*.patch'} |
        grep -oE '[0-9]+(\.[0-9]+)?' | sort -u | while read -r section; do
            grep -qE "^##+ $section " docs/isa.md || echo "docs/isa.md has no section $section, which something cites"
        done
    numbers | while read -r row; do
        grep -qxF "$row" docs/evidence/bugs.md || echo "docs/evidence/bugs.md: its tables count to: $row"
    done
    bugs=$(numbers | sed -n 's/^| all .* \([0-9]*\) |$/\1/p')
    grep -q "| $bugs bugs" docs/verification.md || echo "docs/verification.md: docs/evidence/bugs.md has $bugs bugs"
}
wrong=$(check)
[ -z "$wrong" ] || { echo "$wrong"; exit 1; }

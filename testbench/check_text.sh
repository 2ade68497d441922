#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every source says its licence; sources, and the prose of pages, keep to 120 columns. Not held to that: .def tables,
# sources that announce messages, tables and code in pages, docs/isa.md (its template is). Pages have no licence line.
#
#     testbench/check_text.sh FILE...
#
# Prints what is wrong, and exits 1.
awk '
    function wide() { print FILENAME ":" FNR ": longer than 120 columns"; bad = 1 }
    FNR == 1 { code = 0 }
    FILENAME ~ /\.md$/ {
        if (/^```/) code = !code
        if (length > 120 && !code && !/^(\||    )/ && FILENAME !~ /docs\/(isa|evidence\/formats)\.md$/) wide()
        next
    }
    FNR <= 3 && /SPDX-License-Identifier: Apache-2.0/ { licensed[FILENAME] }
    length > 120 && FILENAME !~ /\.def$|\/diag\// { wide() }
    END {
        for (i = 1; i < ARGC; i++)
            if (ARGV[i] !~ /\.md$/ && !(ARGV[i] in licensed)) { print ARGV[i] ": no SPDX line"; bad = 1 }
        exit bad
    }' "$@"

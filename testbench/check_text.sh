#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every source has a licence line; sources, and the prose of pages, keep to 120 columns. Exempt from the latter: .def
# tables, sources that announce messages, tables and code in pages, docs/isa.md (but not its template). Pages have no
# licence line. No comment begins with dots; VHDL, Verilog and comments of C say neither "who" nor the phrases listed
# below; no text uses a name that docs/glossary.md refuses.
#
#     testbench/check_text.sh FILE...
#
# Prints violations, and exits 1.
refused=$(awk -F ' *[|] *' '/^\|/ && $4 != "" && $4 !~ /^(not|---)$/ { printf "%s%s", sep, $4; sep = "|" }' \
    docs/glossary.md)
awk -v refused="(^|[^a-z])($refused)s?([^a-z]|$)" '
    function wide() { say("longer than 120 columns") }
    function say(what) { print FILENAME ":" FNR ": " what; bad = 1 }
    FNR == 1 { code = 0 }
    tolower($0) ~ refused && FILENAME != "docs/glossary.md" { say("a name that docs/glossary.md refuses") }
    FILENAME !~ /\.md$/ && (/(--|\/\*|\/\/) \.\.+ / || /^ *# \.\.+ /) { say("a comment that begins with dots") }
    FILENAME ~ /\.(vhd|s?v)$/ && /[^A-Za-z`]([Ww]ho(ever|m)?|[Nn]obody|[Ss]omebody|[Aa]nybody)([^a-z`]|$)/ {
        say("hardware is no \"who\" and no \"nobody\"")
    }
    FILENAME ~ /\.(vhd|s?v)$/ && (/^ *(--|\/\/) (What|Whether|Which|How|Whose) [a-z]/ ||
        /[^ ] +(--|\/\/) (what|whether|which|how|whose|where) [a-z]/) {
        say("a comment that begins with \"what\", \"which\", \"how\", \"where\" or the like: name the thing")
    }
    FILENAME ~ /\.[ch]$/ && /(\/\*|^ *\*|\/\/).*[^A-Za-z_`][Ww]ho(ever|m)?([^a-z_(`]|$)/ { say("code is no \"who\"") }
    FILENAME ~ /\.[ch]$/ {
        if (/(\/\*|^ *\/\/) (What|Whether) [a-z]/)
            say("a comment that begins with \"What\" or \"Whether\": name the thing")
        if (/(\/\*|^ *\*|\/\/).*that there (is|are)([^a-z]|$)/) say("\"that there is\": existing, present")
        if (/(\/\*|^ *\*|\/\/).*[^a-z]at hand([^a-z]|$)/) say("\"at hand\": current")
        if (/(\/\*|^ *\*|\/\/).*memory is out([^a-z]|$)/) say("\"memory is out\": memory is exhausted")
        if (/(\/\*|^ *\*|\/\/).*where there (is|are) none([^a-z]|$)/) say("\"where there is none\": if absent")
        if (/(\/\*|^ *\*|\/\/).*[^a-z]to be freed([^a-z]|$)/) say("\"to be freed\": the caller frees it")
    }
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

# SPDX-License-Identifier: Apache-2.0
# The tables of code coverage as HTML, for the page of the report, with the excluded places.
#
#     awk -f code_page.awk rtl.tsv c.tsv unreachable-rtl.txt

BEGIN { FS = "\t" }

function percent(hit, all) { return all ? sprintf("%.1f %%", 100 * hit / all) : "" }

function cells(from, n,    i, text) {
    for (i = from; i < from + 2 * n; i += 2) text = text "<td>" $i "<td>" percent($(i + 1), $i)
    return text
}

FNR == 1 {
    if (NR > 1) print "</table>"
    if (FILENAME ~ /unreachable/)
        print "<h2 id=\"arms\">Arms of the RTL that do not count</h2>\n" \
            "<table><tr><th>entity<th>arms<th>choice<th>value<th>reason"
    else if (FILENAME ~ /rtl/)
        print "<h2 id=\"rtl\">RTL by entity</h2>\n<table><tr><th>entity<th>lines<th><th>branches<th><th>toggles<th>"
    else
        print "<h2 id=\"c\">C by file</h2>\n<table><tr><th>file<th>lines<th><th>branches<th>"
}

FILENAME ~ /unreachable/ {
    if (/^#/) next
    split($0, word, / +/)
    for (i = 1; i <= 4; i++) sub(/^[^ ]+ +/, "")
    print "<tr><td>" word[1] "<td>" word[2] "<td>" word[3] "<td>" word[4] "<td>" $0
    next
}

{
    print "<tr><td>" $1 cells(2, FILENAME ~ /rtl/ ? 3 : 2)
}

END { print "</table>" }

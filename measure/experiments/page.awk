# SPDX-License-Identifier: Apache-2.0
# The page of experiments from its template, in which these lines stand for results:
#
#     @plot NAME | TITLE | X | Y     the plot of NAME.csv, which run.sh draws
#     @table NAME | X                NAME.csv: a row for each x, a column for each series
#     @times NAME | X                the same in microseconds, its values being cycles; @MHZ is the clock, @NS its cycle
#                                    in ns
#
#     awk -v folder=docs/experiments -f page.awk timing.md experiments.in.md > experiments.md

function trim(text) { gsub(/^ +| +$/, "", text); return text }

function commas(n,   whole, rest) {
    if (n !~ /^[0-9]+(\.[0-9]+)?$/) return n
    whole = n; rest = ""
    if (match(n, /\./)) { whole = substr(n, 1, RSTART - 1); rest = substr(n, RSTART) }
    while (length(whole) > 3) {
        rest = "," substr(whole, length(whole) - 2) rest
        whole = substr(whole, 1, length(whole) - 3)
    }
    return whole rest
}

function table(name, x_title, clock,   file, number, line, field, i, j, head, bar) {
    split("", column); split("", row); split("", value); columns = rows = 0
    file = folder "/" name ".csv"
    getline line < file
    while ((getline line < file) > 0) {
        split(line, field, ",")
        if (!(field[1] in column)) { column[field[1]] = 1; title[++columns] = field[1] }
        if (!(field[2] in row)) { row[field[2]] = 1; place[++rows] = field[2] }
        value[field[1], field[2]] = field[3]
    }
    close(file)
    head = "| " x_title " |"; bar = "|---|"
    for (i = 1; i <= columns; i++) { head = head " " title[i] " |"; bar = bar "---:|" }
    print head "\n" bar
    for (j = 1; j <= rows; j++) {
        line = "| " place[j] " |"
        for (i = 1; i <= columns; i++) {
            number = value[title[i], place[j]]
            if (clock && number != "") number = sprintf(number < 100 * clock ? "%.1f" : "%.0f", number / clock)
            line = line " " commas(number) " |"
        }
        print line
    }
}

# The clock of the machine of 8 cores, in the table of `make timing`
NR == FNR {
    if (split($0, part, / *[|] */) > 3 && part[2] == "8") mhz = part[3]
    next
}
/^@plot / {
    split(substr($0, 7), part, "|")
    printf "![%s](../experiments/%s.svg)\n", trim(part[2]), trim(part[1])
    next
}
/^@table / {
    split(substr($0, 8), part, "|")
    table(trim(part[1]), trim(part[2]), 0)
    next
}
/^@times / {
    split(substr($0, 8), part, "|")
    table(trim(part[1]), trim(part[2]), mhz)
    next
}
{ gsub(/@MHZ/, mhz); gsub(/@NS/, sprintf("%.1f", 1000 / mhz)); print }

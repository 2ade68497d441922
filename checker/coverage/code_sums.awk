# SPDX-License-Identifier: Apache-2.0
# Sums of the tables of code coverage, as a readable table or, with a floor, as TAP. A line of the floor: side, kind,
# percent.
#
#     awk [-v floor=FILE] -f code_sums.awk rtl.tsv c.tsv

BEGIN { FS = "\t" }

{
    side = FILENAME ~ /rtl/ ? "rtl" : "c"
    kinds = split(side == "rtl" ? "lines branches toggles" : "lines branches", kind, " ")
    for (k = 1; k <= kinds; k++) {
        all[side " " kind[k]] += $(2 * k)
        hit[side " " kind[k]] += $(2 * k + 1)
    }
}

function percent(what) { return all[what] ? 100 * hit[what] / all[what] : 0 }

END {
    count = split("rtl lines,rtl branches,rtl toggles,c lines,c branches", order, ",")
    for (i = 1; i <= count && floor == ""; i++)
        printf "%-14s %8d of %8d %8.2f %%\n", order[i], hit[order[i]], all[order[i]], percent(order[i])
    if (floor == "") exit
    while ((getline line < floor) > 0) {
        if (line ~ /^#/ || split(line, word, / +/) < 3) continue
        what = word[1] " " word[2]
        good = percent(what) >= word[3]
        printf "%sok %d - %s: %.2f %%, floor %s %%\n", good ? "" : "not ", ++tests, what, percent(what), word[3]
    }
    printf "1..%d\n", tests
}

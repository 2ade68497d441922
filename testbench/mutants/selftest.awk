# SPDX-License-Identifier: Apache-2.0
# The report of selftest.sh, from idle.list, all.list, netlist.list, wakes, proved.tsv, noticed.tsv and selftest.tsv:
# stuck bits that the self-test finds, by unit, of those not proved to be without effect, with a 95 % interval (Wilson);
# and of those that anything notices. The share of the machine weighs each unit by its number of stuck bits, except idle
# ones.

function wilson(x, n,    z, p, middle, half) {
    z = 1.96
    p = x / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return sprintf("%.0f to %.0f %%", 100 * (middle - half), 100 * (middle + half))
}
# A place (file:line:column) and a kind (zero:bit), in words.
function says(place, kind,    part, bit) {
    split(place, part, ":")
    split(kind, bit, ":")
    return "`" part[1] "`, " part[2] ":" part[3] ", bit " bit[2] " stuck at " (bit[1] == "zero" ? 0 : 1)
}
function row(name, population, n, same, x, cycles, others) {
    printf "| %s | %d | %d | %d | %d | %d | %.0f %% | %s | %d | %.0f %% |\n", name, population, n, same, x, cycles,
        100 * x / (n - same), wilson(x, n - same), others, 100 * x / (x + others)
}

BEGIN { FS = "\t" }
FILENAME ~ /idle.list$/ { idle[$1]; next }
FILENAME ~ /all.list$/ { if (!($1 in idle)) { bits[$2]++; total++ } next }
FILENAME ~ /netlist.list$/ {
    unit[$1] = $3
    where[$1] = $4
    what[$1] = $5
    drawn[$3]++
    if ($2 in idle) { same[$1]; equal[$3]++; idles++ }
    numbers[++count] = $1
    next
}
FILENAME ~ /wakes$/ { split($0, field, " "); if (field[3] != "") wakes[field[1]]; next }
FILENAME ~ /proved.tsv$/ {
    if ($1 in same) next
    tried++
    if ($2 == "proved") { same[$1]; equal[unit[$1]]++ }
    next
}
FILENAME ~ /noticed.tsv$/ { noticed[$1] = $3; next }
$2 != "none" && $1 in same { print "stuck bit " $1 " changes nothing, and is found" > "/dev/stderr"; wrong = 1; exit }
$2 != "none" { layer[$1] = $2; found[unit[$1]]++; by[$2]++ }
$2 == "exact" { exact[unit[$1]]++ }
$2 == "none" && $1 in noticed { others[unit[$1]]++; all_others++ }

END {
    if (wrong) exit 1
    print "| unit | stuck bits | drawn | change nothing | found | by cycles alone | of the others | 95 % interval | " \
        "noticed by others alone | of what is noticed |"
    print "|---|---|---|---|---|---|---|---|---|---|"
    for (u in bits) names[++units] = u
    for (i = 2; i <= units; i++)
        for (k = i; k > 1 && names[k] < names[k - 1]; k--) {
            name = names[k]
            names[k] = names[k - 1]
            names[k - 1] = name
        }
    for (i = 1; i <= units; i++) {
        u = names[i]
        n = drawn[u] - equal[u]
        if (n == 0) continue
        row(u, bits[u], drawn[u], equal[u], found[u], exact[u], others[u])
        x += found[u]
        e += equal[u]
        share = bits[u] / total
        weighed += share * found[u] / n
        p = (found[u] + 2) / (n + 4)
        variance += share * share * p * (1 - p) / (n + 4)
        if (found[u] + others[u] > 0) {
            weight += share
            of_noticed += share * found[u] / (found[u] + others[u])
        }
    }
    row("all drawn", total, count, e, x, by["exact"], all_others)
    printf "\nThe machine, each unit weighed with its stuck bits: %.0f %%, give or take %.0f %%.\n", 100 * weighed,
        100 * 1.96 * sqrt(variance)
    printf "Of what is noticed, weighed likewise: %.0f %%.\n", 100 * of_noticed / weight
    printf "By counters of instructions or the sum of cycles %d were found, by what the host reads back %d.\n",
        by["counts"], by["readback"]
    printf "%d of those drawn are idle, %d proved to change nothing that leaves their entity, of %d tried.\n", idles,
        e - idles, tried
    print "\nNot found, nor proved to change nothing:\n"
    for (i = 1; i <= count; i++)
        if (!(numbers[i] in layer) && !(numbers[i] in same))
            printf "- %s: %s%s%s\n", unit[numbers[i]], says(where[numbers[i]], what[numbers[i]]),
                numbers[i] in wakes ? "" : ", always so",
                numbers[i] in noticed ? ", noticed by " noticed[numbers[i]] : ""
}

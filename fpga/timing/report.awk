# SPDX-License-Identifier: Apache-2.0
# The results of one configuration's seeds as JSON, and as a row of the table of docs/evidence/performance.md.
#
#     awk -f report.awk what=json|row name=8 OUT.stat OUT.seed-*.mhz

FILENAME ~ /\.stat$/ {
    if (NF == 2) cells[$1] = $2
    next
}
{
    mhz[++seeds] = $1
    state[seeds] = $2
    if ($2 == "placed") estimated = 1
}

# Insertion sort: the middle one is the median.
function median(   i, j, sorted, key) {
    for (i = 1; i <= seeds; i++) {
        key = mhz[i] + 0
        for (j = i - 1; j > 0 && sorted[j] > key; j--) sorted[j + 1] = sorted[j]
        sorted[j + 1] = key
    }
    return sorted[int((seeds + 1) / 2)]
}

END {
    rams = cells["DP16KD"] + cells["PDPW16KD"]
    if (what == "row") {
        for (i = 1; i <= seeds; i++) list = list (i > 1 ? ", " : "") mhz[i]
        printf "| %s | %s | %s | %s | %d | %d | %d | %d | %d | %d |\n", name, median(), list, \
            estimated ? "placed" : "routed", cells["LUT4"], cells["CCU2C"], cells["TRELLIS_FF"], \
            cells["MULT18X18D"], rams, cells["TRELLIS_DPR16X4"]
        exit
    }
    for (i = 1; i <= seeds; i++) list = list (i > 1 ? ", " : "") mhz[i]
    printf "{\"fmax_mhz\": [%s], \"fmax_median_mhz\": %s, \"routed\": %s,\n", \
        list, median(), estimated ? "false" : "true"
    printf " \"lut4\": %d, \"ccu2c\": %d, \"ff\": %d, \"dsp\": %d, \"bram\": %d, \"distributed_ram\": %d}\n", \
        cells["LUT4"], cells["CCU2C"], cells["TRELLIS_FF"], cells["MULT18X18D"], rams, cells["TRELLIS_DPR16X4"]
}

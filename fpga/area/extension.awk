# SPDX-License-Identifier: Apache-2.0
# The cost of sm_10x in an SM of 8 cores: the areas of the entities that it changes, then the additional area of a
# machine, also in percent of the machine: CSV with the columns series, x, y.
#
#     awk -f extension.awk ENTITY[-HOW].part.stat ... area.md > area-x.csv

BEGIN {
    parts = split("lane_execute, lane_execute-wide, lane_execute-lends, lane_execute-borrows, lane_execute-divides, " \
        "divide_lanes-1, divide_lanes-8, decode, decode-wide, decode-divides, operand, operand-pairs", part, ", ")
    words = split("a lane, ... that multiplies words, ... and for its neighbour, ... whose neighbour does, " \
        "... that divides, one unit that divides, eight of them, the decoder, ... with products, ... with divisions, " \
        "the stage of operands, ... with pairs of lanes", name, ", ")
    cells = split("LUT4 CCU2C TRELLIS_FF MULT18X18D", cell, " ")
    split("LUT4,CCU2C,FF,MULT18X18D", title, ",")
}
FNR == 1 { current = FILENAME; sub(/.*\//, "", current); sub(/\.part\.stat$/, "", current) }
FILENAME ~ /\.md$/ {
    n = split($0, column, / *[|] */)
    if (n > 6 && column[2] == "8" && !machine) {
        gsub(/,/, "", column[3]); gsub(/,/, "", column[4])
        machine = column[3] + 2 * column[4]
    }
    next
}
NF == 2 && $2 ~ /^[0-9]+$/ { area[current, $1] = $2 }

# The additional area of the entity with `how`; all of it if the machine otherwise lacks the entity.
function more(entity, how, kind) { return area[entity "-" how, kind] - area[entity, kind] }

function added(to, kind) {
    if (to ~ /all lanes/) return 8 * more("lane_execute", "wide", kind) + more("decode", "wide", kind)
    if (to ~ /half of them/)
        return 4 * (more("lane_execute", "lends", kind) + more("lane_execute", "borrows", kind)) \
            + more("operand", "pairs", kind) + more("decode", "wide", kind)
    return 8 * more("lane_execute", "divides", kind) + more("decode", "divides", kind) \
        + more("divide_lanes", to ~ /8/ ? 8 : 1, kind)
}

END {
    print "series,x,y"
    for (i = 1; i <= parts; i++)
        for (k = 1; k <= cells; k++)
            printf "%s,%s,%d\n", title[k], name[i], area[part[i], cell[k]]
    count = split("multiplying in all lanes,multiplying in half of them,8 units that divide,1 unit that divides",
        machines, ",")
    for (i = 1; i <= count; i++) {
        for (k = 1; k <= cells; k++) sum[k] = added(machines[i], cell[k])
        for (k = 1; k <= cells; k++) printf "%s,%s adds,%d\n", title[k], machines[i], sum[k]
        printf "%% of the machine,%s adds,%.1f\n", machines[i], 100 * (sum[1] + 2 * sum[2]) / machine
    }
}

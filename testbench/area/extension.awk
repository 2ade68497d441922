# SPDX-License-Identifier: Apache-2.0
# What sm_10x adds to an SM of 8 cores, from the areas of the entities that it changes, and how much that is of the
# machine: CSV with the columns series, x, y.
#
#     awk -f extension.awk ENTITY[-HOW].part.stat ... area.md > area-x.csv

FNR == 1 { name = FILENAME; sub(/.*\//, "", name); sub(/\.part\.stat$/, "", name) }
{ measured[name] = 1 }
FILENAME ~ /\.md$/ {
    n = split($0, part, / *[|] */)
    if (n > 6 && part[2] == "8" && !machine) {
        gsub(/,/, "", part[3]); gsub(/,/, "", part[4])
        machine = part[3] + 2 * part[4]
    }
    next
}
NF == 2 && $2 ~ /^[0-9]+$/ { area[name, $1] = $2 }

# What `how` adds to the entity; a machine with a part that was not measured has no row.
function more(entity, how, cell) {
    if (!(entity "-" how in measured)) missing = 1
    return area[entity "-" how, cell] - area[entity, cell]
}

function row(machine_name, cell,   n) {
    if (machine_name == "plan A") n = 8 * more("lane_execute", "wide", cell) + more("decode", "wide", cell)
    if (machine_name == "plan B")
        n = 4 * (more("lane_execute", "lends", cell) + more("lane_execute", "borrows", cell)) \
            + more("operand", "pairs", cell) + more("decode", "wide", cell)
    if (machine_name ~ /unit/)
        n = 8 * more("lane_execute", "divides", cell) + more("decode", "divides", cell) \
            + more("divide_lanes", substr(machine_name, 1, 1), cell)
    return n
}

END {
    print "series,x,y"
    count = split("plan A|plan B|8 units that divide|1 unit that divides", machines, "|")
    for (i = 1; i <= count; i++) {
        missing = 0
        luts = row(machines[i], "LUT4") + 2 * row(machines[i], "CCU2C")
        if (missing) continue
        printf "LUT4 with adders,%s,%d\n", machines[i], luts
        printf "FF,%s,%d\n", machines[i], row(machines[i], "TRELLIS_FF")
        printf "MULT18X18D,%s,%d\n", machines[i], row(machines[i], "MULT18X18D")
        printf "%% of LUT4,%s,%.1f\n", machines[i], 100 * luts / machine
    }
}

# SPDX-License-Identifier: Apache-2.0
# Sums the hits of the runs: lines, branches and toggles by entity. A point is one place in the Verilog, for all
# instances of its module: covered if any instance reached it; a toggle is a bit that has changed. An entity with
# generics counts once, for all their values. Only signals named in the VHDL have toggles.
#
# A `default` in the Verilog is an `others` that only unknown values reach, as `make lint` proves: it does not count.
# Neither do combinational blocks as such, which have nothing to reach but their arms (Verilator counts them once at the
# start), nor arms excluded by LIST (unreachable-rtl.txt). ARMS is the output of the pass `arms` of sim/netlist.
#
#     awk -v missing=FILE -f code_rtl.awk LIST HITS ARMS coverage.dat
#
# HITS has the line numbers of Verilator's coverage.dat that any run has hit. Prints entity, then total and covered
# points of lines, branches and toggles; uncovered points go to FILE, by entity.

function part(key, name,    at, text) { # of \001name\002value\001...
    at = index(key, "\001" name "\002")
    if (!at) return ""
    text = substr(key, at + length(name) + 2)
    at = index(text, "\001")
    return at ? substr(text, 1, at - 1) : text
}

# ghdl appends the values of generics, and a checksum, to a name.
function entity_of(page,    name) {
    name = page
    sub(/.*\//, "", name)
    if (match(name, /_[0-9a-f]+$/) && RLENGTH == 41) name = substr(name, 1, RSTART - 1)
    sub(/(_[0-9]+)+$/, "", name)
    return name
}

FNR == 1 { input++ }
input == 1 { if (!/^#/) unreachable[$1, $3 ": " $4] = $2; next }
input == 2 { hit_line[$1]; next }
input == 3 {
    if ($2 == "none") no_line[$1]
    else arm[$1] = $2 ": " $3
    next
}

/^C '/ {
    key = "\001" substr($0, 4)
    sub(/' [0-9]+$/, "", key)
    gsub(/\001\001/, "\001", key)
    page = part(key, "page")
    kind = page
    sub(/\/.*/, "", kind)
    sub(/^v_/, "", kind)
    entity = entity_of(page)
    if (entity == "gpu_clocked") next
    if (kind == "line" && part(key, "l") in no_line) next
    what = part(key, "o")
    point = kind SUBSEP entity SUBSEP (kind == "toggle" ? what : part(key, "l") "." part(key, "n") " " what)
    if (!(point in hits)) order[++points] = point
    if (kind == "line") arm_of[point] = arm[part(key, "l")]
    hits[point] += FNR in hit_line
}

END {
    for (i = 1; i <= points; i++) {
        split(order[i], p, SUBSEP)
        if (hits[order[i]] == 0 && unreachable[p[2], arm_of[order[i]]]-- > 0) continue
        all[p[2], p[1]]++
        if (hits[order[i]] > 0) hit[p[2], p[1]]++
        else print p[2] "\t" p[1] "\t" p[3] > missing
        seen[p[2]]
    }
    for (e in seen)
        printf "%s\t%d\t%d\t%d\t%d\t%d\t%d\n", e, all[e, "line"], hit[e, "line"], all[e, "branch"], hit[e, "branch"], \
            all[e, "toggle"], hit[e, "toggle"]
    for (u in unreachable) {
        if (unreachable[u] <= 0) continue
        sub(SUBSEP, " ", u)
        print "listed as unreachable, but reached or not there: " u > "/dev/stderr"
        failed = 1
    }
    exit failed
}

# SPDX-License-Identifier: Apache-2.0
# Turns the results of synth.sh for each configuration into the tables of docs/evidence/performance.md. The page is a
# template (area.in.md) in which `@table whole`, `@table units` and `@table entities` stand for them.
#
#     awk -f tables.awk NAME=8 C8.whole.stat C8.path C8.entities.stat NAME=16 ... UNIT.unit.stat ... area.in.md

BEGIN {
    cells = split("LUT4 CCU2C TRELLIS_FF MULT18X18D DP16KD", cell, " ")
    title = " LUT4 | CCU2C | FF | MULT18X18D | DP16KD |"
    bar = "---:|---:|---:|---:|---:|"
}

FNR == 1 { in_tree = 0 }

/^@table / { if ($2 == "whole") whole(); else if ($2 == "units") units(); else entities(); next }
FILENAME ~ /\.md$/ { print; next }

FILENAME ~ /\.path$/ {
    config[++configs] = NAME
    path[NAME] = sprintf("%.0f | %s | %s", $1, where($2), where($3))
    next
}
/^=== design hierarchy/ { in_tree = 1; next }
/^===/ { module = $2; next }
NF != 2 || $1 ~ /:$/ || $2 !~ /^[0-9]+$/ { next }

FILENAME ~ /\.unit\.stat$/ { unit[FILENAME ~ /float_lanes/ ? "lane" : "special", $1] = $2; next }
FILENAME ~ /\.whole\.stat$/ { total[NAME, $1] = $2; next }
!in_tree { own[NAME, module, $1] = $2; next }
/^   [^ ]|^     / { # the tree: an entity, indented by its depth, and its number of instances in the one above
    match($0, /[^ ]/)
    copies[RSTART] = $2 * (RSTART > 4 ? copies[RSTART - 2] : 1)
    e = entity($1)
    if (!(e in listed)) { listed[e] = 1; order[++count] = e }
    number[NAME, e] += copies[RSTART]
    for (i = 1; i <= cells; i++) sum[NAME, e, i] += copies[RSTART] * own[NAME, $1, cell[i]]
}

# ghdl appends the generics, and a hash of those that are not numbers.
function entity(module) {
    while (sub(/_([0-9]+|[0-9a-f]{40}|[0-9a-f]+[a-f][0-9a-f]+)$/, "", module)) { }
    return module
}

# The end of a path without the common part of all paths.
function where(net) {
    sub(/^u_gpu\./, "", net)
    sub(/^multiprocessor[^.]*u_sm\./, "", net)
    return "`" net "`"
}

function commas(n,   text) {
    text = sprintf("%d", n)
    while (match(text, /[0-9][0-9][0-9][0-9]/) && match(text, /^[0-9]+/))
        text = substr(text, 1, RLENGTH - 3) "," substr(text, RLENGTH - 2)
    return text
}

function whole(   c, i, line) {
    print "| cores |" title " longest path | from | to |\n|---|" bar "---:|---|---|"
    for (c = 1; c <= configs; c++) {
        line = "| " config[c] " |"
        for (i = 1; i <= cells; i++) line = line " " commas(total[config[c], cell[i]]) " |"
        print line " " path[config[c]] " |"
    }
}

# For four lanes a quarter, rounded up.
function units(   i, lane, special) {
    print "| unit |" title "\n|---|" bar
    for (i = 1; i <= cells; i++) {
        lane = lane " " commas(int((unit["lane", cell[i]] + 3) / 4)) " |"
        special = special " " commas(unit["special", cell[i]]) " |"
    }
    print "| floating point, a lane |" lane "\n| special functions, for four lanes |" special
}

function entities(   c, i, e, line, any) {
    print "| entity | copies |" title "\n|---|---:|" bar
    for (e = 1; e <= count; e++) {
        line = "| " order[e] " | " triple(order[e], 0) " |"
        any = 0
        for (i = 1; i <= cells; i++) {
            for (c = 1; c <= configs; c++)
                if (config[c] ~ /^[0-9]+$/) any += sum[config[c], order[e], i]
            line = line " " triple(order[e], i) " |"
        }
        if (any) print line
    }
}

# The figures of the configurations without atomics; a single one if they agree.
function triple(e, i,   c, value, text, same) {
    same = 1
    for (c = 1; c <= configs; c++) {
        if (config[c] !~ /^[0-9]+$/) continue
        value = commas(i ? sum[config[c], e, i] : number[config[c], e])
        if (text != "" && value != first) same = 0
        if (text == "") first = value
        text = text (text == "" ? "" : " / ") value
    }
    return same ? first : text
}

# SPDX-License-Identifier: Apache-2.0
# Turns the TSV of measure.sh into the tables of docs/evidence/performance.md. The page is a template
# (performance.in.md) in which a line `@table NAME` stands for a table:
#
#     kernels    one SM: cycles, instructions a cycle, use of the issue limit, cycles by cause
#     single     lone warps: cycles an instruction
#     branches   cost of branches: lone.sass on one warp and on eight
#     flexgrip   edge detection and the FFT beside FlexGrip
#     scaling    several SMs beside one
#
#     awk -f tables.awk -v only=kernels results.tsv                     that table alone
#     awk -f tables.awk results.tsv performance.in.md > performance.md

BEGIN {
    FS = "\t"
    # Roascio 2018: cycles of the same machine code by threads of a block, at 8, 16 and 32 cores.
    thesis("edge", "256", "259172 143061 84848")
    thesis("edge", "128", "159446 89823 54842")
    thesis("edge", "64", "112951 63846 41517")
    thesis("edge", "32", "106987 71066 52711")
    thesis("fft", "64", "96327 58715 40579")
    thesis("fft", "32", "95585 65073 49415")
    split("8 16 32", core_list, " ")
    FLEXGRIP_MHZ = 100
}

function microseconds(cycles, clock) { return commas(cycles / clock + 0.5) }

function thesis(app, block, list,   value, i) {
    split(list, value, " ")
    launch_app[++launches] = app
    launch_block[launches] = block
    for (i = 1; i <= 3; i++) flexgrip[launches, 2 ^ (i + 2)] = value[i]
}

function commas(n,   text) {
    text = sprintf("%d", n)
    while (match(text, /[0-9][0-9][0-9][0-9]/) && match(text, /^[0-9]+/))
        text = substr(text, 1, RLENGTH - 3) "," substr(text, RLENGTH - 2)
    return text
}

function percent(part, whole) { return sprintf("%.1f", 100 * part / whole) }

# Warp instructions that fit in the time: one in 32 / cores cycles, on every SM.
function utilisation(r) { return percent(insns[r] * 32 / cores[r], cycles[r] * sms[r]) }

$1 == "group" {
    for (i = 8; i <= NF; i++) {
        column[$i] = i
        cause[i] = $i
        gsub(/_/, " ", cause[i])
    }
    causes = NF
    next
}

FILENAME ~ /\.tsv$/ {
    rows++
    group[rows] = $1; name[rows] = $2; cores[rows] = $3; sms[rows] = $4; cycles[rows] = $5; insns[rows] = $6
    for (i = 8; i <= NF; i++) stall[rows, i] = $i
    row_of[$1, $2, $3, $4] = rows
    next
}

function kernels(   r, line, bar) {
    line = "| kernel | cores | cycles | IPC | use % |"
    bar = "|---|---:|---:|---:|---:|"
    for (i = 8; i <= causes; i++) {
        line = line " " cause[i] " |"
        bar = bar "---:|"
    }
    print line "\n" bar
    for (r = 1; r <= rows; r++) {
        if (group[r] != "kernels") continue
        line = sprintf("| %s | %d | %s | %.4f | %s |", name[r], cores[r], commas(cycles[r]), insns[r] / cycles[r],
                       utilisation(r))
        for (i = 8; i <= causes; i++) line = line " " percent(stall[r, i], cycles[r] * sms[r]) " |"
        print line
    }
}

function single(   r) {
    print "| kernel | cores | cycles | instructions | cycles an instruction | least |\n|---|---:|---:|---:|---:|---:|"
    for (r = 1; r <= rows; r++)
        if (group[r] == "kernels" && (name[r] == "chain" || name[r] == "branch"))
            printf "| %s | %d | %s | %d | %.2f | %d |\n", name[r], cores[r], commas(cycles[r]), insns[r],
                cycles[r] / insns[r], 32 / cores[r]
}

# Issue slots that a warp loses in each of its 128 groups of instructions, compared with the kernel without a branch.
function branches(   r, part, warps, slots) {
    print "| kernel | warps | cores | cycles | slots lost a group |\n|---|---:|---:|---:|---:|"
    for (r = 1; r <= rows; r++) {
        if (group[r] != "branches") continue
        split(name[r], part, "-")
        warps = part[1] == "lone" ? 1 : 8
        slots = (cycles[r] - cycles[row_of["branches", part[1] "-plain", cores[r], 1]]) / (32 / cores[r])
        printf "| %s | %d | %d | %s | %.2f |\n", part[2], warps, cores[r], commas(cycles[r]), slots / 128 / warps
    }
}

function flexgrip_table(   l, c, r, app, theirs, ratio, logs, count, least) {
    print "| application | threads a block | cores | FlexGrip | Warpstep | times fewer | least | FlexGrip, us |" \
        " Warpstep, us |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (l = 1; l <= launches; l++)
        for (c = 1; c <= 3; c++) {
            app = launch_app[l]
            r = row_of["flexgrip", "flexgrip-" app "-" launch_block[l], core_list[c], 1]
            if (!r) continue
            theirs = flexgrip[l, core_list[c]]
            ratio = theirs / cycles[r]
            logs[app] += log(ratio)
            count[app]++
            if (!(app in least) || ratio < least[app]) least[app] = ratio
            printf "| %s | %s | %d | %s | %s | %.1f | %s | %s | - |\n", app, launch_block[l], core_list[c],
                commas(theirs), commas(cycles[r]), ratio, commas(insns[r] * 32 / cores[r]),
                microseconds(theirs, FLEXGRIP_MHZ)
        }
    print ""
    if (!("edge" in count)) print "Not measured: CORPUS was not set."
    for (l = 1; l <= launches; l++) {
        app = launch_app[l]
        if (!(app in count) || launch_app[l - 1] == app) continue
        printf "Geometric mean of the %d of %s: %.1f times fewer; least: %.1f.\n", count[app], app,
            exp(logs[app] / count[app]), least[app]
    }
}

function share(r, what) { return percent(stall[r, column[what]], cycles[r] * sms[r]) }

function scaling(   r, one) {
    print "| kernel | cores | SMs | cycles | use % | global wait % | fetch % | no warp % | times one SM |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (r = 1; r <= rows; r++) {
        if (group[r] != "scaling") continue
        one = row_of["scaling", name[r], cores[r], 1]
        printf "| %s | %d | %d | %s | %s | %s | %s | %s | %.2f |\n", name[r], cores[r], sms[r], commas(cycles[r]),
            utilisation(r), share(r, "global_wait"), share(r, "fetch"), share(r, "no_warp"), cycles[one] / cycles[r]
    }
}

function table(which) {
    if (which == "kernels") kernels()
    else if (which == "single") single()
    else if (which == "flexgrip") flexgrip_table()
    else if (which == "branches") branches()
    else if (which == "scaling") scaling()
    else {
        print "no table " which > "/dev/stderr"
        exit 2
    }
}

/^@table / { table(substr($0, 8)); next }
/^@file / { # text measured by another tool
    while ((getline text < substr($0, 7)) > 0) print text
    next
}
{ print }

END { if (only != "") table(only) }

# SPDX-License-Identifier: Apache-2.0
# What follows from the clock, which testbench/timing/timing.md has: docs/performance.md with that file as its section,
# and its microseconds beside FlexGrip's; the README with their mean. A clock that changes needs nothing measured again.
#
#     awk -f times.awk timing.md performance.md > performance.md
#     awk -v readme=README.md -f times.awk timing.md performance.md > README.md

function fields(line, part) { return split(line, part, / *[|] */) }
function number(n) { gsub(/,/, "", n); return n + 0 }
function commas(n) { n = int(n); return n < 1000 ? n : int(n / 1000) "," sprintf("%03d", n % 1000) }

FNR == 1 { file++ }
file == 1 {
    timing = timing $0 "\n"
    if (fields($0, part) > 4 && part[2] ~ /^[0-9]+$/) { mhz[part[2]] = part[3]; after[part[2]] = part[5] }
    next
}
/^## / {
    old = $0 == "## Clock"
    if (old && readme == "") print timing
}
old { next }
/^\| threads a block / { inside = 1 }
!/^\|/ { inside = 0 }
inside && fields($0, part) > 8 && part[2] ~ /^[0-9]+$/ {
    us = part[3] in mhz ? number(part[5]) / mhz[part[3]] : 0
    $0 = sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |", part[2], part[3], part[4], part[5], part[6], part[7],
                 part[8], us ? commas(us + 0.5) : "-")
    if (part[3] == 8) {
        ratio = number(part[8]) / us
        logs += log(ratio); count++
        if (least == "" || ratio < least) least = ratio
        if (ratio > most) most = ratio
    }
}
readme == ""

# The paragraph of the README behind its mark.
END {
    if (readme == "") exit
    if (count == 0) { print "no times of 8 cores in the page" > "/dev/stderr"; exit 1 }
    while ((getline line < readme) > 0) {
        if (line ~ /^$/) skip = 0
        if (!skip) print line
        if (line !~ /^<!-- time/) continue
        skip = 1
        print "The same machine code, FlexGripPlus' edge detection, on one SM of 8 cores: Warpstep takes"
        printf "**%.1f times less time**, the geometric mean of four block sizes (%.1f to %.1f).\n",
            exp(logs / count), least, most
        print "FlexGrip's cycles are Roascio's (2018), at 100 MHz; Warpstep's are measured in lockstep, at"
        printf "%s MHz, %s on an ECP5; see [performance](docs/performance.md).\n", mhz[8], after[8]
    }
}

# SPDX-License-Identifier: Apache-2.0
# Figures that depend on the clock, from fpga/timing/timing.md: docs/evidence/performance.md with that file as its
# section, and its microseconds beside FlexGrip's; the README with their mean. A new clock requires no other
# measurement.
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
/^\| application \| threads a block / { inside = 1 }
!/^\|/ { inside = 0 }
inside && fields($0, part) > 9 && part[3] ~ /^[0-9]+$/ {
    us = part[4] in mhz ? number(part[6]) / mhz[part[4]] : 0
    $0 = sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s |", part[2], part[3], part[4], part[5], part[6],
                 part[7], part[8], part[9], us ? commas(us + 0.5) : "-")
    if (part[4] == 8) note(part[2], number(part[9]) / us)
}
readme == ""

# The speed-up for one launch of an application.
function note(app, ratio) {
    logs[app] += log(ratio); count[app]++
    if (!(app in least) || ratio < least[app]) least[app] = ratio
    if (ratio > most[app]) most[app] = ratio
}
function ratios(app) {
    if (!(app in count)) { print "no times of " app " on 8 cores in the page" > "/dev/stderr"; exit failed = 1 }
    return sprintf("**%.1f times less time**, the geometric mean of %d block sizes (%.1f to %.1f)",
                   exp(logs[app] / count[app]), count[app], least[app], most[app])
}

# The paragraph of the README after its mark.
END {
    if (readme == "" || failed) exit failed
    edge = ratios("edge"); fft = ratios("fft")
    while ((getline line < readme) > 0) {
        if (line ~ /^$/) skip = 0
        if (!skip) print line
        if (line !~ /^<!-- time/) continue
        skip = 1
        print "The same machine code, on one SM of 8 cores: for FlexGripPlus' edge detection Warpstep takes"
        print edge ";"
        print "for the FFT that Roascio times,"
        print fft "."
        print "FlexGrip's cycles are Roascio's (2018), at 100 MHz; Warpstep's are measured in lockstep, at"
        printf "%s MHz, %s on an ECP5; see [performance](docs/evidence/performance.md).\n", mhz[8], after[8]
    }
}

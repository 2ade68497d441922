# SPDX-License-Identifier: Apache-2.0
# The chart of the README: the times of FlexGrip and Warpstep for edge detection and the FFT, two bars for each size of
# block, on one SM of 8 cores. From the table of docs/evidence/performance.md, so that both agree. Each number follows
# its bar, where nothing crosses it.
#
#     awk -f chart.awk performance.md > flexgrip.svg

BEGIN {
    FS = " *[|] *"
    WIDTH = 760; LEFT = 150; TOP = 62; BAR = 16; GROUP = 50; MOST = 500
    title["edge"] = "edge detection"; title["fft"] = "FFT"
}

/^\| application \| threads a block / { inside = 1; next }
inside && /^\| *[a-z]+ *\| *[0-9]/ {
    if ($4 != 8 || $10 == "-") next
    launch[++count] = title[$2] ", " $3; theirs[count] = number($9); ours[count] = number($10)
    if (theirs[count] > most) most = theirs[count]
    next
}
inside && !/^\|/ { inside = 0 }
/^## / { clock = $0 == "## Clock" }
clock && /^\| 8 / { mhz = $3 }

function number(n) { gsub(/,/, "", n); return n + 0 }
function commas(n) { return n < 1000 ? n "" : int(n / 1000) "," sprintf("%03d", n % 1000) }
function text(x, y, class, what) { printf "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", x, y, class, what }
function bar(y, class, value) {
    printf "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" class=\"%s\"/>\n", LEFT, y,
        value / most * MOST, BAR, class
    text(LEFT + value / most * MOST + 8, y + 13, class "-text", commas(value) " us")
}
function legend(x, class, what) {
    printf "<rect x=\"%d\" y=\"38\" width=\"12\" height=\"12\" rx=\"2\" class=\"%s\"/>\n", x, class
    text(x + 18, 48, "s", what)
}

END {
    if (count == 0 || mhz == "") {
        print "no times of FlexGrip and Warpstep found" > "/dev/stderr"
        exit 1
    }
    height = TOP + GROUP * count + 8
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", \
        WIDTH, height, WIDTH, height
    print "<title>Edge detection and FFT, the same machine code: microseconds of FlexGrip and Warpstep</title>"
    print "<style>text{font:13px system-ui,sans-serif;fill:#24292f} .h{font-weight:600} .e{text-anchor:end}"
    print ".s{font-size:12px;fill:#57606a} .page{fill:#fff;stroke:#d0d7de}"
    print ".flexgrip{fill:#afb8c1} .warpstep{fill:#0969da} .warpstep-text{font-weight:600}"
    print "@media (prefers-color-scheme:dark){text{fill:#e6edf3} .s{fill:#9ea7b3} .page{fill:#0d1117;stroke:#30363d}"
    print ".flexgrip{fill:#57606a} .warpstep{fill:#388bfd}}</style>"
    printf "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\" class=\"page\"/>\n", WIDTH - 1, height - 1
    text(20, 24, "h", "The same machine code, by threads of a block, one SM of 8 cores")
    legend(LEFT, "flexgrip", "FlexGrip, 100 MHz")
    legend(LEFT + 150, "warpstep", "Warpstep, " mhz " MHz")
    for (i = 1; i <= count; i++) {
        y = TOP + 6 + GROUP * (i - 1)
        text(LEFT - 12, y + 21, "e", launch[i])
        bar(y, "flexgrip", theirs[i])
        bar(y + BAR + 2, "warpstep", ours[i])
    }
    print "</svg>"
}

# SPDX-License-Identifier: Apache-2.0
# The chart of the README: how many times fewer cycles Warpstep needs than FlexGrip for edge detection, a group of bars
# for each size of block, a bar for each number of cores. From the tables of docs/performance.md, so that it cannot say
# anything else.
#
#     awk -f chart.awk performance.md > performance.svg

BEGIN {
    FS = " *[|] *"
    WIDTH = 640; HEIGHT = 300; LEFT = 52; BASE = 240; TOP = 48; BAR = 36; GAP = 36
    colour[8] = "#9ecae1"; colour[16] = "#4292c6"; colour[32] = "#08519c"
}

/^\| threads a block / { inside = 1; next }
inside && /^\| *[0-9]/ {
    count++
    block[count] = $2; cores[count] = $3; ratio[count] = $6
    if ($6 > most) most = $6
    next
}
inside && !/^\|/ { inside = 0 }
/^Geometric mean/ { split($0, words, " "); mean = words[6] }

function text(x, y, anchor, size, what) {
    printf "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" font-size=\"%d\">%s</text>\n", x, y, anchor, size, what
}
function height(value) { return value / top * (BASE - TOP) }
function level(value, style) {
    printf "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" %s/>\n", LEFT, WIDTH - 10, BASE - height(value),
        BASE - height(value), style
}

END {
    if (count == 0) {
        print "no table of FlexGrip's cycles found" > "/dev/stderr"
        exit 1
    }
    top = 5 * (int(most / 5) + 1)
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" "
    printf "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" ", WIDTH, HEIGHT, WIDTH, HEIGHT
    print "font-family=\"sans-serif\" fill=\"#222\">"
    print "<title>Edge detection: FlexGrip's cycles divided by Warpstep's</title>"
    print "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
    text(LEFT, 22, "start", 15, "Edge detection, same machine code: FlexGrip's cycles / Warpstep's")
    for (v = 0; v <= top; v += 5) {
        level(v, "stroke=\"" (v == 0 ? "#222" : "#ddd") "\"")
        text(LEFT - 8, BASE - height(v) + 4, "end", 12, v)
    }
    x = LEFT + GAP / 2
    for (i = 1; i <= count; i++) {
        if (i > 1 && block[i] != block[i - 1]) x += GAP
        printf "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"/>\n", x, \
            BASE - height(ratio[i]), BAR - 2, height(ratio[i]), colour[cores[i]]
        text(x + BAR / 2 - 1, BASE - height(ratio[i]) - 5, "middle", 11, ratio[i])
        if (cores[i] == 16) text(x + BAR / 2 - 1, BASE + 18, "middle", 12, block[i] " threads a block")
        x += BAR
    }
    if (mean != "") {
        level(mean, "stroke=\"#d94801\" stroke-dasharray=\"5 4\"")
        text(WIDTH - 12, BASE - height(mean) - 5, "end", 11, "mean " mean)
    }
    x = LEFT + GAP / 2
    for (c = 8; c <= 32; c *= 2) {
        printf "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x, HEIGHT - 28, colour[c]
        text(x + 18, HEIGHT - 18, "start", 12, c " cores")
        x += 90
    }
    print "</svg>"
}

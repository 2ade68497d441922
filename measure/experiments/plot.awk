# SPDX-License-Identifier: Apache-2.0
# A plot (SVG) of a CSV with the columns series, x, y: lines where x is a number, marks above names where it is not.
#
#     awk -v title=TITLE -v x_label=X -v y_label=Y -f plot.awk FILE.csv > FILE.svg

BEGIN {
    FS = ","
    WIDTH = 760; HEIGHT = 400; LEFT = 64; RIGHT = 200; TOP = 40; BOTTOM = 60
    split("#08519c #d94801 #238b45 #6a51a3 #a50f15 #737373 #dd1c77 #8c6d31", colour, " ")
}

NR == 1 { next }
{
    if (!($1 in series)) { series[$1] = ++series_count; name[series_count] = $1 }
    if (!($2 in place)) { place[$2] = ++places; label[places] = $2 }
    if ($2 !~ /^[0-9.]+$/) names_on_x = 1
    count++
    of[count] = series[$1]; x[count] = $2; y[count] = $3
    if ($3 > most_y) most_y = $3
    if ($2 + 0 > most_x) most_x = $2 + 0
}

# The smallest of 1, 2, 5, 10 ... of which at most ten reach `most`
function step(most,   s) {
    for (s = 1; s * 10 < most; ) {
        if (s * 20 >= most) return s * 2
        if (s * 50 >= most) return s * 5
        s *= 10
    }
    return s
}
function across(value) {
    if (names_on_x) return LEFT + (place[value] - 0.5) / places * (WIDTH - LEFT - RIGHT)
    return LEFT + value / most_x * (WIDTH - LEFT - RIGHT)
}
function up(value) { return HEIGHT - BOTTOM - value / top_y * (HEIGHT - TOP - BOTTOM) }
function text(px, py, anchor, size, what, more) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\"%s>%s</text>\n", px, py, anchor, size, more,
        what
}
function line(x1, y1, x2, y2, stroke) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1, y1, x2, y2, stroke
}

END {
    if (count == 0) {
        print "nothing to plot" > "/dev/stderr"
        exit 1
    }
    if (names_on_x) BOTTOM = 100
    s = step(most_y)
    top_y = s * (int((most_y - 0.0001) / s) + 1)
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" ", WIDTH, HEIGHT,
        WIDTH, HEIGHT
    print "font-family=\"sans-serif\" fill=\"#222\">"
    print "<title>" title "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
    text(LEFT, 22, "start", 15, title, "")
    for (v = 0; v <= top_y; v += s) {
        line(LEFT, up(v), WIDTH - RIGHT, up(v), v == 0 ? "#222" : "#ddd")
        text(LEFT - 6, up(v) + 4, "end", 11, v, "")
    }
    if (names_on_x) {
        for (i = 1; i <= places; i++)
            text(across(label[i]), HEIGHT - BOTTOM + 14, "end", 10, label[i],
                sprintf(" transform=\"rotate(-35 %.1f %d)\"", across(label[i]), HEIGHT - BOTTOM + 14))
    } else {
        s = step(most_x)
        for (v = 0; v <= most_x; v += s) {
            line(across(v), HEIGHT - BOTTOM, across(v), HEIGHT - BOTTOM + 4, "#222")
            text(across(v), HEIGHT - BOTTOM + 17, "middle", 11, v, "")
        }
    }
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "middle", 12, x_label, "")
    text(14, (TOP + HEIGHT - BOTTOM) / 2, "middle", 12, y_label,
        sprintf(" transform=\"rotate(-90 14 %d)\"", (TOP + HEIGHT - BOTTOM) / 2))
    for (k = 1; k <= series_count; k++) {
        ink = colour[(k - 1) % 8 + 1]
        points = ""
        for (i = 1; i <= count; i++) {
            if (of[i] != k) continue
            points = points sprintf(" %.1f,%.1f", across(x[i]), up(y[i]))
            printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n", across(x[i]), up(y[i]),
                names_on_x ? 3 : 2, ink
        }
        if (!names_on_x) print "<polyline fill=\"none\" stroke=\"" ink "\" points=\"" substr(points, 2) "\"/>"
        line(WIDTH - RIGHT + 12, TOP + 16 * k, WIDTH - RIGHT + 30, TOP + 16 * k, ink)
        text(WIDTH - RIGHT + 36, TOP + 16 * k + 4, "start", 11, name[k], "")
    }
    print "</svg>"
}

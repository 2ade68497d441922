# SPDX-License-Identifier: Apache-2.0
# Takes wide vectors apart. ghdl --synth makes one vector of a record, and of an array of them; the stages of a pipeline
# are thousands of bits, and few of their fields lie within a word. Verilator would shift each into its place in every
# cycle, and out of it for every reader. Here a register of joined pieces becomes one register for each piece, and
# whoever reads bits of a vector, under whatever name, reads the pieces that they come from. A wide piece that keeps
# what it has unless something holds is written only where that holds. Values and names stay as they are.
#
#     awk -f apart.awk gpu_flat.v > apart.v

BEGIN {
    NAME = "[a-z_][a-z_0-9]*"
    WIDE = 65                                              # bits; what is narrower, Verilator holds in one variable
}

# What a line declares, if that is a vector or a bit.
function learn_width(text,    range) {
    if (!match(text, "(input|output|wire|reg) +(\\[[0-9]+:0\\] +)?" NAME "[;,)]")) return
    text = substr(text, RSTART, RLENGTH - 1)
    range = match(text, /\[[0-9]+/) ? substr(text, RSTART + 1, RLENGTH - 1) : 0
    sub(/.* /, "", text)
    width[text] = range + 1
}

# assign NET = {NET, NET, ...}; its pieces, the lowest one first, where their bits are known and add up to its own
function learn_join(net, text,    list, count, i, from) {
    gsub(/.*\{|\};$/, "", text)
    count = split(text, list, ", ")
    for (i = 1; i <= count; i++) {
        if (!(list[count + 1 - i] in width)) return
        piece[net, i] = list[count + 1 - i]
        at[net, i] = from + 0
        from += width[piece[net, i]]
    }
    if (from == width[net] && from >= WIDE) pieces[net] = count
}

# assign NET = NET[HIGH:LOW]; or NET[BIT] or all of it: a name for these bits
function learn_view(net, text,    of) {
    sub(/;$/, "", text)
    of = text
    sub(/\[.*/, "", of)
    view[net] = of
    first[net] = 0
    if (match(text, /[0-9]+\]$/)) {
        first[net] = substr(text, RSTART, RLENGTH - 1) + 0
        if (!(net in width)) width[net] = 1
    } else if (!(net in width) && of in width) width[net] = width[of]
}

function bits(net, high, low) {
    if (low == 0 && high + 1 == width[net]) return net
    return net "[" (high > low ? high ":" : "") low "]"
}

# What bits of a net are made of, as a list.
function made_of(net, high, low,    i, from, to, text) {
    while (net in view && !(net in pieces)) {
        high += first[net]
        low += first[net]
        net = view[net]
    }
    if (!(net in pieces)) return bits(net, high, low)
    for (i = pieces[net]; i >= 1; i--) {
        from = low - at[net, i]
        to = high - at[net, i]
        if (from < 0) from = 0
        if (to >= width[piece[net, i]]) to = width[piece[net, i]] - 1
        if (from <= to) text = text (text == "" ? "" : ", ") made_of(piece[net, i], to, from)
    }
    return text
}

# A text, with all bits that it reads of nets put as what they are made of.
function read_pieces(text,    done, net, range, high, low, made) {
    while (match(text, NAME "\\[[0-9]+(:[0-9]+)?\\]")) {
        done = done substr(text, 1, RSTART - 1)
        net = range = substr(text, RSTART, RLENGTH - 1)
        text = substr(text, RSTART + RLENGTH)
        sub(/\[.*/, "", net)
        sub(/.*\[/, "", range)
        high = low = range
        sub(/:.*/, "", high)
        sub(/.*:/, "", low)
        made = made_of(net, high + 0, low + 0)
        done = done (made ~ /,/ ? "{" made "}" : made)
    }
    return done text
}

# A register of its own for each piece of what a register takes.
function take_apart(register, from,    i) {
    pieces[register] = pieces[from]
    for (i = 1; i <= pieces[from]; i++) {
        piece[register, i] = register "_" i
        at[register, i] = at[from, i]
        width[piece[register, i]] = width[piece[from, i]]
    }
    source[register] = from
    total++
}

function declare_pieces(register, text,    i, own, one, all) {
    for (i = 1; i <= pieces[register]; i++) {
        own = piece[register, i]
        one = text
        sub("reg .*;", "reg [" width[own] - 1 ":0] " own ";", one)
        print one
        all = own (i > 1 ? ", " : "") all
    }
    sub(/reg /, "wire ", text)
    sub(/;/, " = {" all "};", text)
    print text
}

function write_pieces(register,    i, net, own) {
    for (i = pieces[register]; i >= 1; i--) {
        net = piece[source[register], i]
        own = piece[register, i]
        if (width[net] >= WIDE && net in unless && made_of(unless[net], width[net] - 1, 0) == own)
            print "    if (" when[net] ") " own " <= " then[net] ";"
        else print "    " own " <= " net ";"
    }
}

function write_module(    i) {
    for (i = 1; i <= lines; i++) {
        if (declares[i] in source) declare_pieces(declares[i], line[i])
        else if (i in takes) {
            print line[i] " begin"
            write_pieces(takes[i])
            print "  end"
            i++
        } else if (line[i] ~ /^(  assign |    )/) print read_pieces(line[i])
        else print line[i]
    }
}

/^module / {
    inside = 1
    lines = 0
    split("", declares)
    split("", declared)
    split("", takes)
    split("", width)
    split("", pieces)
    split("", view)
    split("", source)
    split("", unless)
}
!inside {
    print
    next
}
{ line[++lines] = $0 }
/^endmodule/ {
    write_module()
    inside = 0
    next
}
$1 == "assign" && $4 ~ /^\{/ && $0 ~ "= \\{" NAME "(, " NAME ")+\\};$" { learn_join($2, $0); next }
$1 == "assign" && NF == 8 && $5 == "?" {
    when[$2] = $4
    then[$2] = $6
    unless[$2] = substr($8, 1, length($8) - 1)
    next
}
$1 == "assign" && $4 ~ "^" NAME "(\\[[0-9:]+\\])?;$" { learn_view($2, $4); next }
/^  always @\(posedge [^ ]*\)$/ {
    getline
    line[++lines] = $0
    net = substr($3, 1, length($3) - 1)
    if (NF == 3 && $2 == "<=" && net in pieces && $1 in declared) {
        takes[lines - 1] = $1
        take_apart($1, net)
    }
    next
}
{ learn_width($0) }
/  reg \[[0-9]+:0\] [a-z_0-9]+;/ {
    net = $0
    sub(/;.*/, "", net)
    sub(/.* /, "", net)
    declares[lines] = net
    declared[net]
}

# It goes by how ghdl writes things: what is not found would cost time without a word.
END {
    if (total == 0) {
        print "apart.awk: no wide register found" > "/dev/stderr"
        exit 1
    }
}

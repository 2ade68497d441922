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

# assign NET = {NET, NET, ...};
function learn_join(net, text,    list, count, i) {
    gsub(/.*\{|\};$/, "", text)
    count = split(text, list, ", ")
    for (i = 1; i <= count; i++)
        if (!(list[i] in width)) return
    joined[net] = text
    if (width[net] >= WIDE) lay_out(net, text)
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

# The pieces of a net, the lowest one first, where their bits add up to its own.
function lay_out(net, text,    list, count, i, from) {
    count = split(text, list, ", ")
    for (i = count; i >= 1; i--) {
        piece[net, count + 1 - i] = list[i]
        at[net, count + 1 - i] = from + 0
        from += width[list[i]]
    }
    if (from == width[net]) pieces[net] = count
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

# The registers of the pieces of one, by number.
function piece_of(net, i) { return net "_" i }

function take_apart(register, from,    list, count, i, text) {
    count = split(joined[from], list, ", ")
    for (i = 1; i <= count; i++) {
        text = text (i > 1 ? ", " : "") piece_of(register, i)
        width[piece_of(register, i)] = width[list[i]]
    }
    lay_out(register, text)
    if (!(register in pieces)) return
    apart[register] = text
    total++
}

function declare_pieces(register, text,    list, count, i, one) {
    count = split(apart[register], list, ", ")
    for (i = 1; i <= count; i++) {
        one = text
        sub("reg .*;", "reg [" width[list[i]] - 1 ":0] " list[i] ";", one)
        print one
    }
    sub(/reg /, "wire ", text)
    sub(/;/, " = {" apart[register] "};", text)
    print text
}

function write_pieces(register, from,    list, count, i, net, own, high) {
    count = split(joined[from], list, ", ")
    for (i = 1; i <= count; i++) {
        net = list[i]
        own = piece_of(register, i)
        high = width[net] - 1
        if (width[net] >= WIDE && net in unless && made_of(unless[net], high, 0) == own)
            print "    if (" when[net] ") " own " <= " then[net] ";"
        else print "    " own " <= " net ";"
    }
}

function write_module(    i, net) {
    for (i = 1; i <= lines; i++) {
        net = register[i]
        if (net in apart && line[i] ~ /  reg /) declare_pieces(net, line[i])
        else if (net in apart) {
            print line[i] " begin"
            write_pieces(net, source[i])
            print "  end"
            i++
        } else if (line[i] ~ /^(  assign |    )/) print read_pieces(line[i])
        else print line[i]
    }
}

/^module / {
    inside = 1
    lines = 0
    split("", register)
    split("", declared)
    split("", width)
    split("", joined)
    split("", view)
    split("", pieces)
    split("", apart)
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
    if (NF == 3 && $2 == "<=" && net in joined && $1 in declared && width[$1] >= WIDE) {
        register[lines - 1] = $1
        source[lines - 1] = net
        take_apart($1, net)
    }
    next
}
{ learn_width($0) }
/  reg \[[0-9]+:0\] [a-z_0-9]+;/ {
    net = $0
    sub(/;.*/, "", net)
    sub(/.* /, "", net)
    register[lines] = net
    declared[net]
}

# It goes by how ghdl writes things: what is not found would cost time without a word.
END {
    if (total == 0) {
        print "apart.awk: no wide register found" > "/dev/stderr"
        exit 1
    }
}

# SPDX-License-Identifier: Apache-2.0
# Mutants of the netlist: reads the Verilog that ghdl --synth writes, where each statement is one operator, or one
# register, with the place in the VHDL that it comes from before it.
#
#     awk -f names.awk -f netlist.awk gpu_flat.v                    lists all mutants there are
#     awk -f names.awk -f netlist.awk -v chosen=LIST -v top=gpu_flat gpu_flat.v
#                                                                   the Verilog with those of LIST in it, by number
#
# A line of the lists: KEY, entity, place (file:line:column), kind, with tabs between, in LIST behind a number. KEY is
# "module/net/kind" and means something for one netlist only. Which bit is changed follows from the name of the
# statement (names.awk). Kinds: what yosys' mutate has (inv, zero, one: a bit of the result; cnot: inverted when another
# bit is set), another operator, an operand alone, the condition negated, an assignment dropped, a constant with another
# bit.
#
# All chosen mutants are in one netlist. `mutants::number (a package, see pins.v) says which is there, none when it is
# 0; with mutants::probing, each that would change its net at a clock edge says so. yosys gets the number as an
# undriven wire: it is to find what nobody reads.

# A bit of this many, another one for each SALT.
function draw(bits, salt) { return (statement * 7919 + salt * 104729) % 65537 % bits }

# A kind without the bit that it changes.
function class_of(kind) {
    if (kind ~ /^constant:/) sub(/,.*/, "", kind)
    else if (kind ~ /^select:/) sub(/:[0-9]+/, "", kind)
    else sub(/:.*/, "", kind)
    return kind
}

# Nets have widths; what has none is one bit.
function width_of(net) { return (net in width) ? width[net] : 1 }
function range_of(net) { return width_of(net) > 1 ? "[" width_of(net) - 1 ":0] " : "" }
function bit_of(net, bit) { return width_of(net) > 1 ? net "[" bit "]" : net }
function mask(w, bit) { return w "'b1 << " bit }

function declare(text,    net, w) {
    w = match(text, /\[[0-9]+:0\]/) ? substr(text, RSTART + 1) + 1 : 1
    if (match(text, /[a-zA-Z_0-9]+ *[;=,)]/)) {
        net = substr(text, RSTART, RLENGTH)
        gsub(/[ ;=,)]/, "", net)
        width[net] = w
    }
}

# A mutant of the net whose right value is in the wire raw: value instead of it. List it, or put it behind the others.
function mutant(net, kind, value,    key, wire) {
    key = module "/" net "/" class_of(kind)
    if (chosen == "") {
        print module "/" net "/" kind "\t" entity "\t" place "\t" kind
    } else if (key in number) {
        wire = net "_mutant" number[key]
        print "  wire " range_of(net) wire " = `MUTANT(" number[key] ") ? (" value ") : " last ";"
        probes = probes "    if (" only "(" value ") != " raw ") mutants::active(" number[key] ");\n"
        last = wire
        applied++
    }
}

function mutate_bits(net,    w, bit, other) {
    w = width_of(net)
    bit = draw(w, 1)
    mutant(net, "inv:" bit, raw " ^ (" mask(w, bit) ")")
    bit = draw(w, 2)
    mutant(net, "zero:" bit, raw " & ~(" mask(w, bit) ")")
    bit = draw(w, 3)
    mutant(net, "one:" bit, raw " | (" mask(w, bit) ")")
    other = (bit + 1) % w
    if (w > 1) mutant(net, "cnot:" bit "," other, raw " ^ ({" w "{" raw "[" other "]}} & (" mask(w, bit) "))")
}

function mutate_operator(net, e,    part, n, a, b, op) {
    n = split(e, part, " ")
    if (n == 5 && part[2] == "?") {
        mutant(net, "negated", part[1] " ? " part[5] " : " part[3])
        mutant(net, "left", part[3])
        mutant(net, "right", part[5])
    }
    if (n != 3) return
    a = part[1]; op = part[2]; b = part[3]
    # Loops begin with a constant: what that gives is the other operand, or a constant.
    if ((a ~ /'b(0+|1+)$/ || b ~ /'b(0+|1+)$/) && op ~ /^[&|^]$/) return
    if ((a b) ~ /'b0+$/ && op ~ /^[+-]$/) return
    if (op in other) mutant(net, op " " other[op], a " " other[op] " " b)
    if (op in second) mutant(net, op " " second[op], a " " second[op] " " b)
    if (op ~ /^[&|^+-]$/) {
        mutant(net, "left", a)
        mutant(net, "right", b)
    }
    if (b ~ /^[0-9]+'b/) {
        n = draw(b + 0, 4)
        mutant(net, "constant", a " " op " (" b " ^ (" mask(b + 0, n) "))")
    }
}

# Is e one operator, on nets, slices of them and constants?
function operator(e) { return e ~ /^(~[^ ]+|[^ {]+ [^ ]+ [^ ]+|[^ ]+ \? [^ ]+ : [^ ]+)$/ && e !~ /[{(]/ }

# Leaves what the net shall be in `last`.
function mutate(net, e, is_register) {
    statement = hash(name_of(entity, place, ""))
    raw = net "_raw"
    last = raw
    if (chosen != "") {
        held = "  wire " range_of(net) raw " = " e ";"
        if (!((module "/" net) in mutated)) { last = e; return }
        print held
    }
    mutate_bits(net)
    mutate_operator(net, e)
    if (is_register) mutant(net, "dropped", net)
}

# The constants of a case, and its selection.
function mutate_case(    i, net, value, w, bit, select, before, label, assigned) {
    statement = hash(name_of(entity, place, "case"))
    assigned = line[3]
    sub(/ <=.*/, "", assigned)
    sub(/.* /, "", assigned)
    select = line[2]
    sub(/.*\(/, "", select)
    sub(/\).*/, "", select)
    for (i = 3; i < lines; i++)
        if (line[i] !~ /default:/ && match(line[i], /n[0-9]+_o <= [0-9]+'b[01]+;/)) {
            value = substr(line[i], RSTART, RLENGTH - 1)
            before = substr(line[i], 1, RSTART - 1)
            net = value
            sub(/ .*/, "", net)
            sub(/.* /, "", value)
            raw = last = value
            label = before
            gsub(/[ :]/, "", label)
            only = label == "" ? "" : select " == " label " && "
            w = width_of(net)
            bit = draw(w, 5 + i)
            mutant(net, "constant:" i "," bit, value " ^ (" mask(w, bit) ")")
            line[i] = before net " <= " last ";"
        }
    only = ""
    if (select ~ /^n[0-9]+_o$/) {
        raw = last = select
        bit = draw(width_of(select), 5)
        mutant(select, "select:" bit " of " assigned, select " ^ (" mask(width_of(select), bit) ")")
        line[2] = "    case (" last ")"
    }
}

BEGIN {
    FS = "\t"
    other["&"] = "|"; other["|"] = "&"; other["^"] = "|"; other["+"] = "-"; other["-"] = "+"
    other["=="] = "!="; other["!="] = "=="; other["<"] = "<="; other["<="] = "<"; other[">"] = ">="; other[">="] = ">"
    other["<<"] = ">>"; other[">>"] = "<<"; other["*"] = "+"
    # No "|" to "^": most alternatives exclude each other.
    second["&"] = "^"; second["^"] = "&"; second["<"] = ">="; second[">"] = "<="
    second["<="] = ">"; second[">="] = "<"
    if (chosen != "") {
        while ((getline < chosen) > 0) {
            match($2, /^[^\/]*\/[^\/]*/)
            net = substr($2, 1, RLENGTH)
            mutated[net] = 1
            number[net "/" class_of($5)] = $1
            count++
        }
    }
}

function flush(    i) {
    if (chosen != "") for (i = 1; i <= lines; i++) print line[i]
    lines = 0
}

/^module / {
    module = entity = substr($0, 8)
    # Behind the name stand generics, as numbers and as a hash.
    if (match(entity, /_[0-9a-f]+$/) && RLENGTH > 40) entity = substr(entity, 1, RSTART - 1)
    sub(/(_[0-9]+)+$/, "", entity)
    split("", width)
    probes = ""
    place = "?"
    heading = 1
}
/^  \/\* / { place = $0; sub(/^  \/\* (.*\/)?rtl\//, "rtl/", place); sub(/ .*/, "", place) }
heading || /^  (wire|reg|localparam) / { declare($0) }
heading && /\);/ { if (chosen != "") print $0 "\n  `MUTANTS"; heading = 0; next }

# An always is held until it is clear what it is.
/^  always / { flush(); lines = 1; line[1] = $0; next }
lines {
    line[++lines] = $0
    if (lines == 2 && /^    n[0-9]+_q <= [^;]*;$/ && line[1] ~ /posedge clk/) {
        net = $0
        sub(/^ */, "", net)
        e = net
        sub(/ .*/, "", net)
        sub(/^[^=]*<= /, "", e)
        sub(/;$/, "", e)
        mutate(net, e, 1)
        line[2] = "    " net " <= " last ";"
        flush()
    } else if (lines == 2 && !/^    case /) {
        flush()
    } else if (/^    endcase/) {
        mutate_case()
        flush()
    }
    next
}

/^  assign n[0-9]+_o = [^;]*;/ {
    net = $0
    sub(/^  assign /, "", net)
    e = net
    sub(/ .*/, "", net)
    sub(/^[^=]* = /, "", e)
    sub(/;.*/, "", e)
    if (operator(e)) {
        mutate(net, e, 0)
        if (chosen != "") print "  assign " net " = " last ";"
        next
    }
}

/^endmodule/ && chosen != "" && probes != "" {
    print "`ifndef YOSYS\n  always @(posedge " top ".clk) if (mutants::probing) begin\n" probes "  end\n`endif"
}
chosen != "" { print }
END {
    flush()
    if (applied != count + 0) { print applied + 0 " of " count " mutants found" > "/dev/stderr"; exit 1 }
}

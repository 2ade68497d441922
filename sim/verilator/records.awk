# SPDX-License-Identifier: Apache-2.0
# Gives signals of the Verilog of ghdl --synth, which are plain vectors there, the records, arrays and enumerations back
# that they are in VHDL: waves show them by field. Nothing else changes, as a packed structure is a vector, too; only an
# array becomes a structure with one field, `at`, as the index of an array would mean its elements.
#
#     awk -v top=gpu_flat -v cores=8 -v sms=1 -f records.awk rtl/*/*.vhd gpu_flat-C8-S1.v > records.v
#
# The VHDL comes in the order in which it is compiled. ghdl lays a record out from its first field up and an array from
# its last element up, and takes a record port apart into its fields: PORT_FIELD. Sizes that a unit's generics decide
# follow from the name of the module, which has their values: sched_32; those of the top are given. A signal whose size
# is not that of its type stays as it is; the last line on the standard error counts these, -v verbose=1 names them.
# What a register takes next (rin, x2_in) and the decoder stay, too: to take a signal apart that no register holds,
# Verilator computes what it comes from once more for each field.

# ------------------------------------------------------------------------------------------------------------ VHDL
# Of each unit, a package or an entity with its architecture: lists of generics and ports, and what its names mean.
#   meaning[UNIT, NAME]   "constant EXPRESSION", "subtype TYPE", "enum NAMES", "array RANGE|TYPE", "record NAMES",
#                         "port TYPE", "signal TYPE"
#   meaning[UNIT, RECORD ".", FIELD]   the field's type

function trim(s) {
    gsub(/[ \t\n]+/, " ", s)
    sub(/^ /, "", s)
    sub(/ $/, "", s)
    return s
}

# Takes off what closes a list around the last of its elements.
function balance(s,    t) {
    t = s
    while (gsub(/\)/, ")", t) > gsub(/\(/, "(", t)) {
        sub(/ *\) *$/, "", t)
        t = trim(t)
    }
    return t
}

function declare(names, kind, type,    list, count, i) {
    sub(/ *:=.*/, "", type)
    count = split(names, list, / *, */)
    for (i = 1; i <= count; i++) {
        meaning[unit, list[i]] = kind " " trim(type)
        if (kind == "signal") signals[unit] = signals[unit] " " list[i]
        if (kind == "port") ports[unit] = ports[unit] " " list[i]
    }
}

# One statement, up to its semicolon.
function statement(s,    name, rest, list, count, i) {
    s = trim(s)
    if (s ~ /^(library|use) /) return
    if (match(s, /package (body )?[a-z_0-9]+ is /) || match(s, /entity [a-z_0-9]+ is /) ||
        match(s, /architecture [a-z_0-9]+ of [a-z_0-9]+ is /)) {
        name = substr(s, RSTART, RLENGTH)
        s = trim(substr(s, RSTART + RLENGTH))
        skips = name ~ /^package body/
        split(name, list, " ")
        unit = list[list[1] == "architecture" ? 4 : 2]
        part = list[1]
    }
    if (skips || unit == "") return
    if (in_record != "") {
        if (s ~ /^end record/) {
            in_record = ""
        } else {
            i = index(s, ":")
            count = split(trim(substr(s, 1, i - 1)), list, / *, */)
            rest = trim(substr(s, i + 1))
            for (i = 1; i <= count; i++) {
                meaning[unit, in_record] = meaning[unit, in_record] " " list[i]
                meaning[unit, in_record ".", list[i]] = rest
            }
        }
        return
    }
    if (part == "entity") {
        if (sub(/^generic ?\( ?/, "", s)) clause = "generic"
        if (sub(/^port ?\( ?/, "", s)) clause = "port"
        if (s !~ /^[A-Za-z_0-9, ]+:/ || s ~ /^end/) return
        s = balance(s)
        i = index(s, ":")
        name = trim(substr(s, 1, i - 1))
        rest = trim(substr(s, i + 1))
        if (clause == "generic") {
            if (rest ~ /^(positive|natural|integer)/) generics[unit] = generics[unit] " " name
        } else {
            sub(/^(in|out|inout) +/, "", rest)
            declare(name, "port", rest)
        }
        return
    }
    # The first word of a region may stand behind `begin`, or a label and `generate`.
    if (match(s, /(^| )(constant|signal|subtype|type) [a-z_A-Z0-9, ]+( :| is) .*$/) == 0) return
    if (s ~ /(function|procedure|process|impure) .*(constant|signal|type) /) return
    s = trim(substr(s, RSTART))
    if (s ~ /^constant /) {
        sub(/^constant /, "", s)
        i = index(s, ":")
        name = trim(substr(s, 1, i - 1))
        if (sub(/.*:= */, "", s)) meaning[unit, name] = "constant " s
    } else if (s ~ /^signal /) {
        sub(/^signal /, "", s)
        i = index(s, ":")
        declare(trim(substr(s, 1, i - 1)), "signal", substr(s, i + 1))
    } else if (s ~ /^subtype /) {
        split(s, list, " ")
        sub(/^subtype [a-z_0-9A-Z]+ is /, "", s)
        meaning[unit, list[2]] = "subtype " s
    } else {
        split(s, list, " ")
        name = list[2]
        sub(/^type [a-z_0-9A-Z]+ is /, "", s)
        if (s ~ /^\(/) {
            gsub(/[(),]/, " ", s)
            meaning[unit, name] = "enum " trim(s)
        } else if (s ~ /^array/) {
            match(s, / ?\(.*\) of /)
            rest = substr(s, RSTART, RLENGTH)
            s = substr(s, RSTART + RLENGTH)
            sub(/^ ?\(/, "", rest)
            sub(/\) of $/, "", rest)
            meaning[unit, name] = "array " trim(rest) "|" trim(s)
        } else if (s ~ /^record/) {
            in_record = name
            meaning[unit, name] = "record"
            sub(/^record /, "", s)
            statement(s)
        }
    }
}

FILENAME ~ /\.vhd$/ {
    if (FNR == 1) { unit = pending = in_record = clause = ""; skips = 0 }
    sub(/--.*/, "")
    pending = pending " " $0
    while (i = index(pending, ";")) {
        one = substr(pending, 1, i - 1)
        pending = substr(pending, i + 1)
        statement(one)
    }
    if (FNR > 1 && unit != "" && !(unit in known)) {
        known[unit] = 1
        order[++units] = unit
    }
    next
}

# ----------------------------------------------------------------------------------------------------------- numbers

# The place that gives a name its meaning: the module's unit, or a package, the last one first.
function place_of(name,    i) {
    if ((current, name) in meaning) return current
    for (i = units; i >= 1; i--)
        if (order[i] ~ /_pkg$/ && (order[i], name) in meaning) return order[i]
    return ""
}

# Recursive descent over `rest`; what is no number makes bad true.
function take_sum(    value, sign) {
    value = take_product()
    while (match(rest, /^ *[-+]/)) {
        sign = substr(rest, RLENGTH, 1)
        rest = substr(rest, RLENGTH + 1)
        value = sign == "+" ? value + take_product() : value - take_product()
    }
    return value
}
function take_product(    value, by) {
    value = take_power()
    while (match(rest, /^ *(\*|\/|mod )/) && substr(rest, RLENGTH, 2) != "**") {
        by = substr(rest, RLENGTH, 1)
        rest = substr(rest, RLENGTH + 1)
        if (by == "*") value *= take_power()
        else if (by == "/") value = int(value / take_power())
        else value %= take_power()
    }
    return value
}
function take_power(    value) {
    value = take_atom()
    if (sub(/^ *\*\*/, "", rest)) value = value ^ take_atom()
    return value
}
function take_atom(    value, name, kept) {
    if (sub(/^ *\(/, "", rest)) {
        value = take_sum()
        if (!sub(/^ *\)/, "", rest)) bad = 1
        return value
    }
    if (match(rest, /^ *[0-9]+/)) {
        value = substr(rest, RSTART, RLENGTH) + 0
        rest = substr(rest, RLENGTH + 1)
        return value
    }
    if (!match(rest, /^ *[A-Za-z][A-Za-z_0-9]*/)) { bad = 1; return 0 }
    name = trim(substr(rest, RSTART, RLENGTH))
    rest = substr(rest, RLENGTH + 1)
    if (name == "log2" && sub(/^ *\(/, "", rest)) {
        name = take_sum()
        if (!sub(/^ *\)/, "", rest)) bad = 1
        for (value = 0; 2 ^ (value + 1) <= name; value++);
        return value
    }
    kept = rest
    value = number_of(name)
    rest = kept
    return value
}
function number_of(name,    at, kept) {
    if ((module, name) in generic) return generic[module, name]
    at = place_of(name)
    if (at == "" || meaning[at, name] !~ /^constant /) { bad = 1; return 0 }
    kept = current
    if (at ~ /_pkg$/) current = at
    at = number(substr(meaning[at, name], 10))
    current = kept
    return at
}
function number(expression,    kept, value) {
    kept = rest
    rest = expression
    value = take_sum()
    if (trim(rest) != "") bad = 1
    rest = kept
    return value
}

# ------------------------------------------------------------------------------------------------------------- types
# A type is a number: word[t] is how Verilog writes it, width[t] its bits, plain[t] that it is a vector and no more.

function new_type(text, bits, is_plain) {
    types++
    word[types] = text
    width[types] = bits
    plain[types] = is_plain
    return types
}

function typedef(text, bits, is_plain, name,    t) {
    t = new_type("", bits, is_plain)
    word[t] = "\\" name "." t " "
    print "typedef " text " " word[t] ";"
    return t
}

# low and high of a range, of which the left one comes first; false where it is none.
function range_of(text,    at) {
    at = index(text, " downto ")
    downward = at > 0
    if (!at) at = index(text, " to ")
    if (!at) return 0
    left = number(substr(text, 1, at - 1))
    right = number(substr(text, at + (downward ? 8 : 4)))
    return !bad
}
function length_of() { return downward ? left - right + 1 : right - left + 1 }

# The type that a mark and perhaps a constraint mean to the unit at hand; 0 where that is not known.
function type_of(text,    mark, constraint, at, key, bits, t) {
    mark = text
    constraint = ""
    if (match(text, /\(.*\)$/)) {
        mark = trim(substr(text, 1, RSTART - 1))
        constraint = substr(text, RSTART + 1, RLENGTH - 2)
    }
    sub(/^work\.[a-z_]+\./, "", mark)
    if (mark ~ /^(std_ulogic|std_logic|boolean)$/) return bit
    if (mark ~ /^(std_u?logic_vector|unsigned|signed)$/) {
        if (!range_of(constraint)) {
            bad = 0
            return vague
        }
        return new_type("logic [" left ":" right "]", length_of(), 1)
    }
    if (sub(/^(natural|integer) range /, "", text)) {
        if (!range_of(text)) return 0
        for (bits = 1; 2 ^ bits <= right; bits++);
        return new_type("logic [" bits - 1 ":0]", bits, 1)
    }
    at = place_of(mark)
    if (at == "") return 0
    # What a package says is the same for all.
    key = (at ~ /_pkg$/ && constraint == "" ? at : module) SUBSEP mark SUBSEP constraint
    if (key in resolved) return resolved[key]
    t = named_type(at, mark, constraint)
    return resolved[key] = t
}

function named_type(at, mark, constraint,    kept, what, t, element, fields, count, i, body, bits, parts) {
    what = meaning[at, mark]
    kept = current
    if (what ~ /^subtype /) {
        if (at ~ /_pkg$/) current = at
        t = type_of(trim(substr(what, 9)))
        current = kept
        return t
    }
    if (what ~ /^enum /) {
        count = split(substr(what, 6), fields, " ")
        for (bits = 1; 2 ^ bits < count; bits++);
        body = ""
        for (i = 1; i <= count; i++) {
            element = fields[i] # names are of all modules, here
            if (literal[element]++) element = element "." literal[fields[i]]
            body = body (i > 1 ? ", " : "") "\\" element "  = " bits "'d" (i - 1)
        }
        return typedef("enum logic [" bits - 1 ":0] {" body "}", bits, 0, mark)
    }
    if (what ~ /^array /) {
        split(substr(what, 7), parts, "|")
        if (constraint != "" ? !range_of(constraint) : !range_of(parts[1])) return 0
        body = "[" left ":" right "]"
        bits = length_of()
        if (at ~ /_pkg$/) current = at
        element = type_of(parts[2])
        current = kept
        if (!element || element == vague) return 0
        # In `logic [31:0] [0:7]` the first range would be that of the array.
        if (plain[element] && element != bit) element = typedef(word[element], width[element], 1, "vector")
        t = typedef(word[element] body, bits * width[element], 0, mark)
        array[t] = 1
        return t
    }
    if (what !~ /^record/) return 0
    if (at ~ /_pkg$/) current = at
    count = split(substr(what, 8), fields, " ")
    body = ""
    bits = 0
    for (i = 1; i <= count; i++) {
        element = type_of(meaning[at, mark ".", fields[i]])
        if (!element || element == vague) {
            current = kept
            return 0
        }
        body = word[element] " \\" fields[i] " ; " body
        bits += width[element]
    }
    current = kept
    return typedef("struct packed { " body "}", bits, 0, mark)
}

# ----------------------------------------------------------------------------------------------------------- Verilog

BEGIN {
    bit = new_type("logic", 1, 1)
    vague = new_type("", 0, 1) # a vector of a size that is not known
    generic[top, "CORES"] = cores
    generic[top, "SMS"] = sms
}

# The unit that a module is of, and its generics.
function enter(name,    i, list, values, count, rest) {
    current = ""
    for (i = 1; i <= units; i++)
        if (index(name "_", order[i] "_") == 1 && length(order[i]) > length(current)) current = order[i]
    module = name
    count = split(generics[current], list, " ")
    split(substr(name, length(current) + 2), values, "_")
    for (i = 1; i <= count && values[i] ~ /^[0-9]+$/; i++) generic[name, list[i]] = values[i]
    split("", type_of_net)
    count = split(signals[current], list, " ")
    for (i = 1; i <= count; i++) net(list[i], substr(meaning[current, list[i]], 8))
    count = split(ports[current], list, " ")
    for (i = 1; i <= count; i++) net(list[i], substr(meaning[current, list[i]], 6))
}

# Remembers the type of a net; of the fields of a record, those of a port's parts.
function net(name, text,    t, at, what, kept, fields, count, i) {
    bad = 0
    t = type_of(text)
    if (!t || bad) { type_of_net[name] = 0; return }
    type_of_net[name] = t
    if (array[t] && !(t in boxed)) {
        boxed[t] = "\\box." t " "
        print "typedef struct packed { " word[t] " at; } " boxed[t] ";"
    }
    at = place_of(text)
    if (at == "" || meaning[at, text] !~ /^record/) return
    count = split(substr(meaning[at, text], 8), fields, " ")
    kept = current
    for (i = 1; i <= count; i++) {
        if (at ~ /_pkg$/) current = at
        type_of_net[name "_" fields[i]] = type_of(meaning[at, text ".", fields[i]])
        current = kept
    }
}

/^module / { enter($2) }

match($0, /(input|output|wire|reg) +(\[[0-9]+:0\] )?\\?[a-z][a-z_0-9]* ?[;,)]/) && !/^ *\/\// {
    before = substr($0, 1, RSTART - 1)
    after = substr($0, RSTART + RLENGTH - 1)
    split(substr($0, RSTART, RLENGTH - 1), words, " ")
    bits = 1
    name = words[2]
    if (name ~ /^\[/) {
        bits = substr(name, 2) + 1
        name = words[3]
    }
    plainly = name
    sub(/^\\/, "", plainly)
    if (plainly in type_of_net && before !~ /tracing_off/ && plainly !~ /(^r|_)in$/ &&
        (current !~ /^decode/ || current == "decode_word")) {
        t = type_of_net[plainly]
        if (!t || (width[t] != bits && t != vague)) {
            misfits++
            if (verbose) print module ": " plainly ": " bits " bits, not " width[t] + 0 > "/dev/stderr"
        } else if (!plain[t]) {
            typed++
            text = t in boxed ? boxed[t] : word[t]
            $0 = before (words[1] ~ /put/ ? words[1] " " : "") text " " name (name ~ /^\\/ ? " " : "") after
        }
    }
}

{ print }

END { print typed + 0 " signals have their fields, " misfits + 0 " are not what their type says" > "/dev/stderr" }

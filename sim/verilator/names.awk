# SPDX-License-Identifier: Apache-2.0
# Writes names in Verilator's code for waves as GHDL has them in its own: of the Nth copy of what `for ... generate`
# makes, lane_nN_u_lane, where all ranges begin at 0, lane(N-1).u_lane; of a field of a record port, x2_i_float,
# x2_i.float; of an array, which records.awk has put into a box, stages.at[1], stages[1]; of a field that is a word of
# C++, __SYM__float, float.
#
# To Verilator 5.006 a blank in a name divides what waves show as hierarchy. 5.032 has a call for each part of it,
# pushPrefix and popPrefix; that of an array only joins its name to the next one, and may not be empty. They match
# across functions and files, which come in their order.
#
#     awk -f names.awk Vgpu_flat__Trace__0__Slow.cpp ...      writes each into FILE.named

function put(line) {
    if (held != "") print held > (file ".named")
    held = line
}
FNR == 1 {
    put("")
    file = FILENAME
}

function push(name, type) {
    put("    tracep->pushPrefix(\"" name "\", VerilatedTracePrefixType::" type ");")
}

# Opens the parts of a name but the last one, as pushPrefix does; returns how many.
function open_parts(name,    part, count, i) {
    count = split(name, part, " ") - 1
    for (i = 1; i <= count; i++) push(part[i], "SCOPE_MODULE")
    return count
}
function close_parts(count) {
    while (count-- > 0) put("    tracep->popPrefix();")
}

# The parts around a signal stay open for the next one, as a record's fields follow each other.
function show_within(parts) {
    if (parts == around) return
    close_parts(around == "" ? 0 : split(around, unused, " "))
    around = parts
    if (parts != "") open_parts(parts " .")
}

/tracep->(decl|push(Name)?Prefix)/ {
    gsub(/"__SYM__/, "\"")
    while (match($0, /_n[0-9]+_[a-z]/))
        $0 = substr($0, 1, RSTART - 1) "(" substr($0, RSTART + 2, RLENGTH - 4) - 1 ") " substr($0, RSTART + RLENGTH - 1)
    if (/tracep->decl/ && match($0, /"[a-z_0-9]*_[io]_[a-z]/))
        $0 = substr($0, 1, RSTART + RLENGTH - 3) " " substr($0, RSTART + RLENGTH - 1)
    if (/pushNamePrefix\("at"\)/) {
        sub(/\\[0-9]+ "/, "\"", held)
        sub(/"at"/, "\"\"")
    }
}

/VerilatedTrace(Prefix|Sig)/ && match($0, /"[^"]*"/) {
    name = parts = substr($0, RSTART + 1, RLENGTH - 2)
    if (!sub(/ [^ ]*$/, "", parts)) parts = ""
    sub(/.* /, "", name)
    $0 = substr($0, 1, RSTART) name substr($0, RSTART + RLENGTH - 1)
    if (/tracep->decl/) show_within(parts)
    else {
        show_within("")
        opened[++depth] = open_parts(parts " " name)
        if (name == "at" && held ~ /pushPrefix\("[a-z_0-9][a-z_0-9]+", / && /ARRAY_PACKED/) {
            split(held, text, "\"")
            held = ""
            push(substr(text[2], 1, length(text[2]) - 1), "ARRAY_PACKED")
            sub(/"at"/, "\"" substr(text[2], length(text[2])) "\"")
        }
    }
}
!/tracep->decl/ { show_within("") }
/tracep->popPrefix\(\)/ { close_parts(opened[depth--]) }

{ put($0) }

END { put("") }

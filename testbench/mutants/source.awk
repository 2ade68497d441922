# SPDX-License-Identifier: Apache-2.0
# Operator mutants of C and VHDL: lists those of the files given, or writes a file with one of them in it.
#
#     awk -f source.awk FILE...                 key, entity, place, kind; tabs between
#     awk -f source.awk -v only=KEY FILE        the file with that mutant
#
# A key is FILE:LINE:COLUMN:KIND. One operator becomes another, a number one more, a condition its opposite, a return of
# true one of false; a statement is left out. It goes by lines as clang-format lays them out: an operator has a blank on
# both sides.

function mutant(kind, column, length_, text,    key) {
    key = FILENAME ":" FNR ":" column ":" kind
    gsub(/ /, "_", key)
    if (only == "") {
        print key "\t" FILENAME "\t" FILENAME ":" FNR ":" column "\t" kind
    } else if (key == only) {
        $0 = substr($0, 1, column - 1) text substr($0, column + length_)
        found = 1
    }
}

# All places of an operator, blanks around it.
function operator(from, to,    at, rest) {
    at = 1
    while ((rest = index(substr(code, at), " " from " ")) > 0) {
        at += rest
        mutant(from " " to, at, length(from), to)
        at += length(from)
    }
}

BEGIN {
    vhdl_count = split("and or = /= + - xor", vhdl_from, " ")
    split("or and /= = - + and", vhdl_to, " ")
    count = split("&& || == != < <= > >= + - & | ^ << >> += -= |= &= < > ", from_, " ")
    split("|| && != == <= < >= > - + | & | >> << -= += &= |= >= <=", to_, " ")
}

FILENAME ~ /\.vhd$/ {
    code = $0
    sub(/ *--.*/, "", code)
    if (code ~ /^ *begin/ && !deep) deep = 1                 # the architecture's; functions of packages have none
    for (i = 1; i <= vhdl_count; i++) operator(vhdl_from[i], vhdl_to[i])
    for (i = 0; i <= 1; i++) {
        at = 1
        while ((k = index(substr(code, at), "\047" i "\047")) > 0) {
            mutant("bit", at + k - 1, 3, "\047" 1 - i "\047")
            at += k + 2
        }
    }
    if (match(code, / not [a-z(]/)) mutant("not", RSTART + 1, 4, "")
    if (deep && code ~ /^      +[a-z_][^ ]* +(<=|:=) [^;]*;$/) {
        match(code, /[^ ]/)
        mutant("dropped", RSTART, length(code) - RSTART + 1, "null;")
    }
    if (only != "") print
    next
}
{ code = $0 }
# No comments, strings, preprocessor, types and prototypes.
/^ *(\/\*|\*|\/\/|#)/ || /^(static|struct|enum|const|bool|void|int|unsigned|uint|typedef|extern)[^=]*$/ { code = "" }
{
    sub(/\/\*.*/, "", code)
    sub(/ \/\/.*/, "", code)
    while (match(code, /"[^"]*"/)) {
        blank = sprintf("%" RLENGTH "s", "")
        gsub(/ /, "_", blank)
        code = substr(code, 1, RSTART - 1) blank substr(code, RSTART + RLENGTH)
    }
}
code != "" && /^ / {
    original = $0
    for (i = 1; i <= count; i++) operator(from_[i], to_[i])
    if (match(code, /^ *(\} else )?(if|while) \(/) && code ~ /\) \{$/) {
        start = RSTART + RLENGTH
        inner = substr(code, start, length(code) - start - 2)
        mutant("negated", start, length(inner), "!(" substr(original, start, length(inner)) ")")
    }
    if (match(code, /return true;/)) mutant("false", RSTART, RLENGTH, "return false;")
    if (match(code, /return false;/)) mutant("true", RSTART, RLENGTH, "return true;")
    if (code ~ /^ +[a-z_][a-z_0-9]*((->|\.|\[)[^ =]*)? [|&+^-]?= [^{]*;$/ || code ~ /^ +[a-z_0-9]+\([^{]*\);$/ ||
        code ~ /^ +(continue|break);$/)
        if (code !~ /^ +(return|free|assert)/) {
            match(code, /[^ ]/)
            mutant("dropped", RSTART, length(code) - RSTART + 1, ";")
        }
    at = 1
    while (match(substr(code, at), /[ (\[][0-9]+[ ;,)\]]/)) {
        number = substr(code, at + RSTART, RLENGTH - 2)
        mutant("constant", at + RSTART, length(number), number + 1)
        at += RSTART + RLENGTH - 2
    }
}

only != "" { print }
END { if (only != "" && !found) { print only ": no such mutant" > "/dev/stderr"; exit 1 } }

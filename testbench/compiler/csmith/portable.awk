# SPDX-License-Identifier: Apache-2.0
# Adapts Csmith's C++ to 32 and 64 bits and to clang's NVPTX: numbers with L get LL, which has 64 bits everywhere;
# pointers into arrays and structures are initialised at the start of main, because LLVM refuses such initialisers on a
# device.
function widen(line,   out) {
    while (match(line, /[0-9A-Fa-f]L[^LA-Za-z0-9_]|[0-9A-Fa-f]UL[^LA-Za-z0-9_]/)) {
        out = out substr(line, 1, RSTART + RLENGTH - 3) "LL"
        line = substr(line, RSTART + RLENGTH - 1)
    }
    return out line
}
{ $0 = widen($0) }
/^static [^(]*\*[^(]* = &.*[[.]/ && !/\{/ {
    split($0, part, " = ")
    name = part[1]
    sub(/.*[ *]/, "", name)
    starts = starts "    " name " = " part[2] "\n"
    sub(/const +(volatile +)?g_/, "g_", part[1])
    print part[1] " = NULL;"
    next
}
/^int main/ { print "static void start_pointers(void)\n{\n" starts "}\n" }
{ print }

# SPDX-License-Identifier: Apache-2.0
# yosys forgets where a memory comes from. This writes commands for it that say so of the cells of each memory: the line
# of the VHDL that has it, which is the instance of ram_1r1w.
#
#     awk -v top=MODULE [-v path=INSTANCE.] -f memories.awk FILE.v > FILE.ys
#
# FILE.v is as ghdl writes it; INSTANCE is that of MODULE in what is around it.

$1 == "/*" && $3 == "*/" { place = $2; sub(/:[0-9]+$/, "", place); next }
/^module / { module = $2; place = "" }
/^  [a-z][a-z0-9_]* [a-z][a-z0-9_]* \($/ {
    i = ++instances[module]
    type[module, i] = $1
    name[module, i] = $2
    at[module, i] = place
}
END { walk(top, path) }

function walk(module, path,   i, inner) {
    for (i = 1; i <= instances[module]; i++) {
        inner = path name[module, i]
        if (type[module, i] ~ /^ram_1r1w/)
            printf "setattr -set src \"%s.1\" c:%s.*\n", at[module, i], inner
        else
            walk(type[module, i], inner ".")
    }
}

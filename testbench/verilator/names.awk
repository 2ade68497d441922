# SPDX-License-Identifier: Apache-2.0
# Writes names in Verilator's code for waves as GHDL has them in its own: of the Nth copy of what `for ... generate`
# makes, lane_nN_u_lane, where all ranges begin at 0, lane(N-1).u_lane; of a field of a record port, x2_i_float,
# x2_i.float; of an array, which records.awk has put into a box, stages.at[1], stages[1]; of a field that is a word of
# C++, __SYM__float, float. A blank divides what waves show as hierarchy.
#
#     awk -f names.awk Vgpu_flat__Trace__0__Slow.cpp > named.cpp

function put(line) {
    if (held != "") print held
    held = line
}

/tracep->(decl|pushNamePrefix)/ {
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

{ put($0) }

END { print held }

# SPDX-License-Identifier: Apache-2.0
# Writes PTX programs of double precision, FOLDER/dNN.ptx, in the form that run.sh runs: thread g < n reads four doubles
# at in + 32 g and writes 32 bytes at out + 32 g. Each has an input, FOLDER/dNN.hex: alternately numbers of every kind,
# and numbers close to each other. A chip's output becomes dNN.out.
#
#     awk -v folder=FOLDER -f draw_double.awk
function random(n) { # like splitmix in 31 bits, exact in awk's doubles
    state = (state * 48271) % 2147483647
    return state % n
}
function word() { return random(65536) * 65536 + random(65536) }
function corner(    list, n) {
    n = split("00000000:00000000 00000000:00000001 000fffff:ffffffff 00100000:00000000 00200000:00000001 " \
        "36a00000:00000000 380fffff:ffffffff 38100000:00000000 3e600000:00000000 3f0ffc00:00000000 3f100000:00000000 " \
        "3fdfffff:ffffffff 3fe00000:00000000 3ff00000:00000000 3ff80000:00000000 40040000:00000000 405fe000:00000000 " \
        "406fe000:00000000 40dfffc0:00000000 40effff0:00000000 41dfffff:ffe00000 41efffff:fff00000 41f00000:00000000 " \
        "433fffff:ffffffff 43dfffff:ffffffff 43e00000:00000000 43f00000:00000000 40effc00:00000000 47efffff:f0000000 " \
        "7fefffff:ffffffff 7ff00000:00000000 7ff80000:00000000", list, " ")
    split(list[1 + random(n)], list, ":")
    return sprintf("%s%s", list[2], random(2) ? list[1] : sprintf("%x%s", index("01234567", substr(list[1], 1, 1)) + 7,
        substr(list[1], 2)))
}
function number(    e) { # low word, high word
    if (random(4) == 0) return corner()
    e = random(3) == 0 ? random(2047) : random(3) == 0 ? 1023 + random(70) : 1003 + random(40)
    return sprintf("%08x%08x", random(3) == 0 ? random(4) * 536870912 : word(),
        (random(2) * 2048 + e) * 1048576 + random(1048576))
}
# Little-endian bytes of a word in hex.
function bytes(w) { return substr(w, 7, 2) substr(w, 5, 2) substr(w, 3, 2) substr(w, 1, 2) }
function near(a,    low) { # the same number, with the other sign, or with another last digit
    low = substr(a, 1, 7) substr("0123456789abcdef", 1 + random(16), 1)
    if (random(2)) return low substr(a, 9)
    return low sprintf("%x", (index("0123456789abcdef", substr(a, 9, 1)) + 7) % 16) substr(a, 10)
}
function draw_input(file, close_by,    i, a) {
    for (i = 0; i < 1024; i++) {
        a = close_by && i % 2 && random(3) ? near(a) : number()
        print bytes(substr(a, 1, 8)) bytes(substr(a, 9)) > file
    }
    close(file)
}
# BODY reads %d0 to %d3 and writes 8 bytes each to %o0 to %o3.
function program(body,    file) {
    file = sprintf("%s/d%02d", folder, count)
    print ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry k(.param .u64 k_in, .param .u64 k_out, " \
        ".param .u32 k_n)\n{\n.reg .u32 %r<8>;\n.reg .u64 %a<4>;\n.reg .f64 %d<4>;\n.reg .b64 %o<4>;\n" \
        ".reg .f64 %x<8>;" \
        "\n.reg .f32 %f<8>;\n.reg .b16 %h<8>;\n.reg .b64 %q<8>;\n.reg .pred %p<8>;\nmov.u32 %r1, %tid.x;\n" \
        "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r1, %r2, %r3, %r1;\nld.param.u32 %r2, [k_n];\n" \
        "setp.ge.u32 %p0, %r1, %r2;\n@%p0 bra END;\nld.param.u64 %a0, [k_in];\nld.param.u64 %a1, [k_out];\n" \
        "mul.wide.u32 %a2, %r1, 32;\nadd.u64 %a0, %a0, %a2;\nadd.u64 %a1, %a1, %a2;\n" \
        "ld.global.v2.f64 {%d0, %d1}, [%a0];\nld.global.v2.f64 {%d2, %d3}, [%a0+16];\n" body \
        "st.global.u64 [%a1], %o0;\nst.global.u64 [%a1+8], %o1;\nst.global.u64 [%a1+16], %o2;\n" \
        "st.global.u64 [%a1+24], %o3;\nEND:\nret;\n}" > (file ".ptx")
    close(file ".ptx")
    draw_input(file ".hex", count % 2)
    count++
}
# The chip chooses one of several NaNs, and its sign: all become one NaN.
function result(i, text) {
    return text sprintf("setp.nan.f64 %%p1, %%x%d, %%x%d;\nmov.b64 %%o%d, %%x%d;\n" \
        "@%%p1 mov.u64 %%o%d, 0x7fffffffffffffff;\n",
        i, i, i, i, i)
}
function binary(op,    i, body) {
    for (i = 0; i < 4; i++) body = body result(i, sprintf("%s %%x%d, %%d%d, %%d%d;\n", op, i, i, (i + 1) % 4))
    program(body)
}
function unary(a, b, c, d,    op, i, body) {
    op[0] = a; op[1] = b; op[2] = c; op[3] = d
    for (i = 0; i < 4; i++) body = body result(i, sprintf("%s %%x%d, %%d%d;\n", op[i], i, i))
    program(body)
}
function ternary(op,    i, body) {
    for (i = 0; i < 4; i++)
        body = body result(i, sprintf("%s %%x%d, %%d%d, %%d%d, %%d%d;\n", op, i, i, (i + 1) % 4, (i + 2) % 4))
    program(body)
}
# A conversion whose result or source is no double; CLASS is the class of the other register, BITS its width.
function to_other(op, class, bits,    i, body) {
    for (i = 0; i < 4; i++) {
        body = body sprintf("%s %%%s%d, %%d%d;\n", op, class, class == "r" ? 4 : i, i)
        if (class == "q") body = body sprintf("mov.b64 %%o%d, %%q%d;\n", i, i)
        else if (class == "f") body = body sprintf("mov.b32 %%r4, %%f%d;\ncvt.u64.u32 %%o%d, %%r4;\n", i, i)
        else body = body sprintf("cvt.%s64.%s%d %%o%d, %%%s%d;\n", bits < 32 ? "u" : "s",
            bits < 32 ? "u" : "s", bits, i,
            class, class == "r" ? 4 : i)
    }
    program(body)
}
function of_other(op, class,    i, body) {
    for (i = 0; i < 4; i++) {
        body = body sprintf("mov.b64 %%q%d, %%d%d;\n", i, i)
        if (class == "r") body = body sprintf("cvt.u32.u64 %%r4, %%q%d;\n", i)
        if (class == "h") body = body sprintf("shr.u64 %%q4, %%q%d, 37;\ncvt.u16.u64 %%h%d, %%q4;\n", i, i)
        if (class == "f") body = body sprintf("shr.u64 %%q4, %%q%d, 32;\ncvt.u32.u64 %%r4, %%q4;\n" \
            "mov.b32 %%f%d, %%r4;\n", \
            i, i)
        body = body result(i, sprintf("%s %%x%d, %%%s%d;\n", op, i, class, class == "r" ? 4 : i))
    }
    program(body)
}
function relations(list,    name, n, i, k, body) {
    n = split(list, name, " ")
    for (i = 0; i < 4; i++) {
        body = body sprintf("mov.u64 %%o%d, 0;\n", i)
        for (k = 1; k <= n; k++)
            body = body sprintf("setp.%s.f64 %%p1, %%d%d, %%d%d;\nselp.u64 %%q0, %d, 0, %%p1;\n" \
                "or.b64 %%o%d, %%o%d, %%q0;\n",
                name[k], i, (i + 1) % 4, 2 ^ (k - 1), i, i)
    }
    program(body)
}
BEGIN {
    state = 20080617
    split("rn rz rm rp", mode, " ")
    split("rni rzi rmi rpi", whole, " ")
    for (m = 1; m <= 4; m++) {
        for (twice = 0; twice < 2; twice++) {
            binary("add." mode[m] ".f64")
            binary("div." mode[m] ".f64")
            binary("mul." mode[m] ".f64")
            ternary("fma." mode[m] ".f64")
            binary("sub." mode[m] ".f64")
        }
        unary("sqrt." mode[m] ".f64", "rcp." mode[m] ".f64", "abs.f64", "neg.f64")
        unary("cvt." whole[m] ".f64.f64", "sqrt." mode[m] ".f64", "cvt." whole[m] ".f64.f64", "rcp." mode[m] ".f64")
        to_other("cvt." mode[m] ".f32.f64", "f", 32)
        to_other("cvt." mode[m] ".ftz.f32.f64", "f", 32)
        split("s8 u8 s16 u16", narrow, " ")
        for (k = 1; k <= 4; k++) to_other("cvt." whole[m] "." narrow[k] ".f64", k < 3 ? "r" : "h", k < 3 ? 32 : 16)
        to_other("cvt." whole[m] ".s32.f64", "r", 32)
        to_other("cvt." whole[m] ".u32.f64", "r", 32)
        to_other("cvt." whole[m] ".s64.f64", "q", 64)
        to_other("cvt." whole[m] ".u64.f64", "q", 64)
        of_other("cvt." mode[m] ".f64.s64", "q")
        of_other("cvt." mode[m] ".f64.u64", "q")
        of_other("cvt." mode[m] ".f64.s32", "r")
        of_other("cvt." mode[m] ".f64.u32", "r")
        of_other("cvt." mode[m] ".f64.s16", "h")
        of_other("cvt." mode[m] ".f64.u16", "h")
    }
    to_other("cvt.rn.f16.f64", "h", 16)
    of_other("cvt.f64.f32", "f")
    of_other("cvt.ftz.f64.f32", "f")
    of_other("cvt.f64.f16", "h")
    to_other("cvt.rn.sat.f32.f64", "f", 32)
    unary("cvt.sat.f64.f64", "cvt.sat.f64.f64", "cvt.rni.sat.f64.f64", "cvt.rzi.sat.f64.f64")
    for (twice = 0; twice < 2; twice++) {
        binary("min.f64")
        relations("eq ne lt le gt ge equ neu ltu leu gtu geu num nan")
        binary("max.f64")
        binary("copysign.f64")
        relations("eq ne lt le gt ge equ neu ltu leu gtu geu num nan")
    }
}

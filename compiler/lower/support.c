/* SPDX-License-Identifier: Apache-2.0 */
/* Routines for what sm_10 has no instruction for, in PTX. */
#include "lower.h"

const char lower_support_text[] =
    ".version 3.2\n.target sm_20\n"
    /* Quotient and remainder of 64 bits, bit by bit from the highest one of the dividend. */
    ".func (.reg .b32 q0, .reg .b32 q1, .reg .b32 r0, .reg .b32 r1) __divide64(.reg .b32 a0, .reg .b32 a1, "
    ".reg .b32 b0, .reg .b32 b1)\n{\n"
    ".reg .pred %p<8>;\n.reg .b32 %t<8>, %n;\n"
    "mov.b32 q0, a0;\nmov.b32 q1, a1;\nmov.b32 r0, 0;\nmov.b32 r1, 0;\nmov.u32 %n, 64;\n"
    "setp.eq.u32 %p0, a1, 0;\n@!%p0 bra again;\n"
    "mov.b32 q1, q0;\nmov.b32 q0, 0;\nmov.u32 %n, 32;\n"
    "again:\n"
    "add.cc.u32 q0, q0, q0;\naddc.cc.u32 q1, q1, q1;\naddc.cc.u32 r0, r0, r0;\naddc.u32 %t2, r1, r1;\n"
    "shr.u32 %t3, r1, 31;\nmov.b32 r1, %t2;\n"
    "sub.cc.u32 %t0, r0, b0;\nsubc.u32 %t1, r1, b1;\n"
    "setp.lt.u32 %p1, r0, b0;\nsetp.lt.u32 %p2, r1, b1;\nsetp.eq.and.u32 %p3, r1, b1, %p1;\n"
    "or.pred %p4, %p2, %p3;\nsetp.eq.and.u32 %p4, %t3, 0, %p4;\n"
    "@!%p4 mov.b32 r0, %t0;\n@!%p4 mov.b32 r1, %t1;\n@!%p4 add.u32 q0, q0, 1;\n"
    "sub.u32 %n, %n, 1;\nsetp.ne.u32 %p5, %n, 0;\n@%p5 bra again;\n"
    "ret;\n}\n";

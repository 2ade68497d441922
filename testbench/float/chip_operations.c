/* SPDX-License-Identifier: Apache-2.0 */
#include "chip_operations.h"

#include <string.h>

#include "cmodel/core/decoded.h"

const struct chip_operation CHIP_OPERATION[CHIP_OPERATIONS] = {
    {"rcp.approx.ftz.f32",      NULL,                  "RCP R1, R2",                  CHIP_ONE       },
    {"rsqrt.approx.ftz.f32",    NULL,                  "RSQ R1, R2",                  CHIP_ONE       },
    {"lg2.approx.ftz.f32",      NULL,                  "LG2 R1, R2",                  CHIP_ONE       },
    {"ex2.approx.ftz.f32",      "RRO R1, R2, EX2",     "EX2 R1, R1",                  CHIP_ONE       },
    {"sin.approx.ftz.f32",      "RRO R1, R2, SIN",     "SIN R1, R1",                  CHIP_ONE       },
    {"cos.approx.ftz.f32",      "RRO R1, R2, SIN",     "COS R1, R1",                  CHIP_ONE       },
    {"cvt.rni.ftz.s32.f32",     NULL,                  "F2I.S32.F32 R1, R2",          CHIP_ONE       },
    {"cvt.rmi.ftz.s32.f32",     NULL,                  "F2I.S32.F32.FLOOR R1, R2",    CHIP_ONE       },
    {"cvt.rpi.ftz.s32.f32",     NULL,                  "F2I.S32.F32.CEIL R1, R2",     CHIP_ONE       },
    {"cvt.rzi.ftz.s32.f32",     NULL,                  "F2I.S32.F32.TRUNC R1, R2",    CHIP_ONE       },
    {"cvt.rni.ftz.u32.f32",     NULL,                  "F2I.U32.F32 R1, R2",          CHIP_ONE       },
    {"cvt.rmi.ftz.u32.f32",     NULL,                  "F2I.U32.F32.FLOOR R1, R2",    CHIP_ONE       },
    {"cvt.rpi.ftz.u32.f32",     NULL,                  "F2I.U32.F32.CEIL R1, R2",     CHIP_ONE       },
    {"cvt.rzi.ftz.u32.f32",     NULL,                  "F2I.U32.F32.TRUNC R1, R2",    CHIP_ONE       },
    {"cvt.rn.f32.s32",          NULL,                  "I2F.F32.S32 R1, R2",          CHIP_ONE       },
    {"cvt.rm.f32.s32",          NULL,                  "I2F.F32.S32.FLOOR R1, R2",    CHIP_ONE       },
    {"cvt.rp.f32.s32",          NULL,                  "I2F.F32.S32.CEIL R1, R2",     CHIP_ONE       },
    {"cvt.rz.f32.s32",          NULL,                  "I2F.F32.S32.TRUNC R1, R2",    CHIP_ONE       },
    {"cvt.rn.f32.u32",          NULL,                  "I2F.F32.U32 R1, R2",          CHIP_ONE       },
    {"cvt.rm.f32.u32",          NULL,                  "I2F.F32.U32.FLOOR R1, R2",    CHIP_ONE       },
    {"cvt.rp.f32.u32",          NULL,                  "I2F.F32.U32.CEIL R1, R2",     CHIP_ONE       },
    {"cvt.rz.f32.u32",          NULL,                  "I2F.F32.U32.TRUNC R1, R2",    CHIP_ONE       },
    {"cvt.rni.ftz.f32.f32",     NULL,                  "F2F.F32.F32.IR R1, R2",       CHIP_ONE       },
    {"cvt.rmi.ftz.f32.f32",     NULL,                  "F2F.F32.F32.IR.FLOOR R1, R2", CHIP_ONE       },
    {"cvt.rpi.ftz.f32.f32",     NULL,                  "F2F.F32.F32.IR.CEIL R1, R2",  CHIP_ONE       },
    {"cvt.rzi.ftz.f32.f32",     NULL,                  "F2F.F32.F32.IR.TRUNC R1, R2", CHIP_ONE       },
    {"cvt.rn.ftz.f16.f32",      NULL,                  "F2F.F16.F32 R1L, R2",         CHIP_ONE       },
    {"cvt.rz.ftz.f16.f32",      NULL,                  "F2F.F16.F32.TRUNC R1L, R2",   CHIP_ONE       },

    {"add.rn.ftz.f32",          NULL,                  "FADD R1, R2, R3",             CHIP_TWO       },
    {"add.rm.ftz.f32",          NULL,                  "FADD.FLOOR R1, R2, R3",       CHIP_TWO       },
    {"add.rp.ftz.f32",          NULL,                  "FADD.CEIL R1, R2, R3",        CHIP_TWO       },
    {"add.rz.ftz.f32",          NULL,                  "FADD.TRUNC R1, R2, R3",       CHIP_TWO       },
    {"mul.rn.ftz.f32",          NULL,                  "FMUL R1, R2, R3",             CHIP_TWO       },
    {"mul.rm.ftz.f32",          NULL,                  "FMUL.FLOOR R1, R2, R3",       CHIP_TWO       },
    {"mul.rp.ftz.f32",          NULL,                  "FMUL.CEIL R1, R2, R3",        CHIP_TWO       },
    {"mul.rz.ftz.f32",          NULL,                  "FMUL.TRUNC R1, R2, R3",       CHIP_TWO       },
    {"max.ftz.f32",             NULL,                  "FMAX R1, R2, R3",             CHIP_TWO       },
    {"min.ftz.f32",             NULL,                  "FMIN R1, R2, R3",             CHIP_TWO       },
    {"set.lt.ftz.u32.f32",      NULL,                  "FSET R1, R2, R3, LT",         CHIP_TWO       },
    {"set.eq.ftz.u32.f32",      NULL,                  "FSET R1, R2, R3, EQ",         CHIP_TWO       },
    {"set.le.ftz.u32.f32",      NULL,                  "FSET R1, R2, R3, LE",         CHIP_TWO       },
    {"set.gt.ftz.u32.f32",      NULL,                  "FSET R1, R2, R3, GT",         CHIP_TWO       },
    {"set.ne.ftz.u32.f32",      NULL,                  "FSET R1, R2, R3, NE",         CHIP_TWO       },
    {"set.ge.ftz.u32.f32",      NULL,                  "FSET R1, R2, R3, GE",         CHIP_TWO       },
    {"set.num.ftz.u32.f32",     NULL,                  "FSET R1, R2, R3, NUM",        CHIP_TWO       },
    {"set.nan.ftz.u32.f32",     NULL,                  "FSET R1, R2, R3, NAN",        CHIP_TWO       },
    {"set.ltu.ftz.u32.f32",     NULL,                  "FSET R1, R2, R3, LTU",        CHIP_TWO       },
    {"set.equ.ftz.u32.f32",     NULL,                  "FSET R1, R2, R3, EQU",        CHIP_TWO       },
    {"set.leu.ftz.u32.f32",     NULL,                  "FSET R1, R2, R3, LEU",        CHIP_TWO       },
    {"set.gtu.ftz.u32.f32",     NULL,                  "FSET R1, R2, R3, GTU",        CHIP_TWO       },
    {"set.neu.ftz.u32.f32",     NULL,                  "FSET R1, R2, R3, NEU",        CHIP_TWO       },
    {"set.geu.ftz.u32.f32",     NULL,                  "FSET R1, R2, R3, GEU",        CHIP_TWO       },
    {"slct.ftz.f32.f32 x,~x,y", NULL,                  "FCMP R1, R2, R3, R4",         CHIP_SELECTION },
    {"mul24.lo.s32",            NULL,                  "IMUL.S24.S24 R1, R2, R3",     CHIP_TWO       },
    {"mul24.lo.u32",            NULL,                  "IMUL.U24.U24 R1, R2, R3",     CHIP_TWO       },
    {"mul24.hi.s32",            NULL,                  "IMUL.HI.S24.S24 R1, R2, R3",  CHIP_TWO       },
    {"mul24.hi.u32",            NULL,                  "IMUL.HI.U24.U24 R1, R2, R3",  CHIP_TWO       },
    {"mul.wide.s16 low halves", NULL,                  "IMUL.S16.S16 R1, R2L, R3L",   CHIP_LOW_HALVES},
    {"mul.wide.u16 low halves", NULL,                  "IMUL.U16.U16 R1, R2L, R3L",   CHIP_LOW_HALVES},
    {"sad.s32 x,y,0",           NULL,                  "ISAD.S32 R1, R2, R3, R4",     CHIP_TWO       },
    {"sad.u32 x,y,0",           NULL,                  "ISAD R1, R2, R3, R4",         CHIP_TWO       },
    {"max.s32",                 NULL,                  "IMAX.S32 R1, R2, R3",         CHIP_TWO       },
    {"max.u32",                 NULL,                  "IMAX R1, R2, R3",             CHIP_TWO       },
    {"min.s32",                 NULL,                  "IMIN.S32 R1, R2, R3",         CHIP_TWO       },
    {"min.u32",                 NULL,                  "IMIN R1, R2, R3",             CHIP_TWO       },
    {"shl.b32",                 NULL,                  "SHL R1, R2, R3",              CHIP_TWO       },
    {"shr.s32",                 NULL,                  "SHR.S32 R1, R2, R3",          CHIP_TWO       },
    {"shr.u32",                 NULL,                  "SHR R1, R2, R3",              CHIP_TWO       },
    {"add.sat.s32",             NULL,                  "IADD.SAT R1, R2, R3",         CHIP_TWO       },
    {"sub.sat.s32",             NULL,                  "IADD.SAT R1, R2, -R3",        CHIP_TWO       },
    {"cvt.sat.s8.s32 x",        NULL,                  "I2I.S32.S32.SAT R1, R2",      CHIP_TWO       },
    {"cvt.sat.u8.s32 x",        NULL,                  "I2I.U32.S32.SAT R1, R2",      CHIP_TWO       },
    {"cvt.sat.u8.u32 x",        NULL,                  "I2I.U32.U32.SAT R1, R2",      CHIP_TWO       },
    {"cvt.sat.s16.s32 x",       "I2I.S16.S32 R1L, R2", "I2I.S32.S16 R1, R1L",         CHIP_TWO       },
    {"cvt.sat.u16.s32 x",       NULL,                  "I2I.U16.S32 R1L, R2",         CHIP_TWO       },
    {"cvt.sat.u16.u32 x",       NULL,                  "I2I.U16.U32 R1L, R2",         CHIP_TWO       },
};

void chip_operands_set(struct unit_operands *o, unsigned lane, enum chip_sources sources, uint32_t x, uint32_t y) {
    const uint32_t mask = sources == CHIP_LOW_HALVES ? 0xffff : UINT32_MAX;
    o->a[lane] = x & mask;
    o->b[lane] = sources == CHIP_SELECTION ? ~x : y & mask;
    o->c[lane] = sources == CHIP_SELECTION ? y : 0;
}

/* ------------------------------------------------------------------------------------------------------ the model */

static bool open_instruction(const char *text, struct isa_insn *insn, exec_fn *lanes[2]) {
    uint32_t lo, hi;
    struct isa_error error;
    if (!isa_parse(text, strlen(text), NULL, &lo, &hi, &error) || isa_decode(lo, hi, insn) != ISA_OK) return false;
    for (unsigned i = 0; i < 2; i++) {
        const struct code code = {.regs = 16, .avx2 = i != 0 && lanes_have_avx2()};
        struct decoded d = {.ready = false};
        decoded_words(&code, 0, lo, hi, &d);
        lanes[i] = d.lanes;
    }
    return lanes[0] != NULL && lanes[1] != NULL;
}

bool chip_model_open(const struct chip_operation *operation, struct chip_model *model) {
    *model = (struct chip_model){.lanes = {NULL}};
    return (operation->before == NULL || open_instruction(operation->before, &model->before, model->before_lanes)) &&
           open_instruction(operation->text, &model->insn, model->lanes);
}

void chip_model_run(const struct chip_model *model, bool avx2, const struct unit_operands *o,
                    uint32_t value[WARP_LANES]) {
    struct exec_in in = {.a = o->a, .b = o->b, .c = o->c, .insn = &model->before};
    struct exec_out first = {.carry = 0}, out = {.carry = 0};
    if (model->before_lanes[avx2] != NULL) {
        model->before_lanes[avx2](&in, &first);
        in.a = first.value;
    }
    in.insn = &model->insn;
    model->lanes[avx2](&in, &out);
    memcpy(value, out.value, sizeof out.value);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Semantics. Each operation is one pure function of lane values, in exec_*.c, inside one loop over the 32 lanes. The
 * loops compute every lane; the mask applies when results are written.
 *
 *     struct exec_in in = {.a = a, .b = b, .insn = insn};
 *     struct exec_out out = {0};
 *     exec_iadd(&in, &out);            // out.value[lane], and the lanes with carry and overflow
 */
#ifndef WARPSTEP_EXEC_H
#define WARPSTEP_EXEC_H

#include "../../assembler/isa/isa.h"
#include "lanes.h"

enum { LOGIC_AND, LOGIC_OR, LOGIC_XOR, LOGIC_PASS_B }; /* isa_insn.logic */

struct exec_in {
    /* Operands of 32 lanes; zero-extended if 16 bits wide, NULL if absent. */
    const uint32_t *a, *b, *c;
    uint32_t carry;              /* lanes whose carry flag is set, for .CARRY forms */
    const struct isa_insn *insn; /* attributes and options */
};

struct exec_out {
    uint32_t value[WARP_LANES]; /* zero-extended if the result is 16 bits wide */
    uint32_t carry, overflow;   /* lanes; written only if the instruction sets flags and the operation defines them */
};

typedef void exec_fn(const struct exec_in *in, struct exec_out *out);

/* Each operation has two versions, exec_iadd and exec_iadd_avx2, with the same result; the second is faster
 * (lanes.h). */
#define EXEC(name)      TWICE(name, (const struct exec_in *in, struct exec_out *out), (in, out))
#define EXEC_BOTH(name) name, name##_avx2
exec_fn EXEC_BOTH(exec_iadd), EXEC_BOTH(exec_imul), EXEC_BOTH(exec_imad), EXEC_BOTH(exec_isad); /* exec_int.c */
exec_fn EXEC_BOTH(exec_wmul), EXEC_BOTH(exec_wmad), EXEC_BOTH(exec_idiv), EXEC_BOTH(exec_irem);
exec_fn EXEC_BOTH(exec_iset), EXEC_BOTH(exec_imin), EXEC_BOTH(exec_imax); /* exec_logic.c */
exec_fn EXEC_BOTH(exec_shl), EXEC_BOTH(exec_shr), EXEC_BOTH(exec_lop);
exec_fn EXEC_BOTH(exec_i2i);                                              /* exec_cvt.c */
exec_fn EXEC_BOTH(exec_mov);                                              /* exec_move.c */
exec_fn EXEC_BOTH(exec_fadd), EXEC_BOTH(exec_fmul), EXEC_BOTH(exec_fmad); /* float/arithmetic.c */
exec_fn EXEC_BOTH(exec_fset), EXEC_BOTH(exec_fmax), EXEC_BOTH(exec_fmin), EXEC_BOTH(exec_fcmp);
exec_fn EXEC_BOTH(exec_i2f), EXEC_BOTH(exec_f2i), EXEC_BOTH(exec_f2f); /* float/convert.c */
exec_fn EXEC_BOTH(exec_rcp), EXEC_BOTH(exec_rsq), EXEC_BOTH(exec_lg2); /* float/special.c */
exec_fn EXEC_BOTH(exec_sin), EXEC_BOTH(exec_cos), EXEC_BOTH(exec_ex2), EXEC_BOTH(exec_rro);

/* Result of one lane of an operation that defines carry and overflow (each 0 or 1). */
struct alu_out {
    uint32_t value, carry, overflow;
};

LANES_INLINE unsigned exec_width(const struct isa_insn *insn) { return (insn->attr & ISA_W16) != 0 ? 16 : 32; }
LANES_INLINE uint32_t width_mask(unsigned bits) { return 0xffffffffu >> (32 - bits); }

/* value sign-extended from the bit `sign` (0x8000 ...); sign 0: unchanged. The bits above `sign` must be 0. */
LANES_INLINE uint32_t extend(uint32_t value, uint32_t sign) { return (value ^ sign) - sign; }

#endif

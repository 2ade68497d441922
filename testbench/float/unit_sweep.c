/* SPDX-License-Identifier: Apache-2.0 */
/* Holds the floating-point units of the RTL against the model where an instruction has one source: all 2^23 fractions
 * with each sign and exponent at which something changes. Prints TAP.
 *
 *     unit_sweep [--stride N]      every N-th fraction
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "unit_model.h"

enum { SHOWN = 5, HEADS_MOST = 24, FRACTION_BITS = 23 };

/* Signs and exponents, a list each: the upper nine bits of a source. */
#define HEADS(...)                                                            \
    {                                                                         \
        sizeof((uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t), { __VA_ARGS__ } \
    }
struct heads {
    size_t count;
    uint16_t head[HEADS_MOST];
};

/* Denormals; the least number; about 1 and its inverse; the greatest exponents; infinity and NaN; and one negative. */
static const struct heads FUNCTION = HEADS(0, 1, 2, 126, 127, 128, 252, 253, 254, 255, 0x100, 0x101, 0x17f, 0x1fd);
/* Four quarter turns of each sign; the special codes; bits without effect. */
static const struct heads TURNS = HEADS(0, 1, 2, 3, 0x100, 0x101, 0x102, 0x103, 0x80, 0x81, 0x180, 0x7c, 0x17f);
/* Exponents about 0 and at both ends; the special codes. */
static const struct heads POWER =
    HEADS(0, 1, 2, 0x7e, 0x7f, 0x80, 0x81, 0x100, 0x101, 0x17d, 0x17e, 0x17f, 0x180, 0x181);
/* Shifts of a significand by all its bits, to the left and to the right; where turns have lost their meaning. */
static const struct heads REDUCED =
    HEADS(0, 1, 103, 104, 119, 126, 127, 128, 133, 134, 135, 142, 143, 150, 151, 159, 254, 255, 0x17f, 0x1ff);
/* Below, at and beyond the ends of 16 and 32 bits; a half; where fractions end. */
static const struct heads TO_INTEGER = HEADS(0, 1, 125, 126, 127, 128, 141, 142, 143, 149, 150, 151, 157, 158, 159, 254,
                                             255, 0x17e, 0x17f, 0x18e, 0x196, 0x19d, 0x19e, 0x1ff);
/* Words: of few and of all bits, and negative. */
static const struct heads INTEGER = HEADS(0, 1, 2, 4, 31, 32, 127, 128, 255, 0x100, 0x101, 0x180, 0x1fe, 0x1ff);
/* Denormals of F16 and what is below them; F16's ends; where fractions end. */
static const struct heads FORMAT = HEADS(0, 1, 93, 94, 101, 102, 103, 111, 112, 113, 126, 127, 141, 142, 143, 149, 150,
                                         151, 254, 255, 0x166, 0x171, 0x18e, 0x1ff);

static const struct trial {
    const char *text;
    const struct heads *heads;
} TRIALS[] = {
    {"RCP R1, R2",                     &FUNCTION  },
    {"RSQ R1, R2",                     &FUNCTION  },
    {"LG2 R1, R2",                     &FUNCTION  },
    {"SIN R1, R2",                     &TURNS     },
    {"COS R1, R2",                     &TURNS     },
    {"EX2 R1, R2",                     &POWER     },
    {"RRO R1, R2, SIN",                &REDUCED   },
    {"RRO R1, R2, EX2",                &REDUCED   },
    {"F2I.S32.F32 R1, R2",             &TO_INTEGER},
    {"F2I.U32.F32.TRUNC R1, R2",       &TO_INTEGER},
    {"F2I.S16.F32.FLOOR R1L, R2",      &TO_INTEGER},
    {"F2I.U16.F32.CEIL R1L, -R2",      &TO_INTEGER},
    {"I2F.F32.S32 R1, R2",             &INTEGER   },
    {"I2F.F32.U32.TRUNC R1, R2",       &INTEGER   },
    {"I2F.F32.S32.FLOOR R1, -R2",      &INTEGER   },
    {"I2F.F16.U32 R1L, R2",            &INTEGER   },
    {"I2F.F16.S32.CEIL R1L, R2",       &INTEGER   },
    {"F2F.F32.F32.IR R1, R2",          &FORMAT    },
    {"F2F.F32.F32.IR.CEIL.SAT R1, R2", &FORMAT    },
    {"F2F.F16.F32 R1L, R2",            &FORMAT    },
    {"F2F.F16.F32.TRUNC R1L, R2",      &FORMAT    },
    {"F2F.F16.F32.IR.FLOOR R1L, R2",   &FORMAT    },
};
enum { TRIAL_COUNT = sizeof TRIALS / sizeof TRIALS[0] };

static uint64_t compare(struct float_unit *unit, const struct trial *trial, const struct isa_insn *insn,
                        const struct unit_operands *o, uint64_t shown) {
    struct unit_results is, must;
    uint64_t wrong = 0;
    unit_by_rtl(unit, insn, o, &is);
    unit_by_model(insn, o, &must);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        if (is.value[i] == must.value[i] && is.flags[i] == must.flags[i]) continue;
        if (shown + wrong++ < SHOWN)
            printf("# %s: %08" PRIx32 ": must be %08" PRIx32 ", is %08" PRIx32 ", flags %x\n", trial->text, o->a[i],
                   must.value[i], is.value[i], is.flags[i]);
    }
    return wrong;
}

static bool run(struct float_unit *unit, const struct trial *trial, unsigned number, uint32_t stride) {
    struct isa_insn insn;
    struct isa_error error;
    struct unit_operands o = {{0}, {0}, {0}};
    uint32_t lo, hi;
    uint64_t wrong = 0, compared = 0;
    const bool good = isa_parse(trial->text, strlen(trial->text), NULL, &lo, &hi, &error) &&
                      isa_decode(lo, hi, &insn) == ISA_OK && unit_executes(&insn);
    for (size_t h = 0; h < trial->heads->count && good; h++) {
        const uint32_t head = (uint32_t)trial->heads->head[h] << FRACTION_BITS;
        for (uint64_t fraction = 0; fraction < (uint64_t)1 << FRACTION_BITS;
             fraction += (uint64_t)WARP_LANES * stride) {
            for (uint32_t i = 0; i < WARP_LANES; i++)
                o.a[i] = head | ((uint32_t)(fraction + (uint64_t)i * stride) & ((1u << FRACTION_BITS) - 1));
            wrong += compare(unit, trial, &insn, &o, wrong);
            compared += WARP_LANES;
        }
    }
    const bool same = compared != 0 && wrong == 0;
    printf("%s %u - %s, %zu exponents: %" PRIu64 " of %" PRIu64 " results differ\n", same ? "ok" : "not ok", number,
           trial->text, trial->heads->count, wrong, compared);
    fflush(stdout);
    return same;
}

int main(int argc, char **argv) {
    const bool has_stride = argc == 3 && strcmp(argv[1], "--stride") == 0;
    const uint32_t stride = has_stride ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
    if ((argc != 1 && !has_stride) || stride == 0) {
        fprintf(stderr, "usage: unit_sweep [--stride N]\n");
        return 2;
    }
    struct float_unit *unit = float_unit_create();
    unsigned failed = 0;
    printf("1..%d\n", TRIAL_COUNT);
    for (unsigned i = 0; i < TRIAL_COUNT; i++) failed += run(unit, &TRIALS[i], i + 1, stride) ? 0 : 1;
    float_unit_destroy(unit);
    return failed == 0 ? 0 : 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the model's floating point with an independent reference (golden/float/reference.h). Instructions with one
 * source are tried with every stride-th operand of all 2^32, the others with random ones: corners, neighbours and plain
 * bits. Half of the work uses the model's portable functions, half those for AVX2, if the machine has it. Prints TAP.
 *
 *     sweep [--stride N] [--random MILLIONS] [--threads N] [--seed N] [--first N] [--last N]
 *
 * `--first` and `--last` number the instructions, from 1: to resume an interrupted sweep.
 */
// link: -lz
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/core/exec.h"
#include "golden/float/reference.h"

enum { THREADS_MOST = 64, SHOWN = 5 };

struct operands {
    uint32_t a[WARP_LANES], b[WARP_LANES], c[WARP_LANES];
};

typedef uint32_t expect_fn(const struct isa_insn *insn, uint32_t a, uint32_t b, uint32_t c);

/* An instruction; the model's two functions; the reference. */
struct trial {
    const char *text;
    exec_fn *model, *model_avx2;
    expect_fn *expect;
    unsigned sources;
};

/* ------------------------------------------------------------------------------- the reference, as instructions */

static uint32_t modify(const struct isa_operand *operand, uint32_t x) {
    if (operand->absolute) x &= 0x7fffffff;
    return operand->negate ? x ^ 0x80000000u : x;
}

static uint32_t saturate(const struct isa_insn *insn, uint32_t x) {
    return (insn->attr & ISA_SAT) != 0 ? reference_saturate(x) : x;
}

#define EXPECT(name) static uint32_t expect_##name(const struct isa_insn *insn, uint32_t a, uint32_t b, uint32_t c)
#define A            modify(&insn->src[0], a)
#define B            modify(&insn->src[1], b)
#define C            modify(&insn->src[2], c)
#define UNUSED_C     (void)c
#define UNUSED_BC    (void)b, (void)c

EXPECT(fadd) { return UNUSED_C, saturate(insn, reference_fadd(A, B, insn->rounding)); }
EXPECT(fmul) { return UNUSED_C, reference_fmul(A, B, insn->rounding); }
EXPECT(fmad) { return saturate(insn, reference_fmad(A, b, C)); }
EXPECT(fset) { return UNUSED_C, reference_fset(A, B, insn->cmp); }
EXPECT(fmax) { return UNUSED_C, reference_fmax(A, B); }
EXPECT(fmin) { return UNUSED_C, reference_fmin(A, B); }
EXPECT(fcmp) { return reference_fcmp(a, b, C); }
EXPECT(rcp) { return UNUSED_BC, reference_rcp(A); }
EXPECT(rsq) { return UNUSED_BC, reference_rsq(A); }
EXPECT(lg2) { return UNUSED_BC, reference_lg2(A); }
EXPECT(sin) { return UNUSED_BC, (void)insn, reference_sin(a); }
EXPECT(cos) { return UNUSED_BC, (void)insn, reference_cos(a); }
EXPECT(ex2) { return UNUSED_BC, saturate(insn, reference_ex2(a)); }
EXPECT(rro) { return UNUSED_BC, insn->function == 0 ? reference_rro_sin(A) : reference_rro_ex2(A); }

static struct reference_conversion conversion_of(const struct isa_insn *insn) {
    return (struct reference_conversion){
        .source = (insn->attr & ISA_BYTE) != 0    ? 8
                  : (insn->attr & ISA_SRC16) != 0 ? 16
                                                  : 32,
        .result = (insn->attr & ISA_W16) != 0 ? 16 : 32,
        .source_signed = (insn->attr & ISA_SIGN_A) != 0,
        .result_signed = (insn->attr & ISA_SIGN_D) != 0,
        .absolute = insn->src[0].absolute,
        .negate = insn->src[0].negate,
        .saturate = (insn->attr & ISA_SAT) != 0,
        .integral = insn->integral,
        .code = insn->rounding,
    };
}

EXPECT(i2f) {
    const struct reference_conversion how = conversion_of(insn);
    return UNUSED_BC, reference_i2f(a, &how);
}
EXPECT(f2i) {
    const struct reference_conversion how = conversion_of(insn);
    return UNUSED_BC, reference_f2i(a, &how);
}
EXPECT(f2f) {
    const struct reference_conversion how = conversion_of(insn);
    return UNUSED_BC, reference_f2f(a, &how);
}

#define TRIAL(text, name, sources) \
    { text, EXEC_BOTH(exec_##name), expect_##name, sources }
static const struct trial TRIALS[] = {
    TRIAL("RCP R1, R2", rcp, 1),
    TRIAL("RSQ R1, R2", rsq, 1),
    TRIAL("LG2 R1, |R2|", lg2, 1),
    TRIAL("SIN R1, R2", sin, 1),
    TRIAL("COS R1, R2", cos, 1),
    TRIAL("EX2 R1, R2", ex2, 1),
    TRIAL("EX2.SAT R1, R2", ex2, 1),
    TRIAL("RRO R1, R2, SIN", rro, 1),
    TRIAL("RRO R1, -R2, EX2", rro, 1),
    TRIAL("I2F.F32.S32 R1, R2", i2f, 1),
    TRIAL("I2F.F32.U32.TRUNC R1, R2", i2f, 1),
    TRIAL("I2F.F32.S32.FLOOR R1, -R2", i2f, 1),
    TRIAL("I2F.F32.U32.CEIL R1, R2", i2f, 1),
    TRIAL("I2F.F16.S32 R1L, R2", i2f, 1),
    TRIAL("I2F.F16.U32.CEIL R1L, -R2", i2f, 1),
    TRIAL("I2F.F16.S32.FLOOR R1L, |R2|", i2f, 1),
    TRIAL("F2I.S32.F32 R1, R2", f2i, 1),
    TRIAL("F2I.U32.F32.TRUNC R1, R2", f2i, 1),
    TRIAL("F2I.S16.F32.FLOOR R1L, R2", f2i, 1),
    TRIAL("F2I.U16.F32.CEIL R1L, -R2", f2i, 1),
    TRIAL("F2F.F32.F32.IR R1, R2", f2f, 1),
    TRIAL("F2F.F32.F32.IR.FLOOR R1, R2", f2f, 1),
    TRIAL("F2F.F32.F32.IR.CEIL.SAT R1, R2", f2f, 1),
    TRIAL("F2F.F32.F32.IR.TRUNC R1, R2", f2f, 1),
    TRIAL("F2F.F16.F32 R1L, R2", f2f, 1),
    TRIAL("F2F.F16.F32.FLOOR R1L, R2", f2f, 1),
    TRIAL("F2F.F16.F32.CEIL R1L, R2", f2f, 1),
    TRIAL("F2F.F16.F32.TRUNC R1L, R2", f2f, 1),
    TRIAL("F2F.F16.F32.IR R1L, R2", f2f, 1),
    TRIAL("FADD R1, R2, R3", fadd, 2),
    TRIAL("FADD.TRUNC R1, R2, -R3", fadd, 2),
    TRIAL("FADD.FLOOR R1, R2, R3", fadd, 2),
    TRIAL("FADD.FLOOR.SAT R1, -R2, R3", fadd, 2),
    TRIAL("FADD.CEIL R1, R2, R3", fadd, 2),
    TRIAL("FMUL R1, R2, -R3", fmul, 2),
    TRIAL("FMUL.TRUNC R1, R2, R3", fmul, 2),
    TRIAL("FMUL.FLOOR R1, R2, R3", fmul, 2),
    TRIAL("FMUL.CEIL R1, R2, R3", fmul, 2),
    TRIAL("FMAD R1, R2, R3, R4", fmad, 3),
    TRIAL("FMAD.SAT R1, -R2, R3, -R4", fmad, 3),
    TRIAL("FSET R1, R2, -|R3|, LT", fset, 2),
    TRIAL("FSET R1, R2, R3, GEU", fset, 2),
    TRIAL("FSET R1, R2, R3, EQ", fset, 2),
    TRIAL("FMAX R1, R2, R3", fmax, 2),
    TRIAL("FMIN R1, -R2, |R3|", fmin, 2),
    TRIAL("FCMP R1, R2, R3, -R4", fcmp, 3),
};
enum { TRIAL_COUNT = sizeof TRIALS / sizeof TRIALS[0] };

/* ---------------------------------------------------------------------------------------------------- operands */

static uint64_t next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A corner, a value near one, plain bits, or a value near `other`: sums that cancel, products at a limit. */
static uint32_t draw(uint64_t *state, uint32_t other) {
    static const uint32_t CORNERS[] = {0,          1,          0x007fffff, 0x00800000, 0x00800001,
                                       0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001,
                                       0x4b000000, 0x4b7fffff, 0x7f000000, 0x7f7fffff, 0x7f800000,
                                       0x7f800001, 0x7fffffff, 0x0b800000, 0x32800000, 0x33000000};
    const uint64_t r = next(state);
    const uint32_t bits = (uint32_t)(r >> 32);
    const uint32_t sign = (uint32_t)(r & 1) << 31;
    switch (r >> 1 & 7) {
    case 0: return CORNERS[bits % (sizeof CORNERS / sizeof CORNERS[0])] | sign;
    case 1: return (CORNERS[bits % (sizeof CORNERS / sizeof CORNERS[0])] + (bits >> 28) - 8) ^ sign;
    case 2: return (other + (bits & 15) - 8) ^ sign;
    case 3: return (other & 0x7f800000) + ((bits % 60) << 23) - (30u << 23) + (bits >> 9) % 0x800000;
    case 4: return sign | (other & 0x7f800000) | (bits & 0x7fffff & (bits << 11));
    default: return bits;
    }
}

/* The third operand of a multiply-add is often near the product's exponent. */
static void draw_operands(struct operands *o, uint64_t *state) {
    for (unsigned i = 0; i < WARP_LANES; i++) {
        o->a[i] = draw(state, (uint32_t)next(state));
        o->b[i] = draw(state, o->a[i]);
        const uint32_t exponents = (o->a[i] >> 23 & 255) + (o->b[i] >> 23 & 255);
        const uint32_t near = exponents > 127 && exponents < 127 + 255 ? (exponents - 127) << 23 : o->a[i];
        o->c[i] = draw(state, near | (o->a[i] & 0x7fffff));
    }
}

/* ------------------------------------------------------------------------------------------------------ the work */

/* The work of a thread: every `threads`-th block of one trial. */
struct job {
    const struct trial *trial;
    struct isa_insn insn;
    uint64_t from, blocks, step, stride, seed;
    uint64_t wrong;
    pthread_t thread;
};

static void compare(struct job *job, const struct operands *o, bool portable) {
    const struct exec_in in = {.a = o->a, .b = o->b, .c = o->c, .insn = &job->insn};
    struct exec_out out = {.carry = 0};
    (portable ? job->trial->model : job->trial->model_avx2)(&in, &out);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const uint32_t expected = job->trial->expect(&job->insn, o->a[i], o->b[i], o->c[i]);
        if (out.value[i] == expected) continue;
        if (job->wrong++ < SHOWN)
            printf("# %s: %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ": model %08" PRIx32 ", reference %08" PRIx32 "\n",
                   job->trial->text, o->a[i], o->b[i], o->c[i], out.value[i], expected);
    }
}

static void *work(void *argument) {
    struct job *job = argument;
    struct operands o = {{0}, {0}, {0}};
    uint64_t state = job->seed * 0x9e3779b97f4a7c15u + job->from + 1;
    for (uint64_t block = job->from; block < job->blocks; block += job->step) {
        if (job->trial->sources > 1)
            draw_operands(&o, &state);
        else
            for (unsigned i = 0; i < WARP_LANES; i++) o.a[i] = (uint32_t)((block * WARP_LANES + i) * job->stride);
        compare(job, &o, !lanes_have_avx2() || block / job->step % 2 == 0);
    }
    return NULL;
}

static bool read_instruction(const char *text, struct isa_insn *insn) {
    uint32_t lo, hi;
    struct isa_error error;
    return isa_parse(text, strlen(text), NULL, &lo, &hi, &error) && isa_decode(lo, hi, insn) == ISA_OK;
}

/* A half register has 16 bits: higher bits are ignored. */
static bool run(const struct trial *trial, unsigned number, uint64_t stride, uint64_t random, unsigned threads,
                uint64_t seed) {
    static struct job jobs[THREADS_MOST];
    struct isa_insn insn;
    if (!read_instruction(trial->text, &insn)) {
        printf("not ok %u - %s is no instruction\n", number, trial->text);
        return false;
    }
    const uint64_t operands = trial->sources > 1 ? random : (((uint64_t)1 << 32) + stride - 1) / stride;
    uint64_t wrong = 0;
    for (unsigned i = 0; i < threads; i++) {
        jobs[i] = (struct job){.trial = trial,
                               .insn = insn,
                               .from = i,
                               .blocks = (operands + WARP_LANES - 1) / WARP_LANES,
                               .step = threads,
                               .stride = stride,
                               .seed = seed};
        if (i > 0 && pthread_create(&jobs[i].thread, NULL, work, &jobs[i]) != 0) exit(2);
    }
    work(&jobs[0]);
    for (unsigned i = 1; i < threads; i++) pthread_join(jobs[i].thread, NULL);
    for (unsigned i = 0; i < threads; i++) wrong += jobs[i].wrong;
    printf("%s %u - %s: %" PRIu64 " of %" PRIu64 " operands differ\n", wrong == 0 ? "ok" : "not ok", number,
           trial->text, wrong, operands);
    fflush(stdout);
    return wrong == 0;
}

int main(int argc, char **argv) {
    uint64_t stride = 1, millions = 20, threads = 2, seed = 1, first = 1, last = TRIAL_COUNT;
    const struct {
        const char *name;
        uint64_t *value;
    } options[] = {
        {"--stride",  &stride  },
        {"--random",  &millions},
        {"--threads", &threads },
        {"--seed",    &seed    },
        {"--first",   &first   },
        {"--last",    &last    }
    };
    bool good = argc % 2 == 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        bool found = false;
        for (size_t k = 0; k < sizeof options / sizeof options[0]; k++)
            if (strcmp(argv[i], options[k].name) == 0)
                *options[k].value = strtoull(argv[i + 1], NULL, 10), found = true;
        good = good && found;
    }
    if (!good || stride == 0 || threads == 0 || threads > THREADS_MOST || first == 0 || first > last ||
        last > TRIAL_COUNT) {
        fprintf(stderr,
                "usage: sweep [--stride N] [--random MILLIONS] [--threads N] [--seed N] [--first N] [--last N]\n");
        return 2;
    }
    if (!float_reference_open("golden/float/sfu-tables.csv")) {
        fprintf(stderr, "sweep: golden/float/sfu-tables.csv cannot be read\n");
        return 2;
    }
    printf("1..%" PRIu64 "\n# seed %" PRIu64 "\n", last - first + 1, seed);
    unsigned failed = 0;
    for (uint64_t i = first; i <= last; i++)
        failed +=
            run(&TRIALS[i - 1], (unsigned)(i - first + 1), stride, millions * 1000000, (unsigned)threads, seed) ? 0 : 1;
    return failed == 0 ? 0 : 1;
}

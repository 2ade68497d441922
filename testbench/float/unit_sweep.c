/* SPDX-License-Identifier: Apache-2.0 */
/* Holds the floating-point units of the RTL against the model where an instruction has one source: all 2^23 fractions
 * with each sign and exponent at which something changes. Prints TAP.
 *
 *     unit_sweep [--stride N] [--threads N] [--first N]     every N-th fraction; N threads, 2 if not given
 *
 * `--first` begins with that instruction, numbered from 1: what a sweep that was interrupted has left.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "unit_model.h"

enum { THREADS_MOST = 64, SHOWN = 5, HEADS_MOST = 24, FRACTION_BITS = 23 };

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

/* What one thread does, with a unit of its own: every `step`-th head of a trial. */
struct job {
    const struct trial *trial;
    struct isa_insn insn;
    struct float_unit *unit;
    size_t from, step;
    uint32_t stride;
    uint64_t compared, wrong;
    pthread_t thread;
};

static void compare(struct job *job, const struct unit_operands *o) {
    struct unit_results is, must;
    unit_by_rtl(job->unit, &job->insn, o, &is);
    unit_by_model(&job->insn, o, &must);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        if (is.value[i] == must.value[i] && is.flags[i] == must.flags[i]) continue;
        if (job->wrong++ < SHOWN) /* of each thread */
            printf("# %s: %08" PRIx32 ": must be %08" PRIx32 ", is %08" PRIx32 ", flags %x\n", job->trial->text,
                   o->a[i], must.value[i], is.value[i], is.flags[i]);
    }
    job->compared += WARP_LANES;
}

static void *work(void *argument) {
    struct job *job = argument;
    struct unit_operands o = {{0}, {0}, {0}};
    job->unit = float_unit_create();
    for (size_t h = job->from; h < job->trial->heads->count; h += job->step) {
        const uint32_t head = (uint32_t)job->trial->heads->head[h] << FRACTION_BITS;
        for (uint64_t fraction = 0; fraction < (uint64_t)1 << FRACTION_BITS;
             fraction += (uint64_t)WARP_LANES * job->stride) {
            for (uint32_t i = 0; i < WARP_LANES; i++)
                o.a[i] = head | ((uint32_t)(fraction + (uint64_t)i * job->stride) & ((1u << FRACTION_BITS) - 1));
            compare(job, &o);
        }
    }
    float_unit_destroy(job->unit);
    return NULL;
}

static bool run(const struct trial *trial, unsigned number, uint32_t stride, unsigned threads) {
    struct job jobs[THREADS_MOST];
    struct isa_insn insn;
    struct isa_error error;
    uint32_t lo, hi;
    uint64_t wrong = 0, compared = 0;
    if (!isa_parse(trial->text, strlen(trial->text), NULL, &lo, &hi, &error) || isa_decode(lo, hi, &insn) != ISA_OK ||
        !unit_executes(&insn)) {
        printf("not ok %u - %s is nothing that the units execute\n", number, trial->text);
        return false;
    }
    for (unsigned i = 0; i < threads; i++) {
        jobs[i] = (struct job){.trial = trial, .insn = insn, .from = i, .step = threads, .stride = stride};
        if (i == 0 || pthread_create(&jobs[i].thread, NULL, work, &jobs[i]) == 0) continue;
        fprintf(stderr, "unit_sweep: no thread can be made\n");
        exit(2);
    }
    work(&jobs[0]);
    for (unsigned i = 0; i < threads; i++) {
        if (i > 0) pthread_join(jobs[i].thread, NULL);
        wrong += jobs[i].wrong;
        compared += jobs[i].compared;
    }
    const bool same = compared != 0 && wrong == 0;
    printf("%s %u - %s, %zu exponents: %" PRIu64 " of %" PRIu64 " results differ\n", same ? "ok" : "not ok", number,
           trial->text, trial->heads->count, wrong, compared);
    fflush(stdout);
    return same;
}

int main(int argc, char **argv) {
    uint32_t stride = 1, threads = 2, first = 1;
    bool good = argc % 2 == 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        uint32_t *const value = strcmp(argv[i], "--stride") == 0    ? &stride
                                : strcmp(argv[i], "--threads") == 0 ? &threads
                                : strcmp(argv[i], "--first") == 0   ? &first
                                                                    : NULL;
        good = good && value != NULL;
        if (value != NULL) *value = (uint32_t)strtoul(argv[i + 1], NULL, 10);
    }
    if (!good || stride == 0 || threads == 0 || threads > THREADS_MOST || first == 0 || first > TRIAL_COUNT) {
        fprintf(stderr, "usage: unit_sweep [--stride N] [--threads N] [--first N]\n");
        return 2;
    }
    unsigned failed = 0;
    printf("1..%u\n", TRIAL_COUNT - first + 1);
    for (unsigned i = first; i <= TRIAL_COUNT; i++)
        failed += run(&TRIALS[i - 1], i - first + 1, stride, threads) ? 0 : 1;
    return failed == 0 ? 0 : 1;
}

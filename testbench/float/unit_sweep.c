/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the floating-point units of the RTL against the model: for an instruction with one source all 2^23 fractions
 * with each sign and exponent at which the behaviour changes; with two, blocks of the pairs of golden/silicon. If all
 * operands are tried and golden/silicon has the operation, the hash of the results must equal the chip's. Prints TAP.
 *
 *     unit_sweep [--stride N] [--threads N] [--first N] [--last N] [--exponents LIST] [--blocks LIST]
 *
 * --stride takes every N-th fraction or pair, --threads N threads, default 2. --first and --last number the tests, from
 * 1: to resume an interrupted sweep. LIST, as in 0,7e-81,1ff: other signs and exponents, 000 to 1ff; other blocks than
 * 0 to 7, of 64. */
// link: -lstdc++ -lz
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip.h"
#include "chip_operations.h"
#include "unit.h"
#include "unit_model.h"

enum { THREADS_MOST = 64, SHOWN = 5, HEADS_MOST = CHIP_HEADS, TABLES = 3 };

/* Signs and exponents, a list each: the upper nine bits of a source; or blocks of pairs. */
#define HEADS(...)                                                            \
    {                                                                         \
        sizeof((uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t), { __VA_ARGS__ } \
    }
struct heads {
    size_t count;
    uint16_t head[HEADS_MOST];
};

/* Denormals; the smallest number; around 1 and its inverse; the largest exponents; infinity and NaN; and one
 * negative. */
static const struct heads FUNCTION = HEADS(0, 1, 2, 126, 127, 128, 252, 253, 254, 255, 0x100, 0x101, 0x17f, 0x1fd);
/* Four quarter turns of each sign; the special codes; bits without effect. */
static const struct heads TURNS = HEADS(0, 1, 2, 3, 0x100, 0x101, 0x102, 0x103, 0x80, 0x81, 0x180, 0x7c, 0x17f);
/* Exponents around 0 and at both ends; the special codes. */
static const struct heads POWER =
    HEADS(0, 1, 2, 0x7e, 0x7f, 0x80, 0x81, 0x100, 0x101, 0x17d, 0x17e, 0x17f, 0x180, 0x181);
/* Shifts of a significand by all its bits, to the left and to the right; beyond meaningful turns. */
static const struct heads REDUCED =
    HEADS(0, 1, 103, 104, 119, 126, 127, 128, 133, 134, 135, 142, 143, 150, 151, 159, 254, 255, 0x17f, 0x1ff);
/* Below, at and beyond the ends of 16 and 32 bits; a half; the last fraction bits. */
static const struct heads TO_INTEGER = HEADS(0, 1, 125, 126, 127, 128, 141, 142, 143, 149, 150, 151, 157, 158, 159, 254,
                                             255, 0x17e, 0x17f, 0x18e, 0x196, 0x19d, 0x19e, 0x1ff);
/* Words: of few and of all bits, and negative. */
static const struct heads INTEGER = HEADS(0, 1, 2, 4, 31, 32, 127, 128, 255, 0x100, 0x101, 0x180, 0x1fe, 0x1ff);
/* Denormals of F16 and values below them; F16's limits; the last fraction bits. */
static const struct heads FORMAT = HEADS(0, 1, 93, 94, 101, 102, 103, 111, 112, 113, 126, 127, 141, 142, 143, 149, 150,
                                         151, 254, 255, 0x166, 0x171, 0x18e, 0x1ff);

/* Turns of a number: the chip's differ from 2 to 2^33. */
static const struct heads NUMBER = HEADS(0, 1, 103, 104, 119, 126, 127, 160, 254, 255, 0x167, 0x17f, 0x1ff);

static const struct trial {
    const char *text, *before; /* an instruction that makes its source, or NULL */
    const struct heads *heads;
} TRIALS[] = {
    {"RCP R1, R2",                     NULL,              &FUNCTION  },
    {"RSQ R1, R2",                     NULL,              &FUNCTION  },
    {"LG2 R1, R2",                     NULL,              &FUNCTION  },
    {"SIN R1, R2",                     NULL,              &TURNS     },
    {"COS R1, R2",                     NULL,              &TURNS     },
    {"EX2 R1, R2",                     NULL,              &POWER     },
    {"RRO R1, R2, SIN",                NULL,              &REDUCED   },
    {"RRO R1, R2, EX2",                NULL,              &REDUCED   },
    {"F2I.S32.F32 R1, R2",             NULL,              &TO_INTEGER},
    {"F2I.U32.F32.TRUNC R1, R2",       NULL,              &TO_INTEGER},
    {"F2I.S16.F32.FLOOR R1L, R2",      NULL,              &TO_INTEGER},
    {"F2I.U16.F32.CEIL R1L, -R2",      NULL,              &TO_INTEGER},
    {"I2F.F32.S32 R1, R2",             NULL,              &INTEGER   },
    {"I2F.F32.U32.TRUNC R1, R2",       NULL,              &INTEGER   },
    {"I2F.F32.S32.FLOOR R1, -R2",      NULL,              &INTEGER   },
    {"I2F.F16.U32 R1L, R2",            NULL,              &INTEGER   },
    {"I2F.F16.S32.CEIL R1L, R2",       NULL,              &INTEGER   },
    {"F2F.F32.F32.IR R1, R2",          NULL,              &FORMAT    },
    {"F2F.F32.F32.IR.CEIL.SAT R1, R2", NULL,              &FORMAT    },
    {"F2F.F16.F32 R1L, R2",            NULL,              &FORMAT    },
    {"F2F.F16.F32.TRUNC R1L, R2",      NULL,              &FORMAT    },
    {"F2F.F16.F32.IR.FLOOR R1L, R2",   NULL,              &FORMAT    },
    {"SIN R1, R1",                     "RRO R1, R2, SIN", &NUMBER    },
    {"COS R1, R1",                     "RRO R1, R2, SIN", &NUMBER    },
    {"EX2 R1, R1",                     "RRO R1, R2, EX2", &REDUCED   },
};
enum { TRIAL_COUNT = sizeof TRIALS / sizeof TRIALS[0], TASKS_MOST = TRIAL_COUNT + CHIP_TWO_SOURCES };

struct options {
    uint32_t stride, threads, first, last;
    struct heads exponents, blocks; /* exponents: none, those of the trials */
};

/* A trial, or pairs of operands for an operation of two sources. */
struct task {
    const char *text, *before;
    const struct chip_operation *operation; /* the chip's, or NULL */
    const struct heads *heads;
    bool is_pairs;
};

/* The work of a thread with its own unit: every `step`-th head or block of a task. */
struct job {
    const struct task *task;
    const struct chip_table *chip; /* NULL if results do not cover whole heads */
    const struct chip_table *otherwise;
    struct isa_insn insn, before;
    struct float_unit *unit;
    size_t from, step;
    uint32_t stride;
    uint64_t compared, wrong, hashes, wrong_hashes;
    pthread_t thread;
};

/* -------------------------------------------------------------------------------------------------------- results */

static void compute(struct job *job, struct unit_operands *o, struct unit_results *is, struct unit_results *must) {
    struct unit_operands by_model = *o;
    if (job->task->before != NULL) {
        unit_by_rtl(job->unit, &job->before, o, is);
        unit_by_model(&job->before, o, must);
        memcpy(o->a, is->value, sizeof o->a);
        memcpy(by_model.a, must->value, sizeof by_model.a);
    }
    unit_by_rtl(job->unit, &job->insn, o, is);
    unit_by_model(&job->insn, &by_model, must);
}

/* Compares 32 results of the units in `is`. */
static void compare(struct job *job, const struct unit_operands *o, struct unit_results *is) {
    struct unit_operands changed = *o;
    struct unit_results must;
    compute(job, &changed, is, &must);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        if (is->value[i] == must.value[i] && is->flags[i] == must.flags[i]) continue;
        if (job->wrong++ < SHOWN) /* of each thread */
            printf("# %s: %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ": must be %08" PRIx32 ", is %08" PRIx32
                   ", flags %x\n",
                   job->task->text, o->a[i], o->b[i], o->c[i], must.value[i], is->value[i], is->flags[i]);
    }
    job->compared += WARP_LANES;
}

static void operands_of(const struct job *job, uint32_t head, uint32_t at, struct unit_operands *o) {
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        const uint32_t n = at + i * job->stride;
        uint32_t x, y;
        if (job->task->is_pairs) {
            chip_pair(head, n % CHIP_PAIRS, &x, &y);
            chip_operands_set(o, i, job->task->operation->sources, x, y);
        } else {
            o->a[i] = head << CHIP_FRACTION_BITS | (n & ((1u << CHIP_FRACTION_BITS) - 1));
        }
    }
}

/* NULL if there is none to compare with. */
static const uint64_t *hash_of_chip(const struct job *job, uint32_t head) {
    if (job->chip == NULL || job->task->operation == NULL) return NULL;
    const char *const name = job->task->operation->name;
    if (!job->task->is_pairs && chip_is_otherwise(job->otherwise, name, head)) return NULL;
    return chip_find(job->chip, name, head);
}

/* All operands of a head or block, in numerical order, so that their hash can equal the chip's. */
static void sweep(struct job *job, uint32_t head) {
    const uint32_t part = job->task->is_pairs ? CHIP_PAIRS : CHIP_PART;
    const unsigned parts = job->task->is_pairs ? 1 : CHIP_PARTS;
    struct unit_operands o = {{0}, {0}, {0}};
    struct unit_results is;
    uint64_t hash[CHIP_PARTS];
    for (unsigned p = 0; p < CHIP_PARTS; p++) hash[p] = CHIP_HASH;
    for (uint32_t at = 0; at < parts * part; at += WARP_LANES * job->stride) {
        operands_of(job, head, at, &o);
        compare(job, &o, &is);
        for (unsigned i = 0; i < WARP_LANES; i++) hash[at / part] = chip_hash(hash[at / part], is.value[i]);
    }
    const uint64_t *const chip = hash_of_chip(job, head);
    const uint64_t is_hash = job->task->is_pairs ? hash[0] : chip_hash_parts(hash);
    if (chip == NULL) return;
    job->hashes++;
    if (is_hash == *chip) return;
    job->wrong_hashes++;
    printf("# %s %03" PRIx32 ": the hash must be %016" PRIx64 ", is %016" PRIx64 "\n", job->task->text, head, *chip,
           is_hash);
}

static void *work(void *argument) {
    struct job *job = argument;
    job->unit = float_unit_create();
    for (size_t h = job->from; h < job->task->heads->count; h += job->step) sweep(job, job->task->heads->head[h]);
    float_unit_destroy(job->unit);
    return NULL;
}

/* ---------------------------------------------------------------------------------------------------------- tasks */

static bool read_instruction(const char *text, struct isa_insn *insn) {
    uint32_t lo, hi;
    struct isa_error error;
    return isa_parse(text, strlen(text), NULL, &lo, &hi, &error) && isa_decode(lo, hi, insn) == ISA_OK &&
           unit_executes(insn);
}

/* The next operation of the chip that is this instruction; NULL if none. */
static const struct chip_operation *operation_of(const char *text, const char *before) {
    for (unsigned i = 0; i < CHIP_OPERATIONS; i++) {
        const struct chip_operation *const o = &CHIP_OPERATION[i];
        const bool same = before == NULL || o->before == NULL ? before == o->before : strcmp(before, o->before) == 0;
        if (same && strcmp(text, o->text) == 0) return o;
    }
    return NULL;
}

/* The trials, then the units' operations of two sources. */
static unsigned list_tasks(const struct options *options, struct task tasks[TASKS_MOST]) {
    unsigned count = 0;
    for (unsigned i = 0; i < TRIAL_COUNT; i++)
        tasks[count++] = (struct task){.text = TRIALS[i].text,
                                       .before = TRIALS[i].before,
                                       .operation = operation_of(TRIALS[i].text, TRIALS[i].before),
                                       .heads = options->exponents.count != 0 ? &options->exponents : TRIALS[i].heads};
    for (unsigned i = CHIP_ONE_SOURCE; i < CHIP_OPERATIONS; i++) {
        const struct chip_operation *const o = &CHIP_OPERATION[i];
        struct isa_insn insn;
        if (!read_instruction(o->text, &insn)) continue;
        tasks[count++] = (struct task){.text = o->text, .operation = o, .heads = &options->blocks, .is_pairs = true};
    }
    return count;
}

/* chip: the tables of one source, of two, and of known deviations. */
static bool run(const struct task *task, unsigned number, const struct options *options,
                const struct chip_table chip[TABLES]) {
    struct job job = {.task = task,
                      .chip = options->stride == 1 ? &chip[task->is_pairs ? 1 : 0] : NULL,
                      .otherwise = &chip[2],
                      .step = options->threads,
                      .stride = options->stride};
    uint64_t wrong = 0, compared = 0, hashes = 0, wrong_hashes = 0;
    if (!read_instruction(task->text, &job.insn) ||
        (task->before != NULL && !read_instruction(task->before, &job.before))) {
        printf("not ok %u - %s is nothing that the units execute\n", number, task->text);
        return false;
    }
    struct job jobs[THREADS_MOST];
    jobs[0] = job;
    for (unsigned i = 1; i < options->threads; i++) {
        jobs[i] = job;
        jobs[i].from = i;
        if (pthread_create(&jobs[i].thread, NULL, work, &jobs[i]) == 0) continue;
        fprintf(stderr, "unit_sweep: no thread can be made\n");
        exit(2);
    }
    work(&jobs[0]);
    for (unsigned i = 0; i < options->threads; i++) {
        if (i > 0) pthread_join(jobs[i].thread, NULL);
        wrong += jobs[i].wrong;
        wrong_hashes += jobs[i].wrong_hashes;
        compared += jobs[i].compared;
        hashes += jobs[i].hashes;
    }
    const bool same = compared != 0 && wrong == 0 && wrong_hashes == 0;
    printf("%s %u - %s%s%s, %zu %s: %" PRIu64 " of %" PRIu64 " results differ", same ? "ok" : "not ok", number,
           task->before != NULL ? task->before : "", task->before != NULL ? "; " : "", task->text, task->heads->count,
           task->is_pairs ? "blocks of pairs" : "exponents", wrong, compared);
    if (hashes != 0) printf(", %" PRIu64 " of %" PRIu64 " hashes of a chip", wrong_hashes, hashes);
    printf("\n");
    fflush(stdout);
    return same;
}

/* ----------------------------------------------------------------------------------------------------------- main */

static bool read_heads(const char *list, int base, unsigned count, struct heads *heads) {
    bool wanted[CHIP_HEADS];
    heads->count = 0;
    if (!chip_list(list, base, wanted, count)) return false;
    for (unsigned i = 0; i < count; i++)
        if (wanted[i]) heads->head[heads->count++] = (uint16_t)i;
    return heads->count != 0;
}

static bool set_option(struct options *o, const char *name, const char *value) {
    if (strcmp(name, "--exponents") == 0) return read_heads(value, 16, CHIP_HEADS, &o->exponents);
    if (strcmp(name, "--blocks") == 0) return read_heads(value, 10, CHIP_BLOCKS, &o->blocks);
    uint32_t *const number = strcmp(name, "--stride") == 0    ? &o->stride
                             : strcmp(name, "--threads") == 0 ? &o->threads
                             : strcmp(name, "--first") == 0   ? &o->first
                             : strcmp(name, "--last") == 0    ? &o->last
                                                              : NULL;
    if (number != NULL) *number = (uint32_t)strtoul(value, NULL, 10);
    return number != NULL && *number != 0;
}

int main(int argc, char **argv) {
    static struct options options = {.stride = 1, .threads = 2, .first = 1, .last = UINT32_MAX};
    struct chip_table chip[TABLES] = {{.count = 0}};
    struct task tasks[TASKS_MOST];
    bool good = argc % 2 == 1 && set_option(&options, "--blocks", "0-7");
    for (int i = 1; good && i < argc; i += 2) good = set_option(&options, argv[i], argv[i + 1]);
    const unsigned count = list_tasks(&options, tasks);
    if (options.last > count) options.last = count;
    if (!good || options.threads > THREADS_MOST || options.stride > CHIP_PAIRS || options.first > options.last) {
        fprintf(stderr, "usage: unit_sweep [--stride N] [--threads N] [--first N] [--last N] [--exponents LIST]\n"
                        "                  [--blocks LIST]\n");
        return 2;
    }
    if (!chip_read("golden/silicon/one-source.tsv.gz", 16, CHIP_HEADS, &chip[0]) ||
        !chip_read("golden/silicon/two-source.tsv.gz", 10, CHIP_BLOCKS, &chip[1]) ||
        !chip_read("golden/silicon/otherwise.tsv", 16, CHIP_HEADS, &chip[2])) {
        fprintf(stderr, "unit_sweep: the tables of golden/silicon cannot be read\n");
        return 2;
    }
    unsigned failed = 0;
    printf("1..%" PRIu32 "\n", options.last - options.first + 1);
    for (unsigned i = options.first; i <= options.last; i++)
        failed += run(&tasks[i - 1], i - options.first + 1, &options, chip) ? 0 : 1;
    for (unsigned i = 0; i < TABLES; i++) chip_free(&chip[i]);
    return failed == 0 ? 0 : 1;
}

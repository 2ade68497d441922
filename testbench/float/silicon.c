/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the model against an NVIDIA chip, by hashes of results: of every operand of operations with one source, and of
 * 2^26 pairs of those with two (docs/evidence/golden.md). Alternates between the model's portable functions and those
 * for AVX2. Prints TAP.
 *
 *     silicon [--operation TEXT] [--exponents LIST] [--every N] [--blocks LIST] [--threads N]
 *             [--one FILE] [--two FILE] [--otherwise FILE]
 *
 * TEXT: operations whose PTX name contains it. LIST, as in 0,7e-81,1ff: for operations with one source the sign and
 * exponent of operands, 000 to 1ff; for those with two their blocks, 0 to 63; default: all; "": none. N: each N-th of
 * those exponents, different for each operation. The files are the tables of a chip and its known deviations. */
// link: -lz
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip.h"
#include "chip_operations.h"

enum { THREADS_MOST = 64, SHOWN = 8 };

struct options {
    const char *operation, *one, *two, *otherwise;
    bool exponents[CHIP_HEADS], blocks[CHIP_BLOCKS];
    unsigned long every, threads;
};

/* An operation, its selected heads or blocks, and their hashes. */
struct work {
    const struct chip_operation *operation;
    struct chip_model model;
    bool wanted[CHIP_HEADS];
    uint64_t hash[CHIP_HEADS];
};

/* Operations computed together: one with one source, or all with two, which share operands. */
struct batch {
    struct work work[CHIP_TWO_SOURCES];
    unsigned works, indices; /* heads or blocks */
    atomic_uint next;
};

/* -------------------------------------------------------------------------------------------------------- hashes */

/* Computes the parts of a head in parallel: their hashes are independent. */
static void compute_head(struct work *w, uint32_t head) {
    uint32_t value[CHIP_PARTS][WARP_LANES];
    uint64_t hash[CHIP_PARTS];
    struct unit_operands o = {{0}, {0}, {0}};
    if (!w->wanted[head]) return;
    for (unsigned p = 0; p < CHIP_PARTS; p++) hash[p] = CHIP_HASH;
    for (uint32_t at = 0; at < CHIP_PART; at += WARP_LANES) {
        for (uint32_t p = 0; p < CHIP_PARTS; p++) {
            const uint32_t first = (head << CHIP_FRACTION_BITS) + p * CHIP_PART + at;
            for (unsigned i = 0; i < WARP_LANES; i++) o.a[i] = first + i;
            chip_model_run(&w->model, p % 2 != 0, &o, value[p]);
        }
        for (unsigned i = 0; i < WARP_LANES; i++)
            for (unsigned p = 0; p < CHIP_PARTS; p++) hash[p] = chip_hash(hash[p], value[p][i]);
    }
    w->hash[head] = chip_hash_parts(hash);
}

static void compute_pairs(struct work *w, unsigned block, bool avx2, const uint32_t *x, const uint32_t *y) {
    struct unit_operands o;
    uint32_t value[WARP_LANES];
    uint64_t hash = w->hash[block];
    for (unsigned i = 0; i < WARP_LANES; i++) chip_operands_set(&o, i, w->operation->sources, x[i], y[i]);
    chip_model_run(&w->model, avx2, &o, value);
    for (unsigned i = 0; i < WARP_LANES; i++) hash = chip_hash(hash, value[i]);
    w->hash[block] = hash;
}

static void compute_block(struct batch *b, unsigned block) {
    uint32_t x[WARP_LANES], y[WARP_LANES];
    if (!b->work[0].wanted[block]) return;
    for (unsigned k = 0; k < b->works; k++) b->work[k].hash[block] = CHIP_HASH;
    for (uint32_t pair = 0; pair < CHIP_PAIRS; pair += WARP_LANES) {
        for (unsigned i = 0; i < WARP_LANES; i++) chip_pair(block, pair + i, &x[i], &y[i]);
        for (unsigned k = 0; k < b->works; k++) compute_pairs(&b->work[k], block, pair / WARP_LANES % 2 != 0, x, y);
    }
}

/* The work of a thread: heads or blocks until none is left. */
static void *compute(void *argument) {
    struct batch *const b = argument;
    for (unsigned i; (i = atomic_fetch_add(&b->next, 1)) < b->indices;)
        if (b->indices == CHIP_HEADS)
            compute_head(&b->work[0], i);
        else
            compute_block(b, i);
    return NULL;
}

static void compute_all(struct batch *b, unsigned long threads) {
    pthread_t thread[THREADS_MOST];
    unsigned made = 1;
    while (made < threads && pthread_create(&thread[made], NULL, compute, b) == 0) made++;
    compute(b);
    for (unsigned i = 1; i < made; i++) pthread_join(thread[i], NULL);
}

/* ------------------------------------------------------------------------------------------------------ selection */

/* Adds an operation to the batch if any part of it is selected; false if the model lacks it. */
static bool add(struct batch *b, unsigned number, const struct options *options) {
    const struct chip_operation *const operation = &CHIP_OPERATION[number];
    const bool is_one = operation->sources == CHIP_ONE;
    struct work *const w = &b->work[b->works];
    bool any = false;
    if (strstr(operation->name, options->operation) == NULL) return true;
    *w = (struct work){.operation = operation};
    b->indices = is_one ? CHIP_HEADS : CHIP_BLOCKS;
    for (unsigned i = 0; i < b->indices; i++) {
        w->wanted[i] = is_one ? options->exponents[i] && (i + number) % options->every == 0 : options->blocks[i];
        any = any || w->wanted[i];
    }
    if (any && !chip_model_open(operation, &w->model)) return false;
    b->works += any ? 1 : 0;
    return true;
}

/* -------------------------------------------------------------------------------------------------------- verdict */

struct chip {
    struct chip_table one, two;
    struct chip_table otherwise;
};

/* A line of TAP. Known deviations of the chip must differ. */
static bool verdict(const struct work *w, unsigned indices, const struct chip *chip, unsigned number) {
    const char *const name = w->operation->name;
    const bool is_one = indices == CHIP_HEADS;
    unsigned compared = 0, otherwise = 0, wrong = 0;
    for (unsigned i = 0; i < indices; i++) {
        const uint64_t *const hash = w->wanted[i] ? chip_find(is_one ? &chip->one : &chip->two, name, i) : NULL;
        const bool known = is_one && chip_is_otherwise(&chip->otherwise, name, i);
        if (hash == NULL) continue;
        compared++;
        otherwise += known ? 1 : 0;
        if ((*hash == w->hash[i]) != known || wrong++ >= SHOWN) continue;
        printf("# %s %0*x: model %016" PRIx64 ", chip %016" PRIx64 "%s\n", name, is_one ? 3 : 2, i, w->hash[i], *hash,
               known ? ", which is said to differ" : "");
    }
    const bool good = wrong == 0 && compared != 0;
    printf("%s %u - %s: %u of %u %s are wrong", good ? "ok" : "not ok", number, name, wrong, compared,
           is_one ? "signs and exponents" : "blocks");
    if (otherwise != 0) printf(", %u are otherwise, as is known", otherwise);
    printf("\n");
    fflush(stdout);
    return good;
}

/* ----------------------------------------------------------------------------------------------------------- main */

static bool run(const struct options *options, const struct chip *chip) {
    static struct batch b;
    unsigned tests = 0, failed = 0;
    for (unsigned k = 0; k < CHIP_OPERATIONS; k++) {
        const bool more = k >= CHIP_ONE_SOURCE && k + 1 < CHIP_OPERATIONS;
        if (!add(&b, k, options)) {
            printf("not ok %u - %s is nothing that the model executes\n", ++tests, CHIP_OPERATION[k].name);
            failed++;
        }
        if (more || b.works == 0) continue;
        compute_all(&b, options->threads);
        for (unsigned i = 0; i < b.works; i++) failed += verdict(&b.work[i], b.indices, chip, ++tests) ? 0 : 1;
        b.works = 0;
        atomic_store(&b.next, 0);
    }
    printf("1..%u\n", tests);
    return failed == 0 && tests != 0;
}

/* Sets the option; false for an unknown name or an invalid value. */
static bool set_option(struct options *o, const char *name, const char *value) {
    if (strcmp(name, "--exponents") == 0) return chip_list(value, 16, o->exponents, CHIP_HEADS);
    if (strcmp(name, "--blocks") == 0) return chip_list(value, 10, o->blocks, CHIP_BLOCKS);
    if (strcmp(name, "--every") == 0) return (o->every = strtoul(value, NULL, 10)) != 0;
    if (strcmp(name, "--threads") == 0)
        return (o->threads = strtoul(value, NULL, 10)) != 0 && o->threads <= THREADS_MOST;
    const char **const text = strcmp(name, "--operation") == 0   ? &o->operation
                              : strcmp(name, "--one") == 0       ? &o->one
                              : strcmp(name, "--two") == 0       ? &o->two
                              : strcmp(name, "--otherwise") == 0 ? &o->otherwise
                                                                 : NULL;
    if (text != NULL) *text = value;
    return text != NULL;
}

static bool open_table(const char *path, int base, unsigned indices, struct chip_table *table) {
    if (chip_read(path, base, indices, table)) return true;
    fprintf(stderr, "silicon: %s is no table\n", path);
    return false;
}

int main(int argc, char **argv) {
    struct options options = {.operation = "",
                              .one = "golden/silicon/one-source.tsv.gz",
                              .two = "golden/silicon/two-source.tsv.gz",
                              .otherwise = "golden/silicon/otherwise.tsv",
                              .every = 1,
                              .threads = 2};
    static struct chip chip;
    bool good =
        argc % 2 == 1 && set_option(&options, "--exponents", "0-1ff") && set_option(&options, "--blocks", "0-63");
    for (int i = 1; good && i < argc; i += 2) good = set_option(&options, argv[i], argv[i + 1]);
    if (!good) {
        fprintf(stderr, "usage: silicon [--operation TEXT] [--exponents LIST] [--every N] [--blocks LIST]\n"
                        "               [--threads N] [--one FILE] [--two FILE] [--otherwise FILE]\n");
        return 2;
    }
    const bool has_tables = open_table(options.one, 16, CHIP_HEADS, &chip.one) &&
                            open_table(options.two, 10, CHIP_BLOCKS, &chip.two) &&
                            open_table(options.otherwise, 16, CHIP_HEADS, &chip.otherwise);
    good = has_tables && run(&options, &chip);
    chip_free(&chip.one);
    chip_free(&chip.two);
    chip_free(&chip.otherwise);
    return !has_tables ? 2 : good ? 0 : 1;
}

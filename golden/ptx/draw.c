/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a random PTX program, its input, the interpreter's output, and the arguments that run it. See README.md. Exit
 * code 1: the interpreter finds that the program is undefined. */
#include "draw.h"

#include "../float/reference.h"
#include "arguments.h"
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char USAGE[] =
    "usage: draw [--seed N] [--count N] [--size N] [--address 32|64] [--with FEATURES] [--without FEATURES]\n"
    "            [--tables FILE] -o FOLDER\n"
    "FEATURES, with commas: double brx atomics wide-atomics shared-atomics shared subnormals approx calls "
    "irreducible generic\n"
    "rounding funnel\n";

/* The features that a compiler for sm_11 accepts. */
enum { FEATURES_DEFAULT = FEATURES_ALL & ~(FEATURE_SUBNORMALS | FEATURE_WIDE_ATOMICS | FEATURE_SHARED_ATOMICS) };

struct options {
    uint64_t seed, count, size, address;
    unsigned features;
    const char *folder, *tables;
};

static bool take_features(const char *text, bool with, unsigned *features) {
    static const char *const NAMES[] = {"double",  "brx",        "atomics", "wide-atomics", "shared-atomics",
                                        "shared",  "subnormals", "approx",  "calls",        "irreducible",
                                        "generic", "rounding",   "funnel"};
    enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };
    while (*text != '\0') {
        const size_t length = strcspn(text, ",");
        unsigned k = 0;
        while (k < NAME_COUNT && (strlen(NAMES[k]) != length || memcmp(NAMES[k], text, length) != 0)) k++;
        if (k == NAME_COUNT) return false;
        *features = with ? *features | 1u << k : *features & ~(1u << k);
        text += length + (text[length] == ',' ? 1 : 0);
    }
    return true;
}

static bool take_number(const char *text, uint64_t *number) {
    char *end;
    *number = strtoull(text, &end, 0);
    return *text != '\0' && *end == '\0';
}

static bool take_option(struct options *o, const char *name, const char *value) {
    if (strcmp(name, "--seed") == 0) return take_number(value, &o->seed);
    if (strcmp(name, "--count") == 0) return take_number(value, &o->count);
    if (strcmp(name, "--size") == 0) return take_number(value, &o->size) && o->size <= 100000;
    if (strcmp(name, "--address") == 0)
        return take_number(value, &o->address) && (o->address == 32 || o->address == 64);
    if (strcmp(name, "--without") == 0) return take_features(value, false, &o->features);
    if (strcmp(name, "--with") == 0) return take_features(value, true, &o->features);
    if (strcmp(name, "--tables") == 0) o->tables = value;
    if (strcmp(name, "-o") == 0) o->folder = value;
    return strcmp(name, "--tables") == 0 || strcmp(name, "-o") == 0;
}

static bool write_file(const char *folder, uint64_t seed, const char *suffix, const void *bytes, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%llu.%s", folder, (unsigned long long)seed, suffix);
    FILE *f = fopen(path, "wb");
    const bool written = f != NULL && fwrite(bytes, 1, size, f) == size;
    const bool good = (f == NULL || fclose(f) == 0) && written;
    if (!good) fprintf(stderr, "error: cannot write %s\n", path);
    return good;
}

static size_t thread_count(const struct draw *d) { return (size_t)d->threads * d->grid[0] * d->grid[1]; }

/* One of 16 streams of words, so that many programs fit into a small archive. */
static uint8_t *draw_input(uint64_t seed, size_t size) {
    struct draw *d = draw_create(seed % 16, 0, 0, 64);
    uint8_t *bytes = malloc(size);
    if (bytes == NULL) abort();
    for (size_t at = 0; at < size; at += 4) {
        const uint32_t word = draw_word(d);
        for (unsigned i = 0; i < 4; i++) bytes[at + i] = (uint8_t)(word >> 8 * i);
    }
    draw_free(d);
    return bytes;
}

/* k(in, out, n) */
static void put_parameters(const struct function *kernel, uint8_t *block, const uint64_t values[3]) {
    for (unsigned k = 0; k < 3; k++) {
        const struct variable *v = kernel->parameters[k].variable;
        for (unsigned i = 0; i < v->bytes; i++) block[v->address + i] = (uint8_t)(values[k] >> 8 * i);
    }
}

static bool judge(const struct options *o, const struct draw *d, const struct module *module, const uint8_t *input,
                  size_t in_size, size_t out_size, struct problem *problem) {
    struct machine *m = machine_create(module, problem);
    uint8_t block[32] = {0};
    const uint8_t *out = NULL;
    const uint64_t values[3] = {machine_add_buffer(m, "in", input, in_size),
                                machine_add_buffer(m, "out", NULL, out_size), d->n};
    struct launch launch = {.kernel = module_kernel(module, "k"), .parameters = block, .steps = 10000000};
    memcpy(launch.grid, d->grid, sizeof launch.grid);
    memcpy(launch.block, d->block, sizeof launch.block);
    put_parameters(launch.kernel, block, values);
    const bool finished =
        machine_launch(m, &launch) == FINISHED && machine_defined(m, values[1]) && machine_buffer(m, values[1], &out);
    if (!finished) fputs(problem->text, stderr);
    const bool good = finished && write_file(o->folder, o->seed, "out", out, out_size);
    machine_free(m);
    return good;
}

static bool write_program(const struct options *o, const struct draw *d) {
    char words[300];
    struct problem problem = {""};
    const size_t in_size = 32 * thread_count(d);
    const size_t out_size = in_size + 4 * ACCUMULATORS;
    const unsigned long long seed = o->seed;
    snprintf(words, sizeof words,
             "--kernel k --grid %u,%u --block %u,%u,%u --arg %llu.in --arg zero:%zu,out=%llu.got --arg %u\n",
             d->grid[0], d->grid[1], d->block[0], d->block[1], d->block[2], seed, out_size, seed, d->n);
    uint8_t *input = draw_input(o->seed, in_size);
    bool good = write_file(o->folder, o->seed, "ptx", d->text.bytes, d->text.length) &&
                write_file(o->folder, o->seed, "args", words, strlen(words)) &&
                write_file(o->folder, o->seed, "in", input, in_size);
    char name[32];
    snprintf(name, sizeof name, "%llu.ptx", seed);
    struct module *module = module_read(name, d->text.bytes, &problem);
    if (module == NULL) fputs(problem.text, stderr);
    good = good && module != NULL && judge(o, d, module, input, in_size, out_size, &problem);
    module_free(module);
    free(input);
    return good;
}

/* One in four has addresses of 64 bits, unless an option decides. */
static bool draw_one(const struct options *o) {
    const unsigned address = o->address != 0 ? (unsigned)o->address : o->seed % 4 == 0 ? 64 : 32;
    const unsigned size = o->size != 0 ? (unsigned)o->size : 20 + (unsigned)(o->seed * 7 % 60);
    struct draw *d = draw_create(o->seed, size, o->features, address);
    draw_program(d);
    const bool good = write_program(o, d);
    draw_free(d);
    return good;
}

int main(int argc, char **argv) {
    struct options o = {.seed = 1, .count = 1, .features = FEATURES_DEFAULT, .tables = "golden/float/sfu-tables.csv"};
    bool good = argc % 2 == 1;
    for (int k = 1; k + 1 < argc && good; k += 2) good = take_option(&o, argv[k], argv[k + 1]);
    if (!good || o.folder == NULL) {
        fputs(USAGE, stderr);
        return 2;
    }
    if (!float_reference_open(o.tables)) {
        fprintf(stderr, "error: cannot read %s\n", o.tables);
        return 2;
    }
    for (; o.count > 0 && good; o.count--, o.seed++) good = draw_one(&o);
    return good ? 0 : 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a kernel of a PTX file. See README.md. Exit codes: 0; 2 if the program, or its behaviour, is undefined; 3 if it
 * traps or does not end. */
#include "../float/reference.h"
#include "arguments.h"
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char USAGE[] =
    "usage: run FILE.ptx [--kernel NAME] --grid X[,Y[,Z]] --block X[,Y[,Z]] [--arg WORD]... [--shared BYTES]\n"
    "           [--steps N] [--tables FILE] [--undefined] [-v]\n"
    "WORD: a number; FILE or zero:BYTES, a buffer, with ,out=FILE; local:BYTES\n";

struct options {
    const char *file, *kernel, *tables;
    bool verbose, undefined;
    struct launch launch;
    struct arguments arguments;
};

static bool sizes(const char *text, uint32_t size[3]) {
    char *end = NULL;
    for (int k = 0; k < 3; k++) {
        const unsigned long n = strtoul(text, &end, 0);
        if (end == text || n == 0 || n > 65535) return false;
        size[k] = (uint32_t)n;
        if (*end == '\0') return true;
        if (*end != ',') return false;
        text = end + 1;
    }
    return false;
}

static bool count_of(const char *text, uint64_t *count) {
    char *end;
    *count = strtoull(text, &end, 0);
    return *text != '\0' && *end == '\0';
}

/* An option with a value. */
static bool take_option(struct options *o, const char *name, const char *value) {
    if (strcmp(name, "--kernel") == 0) o->kernel = value;
    if (strcmp(name, "--tables") == 0) o->tables = value;
    if (strcmp(name, "--kernel") == 0 || strcmp(name, "--tables") == 0) return true;
    if (strcmp(name, "--grid") == 0) return sizes(value, o->launch.grid);
    if (strcmp(name, "--block") == 0) return sizes(value, o->launch.block);
    if (strcmp(name, "--shared") == 0)
        return count_of(value, &o->launch.shared_bytes) && o->launch.shared_bytes < 1 << 20;
    if (strcmp(name, "--steps") == 0) return count_of(value, &o->launch.steps);
    if (strcmp(name, "--arg") != 0 || o->arguments.count == MOST_ARGUMENTS) return false;
    o->arguments.words[o->arguments.count++] = value;
    return true;
}

static bool take_options(struct options *o, int count, char **words) {
    for (int k = 1; k < count; k++) {
        if (strcmp(words[k], "-v") == 0) {
            o->verbose = true;
        } else if (strcmp(words[k], "--undefined") == 0) {
            o->undefined = true;
        } else if (words[k][0] != '-') {
            if (o->file != NULL) return false;
            o->file = words[k];
        } else {
            if (k + 1 == count || !take_option(o, words[k], words[k + 1])) return false;
            k++;
        }
    }
    return o->file != NULL && o->launch.grid[0] != 0 && o->launch.block[0] != 0;
}

static int complain(const struct problem *problem, enum outcome outcome) {
    fputs(problem->text, stderr);
    return outcome == TRAPPED ? 3 : 2;
}

static int run_machine(struct options *o, struct machine *m, struct problem *problem) {
    if (!arguments_bind(&o->arguments, m, o->launch.kernel, problem)) return complain(problem, NOT_DEFINED);
    o->launch.parameters = o->arguments.block;
    const enum outcome outcome = machine_launch(m, &o->launch);
    if (outcome != FINISHED) return complain(problem, outcome);
    if (!arguments_write(&o->arguments, m, o->undefined, problem)) return complain(problem, NOT_DEFINED);
    if (machine_approximate_line(m) != 0)
        fprintf(stderr, "%s:%d: note: the PTX ISA bounds the error of this result, but does not give its bits\n",
                o->file, machine_approximate_line(m));
    if (o->verbose) printf("%llu instructions\n", (unsigned long long)machine_steps(m));
    return 0;
}

static int run_module(struct options *o, const struct module *module, struct problem *problem) {
    o->launch.kernel = module_kernel(module, o->kernel);
    if (o->launch.kernel == NULL) {
        fprintf(stderr, "%s: error: no kernel '%s'\n", o->file, o->kernel == NULL ? "" : o->kernel);
        return 2;
    }
    if (module->approximates && !float_reference_open(o->tables)) {
        fprintf(stderr, "error: cannot read %s\n", o->tables);
        return 2;
    }
    struct machine *m = machine_create(module, problem);
    const int code = m == NULL ? complain(problem, NOT_DEFINED) : run_machine(o, m, problem);
    machine_free(m);
    free(o->arguments.block);
    return code;
}

int main(int argc, char **argv) {
    struct options o = {
        .tables = "golden/float/sfu-tables.csv", .launch = {.grid = {0, 1, 1}, .block = {0, 1, 1}, .steps = 100000000}
    };
    struct problem problem = {""};
    uint64_t size;
    if (!take_options(&o, argc, argv) || o.launch.block[0] * o.launch.block[1] * o.launch.block[2] > 1024) {
        fputs(USAGE, stderr);
        return 2;
    }
    uint8_t *text = file_read(o.file, &size);
    if (text == NULL) {
        fprintf(stderr, "error: cannot read %s\n", o.file);
        return 2;
    }
    struct module *module = module_read(o.file, (const char *)text, &problem);
    const int code = module == NULL ? complain(&problem, NOT_DEFINED) : run_module(&o, module, &problem);
    module_free(module);
    free(text);
    return code;
}

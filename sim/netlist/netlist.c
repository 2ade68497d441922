// SPDX-License-Identifier: Apache-2.0
// Reads ghdl's Verilog, changes it by the passes named on the command line, in their order, and prints it:
// sim/netlist/README.md.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "parse.h"
#include "pass.h"
#include "print.h"
#include "text.h"

static const struct {
    const char *word, *text;
    pass_run *run;
} passes[] = {
#define PASS(NAME, WORD, TEXT) {WORD, TEXT, pass_##NAME},
#include "passes.def"
#undef PASS
};
enum { PASSES = sizeof passes / sizeof *passes };

static int usage(FILE *out) {
    fputs("usage: netlist FILE.v [PASS[:ARGUMENT]...]\n"
          "Prints the Verilog of ghdl --synth, changed by passes in the order in which they are named. FILE - is the\n"
          "standard input.\n\n",
          out);
    for (size_t i = 0; i < PASSES; i++) fprintf(out, "  %-12s %s\n", passes[i].word, passes[i].text);
    return out == stdout ? 0 : 2;
}

static pass_run *pass_named(const char *word) {
    size_t length = strcspn(word, ":");
    for (size_t i = 0; i < PASSES; i++)
        if (strlen(passes[i].word) == length && strncmp(passes[i].word, word, length) == 0) return passes[i].run;
    fprintf(stderr, "netlist: there is no pass %s\n", word);
    return NULL;
}

static void report(const struct design *design, const struct fault *fault, const char *pass) {
    if (fault->place.line)
        fprintf(stderr, "%s:%u:%u: ", design->file, fault->place.line, fault->place.column);
    else
        fprintf(stderr, "%s: ", design->file);
    fprintf(stderr, "error: %s%s%s\n", pass, *pass ? ": " : "", fault->text);
}

static bool run_passes(struct design *design, char **words, struct fault *fault) {
    for (; *words; words++) {
        const char *colon = strchr(*words, ':');
        if (pass_named(*words)(design, colon ? colon + 1 : "", fault)) continue;
        report(design, fault, *words);
        return false;
    }
    return true;
}

static bool run(struct design *design, const char *text, char **words) {
    struct fault fault = {0};
    if (!parse(design, text, &fault)) {
        report(design, &fault, "");
        return false;
    }
    if (!run_passes(design, words, &fault)) return false;
    if (design->report)
        fputs(design->report, stdout);
    else
        print_design(stdout, design);
    if (fflush(stdout) == 0) return true;
    perror("netlist");
    return false;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0) return usage(stdout);
    if (argc < 2) return usage(stderr);
    for (int i = 2; i < argc; i++)
        if (!pass_named(argv[i])) return 2;
    struct design design = {.file = argv[1]};
    const char *text = text_read(&design.pool, argv[1]);
    if (!text) fprintf(stderr, "netlist: %s: %s\n", argv[1], errno ? strerror(errno) : "is no text");
    bool fine = text && run(&design, text, argv + 2);
    pool_free(&design.pool);
    return fine ? 0 : 2;
}

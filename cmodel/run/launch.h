/* SPDX-License-Identifier: Apache-2.0 */
/* The launch flags (OPTIONS in launch.c), shared by all tools that run a kernel: warp-run and warp-lockstep. Their
 * result is an image changed by the flags and checked to fit the machine, and the options of the run.
 *
 *     struct launch run; struct diag d = {0};
 *     if (launch_parse(argc, argv, option, state, &limits, stderr, &run, &d) != STATUS_OK)
 *         return launch_report(TOOL, &d);
 *     if (launch_check(&run, &limits, &d) != STATUS_OK) return launch_report(TOOL, &d);
 *     ...
 *     launch_release(&run);
 */
#ifndef WARPSTEP_LAUNCH_H
#define WARPSTEP_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../../assembler/base/linkage.h"
#include "../../assembler/image/image.h"
#include "../machine.h"

C_LINKAGE_BEGIN

struct launch_dump {
    uint32_t addr;
    size_t bytes;
    char *path; /* NULL: hexdump to stdout */
};

struct launch {
    char *path;          /* KERNEL as given */
    struct image *image; /* overrides applied; grid and block never 0 (default 1), regs never 0 after launch_check */
    struct launch_dump *dumps;
    size_t dump_count;
    uint64_t max_cycles; /* default LAUNCH_MAX_CYCLES; warp-run counts warp instructions against it */
    bool json;
    bool strict;
    bool quiet;           /* no warnings */
    bool bound;           /* the parameters are those of --arg, whose buffers are pieces of image->global */
    char *trace_path;     /* NULL: none; format by suffix .txt .json .kanata */
    uint64_t trace_limit; /* bytes of it at most, 0: no limit */
};

/* Default values. */
enum { LAUNCH_MAX_CYCLES = 20000000 };
#define LAUNCH_TRACE_LIMIT ((uint64_t)4 << 30) /* bytes */

/* Called for an option that launch_parse does not know: `value` is the next argument or NULL. Returns the number of
 * arguments used (0: unknown option, 1, 2), or -1 with *d filled if its value is bad. */
typedef int launch_option_fn(void *state, const char *option, const char *value, struct diag *d);

/* `limits` may be set by the options of `other`; a file is read at most up to the size of its memory. `messages`:
 * receives all errors and warnings of the assembler, and *d has no text; NULL: *d has the first error. */
enum status launch_parse(int argc, char **argv, launch_option_fn *other, void *state, const struct machine *limits,
                         FILE *messages, struct launch *run, struct diag *d);

/* A kernel file whose text is in memory, with no options: text[size] must be 0; `messages` as above. */
enum status launch_read(const char *path, char *text, size_t size, FILE *messages, struct launch *run, struct diag *d);

/* Prints the --help text of the options that launch_parse knows, one line each. */
void launch_print_help(FILE *out);

/* The options of spec/machine.def, for tools that choose the machine: the number of arguments used, 0 for other
 * options, -1 with *d filled. */
int launch_take_machine(const char *option, const char *value, struct machine *machine, struct diag *d);
void launch_print_machine_help(FILE *out);

/* --help, -h and --version, anywhere on the line: prints `help` or the version and returns true. */
bool launch_answer(int argc, char **argv, const char *tool, void (*help)(void));

/* Checks that the launch fits: threads, registers, shared bytes, parameters, constants, code, memory pieces, grid. Sets
 * image->regs (if 0) to the number that the code uses, image->shared_bytes to at least header + parameters and, like
 * image->local_bytes and the constant banks, to a multiple of 4 bytes. */
enum status launch_check(struct launch *run, const struct machine *limits, struct diag *d);

/* Warns, for a checked launch, of legal but unlikely choices: fewer registers than the code uses; instructions that the
 * machine does not execute, each once. */
void launch_warn(const struct launch *run, const struct machine *machine, FILE *out);

/* sm_11 and later execute GRED and GATOM. */
static inline bool launch_has_atomics(const struct launch *run) { return run->image->arch > 10; }

/* The absent unit that would execute these words: "atomics", "fpu", "wide" ...; NULL if they trap for another
 * reason. And the option that selects a machine with that unit: "without --no-fpu". */
const char *launch_absent_unit(const struct machine *machine, uint32_t lo, uint32_t hi);
const char *launch_remedy(const char *unit);

/* diag_report to stderr; a message without a file begins with the tool's name. */
int launch_report(const char *tool, struct diag *d);

void launch_release(struct launch *run);

C_LINKAGE_END

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* warp-load: runs kernels on a board, or on the simulated one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../assembler/base/outfile.h"
#include "../assembler/base/stop.h"
#include "../cmodel/run/argument.h"
#include "../cmodel/run/print.h"
#include "../cmodel/run/results.h"
#include "check.h"
#include "load_options.h"
#include "report.h"
#include "selftest.h"

static const char TOOL[] = "warp-load";

enum { BAR = 40, WORD = 4, PEEK_MOST = 1 << 20, LINE_WORDS = 4 };

static void print_help(void) {
    puts("usage: warp-load [options] COMMAND\n"
         "Runs kernels on a board. Exit code: 0 fine, 1 memory is not as expected, 2 bad input or no board, 3 trap or\n"
         "hang.\n\n"
         "  identify [--json]           describe the board\n"
         "  run KERNEL [options]        run a kernel, with the options of warp-run\n"
         "  selftest                    run the bring-up kernels\n"
         "  peek ADDR [WORDS]           read words of the bus from a byte address, see docs/evidence/host.md\n"
         "  poke ADDR WORD...           write words of the bus\n");
    load_options_print_help(stdout);
    puts("\noptions of run:");
    launch_print_help(stdout);
}

/* A bar on a terminal, otherwise nothing. */
static void show_progress(void *state, const char *what, size_t done, size_t all) {
    const size_t filled = all > 0 ? done * BAR / all : BAR;
    (void)state;
    if (isatty(STDERR_FILENO) == 0) return;
    fprintf(stderr, "\r%s [", what);
    for (size_t i = 0; i < BAR; i++) fputc(i < filled ? '#' : ' ', stderr);
    fprintf(stderr, "] %3zu %%", all > 0 ? done * 100 / all : 100);
    if (done == all) fprintf(stderr, "\r%*s\r", BAR + 16, "");
    fflush(stderr);
}

/* Finds the board, and refuses an unreliable one. */
static enum status connect_board(const struct load_options *o, bool must_work, struct board *board, struct diag *d) {
    *board = (struct board){0};
    if (o->port[0] == '\0')
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "no port given: --port, or $" LOAD_PORT_VARIABLE);
    const struct board_options options = {
        .port = o->port, .baud = o->baud, .wait_ms = o->wait_ms, .progress = show_progress};
    const enum status status = board_open(&options, board, d);
    const struct identity *id = &board->identity;
    if (status != STATUS_OK || !must_work || id->timing_met) return status;
    if (o->force) {
        fprintf(stderr, "%s: warning: timing was not met: results may be wrong\n", o->port);
        return STATUS_OK;
    }
    board_close(board);
    return diag_set(
        d, STATUS_BAD_INPUT, o->port, 0, 0,
        "timing was not met: the clock is %.2f MHz, the design reaches %.2f MHz; use --force to run it nevertheless",
        id->clock_hz / 1e6, id->fmax_hz / 1e6);
}

static enum status identify(const struct load_options *o, int argc, char **argv, int *code, struct diag *d) {
    struct board board;
    const bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
    (void)code;
    if (argc > (json ? 2 : 1)) return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "identify takes --json and nothing else");
    const enum status status = connect_board(o, false, &board, d);
    if (status != STATUS_OK) return status;
    load_print_identity(&board, json);
    board_close(&board);
    return STATUS_OK;
}

/* ------------------------------------------------------------------------------------------------------------- run */

static enum status run_repeatedly(struct board *board, const struct launch *run, unsigned repeat, int *code,
                                  struct diag *d) {
    struct board_result result = {0};
    struct load_verdict verdict = {0};
    enum status status = STATUS_OK;
    unsigned runs = 0;
    while (runs < repeat && status == STATUS_OK && verdict.code == LOAD_FINE) {
        free(result.global);
        status = board_run(board, run, &result, d);
        runs++;
        if (status == STATUS_OK) verdict = load_judge(board, run, &result, stderr);
    }
    FILE *out = run->json ? stderr : stdout;
    if (status == STATUS_OK)
        status = print_results(run, result.global, board->sim.machine.global_bytes, out, stderr, d);
    if (status == STATUS_OK) status = results_dump(run, result.global, out, d);
    if (status == STATUS_OK) load_print(board, run, &result, &verdict, runs);
    free(result.global);
    *code = verdict.code;
    return status;
}

static enum status check(struct board *board, const struct launch *run, int *code, struct diag *d) {
    bool agrees = false;
    const enum status status = check_run(board, run, stdout, &agrees, d);
    if (status == STATUS_OK && !agrees && *code == LOAD_FINE) *code = LOAD_DIFFERS;
    return status;
}

static enum status run_on_board(const struct load_options *o, struct launch *run, int *code, struct diag *d) {
    struct board board;
    if (run->trace_path != NULL || run->strict)
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0,
                        "--trace and --strict do not work on a board; use warp-lockstep");
    if (o->check && run->json) return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "--check cannot be combined with --json");
    enum status status = results_check(run, d);
    if (status == STATUS_OK) status = connect_board(o, true, &board, d);
    if (status != STATUS_OK) return status;
    status = print_place(run, &board.sim.machine, d);
    if (status == STATUS_OK) status = launch_check(run, &board.sim.machine, d);
    if (status == STATUS_OK && launch_has_atomics(run) && !board.sim.machine.has_atomics)
        fprintf(stderr, "%s: warning: this board has no atomics: GRED and GATOM trap\n", run->path);
    if (status == STATUS_OK) launch_warn(run, &board.sim.machine, stderr);
    if (status == STATUS_OK) status = run_repeatedly(&board, run, o->repeat, code, d);
    if (status == STATUS_OK && o->check) status = check(&board, run, code, d);
    board_close(&board);
    return status;
}

/* Reads the kernel before looking for the board; it may be larger than any board. */
static enum status run(const struct load_options *o, int argc, char **argv, int *code, struct diag *d) {
    struct machine largest = MACHINE_DEFAULT;
    struct launch launch;
    largest.global_bytes = MACHINE_MOST_GLOBAL_BYTES;
    enum status status = launch_parse(argc, argv, NULL, NULL, &largest, stderr, &launch, d);
    if (status != STATUS_OK) return status;
    status = run_on_board(o, &launch, code, d);
    launch_release(&launch);
    return status;
}

/* ------------------------------------------------------------------------------------------------- other commands */

static enum status selftest(const struct load_options *o, int argc, char **argv, int *code, struct diag *d) {
    struct board board;
    (void)argv;
    if (argc > 1) return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "selftest takes no arguments");
    enum status status = connect_board(o, true, &board, d);
    if (status != STATUS_OK) return status;
    load_print_identity(&board, false);
    status = selftest_run(&board, o->kernels, o->cycles, code, d);
    board_close(&board);
    return status;
}

static enum status take_number(const char *text, uint64_t most, uint32_t *number, struct diag *d) {
    uint64_t value = 0;
    const bool word = most == UINT32_MAX;
    if (word ? !argument_word(text, number, NULL) : !argument_number(text, most, &value, NULL))
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "'%.40s': expected a number, at most 0x%" PRIx64, text, most);
    if (!word) *number = (uint32_t)value;
    return STATUS_OK;
}

static enum status take_address(const char *text, uint32_t *adr, struct diag *d) {
    const enum status status = take_number(text, UINT32_MAX, adr, d);
    if (status != STATUS_OK || *adr % WORD == 0) return status;
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "'%.40s': the address of a word is a multiple of 4", text);
}

static void print_words(uint32_t adr, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i % LINE_WORDS == 0) printf("%s%08" PRIx32 ":", i == 0 ? "" : "\n", adr + (uint32_t)(WORD * i));
        printf(" %08" PRIx32, words[i]);
    }
    fputc('\n', stdout);
}

static enum status peek(const struct load_options *o, int argc, char **argv, int *code, struct diag *d) {
    struct board board;
    uint32_t adr = 0, count = 1;
    (void)code;
    if (argc < 2 || argc > 3) return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "peek takes ADDR [WORDS]");
    enum status status = take_address(argv[1], &adr, d);
    if (status == STATUS_OK && argc == 3) status = take_number(argv[2], PEEK_MOST, &count, d);
    if (status != STATUS_OK) return status;
    uint32_t *words = calloc((size_t)count + 1, sizeof *words);
    if (words == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    status = connect_board(o, false, &board, d);
    if (status == STATUS_OK) {
        status = board_peek(&board, adr, words, count, d);
        if (status == STATUS_OK) print_words(adr, words, count);
        board_close(&board);
    }
    free(words);
    return status;
}

static enum status poke(const struct load_options *o, int argc, char **argv, int *code, struct diag *d) {
    struct board board;
    uint32_t adr = 0, words[BRIDGE_BURST];
    unsigned astray = 0;
    (void)code;
    enum status status = STATUS_OK;
    if (argc < 3 || argc > 2 + BRIDGE_BURST)
        status = diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "poke takes ADDR and 1 to %d words", BRIDGE_BURST);
    if (status == STATUS_OK) status = take_address(argv[1], &adr, d);
    for (int i = 2; i < argc && status == STATUS_OK; i++) status = take_number(argv[i], UINT32_MAX, &words[i - 2], d);
    if (status == STATUS_OK) status = connect_board(o, false, &board, d);
    if (status != STATUS_OK) return status;
    status = board_poke(&board, adr, words, (size_t)argc - 2, &astray, d);
    if (status == STATUS_OK && astray > 0)
        fprintf(stderr, "%s: warning: the line changed bytes: other words may have been written, too\n", o->port);
    board_close(&board);
    return status;
}

typedef enum status command_fn(const struct load_options *o, int argc, char **argv, int *code, struct diag *d);

static command_fn *find_command(const char *name) {
    static const struct {
        const char *name;
        command_fn *run;
    } COMMANDS[] = {
        {"identify", identify},
        {"run",      run     },
        {"selftest", selftest},
        {"peek",     peek    },
        {"poke",     poke    }
    };
    for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++)
        if (strcmp(name, COMMANDS[i].name) == 0) return COMMANDS[i].run;
    return NULL;
}

/* Removes "--", after which no argument is an option. */
static void skip_mark(int *argc, char **argv, int at) {
    if (at >= *argc || strcmp(argv[at], "--") != 0) return;
    memmove(argv + at, argv + at + 1, (size_t)(*argc - at) * sizeof *argv);
    --*argc;
}

int main(int argc, char **argv) {
    struct load_options options;
    struct diag d = {0};
    int code = LOAD_FINE;
    stop_install();
    if (launch_answer(argc, argv, TOOL, print_help)) return outfile_finish(LOAD_FINE);
    enum status status = load_options_take(&argc, argv, &options, &d);
    skip_mark(&argc, argv, 1);
    command_fn *command = argc > 1 ? find_command(argv[1]) : NULL;
    if (command != run) skip_mark(&argc, argv, 2);
    if (status == STATUS_OK && command != NULL) status = command(&options, argc - 1, argv + 1, &code, &d);
    if (status == STATUS_OK && command == NULL)
        status = diag_set(&d, STATUS_BAD_INPUT, "", 0, 0,
                          argc > 1 ? "no command '%.40s', see --help" : "no command given, see --help",
                          argc > 1 ? argv[1] : "");
    return status == STATUS_OK ? outfile_finish(code) : launch_report(TOOL, &d);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* warp-run: runs a kernel on the C model. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/outfile.h"
#include "../model.h"
#include "launch.h"
#include "results.h"
#include "trace.h"

static const char TOOL[] = "warp-run";

enum { EXIT_FINE = 0, EXIT_DIFFERS = 1, EXIT_BAD = 2, EXIT_STOPPED = 3 };

/* How the run ended. */
struct outcome {
    enum model_result result;
    bool timeout;   /* max_cycles reached */
    uint64_t wrong; /* bytes that are not as expected */
};

static void print_help(void) {
    puts(
        "usage: warp-run KERNEL [options]\n"
        "Runs a kernel on the C model. Exit code: 0 fine, 1 memory is not as expected, 2 bad input, 3 trap or hang.\n");
    launch_print_help(stdout);
    launch_print_unit_help(stdout);
    puts("  --global-bytes N            size of global memory, a power of two, default 262144");
    puts("  --help                      this text");
}

static int take_option(void *state, const char *option, const char *value, struct diag *d) {
    const int unit = launch_take_unit(option, state);
    return unit != 0 ? unit : launch_take_memory(option, value, state, d);
}

static bool wants_help(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    return false;
}

static enum model_result run_traced(struct model *m, uint64_t limit, struct trace *trace) {
    struct retire record;
    enum model_result result = MODEL_RETIRED;
    for (uint64_t i = 0; i < limit && result == MODEL_RETIRED; i++) {
        result = model_run_step(m, &record);
        if (result == MODEL_RETIRED) trace_record(trace, &record);
    }
    return result;
}

/* A grid that ends in exactly max_cycles instructions has not hung: one more step says how it ended. */
static enum model_result run_grid(struct model *m, uint64_t limit, struct trace *trace) {
    uint64_t steps;
    const enum model_result result = trace != NULL ? run_traced(m, limit, trace) : model_run(m, limit, &steps);
    return result == MODEL_RETIRED && model_finished(m) ? model_run_step(m, NULL) : result;
}

/* ---------------------------------------------------------------------------- reports */

static const char *status_name(const struct outcome *outcome, bool strict_failure) {
    if (outcome->result == MODEL_TRAPPED) return "trap";
    if (outcome->result != MODEL_DONE) return "hang";
    if (outcome->wrong != 0) return "expect";
    return strict_failure ? "mismatch" : "pass";
}

static void print_place(const struct launch *run, uint32_t pc, uint32_t lo, uint32_t hi) {
    char text[TRACE_TEXT_MAX];
    unsigned line = 0;
    const char *file = image_find_line(run->image, pc, &line);
    fprintf(stderr, "pc 0x%x: %s", pc, trace_instruction(pc, lo, hi, text));
    if (file != NULL) fprintf(stderr, " (%s:%u)", file, line);
    fputc('\n', stderr);
}

static void report_trap(const struct model *m, const struct launch *run, const struct machine *machine) {
    const struct model_trap trap = model_get_trap(m);
    struct model_warp warp;
    model_peek_warp(m, trap.sm, trap.slot, &warp);
    fprintf(stderr, "%s: trap: %s\n", run->path, trap_name(trap.code));
    fprintf(stderr, "  block (%u,%u) warp %u, sm %u slot %u, active %08x, words %08x %08x\n  ", warp.block_x,
            warp.block_y, warp.warp, trap.sm, trap.slot, warp.active, trap.word_lo, trap.word_hi);
    print_place(run, trap.pc, trap.word_lo, trap.word_hi);
    const char *absent = launch_absent_unit(machine, trap.word_lo, trap.word_hi);
    if (absent != NULL) fprintf(stderr, "  it executes without --no-%s\n", absent);
}

static void report_warp(const struct model *m, const struct launch *run, unsigned sm, unsigned slot) {
    static const char *const STATES[] = {"ready", "waits at barrier", "finished", "trapped"};
    struct model_warp warp;
    model_peek_warp(m, sm, slot, &warp);
    if (!warp.present) return;
    fprintf(stderr, "  sm %u slot %u block (%u,%u) warp %u: %s", sm, slot, warp.block_x, warp.block_y, warp.warp,
            STATES[warp.state]);
    if (warp.state == RETIRE_BARRIER) fprintf(stderr, " %u", warp.barrier);
    fprintf(stderr, ", active %08x of %08x, stack %u", warp.active, warp.alive, warp.depth);
    if (warp.state == RETIRE_FINISHED) {
        fputc('\n', stderr);
        return;
    }
    const size_t word = warp.pc / 4;
    const uint32_t lo = word < run->image->code_words ? run->image->code[word] : 0;
    const uint32_t hi = word + 1 < run->image->code_words ? run->image->code[word + 1] : 0;
    fputs(", ", stderr);
    print_place(run, warp.pc, lo, hi);
}

static void report_hang(const struct model *m, const struct launch *run, const struct machine *machine,
                        const struct outcome *outcome) {
    if (outcome->timeout) {
        fprintf(stderr, "%s: hang: not finished after %" PRIu64 " warp instructions (--max-cycles)\n", run->path,
                run->max_cycles);
    } else {
        fprintf(stderr, "%s: hang: every warp that is left waits at a barrier\n", run->path);
    }
    for (unsigned sm = 0; sm < machine->sms; sm++)
        for (unsigned slot = 0; slot < machine->warps; slot++) report_warp(m, run, sm, slot);
}

static void report_undefined(const struct model *m, const struct launch *run) {
    for (size_t i = 0; i < model_undefined_count(m); i++) {
        const struct model_undefined *u = model_undefined_at(m, i);
        const size_t word = u->pc / 4;
        const uint32_t hi = word + 1 < run->image->code_words ? run->image->code[word + 1] : 0;
        fprintf(stderr, "%s: %s: %s is read before it is written (sm %u slot %u lane %u), ", run->path,
                run->strict ? "error" : "warning", u->what, u->sm, u->slot, u->lane);
        print_place(run, u->pc, run->image->code[word], hi);
    }
}

static void print_json_string(const char *text) {
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') putchar('\\');
        if ((unsigned char)*text >= ' ') putchar(*text);
    }
    putchar('"');
}

static void print_json(const struct model *m, const struct launch *run, const struct outcome *outcome,
                       bool strict_failure) {
    struct model_counts counts;
    model_get_counts(m, &counts);
    printf("{\"status\":\"%s\",\"sim\":\"model\",\"kernel\":", status_name(outcome, strict_failure));
    print_json_string(run->image->name != NULL ? run->image->name : "");
    printf(",\"cycles\":%" PRIu64 ",\"warp_instructions\":%" PRIu64 ",\"thread_instructions\":%" PRIu64
           ",\"executed_threads\":%" PRIu64 ",\"ipc\":%.6f,\"stalls\":{\"issue\":%" PRIu64 "}",
           counts.warp_instructions, counts.warp_instructions, counts.thread_instructions, counts.executed_threads,
           counts.warp_instructions > 0 ? 1.0 : 0.0, counts.warp_instructions);
    printf(",\"expect_bytes_wrong\":%" PRIu64 ",\"undefined_reads\":%" PRIu64 ",\"undefined\":[", outcome->wrong,
           counts.undefined_reads);
    for (size_t i = 0; i < model_undefined_count(m); i++) {
        const struct model_undefined *u = model_undefined_at(m, i);
        printf("%s{\"pc\":%" PRIu32 ",\"what\":\"%s\"}", i == 0 ? "" : ",", u->pc, u->what);
    }
    putchar(']');
    if (outcome->result == MODEL_TRAPPED) {
        const struct model_trap trap = model_get_trap(m);
        printf(",\"trap\":{\"code\":%u,\"name\":\"%s\",\"sm\":%u,\"slot\":%u,\"pc\":%" PRIu32 "}", (unsigned)trap.code,
               trap_name(trap.code), trap.sm, trap.slot, trap.pc);
    }
    puts("}");
}

static void print_summary(const struct model *m, const struct launch *run, const struct outcome *outcome,
                          bool strict_failure) {
    struct model_counts counts;
    model_get_counts(m, &counts);
    printf("%s: %s: %" PRIu64 " warp instructions, %" PRIu64 " thread instructions, %" PRIu64 " executed\n", run->path,
           status_name(outcome, strict_failure), counts.warp_instructions, counts.thread_instructions,
           counts.executed_threads);
}

/* ---------------------------------------------------------------------------- the run */

/* Executes the launch and reports it; *exit_code is set where the return value is STATUS_OK. */
static enum status execute(struct model *m, const struct launch *run, const struct machine *machine, int *exit_code,
                           struct diag *d) {
    struct outcome outcome = {0};
    struct trace *trace = NULL;
    enum status status = model_launch(m, run->image, d);
    if (status == STATUS_OK && run->trace_path != NULL) status = trace_open(run->trace_path, run->image, &trace, d);
    if (status != STATUS_OK) return status;
    outcome.result = run_grid(m, run->max_cycles, trace);
    outcome.timeout = outcome.result == MODEL_RETIRED;
    status = trace_close(trace, true, d);
    if (status != STATUS_OK) return status;
    const bool strict_failure = run->strict && model_undefined_count(m) > 0;
    report_undefined(m, run);
    if (outcome.result == MODEL_TRAPPED)
        report_trap(m, run, machine);
    else if (outcome.result != MODEL_DONE)
        report_hang(m, run, machine, &outcome);
    if (outcome.result == MODEL_DONE || outcome.result == MODEL_TRAPPED)
        outcome.wrong = results_compare(run, model_global(m), stderr);
    status = results_dump(run, model_global(m), run->json ? stderr : stdout, d);
    if (run->json)
        print_json(m, run, &outcome, strict_failure);
    else
        print_summary(m, run, &outcome, strict_failure);
    *exit_code = outcome.result != MODEL_DONE           ? EXIT_STOPPED
                 : outcome.wrong != 0 || strict_failure ? EXIT_DIFFERS
                                                        : EXIT_FINE;
    return status;
}

int main(int argc, char **argv) {
    struct machine machine = MACHINE_DEFAULT;
    struct launch run;
    struct diag d = {0};
    int exit_code = EXIT_BAD;
    machine.has_fpu = machine.has_sfu = true;
    if (wants_help(argc, argv)) {
        print_help();
        return outfile_finish(EXIT_FINE);
    }
    if (launch_parse(argc, argv, take_option, &machine, &machine, &run, &d) != STATUS_OK)
        return launch_report(TOOL, &d);
    struct model *m = NULL;
    machine.has_atomics = launch_has_atomics(&run);
    enum status status = launch_check(&run, &machine, &d);
    if (status == STATUS_OK) {
        launch_warn(&run, stderr);
        m = model_create(&machine);
        status = m != NULL ? execute(m, &run, &machine, &exit_code, &d)
                           : diag_set(&d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for the model");
    }
    model_destroy(m);
    launch_release(&run);
    return status == STATUS_OK ? outfile_finish(exit_code) : launch_report(TOOL, &d);
}

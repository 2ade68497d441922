/* SPDX-License-Identifier: Apache-2.0 */
/* warp-run: runs a kernel on the C model. */
// link: -ledit
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/file.h"
#include "../../assembler/base/outfile.h"
#include "../../assembler/base/stop.h"
#include "../debug/session.h"
#include "../model.h"
#include "bounds_report.h"
#include "end_report.h"
#include "json_string.h"
#include "launch.h"
#include "print.h"
#include "progress.h"
#include "race_report.h"
#include "results.h"
#include "state_report.h"
#include "trace.h"
#include "trap_report.h"

static const char TOOL[] = "warp-run";

enum { EXIT_FINE = 0, EXIT_DIFFERS = 1, EXIT_BAD = 2, EXIT_STOPPED = 3 };

/* Values of this tool's own options. */
struct choice {
    struct machine machine;
    bool check_races;
    struct session session;
};

/* The end of the run. */
struct outcome {
    enum model_result result;
    bool timeout; /* max_cycles reached */
    bool interrupted;
    uint64_t wrong; /* differing bytes */
    bool undefined; /* values were read before they were written, with --strict */
    bool strayed;   /* accesses were outside all buffers, with --strict */
    size_t races;   /* pairs of instructions */
};

static void print_help(void) {
    puts("usage: warp-run KERNEL [options]\n"
         "Runs a kernel on the C model. Exit code: 0 fine, 1 a check failed, 2 bad input, 3 trap or hang,\n"
         "130 interrupted, 143 by SIGTERM.\n");
    launch_print_help(stdout);
    launch_print_machine_help(stdout);
    race_report_print_help(stdout);
    session_print_help(stdout);
    puts("  --help, --version           this text; the version");
}

static int take_option(void *state, const char *option, const char *value, struct diag *d) {
    struct choice *choice = state;
    const int used = session_take_option(&choice->session, option, value, d);
    if (used != 0) return used;
    if (strcmp(option, RACE_REPORT_OPTION) != 0) return launch_take_machine(option, value, &choice->machine, d);
    choice->check_races = true;
    return 1;
}

static enum model_result run_traced(struct model *m, uint64_t limit, struct trace *trace) {
    struct retire record;
    uint64_t count;
    if (trace_is_cut(trace)) return model_run(m, limit, &count);
    enum model_result result = MODEL_RETIRED;
    for (uint64_t i = 0; i < limit && result == MODEL_RETIRED; i++) {
        result = model_run_step(m, &record);
        if (result == MODEL_RETIRED) trace_record(trace, &record, m);
    }
    return result;
}

/* Runs up to the limit of the launch, or until interrupted. A grid that ends in exactly max_cycles instructions has not
 * hung: one more step tells how it ended. */
static void run_grid(struct model *m, uint64_t limit, struct trace *trace, struct outcome *outcome) {
    enum { STEPS = 1 << 14 /* between two readings of the clock */ };
    struct progress progress;
    uint64_t done = 0, count;
    outcome->result = MODEL_RETIRED;
    progress_start(&progress, "warp instructions");
    while (outcome->result == MODEL_RETIRED && done < limit && !outcome->interrupted) {
        const uint64_t steps = limit - done < STEPS ? limit - done : STEPS;
        outcome->result = trace != NULL ? run_traced(m, steps, trace) : model_run(m, steps, &count);
        done += steps;
        outcome->interrupted = !progress_go_on(&progress, done);
    }
    progress_end(&progress);
    if (outcome->result == MODEL_RETIRED && model_finished(m)) outcome->result = model_run_step(m, NULL);
    outcome->interrupted = outcome->interrupted && outcome->result == MODEL_RETIRED;
    outcome->timeout = outcome->result == MODEL_RETIRED && !outcome->interrupted;
}

/* Interactive: executes instructions as long as the prompt allows. */
static void run_by_hand(struct model *m, uint64_t limit, struct trace *trace, struct debug *debug,
                        struct outcome *outcome) {
    struct progress progress;
    struct retire record;
    bool go_on = debug_start(debug);
    outcome->result = MODEL_RETIRED;
    progress_start_quietly(&progress);
    for (uint64_t i = 0; go_on && i < limit; i++) {
        outcome->result = model_run_step(m, &record);
        if (outcome->result != MODEL_RETIRED) break;
        if (trace != NULL) trace_record(trace, &record, m);
        if (!progress_go_on(&progress, i)) {
            if (!stop_take_interrupt()) break;
            debug_interrupt(debug);
        }
        go_on = debug_record(debug, &record);
    }
    go_on = go_on && stop_signal() == 0;
    progress_end(&progress);
    outcome->interrupted = !go_on && !model_finished(m);
    outcome->timeout = outcome->result == MODEL_RETIRED && go_on && !model_finished(m);
    if (outcome->result == MODEL_RETIRED && model_finished(m)) outcome->result = model_run_step(m, NULL);
}

/* ---------------------------------------------------------------------------- reports */

static const char *status_name(const struct outcome *outcome) {
    if (outcome->interrupted) return "interrupted";
    if (outcome->result == MODEL_TRAPPED) return "trap";
    if (outcome->result != MODEL_DONE) return "hang";
    if (outcome->wrong != 0) return "failed";
    if (outcome->undefined) return "undefined";
    if (outcome->strayed) return "out of bounds";
    return outcome->races > 0 ? "race" : "pass";
}

static void report_interrupt(const struct model *m, const struct launch *run, const struct machine *machine) {
    struct model_counts counts;
    model_get_counts(m, &counts);
    fprintf(stderr, "%s: interrupted after %" PRIu64 " warp instruction%s\n", run->path, counts.warp_instructions,
            counts.warp_instructions == 1 ? "" : "s");
    state_report_warps(m, run->image, machine, stderr);
}

static void print_json(const struct model *m, const struct launch *run, const struct outcome *outcome,
                       bool check_races) {
    struct model_counts counts;
    model_get_counts(m, &counts);
    printf("{\"status\":\"%s\",\"sim\":\"model\",\"kernel\":", status_name(outcome));
    json_print_string(run->image->name != NULL ? run->image->name : "", stdout);
    printf(",\"cycles\":%" PRIu64 ",\"warp_instructions\":%" PRIu64 ",\"thread_instructions\":%" PRIu64
           ",\"executed_threads\":%" PRIu64 ",\"ipc\":%.6f,\"stalls\":{\"issue\":%" PRIu64 "}",
           counts.warp_instructions, counts.warp_instructions, counts.thread_instructions, counts.executed_threads,
           counts.warp_instructions > 0 ? 1.0 : 0.0, counts.warp_instructions);
    printf(",\"expect_bytes_wrong\":%" PRIu64 ",\"undefined_reads\":%" PRIu64, outcome->wrong, counts.undefined_reads);
    state_report_undefined_json(m, stdout);
    if (check_races) race_report_json(m, stdout);
    if (outcome->result == MODEL_TRAPPED) {
        const struct model_trap trap = model_get_trap(m);
        printf(",\"trap\":");
        trap_report_json(m, &trap, run->image, stdout);
    }
    puts("}");
}

/* ---------------------------------------------------------------------------- the run */

static enum status no_memory(struct diag *d) {
    return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for the model");
}

/* Executes the launch and reports it; *exit_code is set if the return value is STATUS_OK. */
static enum status run_held(struct model *m, const struct launch *run, struct choice *choice, int *exit_code,
                            struct diag *d) {
    struct outcome outcome = {0};
    struct trace *trace = NULL;
    enum status status = model_launch(m, run->image, d);
    if (status == STATUS_OK && choice->check_races && !model_check_races(m)) status = no_memory(d);
    if (status == STATUS_OK && !bounds_report_begin(m, run)) status = no_memory(d);
    if (status == STATUS_OK && run->trace_path != NULL) status = trace_open(run->trace_path, run->image, &trace, d);
    if (trace != NULL) trace_set_limit(trace, run->trace_limit);
    if (status == STATUS_OK) status = session_open(&choice->session, m, run->image, &choice->machine, d);
    if (status == STATUS_OK && choice->session.wanted)
        run_by_hand(m, run->max_cycles, trace, choice->session.debug, &outcome);
    else if (status == STATUS_OK)
        run_grid(m, run->max_cycles, trace, &outcome);
    struct diag later = {0};
    if (outcome.interrupted) trace_cut(trace, stop_name());
    trace_report_cut(trace, run->trace_path, stderr);
    const enum status closed = trace_close(trace, status == STATUS_OK, &later);
    if (status == STATUS_OK && closed != STATUS_OK) *d = later;
    if (status == STATUS_OK) status = closed;
    if (status != STATUS_OK) return status;
    if (model_races_failed(m)) return no_memory(d);
    outcome.undefined = run->strict && model_undefined_count(m) > 0;
    (void)model_races(m, &outcome.races);
    outcome.strayed = bounds_report_print(m, run, stderr) > 0;
    state_report_undefined(m, run, stderr);
    race_report_print(m, run, stderr);
    if (outcome.interrupted && choice->session.debug == NULL)
        report_interrupt(m, run, &choice->machine);
    else if (outcome.result == MODEL_TRAPPED)
        end_report_trap(m, run, &choice->machine, stderr);
    else if (outcome.result != MODEL_DONE && !outcome.interrupted)
        end_report_hang(m, run, &choice->machine, outcome.timeout, stderr);
    if (outcome.result == MODEL_DONE || outcome.result == MODEL_TRAPPED) /* a trap explains missing bytes */
        outcome.wrong = results_compare(run, model_global(m), outcome.result == MODEL_DONE ? stderr : NULL);
    if (choice->session.debug != NULL) debug_end(choice->session.debug, "the run has ended");
    status = session_close(&choice->session, d);
    FILE *out = run->json ? stderr : stdout;
    if (status == STATUS_OK) status = print_results(run, model_global(m), choice->machine.global_bytes, out, stderr, d);
    if (status == STATUS_OK && !outcome.interrupted) status = results_dump(run, model_global(m), out, d);
    if (run->json)
        print_json(m, run, &outcome, choice->check_races);
    else
        end_report_summary(m, run, status_name(&outcome), stdout);
    *exit_code = outcome.interrupted                                                               ? stop_code()
                 : outcome.result != MODEL_DONE                                                    ? EXIT_STOPPED
                 : outcome.wrong != 0 || outcome.undefined || outcome.strayed || outcome.races > 0 ? EXIT_DIFFERS
                                                                                                   : EXIT_FINE;
    return status;
}

/* A signal ends the run, and all files are then complete. */
static enum status execute(struct model *m, const struct launch *run, struct choice *choice, int *exit_code,
                           struct diag *d) {
    stop_hold();
    const enum status status = run_held(m, run, choice, exit_code, d);
    stop_release();
    return status;
}

int main(int argc, char **argv) {
    struct choice choice = {.machine = MACHINE_DEFAULT};
    struct machine *machine = &choice.machine;
    struct launch run;
    struct diag d = {0};
    int exit_code = EXIT_BAD;
    stop_install();
    if (launch_answer(argc, argv, TOOL, print_help)) return outfile_finish(EXIT_FINE);
    if (launch_parse(argc, argv, take_option, &choice, machine, stderr, &run, &d) != STATUS_OK)
        return launch_report(TOOL, &d);
    struct model *m = NULL;
    machine->has_atomics = launch_has_atomics(&run);
    enum status status = print_place(&run, machine, &d);
    if (status == STATUS_OK) status = launch_check(&run, machine, &d);
    if (status == STATUS_OK && choice.session.wanted && run.json)
        status = diag_set(&d, STATUS_BAD_INPUT, "", 0, 0, "--debug cannot be combined with --json");
    if (status == STATUS_OK) status = session_check(&choice.session, run.path, &d);
    if (status == STATUS_OK) status = results_check(&run, &d);
    if (status == STATUS_OK) {
        launch_warn(&run, machine, stderr);
        m = model_create(machine);
        status = m != NULL ? execute(m, &run, &choice, &exit_code, &d) : no_memory(&d);
    }
    model_destroy(m);
    launch_release(&run);
    return status == STATUS_OK ? outfile_finish(exit_code) : launch_report(TOOL, &d);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "free_run.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../assembler/base/stop.h"
#include "../../cmodel/run/results.h"
#include "../port/cause.h"

enum { EXIT_DIFFERS = 1, EXIT_KERNEL = 3 };

static const uint64_t FOREVER = UINT64_MAX / 2;

/* Clocks the machine until it ends, or a signal ends it (SIM_SILENT); drops any records. */
static enum sim_event run_to_end(const struct sim_api *api, struct sim *s, uint64_t max_cycles) {
    enum { CYCLES = 1 << 10 /* between two checks of the signals */ };
    struct retire record;
    const uint64_t end = max_cycles != 0 ? max_cycles : FOREVER;
    for (uint64_t now = api->cycle(s); now < end && stop_signal() == 0; now = api->cycle(s)) {
        const enum sim_event event = api->next(s, &record, end - now < CYCLES ? end - now : CYCLES);
        if (event != SIM_RECORD && event != SIM_SILENT) return event;
    }
    return SIM_SILENT;
}

static const char *judge(const struct sim_api *api, struct sim *s, const struct launch *run, enum sim_event event,
                         size_t global_bytes, int *exit_code) {
    *exit_code = EXIT_KERNEL;
    if (event == SIM_TRAPPED) return "trap";
    if (event == SIM_SILENT && stop_signal() != 0) {
        *exit_code = stop_code();
        return "interrupted";
    }
    if (event == SIM_SILENT) return "hang";
    *exit_code = EXIT_DIFFERS;
    uint8_t *global = event == SIM_DONE ? malloc(global_bytes) : NULL;
    const bool readable = global != NULL && api->peek(s, SIM_GLOBAL, 0, global, global_bytes) == 0;
    const bool wrong = readable && results_compare(run, global, stderr) > 0;
    free(global);
    if (!readable) fprintf(stderr, "%s: error: the simulation failed: %s\n", run->path, api->why(s));
    if (!readable || wrong) return "failed";
    *exit_code = 0;
    return "pass";
}

/* Checks that every cycle has one cause, and reports a violation. */
static bool causes_sum(const struct sim_counters *c, const struct sim_options *o, const struct launch *run) {
    for (unsigned sm = 0; sm < o->machine.sms; sm++) {
        if (cause_sum(c, sm) == c->cycles) continue;
        fprintf(stderr, "%s: error: cycles by cause sum to %" PRIu64 " on sm %u, not to %" PRIu64 "\n", run->path,
                cause_sum(c, sm), sm, c->cycles);
        return false;
    }
    return true;
}

static void print_counters(const struct sim_counters *c, bool causes, const struct sim_options *o, const char *status,
                           const struct sim_api *api, const struct launch *run) {
    if (!run->json) {
        printf("%s: %s: unchecked, %" PRIu64 " warp instruction%s, %" PRIu64 " cycles, on %s with %u cores, %u SM%s\n",
               run->path, status, c->warp_instructions, c->warp_instructions == 1 ? "" : "s", c->cycles, api->name,
               o->cores, o->machine.sms, o->machine.sms == 1 ? "" : "s");
        if (causes) cause_print_text(c, o, stdout);
        return;
    }
    printf("{\"status\":\"%s\",\"sim\":\"%s\",\"cores\":%u,\"sms\":%u,\"seed\":%" PRIu32
           ",\"compared\":0,\"cycles\":%" PRIu64 ",\"warp_instructions\":%" PRIu64 ",\"thread_instructions\":%" PRIu64,
           status, api->name, o->cores, o->machine.sms, o->seed, c->cycles, c->warp_instructions,
           c->thread_instructions);
    cause_print_json(c, o, causes, stdout);
    puts("}");
}

enum status free_run(const struct sim_api *api, const struct sim_options *options, const struct launch *run,
                     int *exit_code, struct diag *d) {
    char why[256] = "";
    if (run->trace_path != NULL || run->strict || run->dump_count > 0)
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "--unchecked goes with no --trace, --strict or --dump");
    struct sim *s = api->open(options, why, sizeof why);
    if (s == NULL) return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "simulation '%s': %s", api->name, why);
    const enum sim_event event = api->load(s, run) == 0 ? run_to_end(api, s, run->max_cycles) : SIM_FAILED;
    const char *status = judge(api, s, run, event, options->machine.global_bytes, exit_code);
    struct sim_counters counters = {.cycles = api->cycle(s)};
    const bool counted = api->counters != NULL && event != SIM_FAILED && event != SIM_SILENT;
    if (counted) api->counters(s, &counters);
    if (counted && !causes_sum(&counters, options, run)) {
        status = "failed";
        *exit_code = EXIT_DIFFERS;
    }
    print_counters(&counters, counted, options, status, api, run);
    api->close(s);
    return STATUS_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The C model as an engine. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../cmodel/run/argument.h"
#include "../cmodel/run/end_report.h"
#include "../cmodel/run/race_report.h"
#include "engine_api.h"

enum { STEPS = 1 << 12 /* between two checks of engine_stop */, CORES = 8 };

/* Untouched pages take no memory. */
#define GLOBAL_BYTES (UINT32_C(1) << 30)
#define GLOBAL_LEAST (UINT32_C(1) << 12)
#define GLOBAL_MOST  (UINT32_C(1) << 31)

struct engine_of_model {
    struct engine engine;
    struct model *model;
};

static struct model *model_of(const struct engine *engine) { return ((const struct engine_of_model *)engine)->model; }

/* Parses a size: "64M", "1G", "65536". */
static bool parse_bytes(const char *text, uint32_t *bytes) {
    const char *end;
    uint64_t value;
    if (!argument_number(text, GLOBAL_MOST, &value, &end)) return false;
    const unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (end[shift != 0] != '\0' || value << shift < GLOBAL_LEAST || value << shift > GLOBAL_MOST) return false;
    *bytes = (uint32_t)(value << shift) & ~(GLOBAL_LEAST - 1);
    return true;
}

static enum status open_model(const char *rest, const struct engine_options *options, struct engine **engine,
                              struct diag *d) {
    struct machine machine = MACHINE_DEFAULT;
    (void)options;
    machine.global_bytes = GLOBAL_BYTES;
    machine.has_atomics = true;
    if (rest[0] != '\0' && !parse_bytes(rest, &machine.global_bytes))
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "model:%.40s: expected 4K to 2G of global memory", rest);
    struct engine_of_model *e = calloc(1, sizeof *e);
    if (e != NULL) e->model = model_create(&machine);
    if (e == NULL || e->model == NULL) {
        free(e);
        return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for the model");
    }
    e->engine.properties = (struct engine_properties){.name = "Warpstep model",
                                                      .machine = machine,
                                                      .cores = CORES,
                                                      .clock_hz = ENGINE_CLOCK_HZ,
                                                      .host_bytes = machine.global_bytes};
    *engine = &e->engine;
    return STATUS_OK;
}

static void close_model(struct engine *engine) {
    model_destroy(model_of(engine));
    free(engine);
}

static uint8_t *memory_of_model(struct engine *engine) { return model_global(model_of(engine)); }

static enum status write_model(struct engine *engine, uint32_t addr, const uint8_t *bytes, size_t size,
                               struct diag *d) {
    (void)d;
    memcpy(memory_of_model(engine) + addr, bytes, size);
    return STATUS_OK;
}

static enum status read_model(struct engine *engine, uint32_t addr, uint8_t *bytes, size_t size, struct diag *d) {
    (void)d;
    memcpy(bytes, memory_of_model(engine) + addr, size);
    return STATUS_OK;
}

/* --------------------------------------------------------------------------------------------------------- launches */

static enum model_result step_traced(struct model *m, uint64_t limit, struct trace *trace) {
    enum model_result result = MODEL_RETIRED;
    struct retire record;
    for (uint64_t i = 0; i < limit && result == MODEL_RETIRED; i++) {
        result = model_run_step(m, &record);
        if (result == MODEL_RETIRED) trace_record(trace, &record, m);
    }
    return result;
}

static enum engine_outcome run_model(const struct engine *engine, struct trace *trace, uint64_t limit) {
    struct model *m = model_of(engine);
    enum model_result result = MODEL_RETIRED;
    uint64_t steps;
    for (uint64_t done = 0; result == MODEL_RETIRED && done < limit; done += STEPS) {
        if (atomic_load(&engine->stops)) return ENGINE_STOPPED;
        const uint64_t now = limit - done < STEPS ? limit - done : STEPS;
        result = trace != NULL ? step_traced(m, now, trace) : model_run(m, now, &steps);
    }
    if (result == MODEL_RETIRED && model_finished(m)) result = model_run_step(m, NULL);
    return result == MODEL_DONE ? ENGINE_DONE : result == MODEL_TRAPPED ? ENGINE_TRAPPED : ENGINE_HUNG;
}

static void report_run(const struct engine *engine, const struct launch *launch, struct engine_report *report,
                       FILE *text) {
    const struct model *m = model_of(engine);
    const struct machine *machine = &engine->properties.machine;
    struct model_counts counts;
    model_get_counts(m, &counts);
    report->cycles = report->warp_instructions = counts.warp_instructions;
    report->thread_instructions = counts.thread_instructions;
    race_report_print(m, launch, text);
    if (model_races_failed(m)) fprintf(text, "%s: out of memory: races may be missing\n", launch->path);
    if (report->outcome == ENGINE_TRAPPED) end_report_trap(m, launch, machine, text);
    if (report->outcome == ENGINE_HUNG)
        end_report_hang(m, launch, machine, counts.warp_instructions >= launch->max_cycles, text);
    if (report->outcome == ENGINE_STOPPED)
        fprintf(text, "%s: stopped after %" PRIu64 " warp instructions\n", launch->path, counts.warp_instructions);
}

static enum status launch_model(struct engine *engine, const struct launch *launch, struct engine_report *report,
                                FILE *text, struct diag *d) {
    struct model *m = model_of(engine);
    struct trace *trace = NULL;
    enum status status = model_relaunch(m, launch->image, d);
    if (status == STATUS_OK && engine->options.races && !model_check_races(m))
        status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for races");
    if (status == STATUS_OK) status = engine_open_trace(engine, launch->image, &trace, d);
    if (status != STATUS_OK) return status;
    report->outcome = run_model(engine, trace, launch->max_cycles);
    report_run(engine, launch, report, text);
    return trace_close(trace, true, d);
}

const struct engine_api engine_model = {.name = "model",
                                        .usual_limit = UINT64_C(1) << 31,
                                        .open = open_model,
                                        .write = write_model,
                                        .read = read_model,
                                        .launch = launch_model,
                                        .close = close_model,
                                        .memory = memory_of_model};

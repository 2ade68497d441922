/* SPDX-License-Identifier: Apache-2.0 */
#include "check_trace.h"

#include <stdlib.h>
#include <string.h>

#include "../../cmodel/run/argument.h"
#include "../record/trace_read.h"
#include "state.h"

/* Gives the checker all records, until one is wrong. *trap is that of the first trapping record. */
static enum status check_records(struct lockstep *l, struct trace_reader *t, struct sim_trap *trap, struct diag *d) {
    struct retire record;
    bool more = true;
    while (more) {
        const enum status status = trace_reader_next(t, &record, &more, d);
        if (status != STATUS_OK) return status;
        if (!more) break;
        if (!lockstep_goes_on(l, record.cycle) || !lockstep_check(l, &record)) break;
        if (trap->code != TRAP_NONE || record.trap == TRAP_NONE) continue;
        *trap = (struct sim_trap){.code = record.trap, .sm = (unsigned)record.sm, .slot = record.slot, .pc = record.pc};
    }
    return STATUS_OK;
}

/* The end of a trace has no reason, unless it was truncated: then it is right so far. */
static void check_end(struct lockstep *l, const struct sim_trap *trap) {
    if (l->result.reported.cut && trap->code == TRAP_NONE && !model_finished(l->model)) {
        l->result.status = LOCKSTEP_PASS;
        return;
    }
    const bool trapped = trap->code != TRAP_NONE || model_get_trap(l->model).code != TRAP_NONE;
    if (lockstep_good(l) && l->result.compared > 0 && !trapped && !model_finished(l->model))
        lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_EARLY, "the trace ends, but the model has work left");
    lockstep_finish(l, trapped ? SIM_TRAPPED : SIM_DONE, trap->code != TRAP_NONE ? trap : NULL, NULL);
}

static enum status check_memory(struct lockstep *l, const char *path, struct diag *d) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    const size_t whole = lockstep_memory_size(l, SIM_GLOBAL);
    char *argument = malloc(strlen(path) + 2);
    if (argument == NULL) return diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    sprintf(argument, "@%s", path);
    const enum status status = argument_bytes(argument, whole, &bytes, &size, d);
    free(argument);
    if (status != STATUS_OK) return status;
    uint8_t *memory = realloc(bytes, whole);
    if (memory == NULL) {
        free(bytes);
        return diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    }
    memset(memory + size, 0, whole - size);
    lockstep_check_memory(l, SIM_GLOBAL, memory, whole);
    free(l->result.global);
    l->result.global = memory;
    return STATUS_OK;
}

enum status check_trace(struct lockstep *l, const struct trace_check *check, struct diag *d) {
    struct trace_reader *t = NULL;
    struct sim_trap trap = {.code = TRAP_NONE};
    l->result.sim_name = "a trace";
    l->result.reported.no_memory = check->memory == NULL;
    enum status status = trace_reader_open(check->path, &t, d);
    if (status == STATUS_OK) status = lockstep_declare(l, trace_reader_unreported(t), trace_reader_filled(t), d);
    if (status == STATUS_OK) status = check_records(l, t, &trap, d);
    l->result.reported.cut = status == STATUS_OK && trace_reader_cut(t)[0] != 0;
    trace_reader_close(t);
    if (status != STATUS_OK) return status;
    if (lockstep_good(l)) check_end(l, &trap);
    l->result.reported.no_memory |= l->result.reported.cut;
    const bool whole = lockstep_good(l) && !l->result.reported.cut;
    if (whole && check->memory != NULL) status = check_memory(l, check->memory, d);
    lockstep_conclude(l);
    return status;
}

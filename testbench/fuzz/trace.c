/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of traces, as in --check-trace: for a fixed kernel, compared with the model in a run that stops at the
 * first difference, and in one that goes on after all differences. The trace is written and read again. The reader
 * opens files by name, so the input becomes one. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../checker/record/trace_read.h"
#include "../../checker/report/report.h"
#include "../../checker/verdict/check_trace.h"
#include "../../cmodel/run/trace.h"
#include "fuzz.h"

enum { NAME_BYTES = 64, RECORDS_MOST = 64, FINDINGS = 1000 };

/* Small memories are cleared quickly. */
static struct machine small_machine(void) {
    struct machine machine = MACHINE_DEFAULT;
    machine.global_bytes = machine.code_bytes = 4096;
    machine.has_atomics = true;
    return machine;
}

static enum status read_records(const char *name, struct retire records[RECORDS_MOST], size_t *count, bool *complete) {
    struct trace_reader *t = NULL;
    struct diag d = {0};
    bool more = true;
    *count = 0;
    enum status status = trace_reader_open(name, &t, &d);
    *complete = status == STATUS_OK && trace_reader_unreported(t)[0] == 0 && trace_reader_filled(t)[0] == 0;
    while (status == STATUS_OK && *count < RECORDS_MOST) {
        status = trace_reader_next(t, &records[*count], &more, &d);
        if (status != STATUS_OK || !more) break;
        ++*count;
    }
    fuzz_check_diag(status, &d);
    trace_reader_close(t);
    return status;
}

/* Unreported fields have no text. */
static void check_written(const char *name, const char *again) {
    static struct retire records[RECORDS_MOST], read[RECORDS_MOST];
    struct diag d = {0};
    struct trace *t = NULL;
    size_t count = 0, read_count = 0;
    bool complete = false;
    if (read_records(name, records, &count, &complete) != STATUS_OK || !complete) return;
    if (trace_open(again, NULL, &t, &d) != STATUS_OK) return;
    for (size_t i = 0; i < count; i++) trace_record(t, &records[i], NULL);
    if (trace_close(t, true, &d) != STATUS_OK) return;
    fuzz_check(read_records(again, read, &read_count, &complete) == STATUS_OK, "what was written cannot be read");
    fuzz_check(read_count == count, "records are lost");
    for (size_t i = 0; i < count; i++) {
        struct compare_result differences;
        if (records[i].mem_kind == RETIRE_MEM_NONE && records[i].mem_mask != 0) continue; /* has no text */
        const bool same = compare_records(&records[i], &read[i], &differences);
        fuzz_check(same, same ? "" : differences.diff[0].field->name);
    }
    unlink(again);
}

static void check(const struct launch *run, const char *name, unsigned keep_going) {
    const struct lockstep_options options = {.run = run, .machine = small_machine(), .keep_going = keep_going};
    const struct trace_check trace = {.path = name};
    struct diag d = {0};
    struct lockstep *l = lockstep_create(&options, &d);
    if (l == NULL) return;
    const enum status status = check_trace(l, &trace, &d);
    fuzz_check_diag(status, &d);
    FILE *out = fopen("/dev/null", "w");
    if (status == STATUS_OK && out != NULL) {
        const struct lockstep_result *r = lockstep_result(l);
        fuzz_check(r->status != LOCKSTEP_RUNNING, "no verdict");
        fuzz_check(r->status == LOCKSTEP_PASS || r->text[0] != 0, "a fault without a message");
        if (r->status != LOCKSTEP_PASS) lockstep_report(l, NULL, out);
    }
    if (out != NULL) fclose(out);
    lockstep_destroy(l);
}

static const struct launch *kernel(void) {
    static struct launch run;
    char *arguments[] = {(char *)"fuzz", (char *)"testbench/fuzz/seeds/trace.sass", NULL};
    struct diag d = {0};
    const struct machine machine = small_machine();
    if (run.image != NULL) return &run;
    const bool good = launch_parse(2, arguments, NULL, NULL, &machine, NULL, &run, &d) == STATUS_OK &&
                      launch_check(&run, &machine, &d) == STATUS_OK;
    fuzz_check(good, d.text);
    return &run;
}

void fuzz_input(char *text, size_t size) {
    char name[NAME_BYTES], again[NAME_BYTES];
    snprintf(name, sizeof name, "build/fuzz/trace-%ld.txt", (long)getpid());
    snprintf(again, sizeof again, "build/fuzz/trace-%ld-again.txt", (long)getpid());
    FILE *out = fopen(name, "wb");
    if (out == NULL) return;
    fwrite(text, 1, size, out);
    fclose(out);
    check_written(name, again);
    check(kernel(), name, 0);
    check(kernel(), name, FINDINGS);
    unlink(name);
}

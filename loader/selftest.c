/* SPDX-License-Identifier: Apache-2.0 */
#include "selftest.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../assembler/isa/isa.h"
#include "../cmodel/run/results.h"
#include "findings.h"
#include "model_end.h"
#include "registers.h"
#include "report.h"

enum { PATH_BYTES = 4096 };

/* Numbers of kernels by result. */
struct tally {
    unsigned passed, failed, skipped;
    FILE *cycles; /* NULL: no reference numbers of cycles */
};

static int is_kernel(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".sass") == 0;
}

/* A unit that the board lacks and the kernel needs: "fpu" ..., or NULL. */
static const char *absent_unit(const struct machine *machine, const struct image *img) {
    const char *unit = NULL;
    for (size_t i = 0, step; i < img->code_words && unit == NULL; i += step) {
        step = isa_is_long(img->code[i]) ? 2 : 1;
        unit = launch_absent_unit(machine, img->code[i], i + 1 < img->code_words ? img->code[i + 1] : 0);
    }
    return unit;
}

static bool fits(const struct board *board, struct launch *run, const char *name) {
    struct diag unfit = {0};
    struct machine machine = board->sim.machine;
    machine.has_atomics |= !launch_has_atomics(run); /* on any board the atomics of such a kernel trap */
    const char *absent = absent_unit(&machine, run->image);
    if (launch_check(run, &board->sim.machine, &unfit) != STATUS_OK) {
        printf("%-28s skip    %s\n", name, unfit.text);
        return false;
    }
    if (absent != NULL) printf("%-28s skip    this board has no %s\n", name, absent);
    return absent == NULL;
}

/* Reports a failure: its place, for kernels that record it; else the words of memory. */
static void tell_row(const struct board *board, const struct launch *run, const struct board_result *result,
                     const char *name, bool passed, const char *why) {
    const bool finds = !passed && result->end == BOARD_DONE && findings_are_there(run) &&
                       results_compare(run, result->global, NULL) > 0;
    printf("%-28s %-6s %10" PRIu64 " cycles\n%s", name, passed ? "pass" : "FAIL", result->counters.cycles,
           finds ? "" : why);
    if (finds) findings_print(run, board->sim.cores, result->global, stdout);
}

/* The number of cycles in a row of an earlier selftest; 0 if missing. */
static uint64_t cycles_before(FILE *file, const char *name) {
    char line[PATH_BYTES], before[64];
    uint64_t cycles = 0;
    if (file == NULL) return 0;
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%63s pass %" SCNu64 " cycles", before, &cycles) == 2 && strcmp(before, name) == 0)
            return cycles;
    return 0;
}

/* wrong: an address, or 0 if none. */
static void tell_unread(uint32_t wrong, FILE *out) {
    if (wrong != 0) fprintf(out, "  the host's write does not read back at 0x%08" PRIx32 "\n", wrong);
}

/* Checks besides memory: the end of the run, the counters, the host's read-back. */
static enum status judge_rest(struct board *board, const struct launch *run, const struct board_result *result,
                              const struct model_end *end, FILE *why, bool *passed, struct diag *d) {
    char text[MODEL_END_TEXT];
    uint32_t wrong = 0;
    const char *otherwise = model_end_judge(end, &board->sim.machine, result, text);
    const enum status status = board_read_back(board, run, &wrong, d);
    if (otherwise != NULL) fprintf(why, "  %s\n", otherwise);
    tell_unread(wrong, why);
    *passed = *passed && otherwise == NULL && wrong == 0;
    return status;
}

/* A kernel that must trap passes if it does. */
static bool is_right(const struct board *board, const struct launch *run, const struct board_result *result,
                     const struct model_end *end, FILE *why) {
    const bool traps = end->known && end->trap.code != TRAP_NONE;
    return (traps && result->end == BOARD_TRAPPED) || load_judge(board, run, result, why).code == LOAD_FINE;
}

static enum status run_loaded(struct board *board, struct launch *run, const char *name, struct tally *tally,
                              struct diag *d) {
    struct board_result result;
    struct model_end end;
    if (!fits(board, run, name)) {
        tally->skipped++;
        return STATUS_OK;
    }
    enum status status = model_end_find(run, &board->sim.machine, &end, d);
    if (status == STATUS_OK) status = board_run(board, run, &result, d);
    if (status != STATUS_OK) return status;
    char *why = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&why, &size);
    if (memory == NULL) {
        status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    } else {
        bool passed = is_right(board, run, &result, &end, memory);
        status = judge_rest(board, run, &result, &end, memory, &passed, d);
        const uint64_t must = cycles_before(tally->cycles, name);
        if (must != 0 && must != result.counters.cycles) {
            fprintf(memory, "  takes %" PRIu64 " cycles, not %" PRIu64 "\n", result.counters.cycles, must);
            passed = false;
        }
        fclose(memory);
        if (status == STATUS_OK) tell_row(board, run, &result, name, passed, why);
        tally->passed += passed;
        tally->failed += !passed;
    }
    free(why);
    free(result.global);
    return status;
}

static enum status run_kernel(struct board *board, const char *directory, const char *name, struct tally *tally,
                              struct diag *d) {
    char path[PATH_BYTES];
    struct launch run;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    char *arguments[] = {"selftest", path, NULL};
    enum status status = launch_parse(2, arguments, NULL, NULL, &board->sim.machine, NULL, &run, d);
    if (status != STATUS_OK) return status;
    if (findings_are_there(&run) && run.image->param_count == 1) run.image->params[0] = board->sim.machine.global_bytes;
    status = run_loaded(board, &run, name, tally, d);
    launch_release(&run);
    return status;
}

static enum status run_directory(struct board *board, const char *directory, struct tally *tally, struct diag *d) {
    struct dirent **entries = NULL;
    const int count = scandir(directory, &entries, is_kernel, alphasort);
    if (count < 0) return diag_errno(d, directory, "");
    enum status status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK) status = run_kernel(board, directory, entries[i]->d_name, tally, d);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static enum status march_registers(struct board *board, struct tally *tally, struct diag *d) {
    uint32_t wrong = 0;
    const enum status status = registers_march(board, &wrong, d);
    if (status != STATUS_OK) return status;
    printf("%-28s %s\n", "launch registers", wrong == 0 ? "pass" : "FAIL");
    tell_unread(wrong, stdout);
    tally->passed += wrong == 0;
    tally->failed += wrong != 0;
    return STATUS_OK;
}

/* NULL, with a message, if the file cannot be read: fopen also opens a folder. */
static FILE *open_cycles(const char *path, struct diag *d) {
    FILE *file = fopen(path, "r");
    if (file != NULL && ungetc(fgetc(file), file) == EOF && ferror(file)) {
        const int error = errno;
        fclose(file);
        errno = error;
        file = NULL;
    }
    if (file == NULL) diag_errno(d, path, "");
    return file;
}

enum status selftest_run(struct board *board, const char *directory, const char *cycles, int *exit_code,
                         struct diag *d) {
    struct tally tally = {.cycles = cycles != NULL ? open_cycles(cycles, d) : NULL};
    if (cycles != NULL && tally.cycles == NULL) return d->status;
    enum status status = directory == NULL ? march_registers(board, &tally, d) : STATUS_OK;
    if (status == STATUS_OK)
        status = run_directory(board, directory != NULL ? directory : "kernels/bringup", &tally, d);
    if (status == STATUS_OK && directory == NULL) status = run_directory(board, "kernels/traps", &tally, d);
    if (tally.cycles != NULL) fclose(tally.cycles);
    if (status == STATUS_OK && tally.passed + tally.failed == 0)
        return diag_set(d, STATUS_BAD_INPUT, directory, 0, 0, "no kernel (.sass) that this board can run");
    printf("%u passed, %u failed, %u skipped\n", tally.passed, tally.failed, tally.skipped);
    *exit_code = tally.failed > 0 ? LOAD_DIFFERS : LOAD_FINE;
    return status;
}

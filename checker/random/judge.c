/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

#include "../../assembler/source/assemble.h"
#include "../../cmodel/model.h"
#include "bounds.h"

enum { MAX_CYCLES = 1000000 };

static const char NAME[] = "random.sass";

struct machine judge_machine(const struct kernel *k) {
    return bounds_machine(k);
}

static enum status assemble(char *text, struct launch *run, struct diag *d) {
    struct messages messages;
    struct assembly assembly = {0};
    messages_init(&messages, NAME, text, strlen(text));
    enum status status = assemble_text(NULL, &assembly, &messages);
    if (status != STATUS_OK) status = messages_first(&messages, d);
    run->image = assembly.image;
    assembly.image = NULL;
    assembly_release(&assembly);
    messages_release(&messages);
    return status;
}

/* The kernel's text, which the caller frees; NULL: out of memory. Not in an open_memstream: out of memory it loses text
 * silently, and the rest may be a program, too. */
static char *text_of(const struct kernel *k) {
    char *text = malloc(KERNEL_TEXT_MAX);
    FILE *out = text == NULL ? NULL : fmemopen(text, KERNEL_TEXT_MAX, "w");
    bool whole = false;
    if (out != NULL) {
        kernel_print(k, out);
        whole = ferror(out) == 0;
        whole = fclose(out) == 0 && whole;
    }
    if (whole) return text;
    free(text);
    return NULL;
}

static enum status make_launch(const struct kernel *k, struct launch *run, struct diag *d) {
    *run = (struct launch){.path = strdup(NAME), .max_cycles = MAX_CYCLES};
    char *text = text_of(k);
    const bool out_of_memory = run->path == NULL || text == NULL;
    enum status status =
        out_of_memory ? diag_set(d, STATUS_NO_MEMORY, NAME, 0, 0, "out of memory") : assemble(text, run, d);
    free(text);
    const struct machine machine = judge_machine(k);
    if (status != STATUS_OK || k->declared == NULL)
        return status == STATUS_OK ? launch_check(run, &machine, d) : status;
    struct declared declared = *k->declared;
    declared.machine = machine;
    return declared_check(&declared, run, d);
}

bool judge_launch(const struct kernel *k, struct launch *run, char *why) {
    struct diag d = {0};
    const bool made = make_launch(k, run, &d) == STATUS_OK;
    if (!made && d.line != 0)
        snprintf(why, JUDGE_WHY, "line %u: %.200s", d.line, d.text);
    else if (!made)
        snprintf(why, JUDGE_WHY, "%.200s", d.text);
    return made;
}

static enum judgement judge_trap(const struct kernel *k, const struct model *m, char *why) {
    const struct model_trap trap = model_get_trap(m);
    snprintf(why, JUDGE_WHY, "traps at pc 0x%x: %s", trap.pc, trap_name(trap.code));
    if (k->wild || (k->trap != TRAP_NONE && trap.code == k->trap)) return JUDGED_LEGAL;
    if (k->declared != NULL && trap.code == TRAP_STACK_OVERFLOW) return JUDGED_LONG; /* deeper than its stack */
    return k->trap != TRAP_NONE ? JUDGED_UNTRUE : JUDGED_WRONG;
}

static enum judgement judge_end(const struct kernel *k, enum model_result result, const struct model *m, char *why) {
    const bool may_stick = k->wild || k->trap != TRAP_NONE;
    switch (result) {
    case MODEL_RETIRED: snprintf(why, JUDGE_WHY, "does not end in time"); return JUDGED_LONG;
    case MODEL_TRAPPED: return judge_trap(k, m, why);
    case MODEL_DONE: break;
    case MODEL_STUCK:
    case MODEL_REFUSED: snprintf(why, JUDGE_WHY, "waits for ever"); return may_stick ? JUDGED_UNTRUE : JUDGED_WRONG;
    }
    if (k->trap != TRAP_NONE) {
        snprintf(why, JUDGE_WHY, "does not trap");
        return JUDGED_UNTRUE;
    }
    if (!k->undefined && !k->wild && model_undefined_count(m) > 0) {
        const struct model_undefined *u = model_undefined_at(m, 0);
        snprintf(why, JUDGE_WHY, "reads %s at pc 0x%x before it is written", u->what, u->pc);
        return JUDGED_WRONG;
    }
    return JUDGED_LEGAL;
}

static enum judgement judge_run(const struct kernel *k, const struct launch *run, unsigned steps, char *why) {
    const struct machine machine = judge_machine(k);
    struct diag d = {.text = "out of memory"};
    struct model *m = model_create(&machine);
    if (m == NULL || model_launch(m, run->image, &d) != STATUS_OK) {
        model_destroy(m);
        snprintf(why, JUDGE_WHY, "the model does not take it: %.200s", d.text);
        return JUDGED_WRONG;
    }
    uint64_t done = 0;
    enum model_result result = model_run(m, steps, &done);
    if (result == MODEL_RETIRED && model_finished(m)) result = model_run_step(m, NULL);
    const enum judgement judgement = judge_end(k, result, m, why);
    model_destroy(m);
    return judgement;
}

enum judgement judge_kernel(const struct kernel *k, unsigned steps, char *why) {
    struct launch run;
    const bool made = judge_launch(k, &run, why);
    const enum judgement unmade = k->declared != NULL ? JUDGED_LONG : JUDGED_WRONG;
    const enum judgement judgement = made ? judge_run(k, &run, steps, why) : unmade;
    launch_release(&run);
    return judgement;
}

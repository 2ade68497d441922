/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

#include "../../assembler/assemble.h"
#include "../../cmodel/model.h"

enum { WHY_BYTES = 256, MAX_CYCLES = 1000000 };

struct machine judge_machine(const struct kernel *k) {
    struct machine machine = MACHINE_DEFAULT;
    machine.has_atomics = k->atomics;
    return machine;
}

static enum status assemble(const char *path, char *text, size_t size, struct launch *run, struct diag *d) {
    struct messages messages;
    struct assembly assembly = {0};
    messages_init(&messages, path, text, size);
    enum status status = assemble_text(NULL, &assembly, &messages);
    if (status != STATUS_OK) {
        status = messages_first(&messages, d);
    }
    run->image = assembly.image;
    assembly.image = NULL;
    assembly_release(&assembly);
    messages_release(&messages);
    return status;
}

enum status judge_launch(const struct kernel *k, const char *path, struct launch *run, struct diag *d) {
    char *text = NULL;
    size_t size = 0;
    *run = (struct launch){.path = strdup(path), .max_cycles = MAX_CYCLES};
    FILE *out = open_memstream(&text, &size);
    if (out == NULL || run->path == NULL) {
        return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    }
    kernel_print(k, out);
    fclose(out);
    enum status status = assemble(path, text, size, run, d);
    free(text);
    const struct machine machine = judge_machine(k);
    return status == STATUS_OK ? launch_check(run, &machine, d) : status;
}

static enum judgement judge_trap(const struct kernel *k, const struct model *m, char *why) {
    const struct model_trap trap = model_get_trap(m);
    snprintf(why, WHY_BYTES, "traps at pc 0x%x: %s", trap.pc, trap_name(trap.code));
    if (k->wild || (k->trap != TRAP_NONE && trap.code == k->trap)) {
        return JUDGED_LEGAL;
    }
    return k->trap != TRAP_NONE ? JUDGED_UNTRUE : JUDGED_WRONG;
}

static enum judgement judge_end(const struct kernel *k, enum model_result result, const struct model *m, char *why) {
    const bool may_stick = k->wild || k->trap != TRAP_NONE;
    switch (result) {
    case MODEL_RETIRED: snprintf(why, WHY_BYTES, "does not end in time"); return JUDGED_LONG;
    case MODEL_TRAPPED: return judge_trap(k, m, why);
    case MODEL_DONE: break;
    case MODEL_STUCK:
    case MODEL_REFUSED: snprintf(why, WHY_BYTES, "waits for ever"); return may_stick ? JUDGED_UNTRUE : JUDGED_WRONG;
    }
    if (k->trap != TRAP_NONE) {
        snprintf(why, WHY_BYTES, "does not trap");
        return JUDGED_UNTRUE;
    }
    if (!k->undefined && !k->wild && model_undefined_count(m) > 0) {
        const struct model_undefined *u = model_undefined_at(m, 0);
        snprintf(why, WHY_BYTES, "reads %s at pc 0x%x before it is written", u->what, u->pc);
        return JUDGED_WRONG;
    }
    return JUDGED_LEGAL;
}

static enum judgement judge_run(const struct kernel *k, const struct launch *run, unsigned steps, char *why) {
    const struct machine machine = judge_machine(k);
    struct diag d = {.text = "out of memory"};
    struct model *m = model_create(&machine);
    if (m == NULL || model_launch(m, run, &d) != STATUS_OK) {
        model_destroy(m);
        snprintf(why, WHY_BYTES, "the model does not take it: %.200s", d.text);
        return JUDGED_WRONG;
    }
    uint64_t done = 0;
    enum model_result result = model_run(m, steps, &done);
    if (result == MODEL_RETIRED && model_finished(m)) {
        result = model_run_step(m, NULL);
    }
    const enum judgement judgement = judge_end(k, result, m, why);
    model_destroy(m);
    return judgement;
}

enum judgement judge_kernel(const struct kernel *k, unsigned steps, char *why) {
    struct launch run;
    struct diag d = {0};
    enum judgement judgement = JUDGED_WRONG;
    if (judge_launch(k, "random.sass", &run, &d) == STATUS_OK) {
        judgement = judge_run(k, &run, steps, why);
    } else {
        snprintf(why, WHY_BYTES, "line %u: %.200s", d.line, d.text);
    }
    launch_release(&run);
    return judgement;
}

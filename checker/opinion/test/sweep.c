/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../random/judge.h"
#include "../../random/make.h"

enum { WIDE = 8, SMALL_GLOBAL = 4096, LOCAL = 32, SHARED = 512 };

/* One model picks the warps, the other follows it like an RTL. */
static void sweep_launch(const struct sweep *s, const struct launch *run, const struct machine *machine) {
    struct diag d = {0};
    struct model *leader = model_create(machine), *model = model_create(machine);
    struct opinion *opinion = opinion_create(run->image, machine);
    struct retire lead, expected;
    if (s->keeps) assert_true(model_keep_steps(model));
    assert_int_equal(model_launch(leader, run->image, &d), STATUS_OK);
    assert_int_equal(model_launch(model, run->image, &d), STATUS_OK);
    for (unsigned left = s->limit; left > 0 && model_run_step(leader, &lead) == MODEL_RETIRED; left--) {
        model_settle(model);
        opinion_before(opinion, model, &lead);
        assert_int_equal(model_step_follow(model, &lead, &expected), MODEL_RETIRED);
        const struct sweep_step step = {run->path, run->image, machine, opinion, model, &expected};
        s->visit(s->state, &step);
    }
    opinion_destroy(opinion);
    model_destroy(leader);
    model_destroy(model);
}

unsigned sweep_kernels(const struct sweep *s, const char *pattern) {
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) return 0;
    for (size_t n = 0; n < found.gl_pathc; n++) {
        char *arguments[] = {(char *)"test", found.gl_pathv[n], NULL};
        struct machine machine = MACHINE_DEFAULT;
        struct launch run;
        struct diag d = {0};
        if (launch_parse(2, arguments, NULL, NULL, &machine, NULL, &run, &d) != STATUS_OK) fail_msg("%s", d.text);
        machine.has_atomics = launch_has_atomics(&run);
        if (launch_check(&run, &machine, &d) == STATUS_OK) sweep_launch(s, &run, &machine);
        launch_release(&run);
    }
    const unsigned count = (unsigned)found.gl_pathc;
    globfree(&found);
    return count;
}

void sweep_random(const struct sweep *s, unsigned count, unsigned wide) {
    static const struct make_options ANY = {MAKE_ANY, JUDGE_STEPS};
    struct table *table = malloc(sizeof *table);
    struct kernel *k = malloc(sizeof *k);
    table_extend(table, wide, wide);
    for (uint64_t seed = 1; seed <= count; seed++) {
        char why[JUDGE_WHY] = "";
        struct launch run;
        if (!make_kernel(k, seed, &ANY, table, why) || !judge_launch(k, &run, why)) fail_msg("%s", why);
        const struct machine machine = judge_machine(k);
        sweep_launch(s, &run, &machine);
        launch_release(&run);
    }
    free(k);
    free(table);
}

/* ---- kernels from instructions ---- */

static struct launch begin_kernel(const char *name) {
    static const uint8_t CONSTANTS[16] = {0x20, 0, 0, 0, 0x40, 0, 0, 0, 0x60};
    struct launch run = {.path = (char *)name, .image = image_create(), .max_cycles = 1000};
    assert_non_null(run.image);
    run.image->grid[0] = 2;
    run.image->block[0] = WARP_LANES + 1;
    run.image->grid[1] = run.image->block[1] = run.image->block[2] = 1;
    run.image->regs = 16;
    run.image->shared_bytes = SHARED;
    run.image->local_bytes = LOCAL;
    assert_int_equal(image_set_const(run.image, 1, 0, CONSTANTS, sizeof CONSTANTS), STATUS_OK);
    return run;
}

static void add_words(const struct launch *run, uint32_t lo, uint32_t hi) {
    assert_int_equal(image_add_code(run->image, lo), STATUS_OK);
    assert_int_equal(image_add_code(run->image, isa_is_long(lo) ? hi : lo), STATUS_OK);
}

static void add_text(const struct launch *run, const char *text) {
    struct isa_error error;
    uint32_t lo, hi;
    if (!isa_parse(text, strlen(text), NULL, &lo, &hi, &error)) fail_msg("%s: %s", text, error.text);
    add_words(run, lo, hi);
}

struct machine sweep_machine(void) {
    struct machine machine = MACHINE_DEFAULT;
    machine.global_bytes = SMALL_GLOBAL;
    machine.has_atomics = true;
    machine.wide = machine.dividers = WIDE;
    return machine;
}

static void end_kernel(const struct sweep *s, struct launch *run, const struct machine *machine) {
    struct diag d = {0};
    add_text(run, "RET");
    if (launch_check(run, machine, &d) != STATUS_OK) fail_msg("%s", d.text);
    sweep_launch(s, run, machine);
    image_destroy(run->image);
}

void sweep_texts(const struct sweep *s, const char *const *texts) {
    const struct machine machine = sweep_machine();
    struct launch run = begin_kernel("texts");
    for (; *texts != NULL; texts++) add_text(&run, *texts);
    end_kernel(s, &run, &machine);
}

/* Registers that every operand may name. */
static void draw_operands(size_t row, struct isa_fields *fields) {
    static const struct {
        enum isa_field field;
        uint32_t value;
    } USUAL[] = {
        {ISA_FIELD_d,  8 },
        {ISA_FIELD_a,  4 },
        {ISA_FIELD_b,  4 },
        {ISA_FIELD_c,  12},
        {ISA_FIELD_ad, 1 }
    };
    for (size_t i = 0; i < sizeof USUAL / sizeof *USUAL; i++)
        if (isa_row_field_bits(row, USUAL[i].field) != 0) fields->value[USUAL[i].field] = USUAL[i].value;
}

void sweep_row(const struct sweep *s, size_t row, const struct machine *machine) {
    struct launch run = begin_kernel(isa_row_id(row));
    struct isa_fields fields;
    uint32_t lo, hi;
    char text[64];
    for (unsigned reg = 0; reg < run.image->regs; reg++) {
        snprintf(text, sizeof text, "MVI R%u, 0x%x", reg, 0x10 + 0x10 * reg);
        add_text(&run, text);
    }
    for (unsigned areg = 1; areg < MODEL_AREGS; areg++) {
        snprintf(text, sizeof text, "R2A A%u, R%u", areg, areg);
        add_text(&run, text);
        snprintf(text, sizeof text, "R2C C%u, R%u", areg - 1, areg);
        add_text(&run, text);
    }
    add_text(&run, "R2G.U32.U32 g[0x20], R3");
    add_text(&run, "LST.U32 local[0x0], R3");
    isa_default_fields(row, &fields);
    draw_operands(row, &fields);
    if (isa_encode(row, &fields, &lo, &hi)) add_words(&run, lo, hi);
    end_kernel(s, &run, machine);
}

void sweep_rows(const struct sweep *s) {
    const struct machine machine = sweep_machine();
    for (size_t row = 0; row < isa_row_count(); row++) sweep_row(s, row, &machine);
}

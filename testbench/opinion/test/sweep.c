/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../random/judge.h"
#include "../../random/make.h"

/* One model picks the warps, the other one follows it as it would follow an RTL. */
static void sweep_launch(const struct launch *run, const struct machine *machine, unsigned limit, sweep_visit *visit,
                         void *state) {
    struct diag d = {0};
    struct model *leader = model_create(machine), *model = model_create(machine);
    struct opinion *opinion = opinion_create(run->image, machine);
    struct retire lead, expected;
    assert_int_equal(model_launch(leader, run->image, &d), STATUS_OK);
    assert_int_equal(model_launch(model, run->image, &d), STATUS_OK);
    while (limit-- > 0 && model_run_step(leader, &lead) == MODEL_RETIRED) {
        opinion_before(opinion, model, &lead);
        assert_int_equal(model_step_follow(model, &lead, &expected), MODEL_RETIRED);
        const struct sweep_step step = {run->path, run->image, machine, opinion, model, &expected};
        visit(state, &step);
    }
    opinion_destroy(opinion);
    model_destroy(leader);
    model_destroy(model);
}

unsigned sweep_kernels(const char *pattern, unsigned limit, sweep_visit *visit, void *state) {
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) return 0;
    for (size_t n = 0; n < found.gl_pathc; n++) {
        char *arguments[] = {(char *)"test", found.gl_pathv[n], NULL};
        struct machine machine = MACHINE_DEFAULT;
        struct launch run;
        struct diag d = {0};
        if (launch_parse(2, arguments, NULL, NULL, &machine, NULL, &run, &d) != STATUS_OK) fail_msg("%s", d.text);
        machine.has_atomics = launch_has_atomics(&run);
        if (launch_check(&run, &machine, &d) == STATUS_OK) sweep_launch(&run, &machine, limit, visit, state);
        launch_release(&run);
    }
    const unsigned count = (unsigned)found.gl_pathc;
    globfree(&found);
    return count;
}

void sweep_random(unsigned count, unsigned wide, unsigned limit, sweep_visit *visit, void *state) {
    static const struct make_options ANY = {MAKE_ANY, JUDGE_STEPS};
    struct table *table = malloc(sizeof *table);
    struct kernel *k = malloc(sizeof *k);
    table_extend(table, wide, wide);
    for (uint64_t seed = 1; seed <= count; seed++) {
        char why[JUDGE_WHY] = "";
        struct launch run;
        if (!make_kernel(k, seed, &ANY, table, why) || !judge_launch(k, &run, why)) fail_msg("%s", why);
        const struct machine machine = judge_machine(k);
        sweep_launch(&run, &machine, limit, visit, state);
        launch_release(&run);
    }
    free(k);
    free(table);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Checks records against the model. A second model, wrong in one bit, stands in for your RTL. */
#include "../../checker/report/report.h"
#include "../../checker/verdict/lockstep.h"
#include "../../cmodel/run/launch.h"

int main(int argc, char **argv) {
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run;
    struct diag d = {0};
    if (launch_parse(argc, argv, NULL, NULL, &machine, stderr, &run, &d) != STATUS_OK ||
        launch_check(&run, &machine, &d) != STATUS_OK)
        return launch_report("check", &d);

    struct model *rtl = model_create(&machine);
    const struct lockstep_options options = {.run = &run, .machine = machine};
    struct lockstep *l = lockstep_create(&options, &d);
    if (rtl == NULL || l == NULL || model_launch(rtl, run.image, &d) != STATUS_OK) return launch_report("check", &d);

    struct retire record;
    while (model_run_step(rtl, &record) == MODEL_RETIRED) {
        if (record.pc == 0x8) record.dst[3] ^= 4;
        if (!lockstep_check(l, &record)) break;
    }
    lockstep_finish(l, SIM_DONE, NULL, NULL);
    lockstep_check_memory(l, SIM_GLOBAL, model_global(rtl), machine.global_bytes);
    lockstep_conclude(l);
    lockstep_report(l, NULL, stdout);
    const int code = lockstep_exit_code(lockstep_result(l));
    lockstep_destroy(l);
    model_destroy(rtl);
    launch_release(&run);
    return code;
}

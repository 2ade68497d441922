/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a kernel on the model, an instruction at a time; prints each warp instruction, and memory at the end. */
#include <stdio.h>

#include "../../cmodel/model.h"
#include "../../cmodel/run/launch.h"

int main(int argc, char **argv) {
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run;
    struct diag d = {0};
    if (launch_parse(argc, argv, NULL, NULL, &machine, stderr, &run, &d) != STATUS_OK ||
        launch_check(&run, &machine, &d) != STATUS_OK)
        return launch_report("run", &d);

    struct model *m = model_create(&machine);
    if (m == NULL || model_launch(m, run.image, &d) != STATUS_OK) return launch_report("run", &d);
    enum model_result result;
    struct retire r;
    while ((result = model_run_step(m, &r)) == MODEL_RETIRED)
        printf("warp %u  pc %02x  lanes %08x of %08x\n", (unsigned)r.warp, (unsigned)r.pc, (unsigned)r.exec,
               (unsigned)r.active);

    if (result == MODEL_TRAPPED) printf("%s\n", trap_name(model_get_trap(m).code));
    for (unsigned i = 0; i < 8; i++) printf("%d ", model_global(m)[4 * i]);
    printf("\n");
    model_destroy(m);
    launch_release(&run);
    return result == MODEL_DONE ? 0 : 3;
}

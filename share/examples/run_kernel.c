/* SPDX-License-Identifier: Apache-2.0 */
/* A program of one's own around the model: runs a kernel, with the flags of warp-run, and says how it ended.
 *
 *     cc run_kernel.c $(pkg-config --cflags --libs warpstep) -o run_kernel
 *     ./run_kernel vecadd.sass --block 8
 */
#include <stdio.h>

#include "../../cmodel/model.h"
#include "../../cmodel/run/launch.h"

int main(int argc, char **argv) {
    struct machine machine = MACHINE_DEFAULT;
    struct launch run;
    struct diag d = {STATUS_OK, "", 0, 0, ""};
    if (launch_parse(argc, argv, NULL, NULL, &machine, stderr, &run, &d) != STATUS_OK ||
        launch_check(&run, &machine, &d) != STATUS_OK)
        return launch_report("run_kernel", &d);
    struct model *model = model_create(&machine);
    if (model == NULL || model_launch(model, run.image, &d) != STATUS_OK) return launch_report("run_kernel", &d);
    uint64_t steps;
    const enum model_result result = model_run(model, run.max_cycles, &steps);
    printf("%s: %s after %llu warp instructions\n", run.image->name, result == MODEL_DONE ? "done" : "stopped",
           (unsigned long long)steps);
    model_destroy(model);
    launch_release(&run);
    return result == MODEL_DONE ? 0 : 3;
}

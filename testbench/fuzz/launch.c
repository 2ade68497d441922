/* SPDX-License-Identifier: Apache-2.0 */
/* Launch flags: one argument a line, for a fixed kernel. Accepted launches are checked against the machine, too. Flags
 * that name files are skipped. */
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/run/launch.h"
#include "fuzz.h"

enum { ARGUMENTS_MAX = 64 };

static void check_launch(struct launch *run) {
    const struct machine machine = MACHINE_DEFAULT;
    struct diag d = {0};
    const enum status status = launch_check(run, &machine, &d);
    fuzz_check_diag(status, &d);
    if (status != STATUS_OK) return;
    fuzz_check(run->image->regs >= 1 && run->image->regs <= 128, "registers out of range");
    fuzz_check(block_threads(run->image->block) >= 1 && block_threads(run->image->block) <= machine.threads,
               "threads out of range");
    fuzz_check(run->image->shared_bytes <= machine.shared_bytes, "shared bytes out of range");
}

void fuzz_input(char *text, size_t size) {
    char name[] = "fuzz", kernel[] = "testbench/fuzz/seeds/launch.hex";
    char *arguments[ARGUMENTS_MAX + 3] = {name, kernel};
    int count = 2;
    if (fuzz_is_unfit(text, size)) return;
    for (char *save = NULL, *line = strtok_r(text, "\n", &save); line != NULL && count < ARGUMENTS_MAX;
         line = strtok_r(NULL, "\n", &save))
        arguments[count++] = line;
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run;
    struct diag d = {0};
    const enum status status = launch_parse(count, arguments, NULL, NULL, &machine, NULL, &run, &d);
    fuzz_check_diag(status, &d);
    if (status != STATUS_OK) return;
    check_launch(&run);
    launch_release(&run);
}

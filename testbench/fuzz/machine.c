/* SPDX-License-Identifier: Apache-2.0 */
/* The declaration of an RTL's machine, --machine FILE. */
#include <string.h>

#include "../../checker/port/declared.h"
#include "fuzz.h"

void fuzz_input(char *text, size_t size) {
    struct declared machine;
    struct diag d = {0};
    (void)size;
    const enum status status = declared_read_text("fuzz.machine", text, &machine, &d);
    fuzz_check_diag(status, &d);
    if (status != STATUS_OK) return;
    fuzz_check(machine.registers >= 1 && machine.registers <= 128, "registers out of range");
    fuzz_check(machine.machine.warps >= 1 && machine.machine.warps <= 64, "warps out of range");
    fuzz_check(machine.machine.sms == 1, "more than one SM");
}

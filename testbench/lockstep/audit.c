/* SPDX-License-Identifier: Apache-2.0 */
#include "audit.h"

enum status audit_run(const struct audit *audit, FILE *out, int *exit_code, struct diag *d) {
    (void)audit;
    (void)out;
    *exit_code = 0;
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "later");
}

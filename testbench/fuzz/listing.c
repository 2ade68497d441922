/* SPDX-License-Identifier: Apache-2.0 */
/* warp-as --verify: a cuobjdump listing. */
#include <stdio.h>

#include "../../assembler/check/verify.h"
#include "fuzz.h"

void fuzz_input(char *text, size_t size) {
    struct messages m;
    struct diag d = {0};
    if (fuzz_is_unfit(text, size)) return;
    FILE *out = fopen("/dev/null", "w");
    if (out == NULL) return;
    messages_init(&m, "fuzz.lst", text, size);
    m.expand_bytes = size + (1 << 14);
    const enum status status = verify_listing(out, &m);
    fclose(out);
    const bool said = messages_first(&m, &d) != STATUS_OK;
    fuzz_check(said == (status == STATUS_BAD_INPUT), "status and messages disagree");
    fuzz_check(status == STATUS_OK || status == STATUS_DIFFERS || status == STATUS_BAD_INPUT, "unexpected status");
    messages_release(&m);
    fuzz_check(status != STATUS_BAD_INPUT || d.text[0] != '\0', "rejected without a message");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of the PTX interpreter, the reference for warp-cc. Refused text has a message. */
#include "fuzz.h"

#include <string.h>

#include "../../golden/ptx/ptx.h"

void fuzz_input(char *text, size_t size) {
    struct problem problem = {""};
    (void)size;
    struct module *module = module_read("fuzz.ptx", text, &problem);
    fuzz_check(module != NULL || strstr(problem.text, ": error: ") != NULL, "rejected without a message");
    if (module != NULL) (void)module_kernel(module, NULL);
    module_free(module);
}

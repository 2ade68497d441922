/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_choice.h"

#include <stdio.h>
#include <string.h>

bool kernel_choice_offer_linked(struct kernel_choice *k, const char *name, const char *linkage) {
    if (k->used < sizeof k->names)
        k->used +=
            (size_t)snprintf(k->names + k->used, sizeof k->names - k->used, "%s%.60s", k->count > 0 ? ", " : "", name);
    k->count++;
    const bool named = k->by->kernel == NULL || strcmp(k->by->kernel, name) == 0;
    if (!named && (linkage == NULL || strcmp(k->by->kernel, linkage) != 0)) return false;
    if (k->by->number != 0 && k->by->number != k->count) return false;
    k->matches++;
    return true;
}

bool kernel_choice_offer(struct kernel_choice *k, const char *name) {
    return kernel_choice_offer_linked(k, name, NULL);
}

enum status kernel_choice_finish(const struct kernel_choice *k, const char *path, struct diag *d) {
    if (k->matches == 1) return STATUS_OK;
    if (k->count == 0) return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "file has no kernel");
    if (k->matches > 1)
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0,
                        k->by->kernel != NULL ? "several kernels have that name (%s)"
                                              : "file has several kernels (%s); choose one with --kernel",
                        k->names);
    if (k->by->kernel == NULL)
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "there is no kernel number %zu; the file has %s",
                        k->by->number, k->names);
    return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "there is no kernel '%.60s'; the file has %s", k->by->kernel,
                    k->names);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a lockstep run as one JSON object, or as a readable line. */
#ifndef WARPSTEP_SUMMARY_H
#define WARPSTEP_SUMMARY_H

#include "../verdict/lockstep.h"

struct summary {
    const struct lockstep *lockstep;
    const struct sim_options *sim;
    const char *status;    /* status of the result, "failed", "undefined" or "race" */
    uint64_t expect_wrong; /* bytes of global memory that differ from the launch's expectations */
    const char *wave;      /* file with waves, or NULL */
};

void summary_print_json(const struct summary *s, FILE *out);
void summary_print_text(const struct summary *s, FILE *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of lasting.c, for lockstep.c and finish.c. */
#ifndef WARPSTEP_LASTING_STATE_H
#define WARPSTEP_LASTING_STATE_H

#include "lasting.h"

struct lasting {
    const struct sim_api *api;
    struct sim_options options;
    struct sim *sim;
    struct model *model;
    uint32_t host_bytes;
    bool *chosen;                        /* of each page: compare it after this launch */
    uint32_t page_in_turn, word_in_turn; /* compared next */
};

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A queue of commands for one device, in order or not. */
#ifndef WARPSTEP_RUNTIME_QUEUE_H
#define WARPSTEP_RUNTIME_QUEUE_H

#include "context.h"

struct event;
struct command_failure;

struct queue {
    struct object object;
    struct context *context;
    struct device *device;
    cl_command_queue_properties properties;
    /* Under the context's lock. */
    struct event *first, *last; /* unfinished commands */
    cl_ulong submitted;         /* commands so far */
    struct event *barrier;      /* the last barrier, where it is unfinished */
    /* Of commands until the application sees that they failed: by their events, else by a blocking command behind them
     * or by clFinish. */
    struct command_failure *failures;
};

bool queue_is_in_order(const struct queue *q);

#endif

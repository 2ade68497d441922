/* SPDX-License-Identifier: Apache-2.0 */
/* A queue of commands for one device, in order or out of order. */
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
    /* Protected by the context's lock. */
    struct event *first, *last; /* unfinished commands */
    cl_ulong submitted;         /* number of commands so far */
    struct event *barrier;      /* the last barrier if unfinished, else NULL */
    /* Failures that the application has not seen: it sees them by events, by a later blocking command, or by
     * clFinish. */
    struct command_failure *failures;
};

bool queue_is_in_order(const struct queue *q);

#endif

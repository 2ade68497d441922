/* SPDX-License-Identifier: Apache-2.0 */
/* Commands and events are one: what clEnqueue... makes is an event that knows what to do when all that it waits for is
 * done. Events of a context share its lock.
 *
 *     struct event *e = command_create(queue, CL_COMMAND_READ_BUFFER, count, list, &error);
 *     e->run = run_read; e->payload = ...; e->release = ...;
 *     return command_submit(e, blocking, event);
 */
#ifndef WARPSTEP_RUNTIME_COMMAND_H
#define WARPSTEP_RUNTIME_COMMAND_H

#include <stdbool.h>

#include "object.h"

struct context;
struct queue;
struct device;
struct event;

/* Links a waiting event into the list of the event that it waits for. */
struct wait_link {
    struct wait_link *next;
    struct event *waiter;
    bool is_listed; /* by the application: the waiter fails if the event fails */
};

struct event_callback {
    struct event_callback *next;
    cl_int status;
    void(CL_CALLBACK *call)(cl_event, cl_int, void *);
    void *data;
};

/* Failure of a command. It is a part of the event, so recording it needs no memory. */
struct command_failure {
    struct command_failure *next;
    cl_ulong number;
    cl_int status;
};

/* Executes a command on its device. Returns CL_COMPLETE, or the error of the command. */
typedef cl_int command_run(struct event *e, void *payload);

struct event {
    struct object object;
    struct context *context;
    struct queue *queue;   /* NULL for a user event */
    struct device *device; /* NULL for a user event */
    cl_command_type type;

    /* Protected by the context's lock. */
    cl_int status;
    cl_ulong times[4];      /* CL_PROFILING_COMMAND_QUEUED and so on */
    unsigned waits;         /* number of events that it waits for */
    bool has_failed;        /* an event in its list has failed */
    bool is_set;            /* the application has set its status */
    bool is_failure_unseen; /* its failure may be in the list of its queue */
    struct wait_link *waiters;
    struct event_callback *callbacks;
    struct event *previous, *next; /* unfinished commands of the queue, in order */
    cl_ulong number;               /* number in the queue, from 1 */

    struct command_failure *failure; /* until it fails */
    struct wait_link *links;         /* room for all events that it waits for */
    struct event **list;             /* the application's list, held until submission */
    cl_uint list_count;
    struct event *next_ready; /* see device_push */

    /* The work of the command, or NULL. The payload is released when it is done, or will not run. */
    command_run *run;
    void (*release)(void *payload);
    void *payload;
    cl_ulong device_time; /* of a launch: nanoseconds by the device's clock; 0 to use the host's clock */
    bool is_barrier;      /* later commands of the queue wait for it */
    bool waits_for_all;   /* waits for all earlier commands */
};

/* Creates a command for a queue, after checking the application's list. Returns NULL, with *error, on failure. A
 * command that is not submitted is freed by command_cancel. */
struct event *command_create(struct queue *queue, cl_command_type type, cl_uint count, const cl_event *list,
                             cl_int *error);
void command_cancel(struct event *e);

/* Submits the command to its queue; with `blocking`, waits for it. Returns the event in *place unless `place` is
 * NULL. */
cl_int command_submit(struct event *e, bool blocking, cl_event *place);

/* Executes a command that is ready, on the device's thread. */
void command_execute(struct event *e);

/* Completes an event with CL_COMPLETE or an error, and wakes its waiters. */
void command_end(struct event *e, cl_int status);

/* Both return the event's status to the application, which has then seen an error. The second waits for completion
 * first; not in a callback on a device's thread, which would wait for itself: OpenCL forbids it. */
cl_int command_status(struct event *e);
cl_int command_wait(struct event *e);

/* Returns whether it has completed without an error; the application does not see the error by this. */
bool command_is_complete(struct event *e);

/* Returns the first failure that the application has not seen among the queue's commands up to number `last`; else
 * CL_SUCCESS. All of them count as seen then. */
cl_int command_take_failure(struct queue *queue, cl_ulong last);

/* Waits for all commands that are in the queue now; *last: the number of the last one. Returns false in a callback,
 * like command_wait. */
bool command_wait_for_queue(struct queue *queue, cl_ulong *last);

/* Checks the application's list. Errors: CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT. */
cl_int command_check_list(const struct context *context, cl_uint count, const cl_event *list);

#endif

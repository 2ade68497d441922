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

/* That `waiter` waits for some event, in whose list this is. */
struct wait_link {
    struct wait_link *next;
    struct event *waiter;
    bool is_listed; /* by the application: the waiter fails with it */
};

struct event_callback {
    struct event_callback *next;
    cl_int status;
    void(CL_CALLBACK *call)(cl_event, cl_int, void *);
    void *data;
};

/* How a command failed. Its event has room for it, so that a failure never lacks memory. */
struct command_failure {
    struct command_failure *next;
    cl_ulong number;
    cl_int status;
};

/* What a command does on its device: CL_COMPLETE, or the error it fails with. Cycles are those of a launch. */
typedef cl_int command_run(struct event *e, void *payload);

struct event {
    struct object object;
    struct context *context;
    struct queue *queue;   /* NULL: it is the application's */
    struct device *device; /* likewise */
    cl_command_type type;

    /* Under the context's lock. */
    cl_int status;
    cl_ulong times[4]; /* CL_PROFILING_COMMAND_QUEUED and so on */
    unsigned waits;    /* for so many events */
    bool has_failed;   /* one of those in its list has */
    bool is_set;       /* the application has set its status */
    bool is_unseen;    /* its failure may be among those of its queue */
    struct wait_link *waiters;
    struct event_callback *callbacks;
    struct event *previous, *next; /* unfinished commands of the queue, in order */
    cl_ulong number;               /* in the queue, from 1 */

    struct command_failure *failure; /* until it fails */
    struct wait_link *links;         /* what it waits for: room for all */
    struct event **list;             /* the application's list, held until it is submitted */
    cl_uint list_count;
    struct event *next_ready; /* see device_push */

    /* What it does; NULL: nothing. The payload is released when it is done, or never begins. */
    command_run *run;
    void (*release)(void *payload);
    void *payload;
    cl_ulong device_time; /* of a launch, nanoseconds of the device's clock; 0: the host's clock counts */
    bool is_barrier;      /* later commands of the queue wait for it */
    bool waits_for_all;   /* it waits for all commands before it */
};

/* A command for a queue, with the application's list checked. NULL: *error. What is not submitted is dropped by
 * command_cancel. */
struct event *command_create(struct queue *queue, cl_command_type type, cl_uint count, const cl_event *list,
                             cl_int *error);
void command_cancel(struct event *e);

/* Puts it into the queue; with `blocking` waits for it. The application gets the event where `place` is not NULL. */
cl_int command_submit(struct event *e, bool blocking, cl_event *place);

/* Executes a command whose turn has come, on the device's thread. */
void command_execute(struct event *e);

/* Ends an event: CL_COMPLETE, or an error. What waits for it goes on. */
void command_end(struct event *e, cl_int status);

/* The event's status for the application, which sees an error then. The second waits until the event has ended, but not
 * in a callback on a device's thread, which would wait for itself: OpenCL forbids it. */
cl_int command_status(struct event *e);
cl_int command_wait(struct event *e);

/* Whether it has ended without an error, which the application does not see by this. */
bool command_is_complete(struct event *e);

/* How the first command of the queue failed, of those up to that number whose failure the application has not seen,
 * else CL_SUCCESS. All of them are seen then. */
cl_int command_take_failure(struct queue *queue, cl_ulong last);

/* Waits for all commands of a queue that are there now; *last: the number of the last one. False: as command_wait. */
bool command_wait_for_queue(struct queue *queue, cl_ulong *last);

/* The application's list: CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT. */
cl_int command_check_list(const struct context *context, cl_uint count, const cl_event *list);

#endif

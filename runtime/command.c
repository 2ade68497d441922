/* SPDX-License-Identifier: Apache-2.0 */
/* Order and completion of commands, see command.h. */
#include "command.h"

#include <stdlib.h>

#include "lock.h"
#include "queue.h"

/* ---- creation ---- */

static void destroy(void *object) {
    struct event *e = object;
    while (e->callbacks != NULL) {
        struct event_callback *next = e->callbacks->next;
        free(e->callbacks);
        e->callbacks = next;
    }
    free(e->failure);
    free(e->links);
    object_drop(e->queue);
    object_drop(e->context);
    free(e);
}

cl_int command_check_list(const struct context *context, cl_uint count, const cl_event *list) {
    if ((count == 0) != (list == NULL)) return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < count; i++) {
        const struct event *e = object_of(list[i], OBJECT_EVENT);
        if (e == NULL) return CL_INVALID_EVENT_WAIT_LIST;
        if (e->context != context) return CL_INVALID_CONTEXT;
    }
    return CL_SUCCESS;
}

static bool hold_wait_list(struct event *e, cl_uint count, const cl_event *list) {
    if (count == 0) return true;
    e->list = calloc(count, sizeof(struct event *));
    if (e->list == NULL) return false;
    for (; e->list_count < count; e->list_count++) {
        e->list[e->list_count] = object_of(list[e->list_count], OBJECT_EVENT);
        object_hold(e->list[e->list_count]);
    }
    return true;
}

static void drop_wait_list(struct event *e) {
    for (cl_uint i = 0; i < e->list_count; i++) object_drop(e->list[i]);
    free(e->list);
    e->list = NULL;
    e->list_count = 0;
}

struct event *command_create(struct queue *queue, cl_command_type type, cl_uint count, const cl_event *list,
                             cl_int *error) {
    *error = command_check_list(queue->context, count, list);
    if (*error != CL_SUCCESS) return NULL;
    *error = device_start(queue->device) ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES;
    struct event *e = *error == CL_OUT_OF_HOST_MEMORY ? calloc(1, sizeof *e) : NULL;
    if (e == NULL) return NULL;
    if (!object_create(&e->object, OBJECT_EVENT, destroy)) {
        free(e);
        return NULL;
    }
    e->type = type;
    e->status = CL_QUEUED;
    e->times[0] = device_now();
    object_hold(e->context = queue->context);
    object_hold(e->queue = queue);
    e->device = queue->device;
    e->failure = malloc(sizeof *e->failure);
    if (e->failure == NULL || !hold_wait_list(e, count, list)) {
        command_cancel(e);
        return NULL;
    }
    *error = CL_SUCCESS;
    return e;
}

static void release_payload(struct event *e) {
    if (e->release != NULL) e->release(e->payload);
    e->release = NULL;
    e->payload = NULL;
}

void command_cancel(struct event *e) {
    release_payload(e);
    drop_wait_list(e);
    object_drop(e);
}

/* ---- waiting, with the context's lock ---- */

static void add_waiter(struct event *waiter, struct event *e, struct wait_link *link, bool is_listed) {
    if (e->status <= CL_COMPLETE) {
        waiter->has_failed |= is_listed && e->status < 0;
        return;
    }
    *link = (struct wait_link){.next = e->waiters, .waiter = waiter, .is_listed = is_listed};
    e->waiters = link;
    waiter->waits++;
}

static size_t count_unfinished(const struct queue *q) {
    size_t count = 0;
    for (const struct event *e = q->first; e != NULL; e = e->next) count++;
    return count;
}

static bool add_links(struct event *e) {
    struct queue *q = e->queue;
    const size_t before = e->waits_for_all ? count_unfinished(q) : 1;
    struct wait_link *link = e->links = calloc(e->list_count + before, sizeof *link);
    if (link == NULL && e->list_count + before > 0) return false;
    for (cl_uint i = 0; i < e->list_count; i++) add_waiter(e, e->list[i], link++, true);
    if (queue_is_in_order(q)) {
        if (q->last != NULL) add_waiter(e, q->last, link, false);
        return true;
    }
    if (e->waits_for_all)
        for (struct event *other = q->first; other != NULL; other = other->next) add_waiter(e, other, link++, false);
    else if (q->barrier != NULL)
        add_waiter(e, q->barrier, link, false);
    return true;
}

static void append_to_queue(struct event *e) {
    struct queue *q = e->queue;
    e->previous = q->last;
    if (q->last != NULL)
        q->last->next = e;
    else
        q->first = e;
    q->last = e;
    e->number = ++q->submitted;
    if (e->is_barrier) q->barrier = e;
}

static void remove_from_queue(struct event *e) {
    struct queue *q = e->queue;
    if (q == NULL) return;
    if (e->previous != NULL)
        e->previous->next = e->next;
    else
        q->first = e->next;
    if (e->next != NULL)
        e->next->previous = e->previous;
    else
        q->last = e->previous;
    if (q->barrier == e) q->barrier = NULL;
}

/* Gives the command to its device. */
static void make_ready(struct event *e) {
    e->status = CL_SUBMITTED;
    e->times[1] = device_now();
    device_push(e->device, e);
}

/* Makes commands ready that waited only for this event. */
static void wake_waiters(struct event *e) {
    struct wait_link *link = e->waiters;
    e->waiters = NULL;
    while (link != NULL) {
        struct event *waiter = link->waiter;
        waiter->has_failed |= link->is_listed && e->status < 0;
        link = link->next;
        if (--waiter->waits == 0) make_ready(waiter);
    }
}

/* ---- submitting ---- */

static bool enqueue(struct event *e) {
    lock_acquire(&e->context->lock);
    const bool entered = add_links(e);
    if (entered) {
        append_to_queue(e);
        atomic_fetch_add(&e->device->unfinished, 1);
        object_hold(e); /* until it completes */
        if (e->waits == 0) make_ready(e);
    }
    lock_release(&e->context->lock);
    return entered;
}

cl_int command_submit(struct event *e, bool blocking, cl_event *place) {
    const bool may_wait = !blocking || !device_is_worker();
    if (!may_wait || !enqueue(e)) {
        command_cancel(e);
        return may_wait ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_OPERATION;
    }
    drop_wait_list(e);
    cl_int status = blocking ? command_wait(e) : CL_COMPLETE;
    /* Not the failure itself: pyopencl takes CL_OUT_OF_RESOURCES for lack of memory, and calls again. */
    if (blocking && status >= 0 && queue_is_in_order(e->queue) &&
        command_take_failure(e->queue, e->number) != CL_SUCCESS)
        status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (place != NULL && status >= 0)
        *place = object_handle(e);
    else
        object_drop(e);
    return status < 0 ? status : CL_SUCCESS;
}

/* With the lock. */
static cl_int report_status(struct event *e) {
    struct command_failure **at = e->is_failure_unseen ? &e->queue->failures : NULL;
    while (at != NULL && *at != NULL && (*at)->number != e->number) at = &(*at)->next;
    if (at != NULL && *at != NULL) {
        struct command_failure *seen = *at;
        *at = seen->next;
        free(seen);
    }
    e->is_failure_unseen = false;
    return e->status;
}

cl_int command_status(struct event *e) {
    lock_acquire(&e->context->lock);
    const cl_int status = report_status(e);
    lock_release(&e->context->lock);
    return status;
}

bool command_is_complete(struct event *e) {
    lock_acquire(&e->context->lock);
    const bool is_complete = e->status == CL_COMPLETE;
    lock_release(&e->context->lock);
    return is_complete;
}

cl_int command_wait(struct event *e) {
    lock_acquire(&e->context->lock);
    while (e->status > CL_COMPLETE && !device_is_worker()) lock_wait(&e->context->changed, &e->context->lock);
    const cl_int status = report_status(e);
    lock_release(&e->context->lock);
    return status;
}

cl_int command_take_failure(struct queue *q, cl_ulong last) {
    cl_int failure = CL_SUCCESS;
    cl_ulong first = last;
    lock_acquire(&q->context->lock);
    for (struct command_failure **at = &q->failures; *at != NULL;) {
        struct command_failure *one = *at;
        if (one->number > last) {
            at = &one->next;
            continue;
        }
        if (one->number <= first) {
            first = one->number;
            failure = one->status;
        }
        *at = one->next;
        free(one);
    }
    lock_release(&q->context->lock);
    return failure;
}

bool command_wait_for_queue(struct queue *q, cl_ulong *last) {
    lock_acquire(&q->context->lock);
    *last = q->submitted;
    while (q->first != NULL && q->first->number <= *last && !device_is_worker())
        lock_wait(&q->context->changed, &q->context->lock);
    const bool is_done = q->first == NULL || q->first->number > *last;
    lock_release(&q->context->lock);
    return is_done;
}

/* ---- execution ---- */

/* Calls the callbacks for a status, without the lock. */
static void run_callbacks(struct event *e, struct event_callback *list, cl_int status) {
    while (list != NULL) {
        struct event_callback *next = list->next;
        list->call(object_handle(e), status < 0 ? status : list->status, list->data);
        free(list);
        list = next;
    }
}

/* With the lock: removes the callbacks for a status from the list and returns them in order. */
static struct event_callback *take_callbacks(struct event *e, cl_int status) {
    struct event_callback *taken = NULL, **end = &taken, **at = &e->callbacks;
    while (*at != NULL) {
        struct event_callback *one = *at;
        if (status >= 0 && one->status < status) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        one->next = NULL;
        *end = one;
        end = &one->next;
    }
    return taken;
}

/* With the lock. A command that was not run because one in its list failed counts as no failure of its own. */
static void record_failure(struct event *e) {
    if (e->queue == NULL || e->status >= 0 || e->has_failed) return;
    *e->failure = (struct command_failure){e->queue->failures, e->number, e->status};
    e->queue->failures = e->failure;
    e->failure = NULL;
    e->is_failure_unseen = true;
}

/* With `drops`, also drops a use of the event, before completion is visible, so that the application's release is
 * the last. */
static void end_event(struct event *e, cl_int status, bool drops) {
    struct context *c = e->context;
    object_pin(c);
    release_payload(e);
    lock_acquire(&c->lock);
    e->status = status;
    if (e->queue != NULL) atomic_fetch_sub(&e->device->unfinished, 1);
    remove_from_queue(e);
    struct event_callback *callbacks = take_callbacks(e, status);
    if (callbacks == NULL) record_failure(e);
    wake_waiters(e);
    if (drops && callbacks == NULL) object_drop(e);
    pthread_cond_broadcast(&c->changed);
    lock_release(&c->lock);
    if (callbacks != NULL) {
        run_callbacks(e, callbacks, status);
        if (drops) object_drop(e);
    }
    object_unpin(c);
}

void command_end(struct event *e, cl_int status) { end_event(e, status, false); }

/* Returns true if the command runs. */
static bool begin_command(struct event *e) {
    lock_acquire(&e->context->lock);
    const bool runs = !e->has_failed;
    struct event_callback *callbacks = runs ? take_callbacks(e, CL_RUNNING) : NULL;
    if (runs) e->status = CL_RUNNING;
    const cl_ulong now = device_now();
    e->times[2] = now > e->device->end ? now : e->device->end;
    lock_release(&e->context->lock);
    run_callbacks(e, callbacks, CL_RUNNING);
    return runs;
}

/* A launch takes the time of its cycles, other commands the time measured here. */
static void set_end_time(struct event *e) {
    cl_ulong end = e->device_time > 0 ? e->times[2] + e->device_time : device_now();
    if (end < e->times[2]) end = e->times[2];
    e->times[3] = e->device->end = end;
}

/* A board may be lost. */
static cl_int run_on_device(struct event *e) {
    if (e->run == NULL) return CL_COMPLETE;
    const cl_int error = device_open(e->device);
    return error == CL_SUCCESS ? e->run(e, e->payload) : error;
}

void command_execute(struct event *e) {
    const cl_int status = begin_command(e) ? run_on_device(e) : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (device_is_stopping(e->device)) return; /* the process ends, and callbacks must not run */
    set_end_time(e);
    end_event(e, status, true);
}

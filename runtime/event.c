/* SPDX-License-Identifier: Apache-2.0 */
/* Queries of events, and user events. */
#include <stdlib.h>

#include "api.h"
#include "command.h"
#include "context.h"
#include "info.h"
#include "lock.h"
#include "queue.h"

cl_int CL_API_CALL api_clRetainEvent(cl_event event) { return object_retain(event, OBJECT_EVENT, CL_INVALID_EVENT); }

/* A user event that can no longer be set fails, so that nothing waits for it for ever. */
cl_int CL_API_CALL api_clReleaseEvent(cl_event event) { return object_release(event, OBJECT_EVENT, CL_INVALID_EVENT); }

cl_int CL_API_CALL api_clWaitForEvents(cl_uint count, const cl_event *list) {
    if (count == 0 || list == NULL) return CL_INVALID_VALUE;
    const struct event *first = object_of(list[0], OBJECT_EVENT);
    cl_int error = first != NULL ? command_check_list(first->context, count, list) : CL_INVALID_EVENT;
    if (error == CL_INVALID_EVENT_WAIT_LIST) error = CL_INVALID_EVENT;
    for (cl_uint i = 0; i < count && (error == CL_SUCCESS || error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
         i++) {
        struct event *e = object_of(list[i], OBJECT_EVENT);
        if (e == NULL) return CL_INVALID_EVENT;
        object_hold(e);
        const cl_int status = command_wait(e);
        if (status != CL_COMPLETE)
            error = status < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_INVALID_OPERATION;
        object_drop(e);
    }
    return error;
}

cl_int CL_API_CALL api_clGetEventInfo(cl_event event, cl_event_info name, size_t room, void *value, size_t *size) {
    struct event *e = object_of(event, OBJECT_EVENT);
    const struct info to = {room, value, size};
    if (e == NULL) return CL_INVALID_EVENT;
    switch (name) {
    case CL_EVENT_COMMAND_QUEUE: return info_pointer(to, e->queue != NULL ? object_handle(e->queue) : NULL);
    case CL_EVENT_CONTEXT: return info_pointer(to, object_handle(e->context));
    case CL_EVENT_COMMAND_TYPE: return info_uint(to, e->type);
    case CL_EVENT_COMMAND_EXECUTION_STATUS: return info_uint(to, value != NULL ? (cl_uint)command_status(e) : 0);
    case CL_EVENT_REFERENCE_COUNT: return info_uint(to, object_references(e));
    default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL api_clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t room, void *value,
                                               size_t *size) {
    struct event *e = object_of(event, OBJECT_EVENT);
    if (e == NULL) return CL_INVALID_EVENT;
    if (name < CL_PROFILING_COMMAND_QUEUED || name > CL_PROFILING_COMMAND_END) return CL_INVALID_VALUE;
    if (e->queue == NULL || !(e->queue->properties & CL_QUEUE_PROFILING_ENABLE)) return CL_PROFILING_INFO_NOT_AVAILABLE;
    if (!command_is_complete(e)) return CL_PROFILING_INFO_NOT_AVAILABLE;
    return info_ulong((struct info){room, value, size}, e->times[name - CL_PROFILING_COMMAND_QUEUED]);
}

cl_int CL_API_CALL api_clSetEventCallback(cl_event event, cl_int type,
                                          void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *data) {
    struct event *e = object_of(event, OBJECT_EVENT);
    if (e == NULL) return CL_INVALID_EVENT;
    if (notify == NULL || (type != CL_SUBMITTED && type != CL_RUNNING && type != CL_COMPLETE)) return CL_INVALID_VALUE;
    struct event_callback *c = malloc(sizeof *c);
    if (c == NULL) return CL_OUT_OF_HOST_MEMORY;
    *c = (struct event_callback){.status = type, .call = notify, .data = data};
    lock_acquire(&e->context->lock);
    const cl_int status = e->status;
    const bool is_past = status <= type;
    struct event_callback **end = &e->callbacks;
    while (*end != NULL) end = &(*end)->next;
    if (!is_past) *end = c;
    lock_release(&e->context->lock);
    if (!is_past) return CL_SUCCESS;
    free(c);
    notify(event, status < 0 ? status : type, data);
    return CL_SUCCESS;
}

/* ---- user events ---- */

static void destroy(void *object) {
    struct event *e = object;
    /* It can no longer be set: its waiters fail instead of waiting for ever. */
    if (e->status > CL_COMPLETE) command_end(e, CL_INVALID_EVENT);
    object_drop(e->context);
    free(e);
}

cl_event CL_API_CALL api_clCreateUserEvent(cl_context context, cl_int *error) {
    struct context *c = object_of(context, OBJECT_CONTEXT);
    if (c == NULL) return info_fail(error, CL_INVALID_CONTEXT);
    struct event *e = calloc(1, sizeof *e);
    if (e == NULL || !object_create(&e->object, OBJECT_EVENT, destroy)) {
        free(e);
        return info_fail(error, CL_OUT_OF_HOST_MEMORY);
    }
    e->type = CL_COMMAND_USER;
    e->status = CL_SUBMITTED;
    object_hold(e->context = c);
    if (error != NULL) *error = CL_SUCCESS;
    return object_handle(e);
}

cl_int CL_API_CALL api_clSetUserEventStatus(cl_event event, cl_int status) {
    struct event *e = object_of(event, OBJECT_EVENT);
    if (e == NULL || e->queue != NULL) return CL_INVALID_EVENT;
    if (status > CL_COMPLETE) return CL_INVALID_VALUE;
    lock_acquire(&e->context->lock);
    const bool was_set = e->is_set;
    e->is_set = true;
    lock_release(&e->context->lock);
    if (was_set) return CL_INVALID_OPERATION;
    object_hold(e);
    command_end(e, status);
    object_drop(e);
    return CL_SUCCESS;
}

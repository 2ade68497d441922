/* SPDX-License-Identifier: Apache-2.0 */
/* Queues, and commands that only order others. */
#include "queue.h"

#include <stdlib.h>

#include "api.h"
#include "command.h"
#include "info.h"

static const cl_command_queue_properties KNOWN = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

bool queue_is_in_order(const struct queue *q) { return !(q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }

static void destroy(void *object) {
    struct queue *q = object;
    while (q->failures != NULL) {
        struct command_failure *next = q->failures->next;
        free(q->failures);
        q->failures = next;
    }
    object_drop(q->context);
    free(q);
}

static cl_command_queue create(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                               cl_int *error) {
    struct context *c = object_of(context, OBJECT_CONTEXT);
    struct device *d = object_of(device, OBJECT_DEVICE);
    if (c == NULL) return info_fail(error, CL_INVALID_CONTEXT);
    if (d == NULL || context_find(c, d) < 0) return info_fail(error, CL_INVALID_DEVICE);
    if ((properties & ~KNOWN) != 0) return info_fail(error, CL_INVALID_VALUE);
    struct queue *q = calloc(1, sizeof *q);
    if (q == NULL || !object_create(&q->object, OBJECT_QUEUE, destroy)) {
        free(q);
        return info_fail(error, CL_OUT_OF_HOST_MEMORY);
    }
    object_hold(q->context = c);
    q->device = d;
    q->properties = properties;
    if (error != NULL) *error = CL_SUCCESS;
    return object_handle(q);
}

cl_command_queue CL_API_CALL api_clCreateCommandQueue(cl_context context, cl_device_id device,
                                                      cl_command_queue_properties properties, cl_int *error) {
    return create(context, device, properties, error);
}

/* OpenCL 2 takes a list of properties; for a host queue it has only those of 1.2. */
cl_command_queue CL_API_CALL api_clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                                    const cl_queue_properties *list, cl_int *error) {
    const cl_command_queue_properties on_device = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
    cl_command_queue_properties properties = 0;
    for (; list != NULL && list[0] != 0; list += 2) {
        if (list[0] != CL_QUEUE_PROPERTIES) return info_fail(error, CL_INVALID_VALUE);
        properties = list[1];
    }
    if (object_of(context, OBJECT_CONTEXT) != NULL && object_of(device, OBJECT_DEVICE) != NULL &&
        (properties & on_device) != 0)
        return info_fail(error, CL_INVALID_QUEUE_PROPERTIES);
    return create(context, device, properties, error);
}

cl_int CL_API_CALL api_clRetainCommandQueue(cl_command_queue queue) {
    return object_retain(queue, OBJECT_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

cl_int CL_API_CALL api_clReleaseCommandQueue(cl_command_queue queue) {
    return object_release(queue, OBJECT_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

cl_int CL_API_CALL api_clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name, size_t room,
                                             void *value, size_t *size) {
    const struct queue *q = object_of(queue, OBJECT_QUEUE);
    const struct info to = {room, value, size};
    if (q == NULL) return CL_INVALID_COMMAND_QUEUE;
    switch (name) {
    case CL_QUEUE_CONTEXT: return info_pointer(to, object_handle(q->context));
    case CL_QUEUE_DEVICE: return info_pointer(to, object_handle(q->device));
    case CL_QUEUE_REFERENCE_COUNT: return info_uint(to, object_references(q));
    case CL_QUEUE_PROPERTIES: return info_ulong(to, q->properties);
    default: return CL_INVALID_VALUE;
    }
}

/* Of OpenCL 1.0, and deprecated: a queue keeps its properties. */
cl_int CL_API_CALL api_clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties properties,
                                                 cl_bool enable, cl_command_queue_properties *old) {
    const struct queue *q = object_of(queue, OBJECT_QUEUE);
    (void)enable;
    if (q == NULL) return CL_INVALID_COMMAND_QUEUE;
    if ((properties & ~KNOWN) != 0) return CL_INVALID_VALUE;
    if (old != NULL) *old = q->properties;
    return CL_INVALID_OPERATION;
}

/* Commands begin as soon as they can. */
cl_int CL_API_CALL api_clFlush(cl_command_queue queue) {
    return object_of(queue, OBJECT_QUEUE) != NULL ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL api_clFinish(cl_command_queue queue) {
    struct queue *q = object_of(queue, OBJECT_QUEUE);
    if (q == NULL) return CL_INVALID_COMMAND_QUEUE;
    object_hold(q);
    cl_ulong last;
    const bool is_done = command_wait_for_queue(q, &last);
    const cl_int failure = is_done ? command_take_failure(q, last) : CL_INVALID_OPERATION;
    object_drop(q);
    return failure;
}

/* ---- markers and barriers ---- */

static cl_int enqueue_order(cl_command_queue queue, cl_command_type type, bool is_barrier, cl_uint count,
                            const cl_event *list, cl_event *event) {
    struct queue *q = object_of(queue, OBJECT_QUEUE);
    cl_int error;
    if (q == NULL) return CL_INVALID_COMMAND_QUEUE;
    struct event *e = command_create(q, type, count, list, &error);
    if (e == NULL) return error;
    e->is_barrier = is_barrier;
    e->waits_for_all = count == 0;
    return command_submit(e, false, event);
}

cl_int CL_API_CALL api_clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *list,
                                                   cl_event *event) {
    return enqueue_order(queue, CL_COMMAND_MARKER, false, count, list, event);
}

cl_int CL_API_CALL api_clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *list,
                                                    cl_event *event) {
    return enqueue_order(queue, CL_COMMAND_BARRIER, true, count, list, event);
}

cl_int CL_API_CALL api_clEnqueueMarker(cl_command_queue queue, cl_event *event) {
    if (object_of(queue, OBJECT_QUEUE) == NULL) return CL_INVALID_COMMAND_QUEUE;
    if (event == NULL) return CL_INVALID_VALUE;
    return enqueue_order(queue, CL_COMMAND_MARKER, false, 0, NULL, event);
}

cl_int CL_API_CALL api_clEnqueueBarrier(cl_command_queue queue) {
    return enqueue_order(queue, CL_COMMAND_BARRIER, true, 0, NULL, NULL);
}

cl_int CL_API_CALL api_clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event *list) {
    if (object_of(queue, OBJECT_QUEUE) == NULL) return CL_INVALID_COMMAND_QUEUE;
    if (count == 0 || list == NULL) return CL_INVALID_VALUE;
    const cl_int error = enqueue_order(queue, CL_COMMAND_BARRIER, true, count, list, NULL);
    return error == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : error;
}

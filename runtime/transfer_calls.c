/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that read, write, copy and fill buffers. */
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "command.h"
#include "queue.h"
#include "transfer.h"

/* Common arguments of these calls. */
struct call {
    cl_command_queue queue;
    cl_command_type type;
    bool blocking;
    cl_uint count;
    const cl_event *list;
    cl_event *event;
};

/* Returns the queue and a buffer of its context. */
static cl_int find_queue_and_buffer(const struct call *call, cl_mem buffer, struct queue **q, struct memory **m) {
    *q = object_of(call->queue, OBJECT_QUEUE);
    if (*q == NULL) return CL_INVALID_COMMAND_QUEUE;
    const cl_int error = memory_check_handle(buffer, (*q)->context, m);
    return error != CL_SUCCESS ? error : memory_check_device(*m, (*q)->device);
}

static cl_int enqueue(struct queue *q, const struct call *call, const struct transfer *t) {
    cl_int error;
    struct event *e = command_create(q, call->type, call->count, call->list, &error);
    if (e == NULL) return error;
    e->payload = transfer_create(t);
    e->run = transfer_run;
    e->release = e->payload != NULL ? transfer_release : NULL;
    if (e->payload == NULL) {
        command_cancel(e);
        return CL_OUT_OF_HOST_MEMORY;
    }
    return command_submit(e, call->blocking, call->event);
}

static bool may_read(const struct memory *m) { return !(m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)); }
static bool may_write(const struct memory *m) { return !(m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)); }

/* ---- between buffers and the host ---- */

/* Origins in the buffer and in host memory. */
struct box {
    const size_t *buffer_origin, *host_origin, *size;
    size_t buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch;
};

static cl_int move_box(const struct call *call, cl_mem buffer, bool is_read, const struct box *box, void *host) {
    struct queue *q;
    struct memory *m;
    struct transfer_layout inside, outside;
    cl_int error = find_queue_and_buffer(call, buffer, &q, &m);
    if (error != CL_SUCCESS) return error;
    if (host == NULL || box->buffer_origin == NULL || box->host_origin == NULL || box->size == NULL)
        return CL_INVALID_VALUE;
    error = transfer_compute_layout(box->buffer_origin, box->size, box->buffer_row_pitch, box->buffer_slice_pitch,
                                    m->size, &inside);
    if (error == CL_SUCCESS)
        error = transfer_compute_layout(box->host_origin, box->size, box->host_row_pitch, box->host_slice_pitch,
                                        SIZE_MAX, &outside);
    if (error != CL_SUCCESS) return error;
    if (is_read ? !may_read(m) : !may_write(m)) return CL_INVALID_OPERATION;
    struct transfer t = {.from = is_read ? m : NULL,
                         .to = is_read ? NULL : m,
                         .host = host,
                         .from_layout = is_read ? inside : outside,
                         .to_layout = is_read ? outside : inside};
    memcpy(t.size, box->size, sizeof t.size);
    return enqueue(q, call, &t);
}

static cl_int move_bytes(const struct call *call, cl_mem buffer, bool is_read, size_t offset, size_t size, void *host) {
    const size_t origin[3] = {offset, 0, 0}, none[3] = {0, 0, 0}, box[3] = {size, 1, 1};
    return move_box(call, buffer, is_read, &(struct box){origin, none, box, 0, 0, 0, 0}, host);
}

cl_int CL_API_CALL api_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                           size_t size, void *host, cl_uint count, const cl_event *list,
                                           cl_event *event) {
    const struct call call = {queue, CL_COMMAND_READ_BUFFER, blocking != CL_FALSE, count, list, event};
    return move_bytes(&call, buffer, true, offset, size, host);
}

/* The host's bytes are only read. */
cl_int CL_API_CALL api_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                            size_t size, const void *host, cl_uint count, const cl_event *list,
                                            cl_event *event) {
    const struct call call = {queue, CL_COMMAND_WRITE_BUFFER, blocking != CL_FALSE, count, list, event};
    return move_bytes(&call, buffer, false, offset, size, (void *)host);
}

cl_int CL_API_CALL api_clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                               const size_t *buffer_origin, const size_t *host_origin,
                                               const size_t *size, size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                               size_t host_row_pitch, size_t host_slice_pitch, void *host,
                                               cl_uint count, const cl_event *list, cl_event *event) {
    const struct call call = {queue, CL_COMMAND_READ_BUFFER_RECT, blocking != CL_FALSE, count, list, event};
    const struct box box = {buffer_origin,  host_origin,     size, buffer_row_pitch, buffer_slice_pitch,
                            host_row_pitch, host_slice_pitch};
    return move_box(&call, buffer, true, &box, host);
}

cl_int CL_API_CALL api_clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                const size_t *buffer_origin, const size_t *host_origin,
                                                const size_t *size, size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                                size_t host_row_pitch, size_t host_slice_pitch, const void *host,
                                                cl_uint count, const cl_event *list, cl_event *event) {
    const struct call call = {queue, CL_COMMAND_WRITE_BUFFER_RECT, blocking != CL_FALSE, count, list, event};
    const struct box box = {buffer_origin,  host_origin,     size, buffer_row_pitch, buffer_slice_pitch,
                            host_row_pitch, host_slice_pitch};
    return move_box(&call, buffer, false, &box, (void *)host);
}

/* ---- between buffers ---- */

/* Origins and pitches in both buffers. */
struct copy {
    cl_mem from, to;
    const size_t *from_origin, *to_origin, *size;
    size_t from_row_pitch, from_slice_pitch, to_row_pitch, to_slice_pitch;
};

static cl_int copy_box(const struct call *call, const struct copy *c) {
    struct queue *q;
    struct transfer t = {0};
    cl_int error = find_queue_and_buffer(call, c->from, &q, &t.from);
    if (error == CL_SUCCESS) error = find_queue_and_buffer(call, c->to, &q, &t.to);
    if (error != CL_SUCCESS) return error;
    if (c->from_origin == NULL || c->to_origin == NULL || c->size == NULL) return CL_INVALID_VALUE;
    error = transfer_compute_layout(c->from_origin, c->size, c->from_row_pitch, c->from_slice_pitch, t.from->size,
                                    &t.from_layout);
    if (error == CL_SUCCESS)
        error = transfer_compute_layout(c->to_origin, c->size, c->to_row_pitch, c->to_slice_pitch, t.to->size,
                                        &t.to_layout);
    if (error != CL_SUCCESS) return error;
    memcpy(t.size, c->size, sizeof t.size);
    if (t.from == t.to && call->type == CL_COMMAND_COPY_BUFFER_RECT &&
        (t.from_layout.row_pitch != t.to_layout.row_pitch || t.from_layout.slice_pitch != t.to_layout.slice_pitch))
        return CL_INVALID_VALUE;
    return transfer_overlaps(&t) ? CL_MEM_COPY_OVERLAP : enqueue(q, call, &t);
}

cl_int CL_API_CALL api_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                           size_t to_offset, size_t size, cl_uint count, const cl_event *list,
                                           cl_event *event) {
    const struct call call = {queue, CL_COMMAND_COPY_BUFFER, false, count, list, event};
    const size_t from_origin[3] = {from_offset, 0, 0}, to_origin[3] = {to_offset, 0, 0}, box[3] = {size, 1, 1};
    return copy_box(&call, &(struct copy){from, to, from_origin, to_origin, box, 0, 0, 0, 0});
}

cl_int CL_API_CALL api_clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to,
                                               const size_t *from_origin, const size_t *to_origin, const size_t *size,
                                               size_t from_row_pitch, size_t from_slice_pitch, size_t to_row_pitch,
                                               size_t to_slice_pitch, cl_uint count, const cl_event *list,
                                               cl_event *event) {
    const struct call call = {queue, CL_COMMAND_COPY_BUFFER_RECT, false, count, list, event};
    return copy_box(&call, &(struct copy){from, to, from_origin, to_origin, size, from_row_pitch, from_slice_pitch,
                                          to_row_pitch, to_slice_pitch});
}

/* ---- filling ---- */

struct fill {
    struct memory *memory;
    size_t offset, size, pattern_size;
    uint8_t pattern[ENGINE_PATTERN_MAX];
};

static void release_fill(void *payload) {
    struct fill *f = payload;
    object_drop(f->memory);
    free(f);
}

static cl_int run_fill(struct event *e, void *payload) {
    const struct fill *f = payload;
    struct diag diag = {0};
    uint32_t address;
    const cl_int error = memory_prepare(f->memory, e->device, f->offset, f->size, MEMORY_WRITE_ALL, &address);
    if (error != CL_COMPLETE) return error;
    pthread_mutex_lock(&e->device->engine_lock);
    const enum status status = engine_fill(e->device->engine, address, f->pattern, f->pattern_size, f->size, &diag);
    pthread_mutex_unlock(&e->device->engine_lock);
    return status == STATUS_OK ? CL_COMPLETE : memory_report_error(e->context, e->device, &diag);
}

static bool is_pattern_size(size_t size) { return size > 0 && size <= ENGINE_PATTERN_MAX && (size & (size - 1)) == 0; }

cl_int CL_API_CALL api_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                           size_t pattern_size, size_t offset, size_t size, cl_uint count,
                                           const cl_event *list, cl_event *event) {
    const struct call call = {queue, CL_COMMAND_FILL_BUFFER, false, count, list, event};
    struct queue *q;
    struct memory *m;
    cl_int error = find_queue_and_buffer(&call, buffer, &q, &m);
    if (error != CL_SUCCESS) return error;
    if (pattern == NULL || !is_pattern_size(pattern_size) || size == 0 || offset > m->size || size > m->size - offset ||
        offset % pattern_size != 0 || size % pattern_size != 0)
        return CL_INVALID_VALUE;
    struct event *e = command_create(q, call.type, count, list, &error);
    if (e == NULL) return error;
    struct fill *f = malloc(sizeof *f);
    if (f == NULL) {
        command_cancel(e);
        return CL_OUT_OF_HOST_MEMORY;
    }
    *f = (struct fill){.memory = m, .offset = offset, .size = size, .pattern_size = pattern_size};
    memcpy(f->pattern, pattern, pattern_size);
    object_hold(m);
    e->run = run_fill;
    e->release = release_fill;
    e->payload = f;
    return command_submit(e, false, event);
}

/* ---- moving between devices ---- */

struct migration {
    bool is_read; /* the contents are used, and are wanted on the device */
    cl_uint count;
    struct memory *memories[];
};

static void release_migration(void *payload) {
    struct migration *g = payload;
    for (cl_uint i = 0; i < g->count; i++) object_drop(g->memories[i]);
    free(g);
}

static cl_int run_migration(struct event *e, void *payload) {
    const struct migration *g = payload;
    cl_int error = CL_COMPLETE;
    uint32_t address;
    for (cl_uint i = 0; g->is_read && i < g->count && error == CL_COMPLETE; i++)
        error = memory_prepare(g->memories[i], e->device, 0, g->memories[i]->size, MEMORY_READ, &address);
    return error;
}

cl_int CL_API_CALL api_clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint memory_count, const cl_mem *memories,
                                                  cl_mem_migration_flags flags, cl_uint count, const cl_event *list,
                                                  cl_event *event) {
    const cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    struct queue *q = object_of(queue, OBJECT_QUEUE);
    struct memory *m;
    cl_int error = CL_SUCCESS;
    if (q == NULL) return CL_INVALID_COMMAND_QUEUE;
    if (memory_count == 0 || memories == NULL || (flags & ~known) != 0) return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < memory_count && error == CL_SUCCESS; i++)
        error = memory_check_handle(memories[i], q->context, &m);
    struct event *e =
        error == CL_SUCCESS ? command_create(q, CL_COMMAND_MIGRATE_MEM_OBJECTS, count, list, &error) : NULL;
    if (e == NULL) return error;
    struct migration *g = calloc(1, sizeof *g + memory_count * sizeof(struct memory *));
    if (g == NULL) {
        command_cancel(e);
        return CL_OUT_OF_HOST_MEMORY;
    }
    g->is_read = flags == 0;
    g->count = memory_count;
    for (cl_uint i = 0; i < memory_count; i++) object_hold(g->memories[i] = object_of(memories[i], OBJECT_MEMORY));
    e->run = run_migration;
    e->release = release_migration;
    e->payload = g;
    return command_submit(e, false, event);
}

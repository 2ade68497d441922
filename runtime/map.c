/* SPDX-License-Identifier: Apache-2.0 */
/* Mapping of buffers into the application's memory. */
#include <stdlib.h>

#include "api.h"
#include "command.h"
#include "info.h"
#include "lock.h"
#include "queue.h"
#include "transfer.h"

static const cl_map_flags KNOWN = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

static bool is_written(cl_map_flags flags) { return (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0; }

static void release_mapping(struct memory_mapping *p) {
    if (atomic_fetch_sub(&p->uses, 1) > 1) return;
    free(p->own);
    free(p);
}

/* ---- mappings of a buffer ---- */

static void add_mapping(struct memory *m, struct memory_mapping *p) {
    lock_acquire(&m->lock);
    p->next = m->mappings;
    m->mappings = p;
    m->mapping_count++;
    lock_release(&m->lock);
}

/* Removes the mapping with this pointer from the list and returns it; NULL if there is none. */
static struct memory_mapping *remove_mapping(struct memory *m, const void *pointer) {
    lock_acquire(&m->lock);
    struct memory_mapping **at = &m->mappings;
    while (*at != NULL && (*at)->pointer != pointer) at = &(*at)->next;
    struct memory_mapping *found = *at;
    if (found != NULL) {
        *at = found->next;
        m->mapping_count--;
    }
    lock_release(&m->lock);
    return found;
}

/* ---- mapping ---- */

static cl_int check_map(const struct memory *m, cl_map_flags flags, size_t offset, size_t size) {
    if ((flags & ~KNOWN) != 0) return CL_INVALID_VALUE;
    if ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && flags != CL_MAP_WRITE_INVALIDATE_REGION) return CL_INVALID_VALUE;
    if (size == 0 || offset > m->size || size > m->size - offset) return CL_INVALID_VALUE;
    if ((flags & CL_MAP_READ) && (m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)))
        return CL_INVALID_OPERATION;
    return is_written(flags) && (m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) ? CL_INVALID_OPERATION
                                                                                             : CL_SUCCESS;
}

static struct memory_mapping *create_mapping(struct memory *m, cl_map_flags flags, size_t offset, size_t size) {
    struct memory_mapping *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    *p = (struct memory_mapping){.offset = offset, .size = size, .flags = flags, .uses = 1};
    if (m->flags & CL_MEM_USE_HOST_PTR) {
        p->pointer = (uint8_t *)m->host_pointer + offset;
        return p;
    }
    /* Aligned as the buffer is. */
    const size_t before = (m->origin + offset) % DEVICE_NATIVE_ALIGN;
    p->own = aligned_alloc(DEVICE_NATIVE_ALIGN,
                           (before + size + DEVICE_NATIVE_ALIGN - 1) / DEVICE_NATIVE_ALIGN * DEVICE_NATIVE_ALIGN);
    if (p->own != NULL) {
        p->pointer = p->own + before;
        return p;
    }
    free(p);
    return NULL;
}

/* Returns the transfer between a buffer and its mapping. */
static struct transfer *create_transfer(struct memory *m, const struct memory_mapping *p, bool is_read) {
    const struct transfer_layout inside = {p->offset, p->size, p->size}, outside = {0, p->size, p->size};
    return transfer_create(&(struct transfer){
        .from = is_read ? m : NULL,
        .to = is_read ? NULL : m,
        .host = p->pointer,
        .from_layout = is_read ? inside : outside,
        .to_layout = is_read ? outside : inside,
        .size = {p->size, 1, 1}
    });
}

/* The read of a mapping. It keeps the mapping, which another queue may wrongly unmap meanwhile. */
struct reading {
    struct transfer *transfer;
    struct memory_mapping *mapping;
};

static void release_reading(void *payload) {
    struct reading *r = payload;
    release_mapping(r->mapping);
    transfer_release(r->transfer);
    free(r);
}

static cl_int run_reading(struct event *e, void *payload) {
    const struct reading *r = payload;
    return transfer_run(e, r->transfer);
}

/* Sets the payload; returns false if memory is exhausted. */
static bool add_reading(struct event *e, struct memory *m, struct memory_mapping *p) {
    struct reading *r = malloc(sizeof *r);
    if (r == NULL) return false;
    *r = (struct reading){create_transfer(m, p, true), p};
    if (r->transfer == NULL) {
        free(r);
        return false;
    }
    atomic_fetch_add(&p->uses, 1);
    e->payload = r;
    e->run = run_reading;
    e->release = release_reading;
    return true;
}

static void *map_buffer(struct queue *q, struct memory *m, bool blocking, const struct memory_mapping *wanted,
                        cl_uint count, const cl_event *list, cl_event *event, cl_int *error) {
    cl_int code;
    struct event *e = command_create(q, CL_COMMAND_MAP_BUFFER, count, list, &code);
    if (e == NULL) return info_fail(error, code);
    struct memory_mapping *p = create_mapping(m, wanted->flags, wanted->offset, wanted->size);
    const bool is_read = wanted->flags != CL_MAP_WRITE_INVALIDATE_REGION;
    if (p == NULL || (is_read && !add_reading(e, m, p))) {
        if (p != NULL) release_mapping(p);
        command_cancel(e);
        return info_fail(error, CL_OUT_OF_HOST_MEMORY);
    }
    void *pointer = p->pointer;
    add_mapping(m, p);
    code = command_submit(e, blocking, event);
    if (error != NULL) *error = code;
    if (code == CL_SUCCESS) return pointer;
    p = remove_mapping(m, pointer);
    if (p != NULL) release_mapping(p);
    return NULL;
}

void *CL_API_CALL api_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                                         size_t offset, size_t size, cl_uint count, const cl_event *list,
                                         cl_event *event, cl_int *error) {
    struct queue *q = object_of(queue, OBJECT_QUEUE);
    struct memory *m;
    if (q == NULL) return info_fail(error, CL_INVALID_COMMAND_QUEUE);
    cl_int code = memory_check_handle(buffer, q->context, &m);
    if (code == CL_SUCCESS) code = check_map(m, flags, offset, size);
    if (code == CL_SUCCESS) code = memory_check_device(m, q->device);
    if (code != CL_SUCCESS) return info_fail(error, code);
    const struct memory_mapping wanted = {.offset = offset, .size = size, .flags = flags};
    return map_buffer(q, m, blocking != CL_FALSE, &wanted, count, list, event, error);
}

/* ---- unmapping ---- */

/* Payload of an unmap command: the transfer that writes back, and the mapping that ends. */
struct unmapping {
    const struct event *event;
    struct memory *memory;
    struct memory_mapping *mapping;
    struct transfer *transfer; /* NULL if nothing was written */
};

/* If the command was not submitted, the application keeps the mapping. */
static void release_unmapping(void *payload) {
    struct unmapping *u = payload;
    if (u->transfer != NULL) transfer_release(u->transfer);
    if (u->event->status == CL_QUEUED)
        add_mapping(u->memory, u->mapping);
    else
        release_mapping(u->mapping);
    object_drop(u->memory);
    free(u);
}

static cl_int run_unmapping(struct event *e, void *payload) {
    const struct unmapping *u = payload;
    return u->transfer != NULL ? transfer_run(e, u->transfer) : CL_COMPLETE;
}

cl_int CL_API_CALL api_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *pointer, cl_uint count,
                                               const cl_event *list, cl_event *event) {
    struct queue *q = object_of(queue, OBJECT_QUEUE);
    struct memory *m;
    if (q == NULL) return CL_INVALID_COMMAND_QUEUE;
    cl_int error = memory_check_handle(memory, q->context, &m);
    struct event *e = error == CL_SUCCESS ? command_create(q, CL_COMMAND_UNMAP_MEM_OBJECT, count, list, &error) : NULL;
    if (e == NULL) return error;
    struct unmapping *u = calloc(1, sizeof *u);
    struct memory_mapping *p = u != NULL && pointer != NULL ? remove_mapping(m, pointer) : NULL;
    if (p == NULL) {
        free(u);
        command_cancel(e);
        return u == NULL ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_VALUE;
    }
    const bool moves = is_written(p->flags);
    *u = (struct unmapping){
        .event = e, .memory = m, .mapping = p, .transfer = moves ? create_transfer(m, p, false) : NULL};
    object_hold(m);
    e->run = run_unmapping;
    e->release = release_unmapping;
    e->payload = u;
    if (moves && u->transfer == NULL) {
        command_cancel(e);
        return CL_OUT_OF_HOST_MEMORY;
    }
    return command_submit(e, false, event);
}

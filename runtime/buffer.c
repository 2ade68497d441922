/* SPDX-License-Identifier: Apache-2.0 */
/* Creation of buffers and sub-buffers, and their properties. */
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "info.h"
#include "lock.h"
#include "memory.h"

enum {
    HOST_FLAGS = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR,
    KERNEL_FLAGS = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
    ACCESS_FLAGS = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
};

/* ---- destruction ---- */

static void run_destructor_callbacks(struct memory *m) {
    while (m->callbacks != NULL) {
        struct memory_callback *one = m->callbacks;
        m->callbacks = one->next;
        one->call(object_handle(m), one->data);
        free(one);
    }
}

static void free_addresses(struct memory *m) {
    for (unsigned i = 0; i < m->context->device_count; i++)
        if (m->has_address[i]) device_free(m->context->devices[i], m->address[i]);
}

/* Frees all but the handle. */
static void release_contents(struct memory *m) {
    while (m->mappings != NULL) {
        struct memory_mapping *next = m->mappings->next;
        free(m->mappings->own);
        free(m->mappings);
        m->mappings = next;
    }
    free_addresses(m);
    free(m->pieces);
    if (m->owns_host) free(m->host);
    pthread_mutex_destroy(&m->lock);
    if (m->root != m) object_drop(m->root);
    object_drop(m->context);
    free(m);
}

static void destroy(void *object) {
    run_destructor_callbacks(object);
    release_contents(object);
}

/* ---- creation ---- */

static bool has_several(cl_mem_flags flags, cl_mem_flags of) { return (flags & of & ((flags & of) - 1)) != 0; }

static cl_int check_flags(cl_mem_flags flags) {
    if ((flags & ~(cl_mem_flags)(HOST_FLAGS | KERNEL_FLAGS | ACCESS_FLAGS)) != 0) return CL_INVALID_VALUE;
    if (has_several(flags, KERNEL_FLAGS) || has_several(flags, ACCESS_FLAGS)) return CL_INVALID_VALUE;
    return (flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) ? CL_INVALID_VALUE
                                                                                                     : CL_SUCCESS;
}

/* Reports on standard error that a machine could have more memory, because the application does not show the reason. */
static void report_no_room(struct context *c, const struct device *d, size_t size) {
    const char *larger = d->properties.larger;
    const bool is_small = larger[0] != '\0';
    context_report(c, is_small, "warpstep: device %s: no room for a buffer of %zu bytes%s%s", d->text, size,
                   is_small ? "; with more memory, " : "", larger);
}

static cl_int check_size(struct context *c, size_t size) {
    const struct device *largest = c->devices[0];
    for (unsigned i = 1; i < c->device_count; i++)
        if (c->devices[i]->properties.host_bytes > largest->properties.host_bytes) largest = c->devices[i];
    if (size > 0 && size <= device_max_buffer(&largest->properties)) return CL_SUCCESS;
    if (size > 0) report_no_room(c, largest, size);
    return CL_INVALID_BUFFER_SIZE;
}

static struct memory *create(struct context *c, size_t size, cl_mem_flags flags) {
    struct memory *m = calloc(1, sizeof *m);
    if (m == NULL) return NULL;
    object_hold(m->context = c);
    m->root = m;
    m->size = size;
    m->flags = flags & KERNEL_FLAGS ? flags : flags | CL_MEM_READ_WRITE;
    pthread_mutex_init(&m->lock, NULL);
    return m;
}

/* A lost device needs no memory, because no command reaches it. */
static cl_int allocate_addresses(struct memory *m) {
    cl_int error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    for (unsigned i = 0; i < m->context->device_count; i++) {
        struct device *d = m->context->devices[i];
        if (device_open(d) == CL_DEVICE_NOT_AVAILABLE) continue;
        m->has_address[i] = device_allocate(d, m->size, &m->address[i]);
        if (!m->has_address[i]) {
            report_no_room(m->context, d, m->size);
            return CL_MEM_OBJECT_ALLOCATION_FAILURE;
        }
        error = CL_SUCCESS;
    }
    return error;
}

/* Sets the initial contents. */
static cl_int set_initial_contents(struct memory *m, void *host) {
    m->pieces = calloc(1, sizeof *m->pieces);
    if (m->pieces == NULL) return CL_OUT_OF_HOST_MEMORY;
    m->piece_count = m->piece_capacity = 1;
    if (host == NULL) return CL_SUCCESS;
    m->pieces[0].valid = MEMORY_HOST;
    if (m->flags & CL_MEM_USE_HOST_PTR) {
        m->host = m->host_pointer = host;
        return CL_SUCCESS;
    }
    m->host = malloc(m->size);
    if (m->host == NULL) return CL_OUT_OF_HOST_MEMORY;
    m->owns_host = true;
    memcpy(m->host, host, m->size);
    return CL_SUCCESS;
}

cl_mem CL_API_CALL api_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error) {
    struct context *c = object_of(context, OBJECT_CONTEXT);
    if (c == NULL) return info_fail(error, CL_INVALID_CONTEXT);
    cl_int code = check_flags(flags);
    if (code == CL_SUCCESS) code = check_size(c, size);
    const bool wants_host = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    if (code == CL_SUCCESS && wants_host != (host != NULL)) code = CL_INVALID_HOST_PTR;
    if (code != CL_SUCCESS) return info_fail(error, code);
    struct memory *m = create(c, size, flags);
    if (m == NULL) return info_fail(error, CL_OUT_OF_HOST_MEMORY);
    code = allocate_addresses(m);
    if (code == CL_SUCCESS) code = set_initial_contents(m, host);
    if (code == CL_SUCCESS && !object_create(&m->object, OBJECT_MEMORY, destroy)) code = CL_OUT_OF_HOST_MEMORY;
    if (error != NULL) *error = code;
    if (code == CL_SUCCESS) return object_handle(m);
    release_contents(m);
    return NULL;
}

/* A sub-buffer inherits the flags of its buffer, except those that it restricts. */
static cl_int sub_buffer_flags(const struct memory *m, cl_mem_flags *flags) {
    const cl_mem_flags given = *flags;
    if ((given & ~(cl_mem_flags)(KERNEL_FLAGS | ACCESS_FLAGS)) != 0) return CL_INVALID_VALUE;
    if (has_several(given, KERNEL_FLAGS) || has_several(given, ACCESS_FLAGS)) return CL_INVALID_VALUE;
    if ((m->flags & CL_MEM_WRITE_ONLY) && (given & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) return CL_INVALID_VALUE;
    if ((m->flags & CL_MEM_READ_ONLY) && (given & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))) return CL_INVALID_VALUE;
    if ((m->flags & CL_MEM_HOST_WRITE_ONLY) && (given & CL_MEM_HOST_READ_ONLY)) return CL_INVALID_VALUE;
    if ((m->flags & CL_MEM_HOST_READ_ONLY) && (given & CL_MEM_HOST_WRITE_ONLY)) return CL_INVALID_VALUE;
    if ((m->flags & CL_MEM_HOST_NO_ACCESS) && (given & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)))
        return CL_INVALID_VALUE;
    *flags = given | (m->flags & HOST_FLAGS);
    if (!(given & KERNEL_FLAGS)) *flags |= m->flags & KERNEL_FLAGS;
    if (!(given & ACCESS_FLAGS)) *flags |= m->flags & ACCESS_FLAGS;
    return CL_SUCCESS;
}

static cl_int check_region(const struct memory *m, const cl_buffer_region *region) {
    if (region->origin > m->size || region->size > m->size - region->origin) return CL_INVALID_VALUE;
    if (region->size == 0) return CL_INVALID_BUFFER_SIZE;
    return region->origin % DEVICE_NATIVE_ALIGN == 0 ? CL_SUCCESS : CL_MISALIGNED_SUB_BUFFER_OFFSET;
}

cl_mem CL_API_CALL api_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                         const void *what, cl_int *error) {
    struct memory *m = object_of(buffer, OBJECT_MEMORY);
    if (m == NULL || m->root != m) return info_fail(error, CL_INVALID_MEM_OBJECT);
    cl_int code = sub_buffer_flags(m, &flags);
    if (code == CL_SUCCESS && (type != CL_BUFFER_CREATE_TYPE_REGION || what == NULL)) code = CL_INVALID_VALUE;
    if (code == CL_SUCCESS) code = check_region(m, what);
    if (code != CL_SUCCESS) return info_fail(error, code);
    const cl_buffer_region *region = what;
    struct memory *part = create(m->context, region->size, flags);
    if (part == NULL) return info_fail(error, CL_OUT_OF_HOST_MEMORY);
    part->origin = region->origin;
    if (m->host_pointer != NULL) part->host_pointer = (uint8_t *)m->host_pointer + region->origin;
    object_hold(part->root = m);
    if (error != NULL) *error = CL_SUCCESS;
    if (object_create(&part->object, OBJECT_MEMORY, destroy)) return object_handle(part);
    release_contents(part);
    return info_fail(error, CL_OUT_OF_HOST_MEMORY);
}

/* ---- calls ---- */

cl_int CL_API_CALL api_clRetainMemObject(cl_mem memory) {
    return object_retain(memory, OBJECT_MEMORY, CL_INVALID_MEM_OBJECT);
}

cl_int CL_API_CALL api_clReleaseMemObject(cl_mem memory) {
    return object_release(memory, OBJECT_MEMORY, CL_INVALID_MEM_OBJECT);
}

static cl_uint count_mappings(struct memory *m) {
    lock_acquire(&m->lock);
    const cl_uint count = m->mapping_count;
    lock_release(&m->lock);
    return count;
}

cl_int CL_API_CALL api_clGetMemObjectInfo(cl_mem memory, cl_mem_info name, size_t room, void *value, size_t *size) {
    struct memory *m = object_of(memory, OBJECT_MEMORY);
    const struct info to = {room, value, size};
    if (m == NULL) return CL_INVALID_MEM_OBJECT;
    switch (name) {
    case CL_MEM_TYPE: return info_uint(to, CL_MEM_OBJECT_BUFFER);
    case CL_MEM_FLAGS: return info_ulong(to, m->flags);
    case CL_MEM_SIZE: return info_size(to, m->size);
    case CL_MEM_HOST_PTR: return info_pointer(to, m->host_pointer);
    case CL_MEM_MAP_COUNT: return info_uint(to, count_mappings(m));
    case CL_MEM_REFERENCE_COUNT: return info_uint(to, object_references(m));
    case CL_MEM_CONTEXT: return info_pointer(to, object_handle(m->context));
    case CL_MEM_ASSOCIATED_MEMOBJECT: return info_pointer(to, m->root != m ? object_handle(m->root) : NULL);
    case CL_MEM_OFFSET: return info_size(to, m->origin);
    default: return CL_INVALID_VALUE;
    }
}

/* Callbacks are called in reverse order. */
cl_int CL_API_CALL api_clSetMemObjectDestructorCallback(cl_mem memory, void(CL_CALLBACK *notify)(cl_mem, void *),
                                                        void *data) {
    struct memory *m = object_of(memory, OBJECT_MEMORY);
    if (m == NULL) return CL_INVALID_MEM_OBJECT;
    if (notify == NULL) return CL_INVALID_VALUE;
    struct memory_callback *c = malloc(sizeof *c);
    if (c == NULL) return CL_OUT_OF_HOST_MEMORY;
    lock_acquire(&m->lock);
    *c = (struct memory_callback){.next = m->callbacks, .call = notify, .data = data};
    m->callbacks = c;
    lock_release(&m->lock);
    return CL_SUCCESS;
}

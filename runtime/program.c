/* SPDX-License-Identifier: Apache-2.0 */
/* Creation of programs. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "info.h"
#include "lock.h"

enum { LOG_MOST = 1 << 20 }; /* bytes of a log from which launches add nothing */

/* ---- lifetime ---- */

void program_clear_build(struct build *b) {
    free(b->options);
    free(b->log);
    code_drop(b->code);
    b->options = b->log = NULL;
    b->code = NULL;
    b->status = CL_BUILD_NONE;
    b->type = CL_PROGRAM_BINARY_TYPE_NONE;
}

static void destroy(void *object) {
    struct program *p = object;
    for (unsigned i = 0; i < p->device_count; i++) {
        program_clear_build(&p->builds[i]);
        code_drop(p->builds[i].loaded);
    }
    free(p->source);
    pthread_mutex_destroy(&p->lock);
    object_drop(p->context);
    free(p);
}

struct program *program_create(struct context *c, unsigned count, struct device *const *devices) {
    struct program *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    object_hold(p->context = c);
    lock_acquire(&c->lock);
    p->number = ++c->programs;
    lock_release(&c->lock);
    memcpy(p->devices, devices, count * sizeof(struct device *));
    p->device_count = count;
    for (unsigned i = 0; i < count; i++) p->builds[i].status = CL_BUILD_NONE;
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

cl_program program_return_handle(struct program *p, cl_int code, cl_int *error) {
    if (code == CL_SUCCESS && !object_create(&p->object, OBJECT_PROGRAM, destroy)) code = CL_OUT_OF_HOST_MEMORY;
    if (error != NULL) *error = code;
    if (code == CL_SUCCESS) return object_handle(p);
    destroy(p);
    return NULL;
}

struct build *program_build_for(struct program *p, const struct device *d) {
    for (unsigned i = 0; i < p->device_count; i++)
        if (p->devices[i] == d) return &p->builds[i];
    return NULL;
}

static bool has_kernels(const struct build *b) { return b->code != NULL && !b->code->is_object; }

struct code *program_code(struct program *p) {
    struct code *code = NULL;
    lock_acquire(&p->lock);
    for (unsigned i = 0; i < p->device_count && code == NULL; i++)
        if (has_kernels(&p->builds[i])) code = code_hold(p->builds[i].code);
    lock_release(&p->lock);
    return code;
}

struct code *program_code_for(struct program *p, const struct device *d) {
    const struct build *b = program_build_for(p, d);
    lock_acquire(&p->lock);
    struct code *code = b != NULL && has_kernels(b) ? code_hold(b->code) : NULL;
    lock_release(&p->lock);
    return code;
}

bool program_has_same_arguments(struct program *p, const struct code_kernel *k) {
    bool agrees = true;
    lock_acquire(&p->lock);
    for (unsigned i = 0; i < p->device_count && agrees; i++) {
        const struct build *b = &p->builds[i];
        const struct code_kernel *other = has_kernels(b) ? code_find(b->code, k->image->name) : NULL;
        agrees = other == NULL || code_same_arguments(k, other);
    }
    lock_release(&p->lock);
    return agrees;
}

void program_count_kernel(struct program *p, int change) {
    lock_acquire(&p->lock);
    p->kernels += (unsigned)change;
    lock_release(&p->lock);
}

uint64_t program_count_launch(struct program *p, unsigned more) {
    lock_acquire(&p->lock);
    const uint64_t launches = p->launches += more;
    lock_release(&p->lock);
    return launches;
}

void program_after_fork(void *program) { ((struct program *)program)->is_building = false; }

void program_log(struct program *p, const struct device *d, const char *text) {
    struct build *b = program_build_for(p, d);
    if (b == NULL) return;
    lock_acquire(&p->lock);
    const size_t had = b->log != NULL ? strlen(b->log) : 0;
    char *grown = had < LOG_MOST ? realloc(b->log, had + strlen(text) + 1) : NULL;
    if (grown != NULL) {
        memcpy(grown + had, text, strlen(text) + 1);
        b->log = grown;
    }
    lock_release(&p->lock);
}

/* ---- from sources ---- */

static bool join_sources(struct program *p, cl_uint count, const char **texts, const size_t *lengths) {
    size_t size = 0;
    for (cl_uint i = 0; i < count; i++) size += lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(texts[i]);
    p->source = malloc(size + 1);
    if (p->source == NULL) return false;
    for (cl_uint i = 0; i < count; i++) {
        const size_t length = lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(texts[i]);
        memcpy(p->source + p->source_size, texts[i], length);
        p->source_size += length;
    }
    p->source[size] = '\0';
    return true;
}

cl_program CL_API_CALL api_clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                                     const size_t *lengths, cl_int *error) {
    struct context *c = object_of(context, OBJECT_CONTEXT);
    if (c == NULL) return info_fail(error, CL_INVALID_CONTEXT);
    if (count == 0 || texts == NULL) return info_fail(error, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; i++)
        if (texts[i] == NULL) return info_fail(error, CL_INVALID_VALUE);
    struct program *p = program_create(c, c->device_count, c->devices);
    if (p == NULL) return info_fail(error, CL_OUT_OF_HOST_MEMORY);
    return program_return_handle(p, join_sources(p, count, texts, lengths) ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, error);
}

/* ---- from binaries ---- */

static cl_int load_binary(struct program *p, unsigned i, const unsigned char *binary, size_t size) {
    struct build *b = &p->builds[i];
    const cl_int error =
        binary != NULL && size > 0 ? code_read(binary, size, p->devices[i], &b->loaded) : CL_INVALID_VALUE;
    if (error == CL_SUCCESS)
        b->type = b->loaded->is_object ? CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    return error;
}

cl_program CL_API_CALL api_clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *list,
                                                     const size_t *lengths, const unsigned char **binaries,
                                                     cl_int *statuses, cl_int *error) {
    struct context *c = object_of(context, OBJECT_CONTEXT);
    struct device *devices[DEVICES_MAX];
    unsigned device_count;
    if (c == NULL) return info_fail(error, CL_INVALID_CONTEXT);
    if (count == 0 || list == NULL || lengths == NULL || binaries == NULL) return info_fail(error, CL_INVALID_VALUE);
    cl_int code = context_select_devices(c, count, list, devices, &device_count);
    if (code == CL_SUCCESS && device_count != count) code = CL_INVALID_DEVICE; /* a device is listed twice */
    if (code != CL_SUCCESS) return info_fail(error, code);
    struct program *p = program_create(c, device_count, devices);
    if (p == NULL) return info_fail(error, CL_OUT_OF_HOST_MEMORY);
    for (unsigned i = 0; i < count; i++) {
        const cl_int status = load_binary(p, i, binaries[i], lengths[i]);
        if (statuses != NULL) statuses[i] = status;
        if (code == CL_SUCCESS) code = status;
    }
    return program_return_handle(p, code, error);
}

/* No device has built-in kernels. */
cl_program CL_API_CALL api_clCreateProgramWithBuiltInKernels(cl_context context, cl_uint count,
                                                             const cl_device_id *list, const char *names,
                                                             cl_int *error) {
    const struct context *c = object_of(context, OBJECT_CONTEXT);
    struct device *devices[DEVICES_MAX];
    unsigned device_count;
    if (c == NULL) return info_fail(error, CL_INVALID_CONTEXT);
    if (count == 0 || list == NULL || names == NULL) return info_fail(error, CL_INVALID_VALUE);
    const cl_int code = context_select_devices(c, count, list, devices, &device_count);
    return info_fail(error, code != CL_SUCCESS ? code : CL_INVALID_VALUE);
}

/* ---- calls ---- */

cl_int CL_API_CALL api_clRetainProgram(cl_program program) {
    return object_retain(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
}

cl_int CL_API_CALL api_clReleaseProgram(cl_program program) {
    return object_release(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
}

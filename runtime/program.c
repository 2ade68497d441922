/* SPDX-License-Identifier: Apache-2.0 */
/* Making programs, and building them. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "info.h"

/* ---- life ---- */

static void clear_build(struct build *b) {
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
        clear_build(&p->builds[i]);
        code_drop(p->builds[i].loaded);
    }
    free(p->source);
    pthread_mutex_destroy(&p->lock);
    object_drop(p->context);
    free(p);
}

static struct program *create(struct context *c, unsigned count, struct device *const *devices) {
    struct program *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    object_hold(p->context = c);
    pthread_mutex_lock(&c->lock);
    p->number = ++c->programs;
    pthread_mutex_unlock(&c->lock);
    memcpy(p->devices, devices, count * sizeof *devices);
    p->device_count = count;
    for (unsigned i = 0; i < count; i++) p->builds[i].status = CL_BUILD_NONE;
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

/* The program gets its handle, or goes. */
static cl_program finish(struct program *p, cl_int code, cl_int *error) {
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

struct code *program_code(struct program *p) {
    struct code *code = NULL;
    pthread_mutex_lock(&p->lock);
    for (unsigned i = 0; i < p->device_count && code == NULL; i++)
        if (p->builds[i].code != NULL) code = code_hold(p->builds[i].code);
    pthread_mutex_unlock(&p->lock);
    return code;
}

void program_count_kernel(struct program *p, int change) {
    pthread_mutex_lock(&p->lock);
    p->kernels += (unsigned)change;
    pthread_mutex_unlock(&p->lock);
}

uint64_t program_count_launch(struct program *p, unsigned more) {
    pthread_mutex_lock(&p->lock);
    const uint64_t launches = p->launches += more;
    pthread_mutex_unlock(&p->lock);
    return launches;
}

void program_log(struct program *p, const struct device *d, const char *text) {
    struct build *b = program_build_for(p, d);
    if (b == NULL) return;
    pthread_mutex_lock(&p->lock);
    const size_t had = b->log != NULL ? strlen(b->log) : 0;
    char *grown = realloc(b->log, had + strlen(text) + 1);
    if (grown != NULL) {
        strcpy(grown + had, text);
        b->log = grown;
    }
    pthread_mutex_unlock(&p->lock);
}

/* ---- from sources ---- */

static bool join(struct program *p, cl_uint count, const char **texts, const size_t *lengths) {
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
    struct program *p = create(c, c->device_count, c->devices);
    if (p == NULL) return info_fail(error, CL_OUT_OF_HOST_MEMORY);
    return finish(p, join(p, count, texts, lengths) ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, error);
}

/* ---- from binaries ---- */

static cl_int load(struct program *p, unsigned i, const unsigned char *binary, size_t size) {
    struct build *b = &p->builds[i];
    char *log = NULL;
    const cl_int error =
        binary != NULL && size > 0 ? code_read(binary, size, p->devices[i], &b->loaded, &log) : CL_INVALID_VALUE;
    free(log);
    if (error == CL_SUCCESS) b->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    return error;
}

cl_program CL_API_CALL api_clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *list,
                                                     const size_t *lengths, const unsigned char **binaries,
                                                     cl_int *statuses, cl_int *error) {
    struct context *c = object_of(context, OBJECT_CONTEXT);
    struct device *devices[DEVICE_MOST];
    unsigned device_count;
    if (c == NULL) return info_fail(error, CL_INVALID_CONTEXT);
    if (count == 0 || list == NULL || lengths == NULL || binaries == NULL) return info_fail(error, CL_INVALID_VALUE);
    cl_int code = context_take_devices(c, count, list, devices, &device_count);
    if (code == CL_SUCCESS && device_count != count) code = CL_INVALID_DEVICE; /* one twice */
    if (code != CL_SUCCESS) return info_fail(error, code);
    struct program *p = create(c, device_count, devices);
    if (p == NULL) return info_fail(error, CL_OUT_OF_HOST_MEMORY);
    for (unsigned i = 0; i < count; i++) {
        const cl_int status = load(p, i, binaries[i], lengths[i]);
        if (statuses != NULL) statuses[i] = status;
        if (code == CL_SUCCESS) code = status;
    }
    return finish(p, code, error);
}

/* No device has kernels of its own. */
cl_program CL_API_CALL api_clCreateProgramWithBuiltInKernels(cl_context context, cl_uint count,
                                                             const cl_device_id *list, const char *names,
                                                             cl_int *error) {
    const struct context *c = object_of(context, OBJECT_CONTEXT);
    struct device *devices[DEVICE_MOST];
    unsigned device_count;
    if (c == NULL) return info_fail(error, CL_INVALID_CONTEXT);
    if (count == 0 || list == NULL || names == NULL) return info_fail(error, CL_INVALID_VALUE);
    const cl_int code = context_take_devices(c, count, list, devices, &device_count);
    return info_fail(error, code != CL_SUCCESS ? code : CL_INVALID_VALUE);
}

/* ---- building ---- */

/* Another device of the same kind may have the same code already. */
static struct code *share(unsigned count, struct device *const *done, const struct device *d,
                          const struct code *const *codes) {
    for (unsigned i = 0; i < count; i++)
        if (codes[i] != NULL && code_fits(codes[i], done[i], d)) return code_hold((struct code *)codes[i]);
    return NULL;
}

/* A build for one device, which nobody else looks at meanwhile. */
static cl_int build_one(struct program *p, struct build *result, struct build *b, struct device *d,
                        const char *options) {
    result->options = options != NULL ? strdup(options) : NULL;
    if (options != NULL && result->options == NULL) return CL_OUT_OF_HOST_MEMORY;
    if (p->source != NULL) return code_compile(p->source, p->source_size, options, d, &result->code, &result->log);
    if (b->loaded == NULL) return CL_INVALID_BINARY;
    result->code = code_hold(b->loaded);
    return CL_SUCCESS;
}

static void keep(struct program *p, struct build *b, struct build *result, cl_int error) {
    pthread_mutex_lock(&p->lock);
    struct code *loaded = b->loaded;
    clear_build(b);
    *b = *result;
    b->loaded = loaded;
    b->status = error == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    b->type = error == CL_SUCCESS ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE : CL_PROGRAM_BINARY_TYPE_NONE;
    pthread_mutex_unlock(&p->lock);
}

static cl_int build_all(struct program *p, unsigned count, struct device *const *devices, const char *options) {
    const struct code *codes[DEVICE_MOST] = {NULL};
    cl_int first = CL_SUCCESS;
    for (unsigned i = 0; i < count; i++) {
        struct build *b = program_build_for(p, devices[i]), result = {0};
        cl_int error = CL_SUCCESS;
        if (p->source != NULL) result.code = share(i, devices, devices[i], codes);
        if (result.code == NULL)
            error = build_one(p, &result, b, devices[i], options);
        else if (options != NULL && (result.options = strdup(options)) == NULL)
            error = CL_OUT_OF_HOST_MEMORY;
        keep(p, b, &result, error);
        codes[i] = b->code;
        if (first == CL_SUCCESS) first = error;
    }
    return first;
}

/* Marks the program as being built; one build at a time, and none while it has kernels. */
static cl_int begin(struct program *p) {
    pthread_mutex_lock(&p->lock);
    const bool may = !p->is_building && p->kernels == 0;
    p->is_building |= may;
    pthread_mutex_unlock(&p->lock);
    return may ? CL_SUCCESS : CL_INVALID_OPERATION;
}

static void end(struct program *p) {
    pthread_mutex_lock(&p->lock);
    p->is_building = false;
    pthread_mutex_unlock(&p->lock);
}

static cl_int take_devices(const struct program *p, cl_uint count, const cl_device_id *list,
                           struct device *devices[DEVICE_MOST], unsigned *device_count) {
    if (count == 0 && list == NULL) {
        memcpy(devices, p->devices, sizeof p->devices);
        *device_count = p->device_count;
        return CL_SUCCESS;
    }
    const cl_int error = context_take_devices(p->context, count, list, devices, device_count);
    for (unsigned i = 0; i < *device_count && error == CL_SUCCESS; i++)
        if (program_build_for((struct program *)p, devices[i]) == NULL) return CL_INVALID_DEVICE;
    return error;
}

cl_int CL_API_CALL api_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *list, const char *options,
                                      void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
    struct program *p = object_of(program, OBJECT_PROGRAM);
    struct device *devices[DEVICE_MOST];
    unsigned device_count;
    if (p == NULL) return CL_INVALID_PROGRAM;
    if (notify == NULL && data != NULL) return CL_INVALID_VALUE;
    cl_int error = take_devices(p, count, list, devices, &device_count);
    if (error == CL_SUCCESS) error = begin(p);
    if (error != CL_SUCCESS) return error;
    object_hold(p);
    error = build_all(p, device_count, devices, options);
    end(p);
    if (notify != NULL) notify(program, data);
    object_drop(p);
    return error;
}

/* ---- calls ---- */

cl_int CL_API_CALL api_clRetainProgram(cl_program program) {
    return object_retain(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
}

cl_int CL_API_CALL api_clReleaseProgram(cl_program program) {
    return object_release(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
}

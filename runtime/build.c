/* SPDX-License-Identifier: Apache-2.0 */
/* Builds programs: compiling, linking, or both. */
#include <stdlib.h>
#include <string.h>

#include "../compiler/driver.h"
#include "api.h"
#include "headers.h"
#include "info.h"
#include "lock.h"
#include "program.h"

/* Arguments of a build. */
struct request {
    const char *options, *headers; /* directory of further headers, or NULL */
    bool to_object;
    /* programs whose objects are linked; NULL to build the program's own source or binary */
    struct program *const *programs;
    unsigned program_count;
};

/* ---- one device ---- */

static cl_int copy_log(struct program *p, const struct device *from, char **log) {
    lock_acquire(&p->lock);
    const struct build *b = program_build_for(p, from);
    const bool has_log = b->log != NULL;
    *log = has_log ? strdup(b->log) : NULL;
    lock_release(&p->lock);
    return has_log && *log == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
}

/* Uses the code of another device of the same kind if it exists, with its log. */
static cl_int share_code(struct program *p, unsigned count, struct device *const *done, const struct device *d,
                         struct code *const *codes, struct build *result) {
    for (unsigned i = 0; i < count; i++) {
        if (codes[i] == NULL || !code_runs_on(codes[i], done[i], d)) continue;
        const cl_int error = copy_log(p, done[i], &result->log);
        if (error == CL_SUCCESS) result->code = code_hold(codes[i]);
        return error;
    }
    return CL_SUCCESS;
}

/* Returns the object of a program for a device, and holds it; NULL if there is none. */
static struct code *hold_object(struct program *p, const struct device *d) {
    struct code *code = NULL;
    lock_acquire(&p->lock);
    const struct build *b = program_build_for(p, d);
    if (b != NULL && b->code != NULL && b->code->is_object) code = code_hold(b->code);
    if (b != NULL && code == NULL && b->loaded != NULL && b->loaded->is_object) code = code_hold(b->loaded);
    lock_release(&p->lock);
    return code;
}

static cl_int link_objects(const struct request *r, struct build *result, struct device *d) {
    struct compiler_object *objects = calloc(r->program_count, sizeof *objects);
    struct code **held = calloc(r->program_count, sizeof(struct code *));
    cl_int error = objects != NULL && held != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    bool is_described = true;
    for (unsigned i = 0; i < r->program_count && error == CL_SUCCESS; i++) {
        held[i] = hold_object(r->programs[i], d);
        if (held[i] == NULL)
            error = CL_INVALID_OPERATION;
        else
            objects[i] = (struct compiler_object){held[i]->binary, held[i]->binary_size};
        is_described &= held[i] != NULL && held[i]->is_described;
    }
    const struct code_input in = {.objects = objects, .object_count = r->program_count, .is_described = is_described};
    if (error == CL_SUCCESS) error = code_build(&in, r->options, d, &result->code, &result->log);
    for (unsigned i = 0; held != NULL && i < r->program_count; i++) code_drop(held[i]);
    free(held);
    free(objects);
    return error;
}

static cl_int build_one(struct program *p, const struct request *r, struct build *result, struct device *d) {
    const struct build *b = program_build_for(p, d);
    if (r->programs != NULL) return link_objects(r, result, d);
    if (p->source != NULL) {
        if (driver_clang() == NULL) return CL_COMPILER_NOT_AVAILABLE;
        const struct code_input in = {
            .source = p->source, .size = p->source_size, .headers = r->headers, .to_object = r->to_object};
        return code_build(&in, r->options, d, &result->code, &result->log);
    }
    if (b->loaded == NULL || b->loaded->is_object) return CL_INVALID_BINARY;
    result->code = code_hold(b->loaded);
    return CL_SUCCESS;
}

static cl_program_binary_type binary_type(const struct request *r, const struct build *result) {
    if (result->code == NULL) return CL_PROGRAM_BINARY_TYPE_NONE;
    if (!result->code->is_object) return CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    return r->programs != NULL ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
}

static void store_result(struct program *p, const struct request *r, struct device *d, const struct build *result,
                         cl_int error) {
    lock_acquire(&p->lock);
    struct build *b = program_build_for(p, d);
    struct code *loaded = b->loaded;
    program_clear_build(b);
    *b = *result;
    b->loaded = loaded;
    b->status = error == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    b->type = binary_type(r, result);
    lock_release(&p->lock);
}

/* ---- all devices ---- */

/* Returns the first error. */
static cl_int build_all(struct program *p, unsigned count, struct device *const *devices, const struct request *r) {
    struct code *codes[DEVICES_MAX] = {NULL};
    cl_int first = CL_SUCCESS;
    for (unsigned i = 0; i < count; i++) {
        struct build result = {0};
        cl_int error = CL_SUCCESS;
        if (r->options != NULL && (result.options = strdup(r->options)) == NULL) error = CL_OUT_OF_HOST_MEMORY;
        if (error == CL_SUCCESS && p->source != NULL) error = share_code(p, i, devices, devices[i], codes, &result);
        if (error == CL_SUCCESS && result.code == NULL) error = build_one(p, r, &result, devices[i]);
        codes[i] = result.code;
        store_result(p, r, devices[i], &result, error);
        if (first == CL_SUCCESS) first = error;
    }
    return first;
}

/* Allows one build at a time, and none while the program has kernels. */
static cl_int begin_build(struct program *p) {
    lock_acquire(&p->lock);
    const bool may = !p->is_building && p->kernels == 0;
    p->is_building |= may;
    lock_release(&p->lock);
    return may ? CL_SUCCESS : CL_INVALID_OPERATION;
}

static void end_build(struct program *p) {
    lock_acquire(&p->lock);
    p->is_building = false;
    lock_release(&p->lock);
}

/* Returns the devices of the list; those of the program if the list is empty. */
static cl_int select_devices(struct program *p, cl_uint count, const cl_device_id *list,
                             struct device *devices[DEVICES_MAX], unsigned *device_count) {
    if (count == 0 && list == NULL) {
        memcpy(devices, p->devices, sizeof p->devices);
        *device_count = p->device_count;
        return CL_SUCCESS;
    }
    const cl_int error = context_select_devices(p->context, count, list, devices, device_count);
    for (unsigned i = 0; i < *device_count && error == CL_SUCCESS; i++)
        if (program_build_for(p, devices[i]) == NULL) return CL_INVALID_DEVICE;
    return error;
}

/* Error codes of a build call. */
struct errors {
    cl_int failure, options;
};

static cl_int translate_error(cl_int error, const struct errors *errors) {
    return error == CL_BUILD_PROGRAM_FAILURE   ? errors->failure
           : error == CL_INVALID_BUILD_OPTIONS ? errors->options
                                               : error;
}

typedef void(CL_CALLBACK *notify_function)(cl_program, void *);

cl_int CL_API_CALL api_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *list, const char *options,
                                      notify_function notify, void *data) {
    struct program *p = object_of(program, OBJECT_PROGRAM);
    struct device *devices[DEVICES_MAX];
    unsigned device_count;
    if (p == NULL) return CL_INVALID_PROGRAM;
    if (notify == NULL && data != NULL) return CL_INVALID_VALUE;
    cl_int error = select_devices(p, count, list, devices, &device_count);
    if (error == CL_SUCCESS) error = begin_build(p);
    if (error != CL_SUCCESS) return error;
    object_hold(p);
    error = build_all(p, device_count, devices, &(struct request){.options = options});
    end_build(p);
    if (notify != NULL) notify(program, data);
    object_drop(p);
    return error;
}

/* ---- compiling ---- */

static cl_int check_headers(const struct program *p, cl_uint count, const cl_program *headers, const char **names) {
    if ((count == 0) != (headers == NULL) || (count == 0) != (names == NULL)) return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++) {
        const struct program *header = object_of(headers[i], OBJECT_PROGRAM);
        if (header == NULL) return CL_INVALID_PROGRAM;
        if (header->context != p->context) return CL_INVALID_CONTEXT;
        if (header->source == NULL) return CL_INVALID_OPERATION;
        if (names[i] == NULL || !headers_is_name(names[i])) return CL_INVALID_VALUE;
    }
    return CL_SUCCESS;
}

static bool write_headers(struct headers *to, cl_uint count, const cl_program *headers, const char **names) {
    if (count == 0) return true;
    bool good = headers_open(to);
    for (cl_uint i = 0; i < count && good; i++) {
        const struct program *header = object_of(headers[i], OBJECT_PROGRAM);
        good = header != NULL && headers_write(to, names[i], header->source, header->source_size);
    }
    return good;
}

cl_int CL_API_CALL api_clCompileProgram(cl_program program, cl_uint count, const cl_device_id *list,
                                        const char *options, cl_uint header_count, const cl_program *header_list,
                                        const char **names, notify_function notify, void *data) {
    static const struct errors ERRORS = {CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS};
    struct program *p = object_of(program, OBJECT_PROGRAM);
    struct device *devices[DEVICES_MAX];
    struct headers headers = {0};
    unsigned device_count;
    if (p == NULL) return CL_INVALID_PROGRAM;
    if (notify == NULL && data != NULL) return CL_INVALID_VALUE;
    cl_int error = select_devices(p, count, list, devices, &device_count);
    if (error == CL_SUCCESS) error = check_headers(p, header_count, header_list, names);
    if (error == CL_SUCCESS && p->source == NULL) error = CL_INVALID_OPERATION;
    if (error == CL_SUCCESS) error = begin_build(p);
    if (error != CL_SUCCESS) return error;
    object_hold(p);
    error = CL_OUT_OF_HOST_MEMORY;
    if (write_headers(&headers, header_count, header_list, names)) {
        const struct request r = {.options = options, .headers = headers.directory, .to_object = true};
        error = translate_error(build_all(p, device_count, devices, &r), &ERRORS);
    }
    headers_close(&headers);
    end_build(p);
    if (notify != NULL) notify(program, data);
    object_drop(p);
    return error;
}

/* ---- linking ---- */

/* Each device must have an object of every program. Devices without any object are left out. */
static cl_int check_objects(unsigned count, struct program *const *programs, struct device **devices,
                            unsigned *device_count) {
    unsigned kept = 0;
    for (unsigned i = 0; i < *device_count; i++) {
        unsigned objects = 0;
        for (unsigned k = 0; k < count; k++) {
            struct code *code = hold_object(programs[k], devices[i]);
            objects += code != NULL;
            code_drop(code);
        }
        if (objects > 0 && objects < count) return CL_INVALID_OPERATION;
        if (objects > 0) devices[kept++] = devices[i];
    }
    *device_count = kept;
    return kept > 0 ? CL_SUCCESS : CL_INVALID_OPERATION;
}

/* Returns held programs in *result, which release_programs frees. */
static cl_int hold_programs(const struct context *c, cl_uint count, const cl_program *list, struct program ***result) {
    if (count == 0 || list == NULL) return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++) {
        const struct program *p = object_of(list[i], OBJECT_PROGRAM);
        if (p == NULL) return CL_INVALID_PROGRAM;
        if (p->context != c) return CL_INVALID_CONTEXT;
    }
    struct program **programs = calloc(count, sizeof(struct program *));
    if (programs == NULL) return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < count; i++) object_hold(programs[i] = object_of(list[i], OBJECT_PROGRAM));
    *result = programs;
    return CL_SUCCESS;
}

static void release_programs(cl_uint count, struct program **programs) {
    for (cl_uint i = 0; programs != NULL && i < count; i++) object_drop(programs[i]);
    free(programs);
}

/* Returns a program with its log even if linking fails. */
static cl_program create_linked(struct context *c, unsigned device_count, struct device *const *devices,
                                const struct request *r, cl_int *error) {
    static const struct errors ERRORS = {CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS};
    struct program *p = program_create(c, device_count, devices);
    if (p == NULL) return info_fail(error, CL_OUT_OF_HOST_MEMORY);
    const cl_int code = translate_error(build_all(p, device_count, devices, r), &ERRORS);
    const bool is_there = code == CL_SUCCESS || code == CL_LINK_PROGRAM_FAILURE;
    cl_int made;
    const cl_program program = program_return_handle(p, is_there ? CL_SUCCESS : code, &made);
    if (error != NULL) *error = program != NULL ? code : made;
    return program;
}

cl_program CL_API_CALL api_clLinkProgram(cl_context context, cl_uint count, const cl_device_id *list,
                                         const char *options, cl_uint program_count, const cl_program *program_list,
                                         notify_function notify, void *data, cl_int *error) {
    struct context *c = object_of(context, OBJECT_CONTEXT);
    struct device *devices[DEVICES_MAX];
    struct program **programs = NULL;
    unsigned device_count;
    if (c == NULL) return info_fail(error, CL_INVALID_CONTEXT);
    if (notify == NULL && data != NULL) return info_fail(error, CL_INVALID_VALUE);
    cl_int code = context_select_devices(c, count, list, devices, &device_count);
    if (code == CL_SUCCESS) code = hold_programs(c, program_count, program_list, &programs);
    if (code == CL_SUCCESS) code = check_objects(program_count, programs, devices, &device_count);
    if (code == CL_SUCCESS && driver_clang() == NULL) code = CL_LINKER_NOT_AVAILABLE;
    cl_program program = NULL;
    if (code == CL_SUCCESS) {
        const struct request r = {.options = options, .programs = programs, .program_count = program_count};
        program = create_linked(c, device_count, devices, &r, &code);
    }
    release_programs(program_count, programs);
    if (error != NULL) *error = code;
    if (program != NULL && notify != NULL) notify(program, data);
    return program;
}

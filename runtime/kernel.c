/* SPDX-License-Identifier: Apache-2.0 */
/* Creation of kernels, and their arguments. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "info.h"
#include "lock.h"

static void destroy(void *object) {
    struct kernel *k = object;
    code_drop(k->code);
    free(k->arguments);
    free(k->values);
    pthread_mutex_destroy(&k->lock);
    program_count_kernel(k->program, -1);
    object_drop(k->program);
    free(k);
}

/* Takes over the use of the code. */
static struct kernel *create(struct program *p, struct code *code, const struct code_kernel *about) {
    struct kernel *k = calloc(1, sizeof *k);
    if (k == NULL) {
        code_drop(code);
        return NULL;
    }
    k->code = code;
    k->about = about;
    k->arguments = calloc(about->argument_count + 1, sizeof *k->arguments);
    k->values = calloc(about->parameter_bytes + 1, 1);
    pthread_mutex_init(&k->lock, NULL);
    object_hold(k->program = p);
    program_count_kernel(p, 1);
    if (k->arguments != NULL && k->values != NULL && object_create(&k->object, OBJECT_KERNEL, destroy)) return k;
    destroy(k);
    return NULL;
}

cl_kernel CL_API_CALL api_clCreateKernel(cl_program program, const char *name, cl_int *error) {
    struct program *p = object_of(program, OBJECT_PROGRAM);
    if (p == NULL) return info_fail(error, CL_INVALID_PROGRAM);
    if (name == NULL) return info_fail(error, CL_INVALID_VALUE);
    struct code *code = program_code(p);
    if (code == NULL) return info_fail(error, CL_INVALID_PROGRAM_EXECUTABLE);
    const struct code_kernel *about = code_find(code, name);
    if (about == NULL) {
        code_drop(code);
        return info_fail(error, CL_INVALID_KERNEL_NAME);
    }
    if (!program_has_same_arguments(p, about)) {
        code_drop(code);
        return info_fail(error, CL_INVALID_KERNEL_DEFINITION);
    }
    const struct kernel *k = create(p, code, about);
    if (error != NULL) *error = k != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    return k != NULL ? object_handle(k) : NULL;
}

/* Creates the kernels that are the same on all devices; *count is 0 at first. */
static cl_int create_all(struct program *p, struct code *code, cl_uint room, cl_kernel *kernels, cl_uint *count) {
    cl_int error = CL_SUCCESS;
    for (size_t i = 0; i < code->kernel_count && error == CL_SUCCESS; i++) {
        if (!program_has_same_arguments(p, &code->kernels[i])) continue;
        const bool has_room = kernels == NULL || *count < room;
        const struct kernel *k = kernels != NULL && has_room ? create(p, code_hold(code), &code->kernels[i]) : NULL;
        if (k != NULL) kernels[*count] = object_handle(k);
        if (kernels != NULL && k == NULL) error = has_room ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_VALUE;
        if (error == CL_SUCCESS) ++*count;
    }
    while (error != CL_SUCCESS && kernels != NULL && *count > 0) api_clReleaseKernel(kernels[--*count]);
    return error;
}

cl_int CL_API_CALL api_clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels, cl_uint *count) {
    struct program *p = object_of(program, OBJECT_PROGRAM);
    if (p == NULL) return CL_INVALID_PROGRAM;
    struct code *code = program_code(p);
    if (code == NULL) return CL_INVALID_PROGRAM_EXECUTABLE;
    cl_uint made = 0;
    const cl_int error = create_all(p, code, room, kernels, &made);
    if (error == CL_SUCCESS && count != NULL) *count = made;
    code_drop(code);
    return error;
}

cl_int CL_API_CALL api_clRetainKernel(cl_kernel kernel) {
    return object_retain(kernel, OBJECT_KERNEL, CL_INVALID_KERNEL);
}

cl_int CL_API_CALL api_clReleaseKernel(cl_kernel kernel) {
    return object_release(kernel, OBJECT_KERNEL, CL_INVALID_KERNEL);
}

/* ---- arguments ---- */

/* The launch refuses more than a machine can have; sums do not wrap. */
static cl_int set_local(struct kernel_argument *a, size_t size, const void *value) {
    if (value != NULL) return CL_INVALID_ARG_VALUE;
    if (size == 0) return CL_INVALID_ARG_SIZE;
    a->local_bytes = size < UINT32_MAX ? size : UINT32_MAX;
    return CL_SUCCESS;
}

static cl_int set_buffer(struct kernel *k, struct kernel_argument *a, size_t size, const void *value) {
    cl_mem memory = NULL;
    struct memory *m;
    if (size != sizeof(cl_mem)) return CL_INVALID_ARG_SIZE;
    if (value != NULL) memcpy(&memory, value, sizeof(cl_mem));
    if (memory != NULL && memory_check_handle(memory, k->program->context, &m) != CL_SUCCESS)
        return CL_INVALID_MEM_OBJECT;
    a->memory = memory;
    return CL_SUCCESS;
}

static cl_int set_value(struct kernel *k, const struct code_argument *about, size_t size, const void *value) {
    if (value == NULL) return CL_INVALID_ARG_VALUE;
    if (size != about->size) return CL_INVALID_ARG_SIZE;
    memcpy(k->values + about->offset, value, size);
    return CL_SUCCESS;
}

/* Devices without images have no samplers. */
static cl_int set_sampler(size_t size) { return size != sizeof(cl_sampler) ? CL_INVALID_ARG_SIZE : CL_INVALID_SAMPLER; }

cl_int CL_API_CALL api_clSetKernelArg(cl_kernel kernel, cl_uint number, size_t size, const void *value) {
    struct kernel *k = object_of(kernel, OBJECT_KERNEL);
    if (k == NULL) return CL_INVALID_KERNEL;
    if (number >= k->about->argument_count) return CL_INVALID_ARG_INDEX;
    const struct code_argument *about = &k->about->arguments[number];
    struct kernel_argument *a = &k->arguments[number];
    lock_acquire(&k->lock);
    const bool is_buffer = about->space == IMAGE_GLOBAL || about->space == IMAGE_CONSTANT;
    const bool is_sampler = about->type_name != NULL && strcmp(about->type_name, "sampler_t") == 0;
    const cl_int error = about->space == IMAGE_SHARED ? set_local(a, size, value)
                         : is_sampler                 ? set_sampler(size)
                         : is_buffer                  ? set_buffer(k, a, size, value)
                                                      : set_value(k, about, size, value);
    a->is_set |= error == CL_SUCCESS;
    lock_release(&k->lock);
    return error;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles and links code, see code.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "lock.h"
#include "options.h"

enum { ARCH_PLAIN = 10, ARCH_ATOMIC = 11, FIRST_VARIABLE = 0x100 };

/* State of a build. */
struct job {
    const struct code_input *input;
    struct options options;
    struct device *device;
};

/* ---- kernels ---- */

static bool describe_arguments(struct code_kernel *k, const struct compilation *c, size_t number) {
    for (size_t i = 0; i < k->argument_count; i++) {
        const struct compiler_argument *known = compilation_argument(c, number, i);
        struct code_argument *a = &k->arguments[i];
        a->name = strdup(known->name);
        a->type_name = strdup(known->type_name);
        a->is_const = known->is_const;
        a->is_restrict = known->is_restrict;
        a->is_volatile = known->is_volatile;
        if (a->name == NULL || a->type_name == NULL) return false;
    }
    return true;
}

static cl_int add_kernel(struct code *code, const struct compilation *c, size_t number) {
    struct image *img = compilation_image(c, number);
    if (img == NULL) return CL_OUT_OF_HOST_MEMORY;
    const cl_int error = code_add_kernel(code, img);
    if (error != CL_SUCCESS) return error;
    if (!describe_arguments(&code->kernels[number], c, number)) return CL_OUT_OF_HOST_MEMORY;
    memcpy(code->kernels[number].hints, compilation_kernel(c, number)->hints, COMPILER_HINTS);
    struct image *dense = compilation_dense_image(c, number);
    return dense != NULL ? code_add_kernel(code, dense) : CL_SUCCESS;
}

static cl_int create_code(const struct compilation *c, struct code **result) {
    size_t count = 0;
    while (compilation_kernel(c, count) != NULL) count++;
    struct code *code = code_create(count);
    cl_int error = code != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < count && error == CL_SUCCESS; i++) error = add_kernel(code, c, i);
    if (count > 0 && error == CL_SUCCESS && compilation_write(c, &code->binary, &code->binary_size, NULL) != STATUS_OK)
        error = CL_OUT_OF_HOST_MEMORY;
    if (error != CL_SUCCESS) {
        code_drop(code);
        return error == CL_INVALID_BINARY ? CL_BUILD_PROGRAM_FAILURE : error;
    }
    *result = code;
    return CL_SUCCESS;
}

static struct compiler_options compiler_options_for(const struct job *job, uint32_t variables) {
    struct compiler_options options = COMPILER_OPTIONS;
    options.name = "program.cl";
    options.language = COMPILER_OPENCL;
    options.level = job->options.disables_optimisation ? 0 : 2;
    options.arch = job->device->properties.machine.has_atomics ? ARCH_ATOMIC : ARCH_PLAIN;
    options.variables = variables;
    options.describe = true;
    options.words = job->options.words;
    options.range = true;
    return options;
}

static enum status run_compiler(const struct job *job, uint32_t variables, struct compilation **c) {
    const struct code_input *in = job->input;
    const struct compiler_options options = compiler_options_for(job, variables);
    return in->source != NULL ? compile_source(in->source, in->size, &options, c, NULL)
                              : compile_linked(in->objects, in->object_count, false, &options, c, NULL);
}

static cl_int error_code(enum status status) {
    return status == STATUS_OK          ? CL_SUCCESS
           : status == STATUS_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY
                                        : CL_BUILD_PROGRAM_FAILURE;
}

/* Compiles again, with the variables at an address that is free on the device. */
static cl_int move_variables(const struct job *job, struct compilation **c, uint32_t bytes, uint32_t *begin) {
    struct device *d = job->device;
    lock_acquire(&d->lock);
    const bool taken = allocator_allocate_last(&d->memory, bytes, begin);
    lock_release(&d->lock);
    if (!taken) return CL_OUT_OF_RESOURCES;
    compilation_destroy(*c);
    const cl_int error = error_code(run_compiler(job, *begin, c));
    if (error != CL_SUCCESS) device_free(d, *begin);
    return error;
}

static cl_int build_kernels(const struct job *job, struct code **code, char **log) {
    struct compilation *c = NULL;
    uint32_t begin = 0, bytes = 0;
    cl_int error = error_code(run_compiler(job, FIRST_VARIABLE, &c));
    if (error == CL_SUCCESS) bytes = compilation_free_address(c) - FIRST_VARIABLE;
    if (bytes > 0) error = move_variables(job, &c, bytes, &begin);
    *log = strdup(compilation_log(c));
    const bool has_address = bytes > 0 && error == CL_SUCCESS;
    if (error == CL_SUCCESS) error = create_code(c, code);
    compilation_destroy(c);
    if (has_address && error != CL_SUCCESS) device_free(job->device, begin);
    if (has_address && error == CL_SUCCESS) {
        (*code)->device = job->device;
        (*code)->begin = begin;
        (*code)->size = bytes;
    }
    return error;
}

/* ---- objects ---- */

static cl_int build_object(const struct job *job, struct code **result, char **log) {
    const struct code_input *in = job->input;
    const struct compiler_options options = compiler_options_for(job, FIRST_VARIABLE);
    struct compilation *c = NULL;
    size_t size;
    const cl_int error =
        error_code(in->source != NULL ? compile_object(in->source, in->size, &options, &c, NULL)
                                      : compile_linked(in->objects, in->object_count, true, &options, &c, NULL));
    *log = strdup(compilation_log(c));
    const void *bytes = compilation_object(c, &size);
    *result = error == CL_SUCCESS ? code_create_object(bytes, size) : NULL;
    compilation_destroy(c);
    return error == CL_SUCCESS && *result == NULL ? CL_OUT_OF_HOST_MEMORY : error;
}

/* ---- options ---- */

/* Adds predefined macros. Sources are compiled with the given words; objects are compiled already. */
static bool set_compiler_words(struct job *job) {
    struct options *o = &job->options;
    if (job->input->source == NULL) {
        o->count = 0;
        o->words[0] = NULL;
        return true;
    }
    return options_add(o, "-D__EMBEDDED_PROFILE__=1") && options_add(o, "-D__OPENCL_VERSION__=120") &&
           (job->input->headers == NULL || (options_add(o, "-I") && options_add(o, job->input->headers)));
}

cl_int code_build(const struct code_input *in, const char *options, struct device *d, struct code **code, char **log) {
    struct job job = {.input = in, .device = d};
    struct diag diag = {0};
    *code = NULL;
    *log = NULL;
    const enum status status = options_read(options, &job.options, &diag);
    cl_int error = CL_SUCCESS;
    if (status == STATUS_NO_MEMORY) error = CL_OUT_OF_HOST_MEMORY;
    if (status == STATUS_BAD_INPUT) {
        error = CL_INVALID_BUILD_OPTIONS;
        if (asprintf(log, "error: %s\n", diag.text) < 0) *log = NULL;
    }
    if (error == CL_SUCCESS && !set_compiler_words(&job)) error = CL_OUT_OF_HOST_MEMORY;
    const bool to_object = in->to_object || job.options.is_library;
    if (error == CL_SUCCESS) error = to_object ? build_object(&job, code, log) : build_kernels(&job, code, log);
    const bool has_address = error == CL_SUCCESS && (*code)->device != NULL && in->headers == NULL;
    if (has_address && in->source != NULL && !code_keep_source(*code, options, in->source, in->size))
        error = CL_OUT_OF_HOST_MEMORY;
    if (*code != NULL) (*code)->is_described = in->source != NULL ? job.options.wants_arguments : in->is_described;
    if (*code != NULL && (error != CL_SUCCESS || *log == NULL)) {
        code_drop(*code);
        *code = NULL;
        error = CL_OUT_OF_HOST_MEMORY;
    }
    build_options_release(&job.options);
    return error;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../assembler/base/memstream.h"
#include "api.h"
#include "info.h"
#include "lock.h"
#include "program.h"

static cl_int query_devices(const struct program *p, struct info to) {
    cl_device_id devices[DEVICES_MAX];
    for (unsigned i = 0; i < p->device_count; i++) devices[i] = object_handle(p->devices[i]);
    return info_bytes(to, devices, p->device_count * sizeof(cl_device_id));
}

/* Returns the code of a device's binary: the build, else the loaded code. */
static const struct code *binary_of(const struct build *b) { return b->code != NULL ? b->code : b->loaded; }

static cl_int query_binary_sizes(struct program *p, struct info to) {
    size_t sizes[DEVICES_MAX];
    for (unsigned i = 0; i < p->device_count; i++) {
        const struct code *code = binary_of(&p->builds[i]);
        sizes[i] = code != NULL ? code->binary_size : 0;
    }
    return info_bytes(to, sizes, p->device_count * sizeof *sizes);
}

/* Copies binaries to the caller's pointers, some of which may be NULL. */
static cl_int query_binaries(struct program *p, struct info to) {
    const size_t size = p->device_count * sizeof(unsigned char *);
    if (to.size != NULL) *to.size = size;
    if (to.value == NULL) return CL_SUCCESS;
    if (to.room < size) return CL_INVALID_VALUE;
    unsigned char **places = to.value;
    for (unsigned i = 0; i < p->device_count; i++) {
        const struct code *code = binary_of(&p->builds[i]);
        if (code != NULL && places[i] != NULL) memcpy(places[i], code->binary, code->binary_size);
    }
    return CL_SUCCESS;
}

static cl_int query_names(const struct code *code, struct info to) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < code->kernel_count; i++)
        fprintf(out, "%s%s", i > 0 ? ";" : "", code->kernels[i].image->name);
    if (!memstream_close(out, &text)) return CL_OUT_OF_HOST_MEMORY;
    const cl_int error = info_string(to, text);
    free(text);
    return error;
}

static cl_int query_kernels(struct program *p, cl_program_info name, struct info to) {
    struct code *code = program_code(p);
    if (code == NULL) return CL_INVALID_PROGRAM_EXECUTABLE;
    const cl_int error = name == CL_PROGRAM_NUM_KERNELS ? info_size(to, code->kernel_count) : query_names(code, to);
    code_drop(code);
    return error;
}

static cl_int query_binary(struct program *p, cl_program_info name, struct info to) {
    lock_acquire(&p->lock);
    const cl_int error = name == CL_PROGRAM_BINARY_SIZES ? query_binary_sizes(p, to) : query_binaries(p, to);
    lock_release(&p->lock);
    return error;
}

cl_int CL_API_CALL api_clGetProgramInfo(cl_program program, cl_program_info name, size_t room, void *value,
                                        size_t *size) {
    struct program *p = object_of(program, OBJECT_PROGRAM);
    const struct info to = {room, value, size};
    if (p == NULL) return CL_INVALID_PROGRAM;
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT: return info_uint(to, object_references(p));
    case CL_PROGRAM_CONTEXT: return info_pointer(to, object_handle(p->context));
    case CL_PROGRAM_NUM_DEVICES: return info_uint(to, p->device_count);
    case CL_PROGRAM_DEVICES: return query_devices(p, to);
    case CL_PROGRAM_SOURCE: return info_bytes(to, p->source != NULL ? p->source : "", p->source_size + 1);
    case CL_PROGRAM_BINARY_SIZES:
    case CL_PROGRAM_BINARIES: return query_binary(p, name, to);
    case CL_PROGRAM_NUM_KERNELS:
    case CL_PROGRAM_KERNEL_NAMES: return query_kernels(p, name, to);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int query_build(const struct build *b, cl_program_build_info name, struct info to) {
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS: return info_bytes(to, &b->status, sizeof b->status);
    case CL_PROGRAM_BUILD_OPTIONS: return info_string(to, b->options);
    case CL_PROGRAM_BUILD_LOG: return info_string(to, b->log);
    case CL_PROGRAM_BINARY_TYPE: return info_uint(to, b->type);
    default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL api_clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name,
                                             size_t room, void *value, size_t *size) {
    struct program *p = object_of(program, OBJECT_PROGRAM);
    const struct device *d = object_of(device, OBJECT_DEVICE);
    if (p == NULL) return CL_INVALID_PROGRAM;
    const struct build *b = d != NULL ? program_build_for(p, d) : NULL;
    if (b == NULL) return CL_INVALID_DEVICE;
    lock_acquire(&p->lock);
    const cl_int error = query_build(b, name, (struct info){room, value, size});
    lock_release(&p->lock);
    return error;
}

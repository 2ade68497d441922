/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of kernels. */
#include <stdio.h>
#include <string.h>

#include "api.h"
#include "info.h"
#include "kernel.h"
#include "lock.h"

static cl_int query_attributes(const struct kernel *k, struct info to) {
    const uint32_t *block = k->about->image->block;
    const char *hints = k->about->hints;
    char required[64] = "", text[sizeof required + COMPILER_HINTS + 1];
    if (block[0] != 0)
        snprintf(required, sizeof required, "reqd_work_group_size(%u,%u,%u)", (unsigned)block[0], (unsigned)block[1],
                 (unsigned)block[2]);
    snprintf(text, sizeof text, "%s%s%s", required, required[0] != '\0' && hints[0] != '\0' ? " " : "", hints);
    return info_string(to, text);
}

cl_int CL_API_CALL api_clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t room, void *value, size_t *size) {
    const struct kernel *k = object_of(kernel, OBJECT_KERNEL);
    const struct info to = {room, value, size};
    if (k == NULL) return CL_INVALID_KERNEL;
    switch (name) {
    case CL_KERNEL_FUNCTION_NAME: return info_string(to, k->about->image->name);
    case CL_KERNEL_NUM_ARGS: return info_uint(to, (cl_uint)k->about->argument_count);
    case CL_KERNEL_REFERENCE_COUNT: return info_uint(to, object_references(k));
    case CL_KERNEL_CONTEXT: return info_pointer(to, object_handle(k->program->context));
    case CL_KERNEL_PROGRAM: return info_pointer(to, object_handle(k->program));
    case CL_KERNEL_ATTRIBUTES: return query_attributes(k, to);
    default: return CL_INVALID_VALUE;
    }
}

/* ---- arguments ---- */

static cl_kernel_arg_address_qualifier address_qualifier(const struct code_argument *a) {
    return a->space == IMAGE_GLOBAL     ? CL_KERNEL_ARG_ADDRESS_GLOBAL
           : a->space == IMAGE_CONSTANT ? CL_KERNEL_ARG_ADDRESS_CONSTANT
           : a->space == IMAGE_SHARED   ? CL_KERNEL_ARG_ADDRESS_LOCAL
                                        : CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

static cl_kernel_arg_type_qualifier type_qualifiers(const struct code_argument *a) {
    cl_kernel_arg_type_qualifier all = CL_KERNEL_ARG_TYPE_NONE;
    if (a->is_const || a->space == IMAGE_CONSTANT) all |= CL_KERNEL_ARG_TYPE_CONST;
    if (a->is_restrict) all |= CL_KERNEL_ARG_TYPE_RESTRICT;
    if (a->is_volatile) all |= CL_KERNEL_ARG_TYPE_VOLATILE;
    return all;
}

cl_int CL_API_CALL api_clGetKernelArgInfo(cl_kernel kernel, cl_uint number, cl_kernel_arg_info name, size_t room,
                                          void *value, size_t *size) {
    const struct kernel *k = object_of(kernel, OBJECT_KERNEL);
    const struct info to = {room, value, size};
    if (k == NULL) return CL_INVALID_KERNEL;
    if (number >= k->about->argument_count) return CL_INVALID_ARG_INDEX;
    if (name < CL_KERNEL_ARG_ADDRESS_QUALIFIER || name > CL_KERNEL_ARG_NAME) return CL_INVALID_VALUE;
    if (!k->code->is_described) return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    const struct code_argument *a = &k->about->arguments[number];
    const cl_kernel_arg_type_qualifier qualifiers = type_qualifiers(a);
    switch (name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER: return info_uint(to, address_qualifier(a));
    case CL_KERNEL_ARG_ACCESS_QUALIFIER: return info_uint(to, CL_KERNEL_ARG_ACCESS_NONE);
    case CL_KERNEL_ARG_TYPE_NAME: return info_string(to, a->type_name);
    case CL_KERNEL_ARG_TYPE_QUALIFIER: return info_bytes(to, &qualifiers, sizeof qualifiers);
    default: return info_string(to, a->name);
    }
}

/* ---- groups ---- */

/* Local memory of the kernel on a device, with that of its arguments. */
static cl_ulong local_bytes(struct kernel *k, const struct code_kernel *about) {
    const unsigned all = about->parameter_bytes, most = COMPILER_PARAMETER_BYTES;
    const unsigned before = DEVICE_HEADER_BYTES + (all < most ? all : most);
    cl_ulong bytes = about->image->shared_bytes > before ? about->image->shared_bytes - before : 0;
    lock_acquire(&k->lock);
    for (size_t i = 0; i < k->about->argument_count; i++) bytes += k->arguments[i].local_bytes;
    lock_release(&k->lock);
    return bytes;
}

static cl_int query_block(const struct code_kernel *about, struct info to) {
    const size_t block[3] = {about->image->block[0], about->image->block[1], about->image->block[2]};
    return info_bytes(to, block, sizeof block);
}

static cl_int query_group(struct kernel *k, const struct code_kernel *about, const struct device *d,
                          cl_kernel_work_group_info name, struct info to) {
    switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE: return info_size(to, code_max_threads(about, &d->properties));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: return query_block(about, to);
    case CL_KERNEL_LOCAL_MEM_SIZE: return info_ulong(to, local_bytes(k, about));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: return info_size(to, WARP_LANES);
    case CL_KERNEL_PRIVATE_MEM_SIZE: return info_ulong(to, about->image->local_bytes);
    default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL api_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name,
                                                size_t room, void *value, size_t *size) {
    struct kernel *k = object_of(kernel, OBJECT_KERNEL);
    const struct info to = {room, value, size};
    if (k == NULL) return CL_INVALID_KERNEL;
    struct device *d = device != NULL                  ? object_of(device, OBJECT_DEVICE)
                       : k->program->device_count == 1 ? k->program->devices[0]
                                                       : NULL;
    struct code *code = d != NULL ? program_code_for(k->program, d) : NULL;
    const struct code_kernel *about = code != NULL ? code_find(code, k->about->image->name) : NULL;
    const cl_int error = about != NULL ? query_group(k, about, d, name, to) : CL_INVALID_DEVICE;
    code_drop(code);
    return error;
}

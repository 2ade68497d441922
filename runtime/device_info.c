/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of a device. */
#include <stdio.h>

#include "../assembler/base/version.h"
#include "../cmodel/run/print.h"
#include "../compiler/compiler.h"
#include "../compiler/driver.h"
#include "api.h"
#include "device.h"
#include "info.h"
#include "platform.h"

enum { VENDOR_ID = 0x5753 };

/* Raise it if programs compile to different code: applications such as pyopencl keep binaries as long as the
 * driver's version is the same. */
#define BINARY_REVISION "6"

/* Lists the extensions that the machine supports. */
static void list_extensions(const struct engine_properties *p, char *text, size_t size) {
    snprintf(text, size, "cl_khr_byte_addressable_store cles_khr_int64 cl_khr_fp64%s",
             p->machine.has_atomics ? " cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics"
                                      " cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics"
                                    : "");
}

static cl_int query_name(struct device *d, struct info to) {
    const struct engine_properties *p = device_properties(d);
    char text[256];
    snprintf(text, sizeof text, "%s (%s)", p->name[0] != '\0' ? p->name : "Warpstep", d->text);
    return info_string(to, text);
}

static cl_int query_text(struct device *d, cl_device_info name, struct info to) {
    char text[256];
    switch (name) {
    case CL_DEVICE_NAME: return query_name(d, to);
    case CL_DEVICE_VENDOR: return info_string(to, PLATFORM_VENDOR);
    case CL_DRIVER_VERSION: return info_string(to, WARPSTEP_VERSION "." BINARY_REVISION);
    case CL_DEVICE_PROFILE: return info_string(to, PLATFORM_PROFILE);
    case CL_DEVICE_VERSION: return info_string(to, "OpenCL 1.2 Warpstep " WARPSTEP_VERSION);
    case CL_DEVICE_OPENCL_C_VERSION: return info_string(to, "OpenCL C 1.2 Warpstep " WARPSTEP_VERSION);
    case CL_DEVICE_BUILT_IN_KERNELS: return info_string(to, "");
    case CL_DEVICE_EXTENSIONS: list_extensions(device_properties(d), text, sizeof text); return info_string(to, text);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int query_flag(struct device *d, cl_device_info name, struct info to) {
    switch (name) {
    case CL_DEVICE_AVAILABLE: return info_uint(to, device_open(d) == CL_SUCCESS);
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_LINKER_AVAILABLE: return info_uint(to, driver_clang() != NULL);
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC: return info_uint(to, CL_TRUE);
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
    case CL_DEVICE_IMAGE_SUPPORT: return info_uint(to, CL_FALSE);
    default: return CL_INVALID_VALUE;
    }
}

/* The machine computes with scalars. */
static cl_int query_width(cl_device_info name, struct info to) {
    switch (name) {
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE: return info_uint(to, 1);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF: return info_uint(to, 0);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int query_image(cl_device_info name, struct info to) {
    switch (name) {
    case CL_DEVICE_MAX_READ_IMAGE_ARGS:
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
    case CL_DEVICE_MAX_SAMPLERS: return info_uint(to, 0);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_DEPTH:
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE: return info_size(to, 0);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int query_partition(struct device *d, cl_device_info name, struct info to) {
    const cl_device_partition_property none = 0;
    (void)d;
    switch (name) {
    case CL_DEVICE_PARENT_DEVICE: return info_pointer(to, NULL);
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES: return info_uint(to, 0);
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN: return info_ulong(to, 0);
    case CL_DEVICE_PARTITION_PROPERTIES:
    case CL_DEVICE_PARTITION_TYPE: return info_bytes(to, &none, sizeof none);
    case CL_DEVICE_REFERENCE_COUNT: return info_uint(to, 1);
    default: return CL_INVALID_VALUE;
    }
}

/* Single precision flushes denormals to zero; double precision is done in software, by IEEE 754. */
static cl_int query_float(cl_device_info name, struct info to) {
    const cl_device_fp_config single = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_FMA;
    const cl_device_fp_config all = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
                                    CL_FP_ROUND_TO_INF | CL_FP_FMA | CL_FP_SOFT_FLOAT;
    return info_ulong(to, name == CL_DEVICE_SINGLE_FP_CONFIG ? single : name == CL_DEVICE_DOUBLE_FP_CONFIG ? all : 0);
}

/* The header and the parameters of a block use the same memory. */
static cl_ulong local_bytes(const struct engine_properties *p) {
    return p->machine.shared_bytes - DEVICE_HEADER_BYTES - COMPILER_PARAMETER_BYTES;
}

static cl_int query_memory(const struct engine_properties *p, cl_device_info name, struct info to) {
    switch (name) {
    case CL_DEVICE_GLOBAL_MEM_SIZE: return info_ulong(to, p->host_bytes);
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE: /* constant pointers point to global memory */
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return info_ulong(to, device_max_buffer(p));
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE: return info_uint(to, CL_NONE);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: return info_ulong(to, 0);
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE: return info_uint(to, 0);
    case CL_DEVICE_MAX_CONSTANT_ARGS: return info_uint(to, 8);
    case CL_DEVICE_LOCAL_MEM_TYPE: return info_uint(to, CL_LOCAL);
    case CL_DEVICE_LOCAL_MEM_SIZE: return info_ulong(to, local_bytes(p));
    case CL_DEVICE_MAX_PARAMETER_SIZE: return info_size(to, DEVICE_PARAMETERS_MAX);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN: return info_uint(to, 8 * DEVICE_NATIVE_ALIGN);
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE: return info_uint(to, DEVICE_NATIVE_ALIGN);
    case CL_DEVICE_PRINTF_BUFFER_SIZE: return info_size(to, print_buffer_bytes(p->host_bytes));
    default: return CL_INVALID_VALUE;
    }
}

static cl_int query_execution(struct device *d, cl_device_info name, struct info to) {
    const struct engine_properties *p = device_properties(d);
    const size_t most = device_max_threads(p), sizes[3] = {most, most, DEVICE_BLOCK_Z_MAX};
    switch (name) {
    case CL_DEVICE_TYPE: return info_ulong(to, CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_VENDOR_ID: return info_uint(to, VENDOR_ID);
    case CL_DEVICE_PLATFORM: return info_pointer(to, object_handle(platform_get()));
    case CL_DEVICE_MAX_COMPUTE_UNITS: return info_uint(to, p->machine.sms);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY: return info_uint(to, (cl_uint)(p->clock_hz / 1000000));
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION: return info_size(to, p->clock_hz > 0 ? 1000000000 / p->clock_hz : 1);
    case CL_DEVICE_ADDRESS_BITS: return info_uint(to, 32);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: return info_uint(to, 3);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return info_size(to, most);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: return info_bytes(to, sizes, sizeof sizes);
    case CL_DEVICE_EXECUTION_CAPABILITIES: return info_ulong(to, CL_EXEC_KERNEL);
    case CL_DEVICE_QUEUE_PROPERTIES:
        return info_ulong(to, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    case CL_DEVICE_SINGLE_FP_CONFIG:
    case CL_DEVICE_DOUBLE_FP_CONFIG:
    case CL_DEVICE_HALF_FP_CONFIG: return query_float(name, to);
    default: return CL_INVALID_VALUE;
    }
}

/* CL_INVALID_VALUE of one table means that another may have the property; but all refuse a buffer that is too small. */
cl_int CL_API_CALL api_clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t room, void *value,
                                       size_t *size) {
    struct device *d = object_of(device, OBJECT_DEVICE);
    const struct info to = {room, value, size};
    if (d == NULL) return CL_INVALID_DEVICE;
    cl_int error = query_execution(d, name, to);
    if (error != CL_SUCCESS) error = query_text(d, name, to);
    if (error != CL_SUCCESS) error = query_flag(d, name, to);
    if (error != CL_SUCCESS) error = query_width(name, to);
    if (error != CL_SUCCESS) error = query_image(name, to);
    if (error != CL_SUCCESS) error = query_partition(d, name, to);
    return error != CL_SUCCESS ? query_memory(device_properties(d), name, to) : error;
}

static cl_int check_device(cl_device_id device) {
    return object_of(device, OBJECT_DEVICE) != NULL ? CL_SUCCESS : CL_INVALID_DEVICE;
}

/* Root devices are never released. */
cl_int CL_API_CALL api_clRetainDevice(cl_device_id device) { return check_device(device); }
cl_int CL_API_CALL api_clReleaseDevice(cl_device_id device) { return check_device(device); }

/* No device can be partitioned. */
cl_int CL_API_CALL api_clCreateSubDevices(cl_device_id device, const cl_device_partition_property *properties,
                                          cl_uint room, cl_device_id *devices, cl_uint *count) {
    (void)properties, (void)room, (void)devices, (void)count;
    return object_of(device, OBJECT_DEVICE) != NULL ? CL_INVALID_VALUE : CL_INVALID_DEVICE;
}

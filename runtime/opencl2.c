/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of OpenCL 2 and 3 for features that no device has: pipes, intermediate languages, sub-groups, device
 * queues, synchronised clocks. Loaders call any entry of the table, so each exists, and returns the error that the
 * standard specifies. */
#include "api.h"
#include "context.h"
#include "info.h"
#include "platform.h"

static void *refuse_context(cl_context context, cl_int *error) {
    return info_fail(error, object_refuse(context, OBJECT_CONTEXT, CL_INVALID_CONTEXT));
}

/* No properties are supported. */
cl_mem CL_API_CALL api_clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                                                    cl_mem_flags flags, size_t size, void *host, cl_int *error) {
    if (object_of(context, OBJECT_CONTEXT) != NULL && properties != NULL && properties[0] != 0)
        return info_fail(error, CL_INVALID_PROPERTY);
    return api_clCreateBuffer(context, flags, size, host, error);
}

cl_mem CL_API_CALL api_clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
                                                   cl_mem_flags flags, const cl_image_format *format,
                                                   const cl_image_desc *about, void *host, cl_int *error) {
    (void)properties, (void)flags, (void)format, (void)about, (void)host;
    return refuse_context(context, error);
}

cl_sampler CL_API_CALL api_clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties *properties,
                                                         cl_int *error) {
    (void)properties;
    return refuse_context(context, error);
}

cl_mem CL_API_CALL api_clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint size, cl_uint count,
                                    const cl_pipe_properties *properties, cl_int *error) {
    (void)flags, (void)size, (void)count, (void)properties;
    return refuse_context(context, error);
}

cl_int CL_API_CALL api_clGetPipeInfo(cl_mem pipe, cl_pipe_info name, size_t room, void *value, size_t *size) {
    (void)pipe, (void)name, (void)room, (void)value, (void)size;
    return CL_INVALID_MEM_OBJECT;
}

cl_program CL_API_CALL api_clCreateProgramWithIL(cl_context context, const void *text, size_t size, cl_int *error) {
    (void)text, (void)size;
    return refuse_context(context, error);
}

cl_int CL_API_CALL api_clSetProgramReleaseCallback(cl_program program, void(CL_CALLBACK *notify)(cl_program, void *),
                                                   void *data) {
    (void)notify, (void)data;
    return object_refuse(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
}

cl_int CL_API_CALL api_clSetProgramSpecializationConstant(cl_program program, cl_uint number, size_t size,
                                                          const void *value) {
    (void)number, (void)size, (void)value;
    return object_refuse(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
}

cl_int CL_API_CALL api_clSetContextDestructorCallback(cl_context context, void(CL_CALLBACK *notify)(cl_context, void *),
                                                      void *data) {
    (void)notify, (void)data;
    return object_refuse(context, OBJECT_CONTEXT, CL_INVALID_CONTEXT);
}

cl_kernel CL_API_CALL api_clCloneKernel(cl_kernel kernel, cl_int *error) {
    return info_fail(error, object_refuse(kernel, OBJECT_KERNEL, CL_INVALID_KERNEL));
}

cl_int CL_API_CALL api_clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                                               size_t input_size, const void *input, size_t room, void *value,
                                               size_t *size) {
    (void)name, (void)input_size, (void)input, (void)room, (void)value, (void)size;
    if (object_of(kernel, OBJECT_KERNEL) == NULL) return CL_INVALID_KERNEL;
    return device == NULL ? CL_INVALID_OPERATION : object_refuse(device, OBJECT_DEVICE, CL_INVALID_DEVICE);
}

cl_int CL_API_CALL api_clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device, cl_command_queue queue) {
    if (object_of(context, OBJECT_CONTEXT) == NULL) return CL_INVALID_CONTEXT;
    if (object_of(device, OBJECT_DEVICE) == NULL) return CL_INVALID_DEVICE;
    return object_refuse(queue, OBJECT_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

cl_int CL_API_CALL api_clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_time, cl_ulong *host_time) {
    (void)device_time, (void)host_time;
    return object_refuse(device, OBJECT_DEVICE, CL_INVALID_DEVICE);
}

cl_int CL_API_CALL api_clGetHostTimer(cl_device_id device, cl_ulong *host_time) {
    (void)host_time;
    return object_refuse(device, OBJECT_DEVICE, CL_INVALID_DEVICE);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Shared virtual memory of OpenCL 2, which is refused: loaders call what a device's table says, be it there or not. */
#include "api.h"
#include "object.h"

static cl_int refuse_command(cl_command_queue queue) {
    return object_refuse(queue, OBJECT_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

static cl_int refuse_kernel(cl_kernel kernel) { return object_refuse(kernel, OBJECT_KERNEL, CL_INVALID_KERNEL); }

void *CL_API_CALL api_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint align) {
    (void)context, (void)flags, (void)size, (void)align;
    return NULL;
}

void CL_API_CALL api_clSVMFree(cl_context context, void *pointer) { (void)context, (void)pointer; }

cl_int CL_API_CALL api_clEnqueueSVMFree(cl_command_queue queue, cl_uint pointer_count, void **pointers,
                                        void(CL_CALLBACK *function)(cl_command_queue, cl_uint, void **, void *),
                                        void *data, cl_uint count, const cl_event *list, cl_event *event) {
    (void)pointer_count, (void)pointers, (void)function, (void)data, (void)count, (void)list, (void)event;
    return refuse_command(queue);
}

cl_int CL_API_CALL api_clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool waits, void *to, const void *from,
                                          size_t size, cl_uint count, const cl_event *list, cl_event *event) {
    (void)waits, (void)to, (void)from, (void)size, (void)count, (void)list, (void)event;
    return refuse_command(queue);
}

cl_int CL_API_CALL api_clEnqueueSVMMemFill(cl_command_queue queue, void *to, const void *pattern, size_t pattern_size,
                                           size_t size, cl_uint count, const cl_event *list, cl_event *event) {
    (void)to, (void)pattern, (void)pattern_size, (void)size, (void)count, (void)list, (void)event;
    return refuse_command(queue);
}

cl_int CL_API_CALL api_clEnqueueSVMMap(cl_command_queue queue, cl_bool waits, cl_map_flags flags, void *pointer,
                                       size_t size, cl_uint count, const cl_event *list, cl_event *event) {
    (void)waits, (void)flags, (void)pointer, (void)size, (void)count, (void)list, (void)event;
    return refuse_command(queue);
}

cl_int CL_API_CALL api_clEnqueueSVMUnmap(cl_command_queue queue, void *pointer, cl_uint count, const cl_event *list,
                                         cl_event *event) {
    (void)pointer, (void)count, (void)list, (void)event;
    return refuse_command(queue);
}

cl_int CL_API_CALL api_clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint pointer_count, const void **pointers,
                                              const size_t *sizes, cl_mem_migration_flags flags, cl_uint count,
                                              const cl_event *list, cl_event *event) {
    (void)pointer_count, (void)pointers, (void)sizes, (void)flags, (void)count, (void)list, (void)event;
    return refuse_command(queue);
}

cl_int CL_API_CALL api_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint number, const void *pointer) {
    (void)number, (void)pointer;
    return refuse_kernel(kernel);
}

cl_int CL_API_CALL api_clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name, size_t size, const void *value) {
    (void)name, (void)size, (void)value;
    return refuse_kernel(kernel);
}

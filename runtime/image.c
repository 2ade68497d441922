/* SPDX-License-Identifier: Apache-2.0 */
/* No device has images or samplers: their constructors fail, and no handle is one. */
#include "api.h"
#include "context.h"
#include "info.h"

static void *refuse_context(cl_context context, cl_int *error) {
    return info_fail(error, object_refuse(context, OBJECT_CONTEXT, CL_INVALID_CONTEXT));
}

static cl_int refuse_command(cl_command_queue queue) {
    return object_refuse(queue, OBJECT_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

cl_mem CL_API_CALL api_clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                     const cl_image_desc *about, void *host, cl_int *error) {
    (void)flags, (void)format, (void)about, (void)host;
    return refuse_context(context, error);
}

cl_mem CL_API_CALL api_clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                       size_t width, size_t height, size_t row_pitch, void *host, cl_int *error) {
    (void)flags, (void)format, (void)width, (void)height, (void)row_pitch, (void)host;
    return refuse_context(context, error);
}

cl_mem CL_API_CALL api_clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                       size_t width, size_t height, size_t depth, size_t row_pitch, size_t slice_pitch,
                                       void *host, cl_int *error) {
    (void)flags, (void)format, (void)width, (void)height, (void)depth, (void)row_pitch, (void)slice_pitch, (void)host;
    return refuse_context(context, error);
}

cl_int CL_API_CALL api_clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                                  cl_uint room, cl_image_format *formats, cl_uint *count) {
    (void)flags;
    if (object_of(context, OBJECT_CONTEXT) == NULL) return CL_INVALID_CONTEXT;
    if (type < CL_MEM_OBJECT_IMAGE2D || type > CL_MEM_OBJECT_IMAGE1D_BUFFER || (room == 0 && formats != NULL))
        return CL_INVALID_VALUE;
    if (count != NULL) *count = 0;
    return CL_SUCCESS;
}

cl_int CL_API_CALL api_clGetImageInfo(cl_mem image, cl_image_info name, size_t room, void *value, size_t *size) {
    (void)image, (void)name, (void)room, (void)value, (void)size;
    return CL_INVALID_MEM_OBJECT;
}

cl_sampler CL_API_CALL api_clCreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                                           cl_filter_mode filter, cl_int *error) {
    (void)normalized, (void)addressing, (void)filter;
    return refuse_context(context, error);
}

cl_int CL_API_CALL api_clRetainSampler(cl_sampler sampler) {
    (void)sampler;
    return CL_INVALID_SAMPLER;
}

cl_int CL_API_CALL api_clReleaseSampler(cl_sampler sampler) {
    (void)sampler;
    return CL_INVALID_SAMPLER;
}

cl_int CL_API_CALL api_clGetSamplerInfo(cl_sampler sampler, cl_sampler_info name, size_t room, void *value,
                                        size_t *size) {
    (void)sampler, (void)name, (void)room, (void)value, (void)size;
    return CL_INVALID_SAMPLER;
}

cl_int CL_API_CALL api_clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
                                          const size_t *region, size_t row_pitch, size_t slice_pitch, void *host,
                                          cl_uint count, const cl_event *list, cl_event *event) {
    (void)image, (void)blocking, (void)origin, (void)region, (void)row_pitch, (void)slice_pitch, (void)host;
    (void)count, (void)list, (void)event;
    return refuse_command(queue);
}

cl_int CL_API_CALL api_clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
                                           const size_t *region, size_t row_pitch, size_t slice_pitch, const void *host,
                                           cl_uint count, const cl_event *list, cl_event *event) {
    (void)image, (void)blocking, (void)origin, (void)region, (void)row_pitch, (void)slice_pitch, (void)host;
    (void)count, (void)list, (void)event;
    return refuse_command(queue);
}

cl_int CL_API_CALL api_clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                                          const size_t *to_origin, const size_t *region, cl_uint count,
                                          const cl_event *list, cl_event *event) {
    (void)from, (void)to, (void)from_origin, (void)to_origin, (void)region, (void)count, (void)list, (void)event;
    return refuse_command(queue);
}

cl_int CL_API_CALL api_clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *origin,
                                                  const size_t *region, size_t offset, cl_uint count,
                                                  const cl_event *list, cl_event *event) {
    (void)from, (void)to, (void)origin, (void)region, (void)offset, (void)count, (void)list, (void)event;
    return refuse_command(queue);
}

cl_int CL_API_CALL api_clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,
                                                  const size_t *origin, const size_t *region, cl_uint count,
                                                  const cl_event *list, cl_event *event) {
    (void)from, (void)to, (void)origin, (void)region, (void)offset, (void)count, (void)list, (void)event;
    return refuse_command(queue);
}

cl_int CL_API_CALL api_clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *color, const size_t *origin,
                                          const size_t *region, cl_uint count, const cl_event *list, cl_event *event) {
    (void)image, (void)color, (void)origin, (void)region, (void)count, (void)list, (void)event;
    return refuse_command(queue);
}

void *CL_API_CALL api_clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                                        const size_t *origin, const size_t *region, size_t *row_pitch,
                                        size_t *slice_pitch, cl_uint count, const cl_event *list, cl_event *event,
                                        cl_int *error) {
    (void)image, (void)blocking, (void)flags, (void)origin, (void)region, (void)row_pitch, (void)slice_pitch;
    (void)count, (void)list, (void)event;
    return info_fail(error, refuse_command(queue));
}

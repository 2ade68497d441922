/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts, see context.h. */
#include "context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "info.h"
#include "platform.h"

int context_find(const struct context *c, const struct device *d) {
    for (unsigned i = 0; i < c->device_count; i++)
        if (c->devices[i] == d) return (int)i;
    return -1;
}

void context_report(struct context *c, bool aloud, const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) text = NULL;
    va_end(arguments);
    if (text == NULL) return;
    if (aloud) fprintf(stderr, "%s%s", text, text[0] == '\0' || text[strlen(text) - 1] != '\n' ? "\n" : "");
    if (c->notify != NULL) c->notify(text, NULL, 0, c->notify_data);
    free(text);
}

cl_int context_select_devices(const struct context *c, cl_uint count, const cl_device_id *list,
                              struct device *devices[DEVICES_MAX], unsigned *device_count) {
    *device_count = 0;
    if ((count == 0) != (list == NULL)) return CL_INVALID_VALUE;
    if (count == 0) {
        memcpy(devices, c->devices, sizeof c->devices);
        *device_count = c->device_count;
        return CL_SUCCESS;
    }
    for (cl_uint i = 0; i < count; i++) {
        struct device *d = object_of(list[i], OBJECT_DEVICE);
        bool is_there = false;
        if (d == NULL || context_find(c, d) < 0) return CL_INVALID_DEVICE;
        for (unsigned k = 0; k < *device_count; k++) is_there = is_there || devices[k] == d;
        if (!is_there) devices[(*device_count)++] = d;
    }
    return CL_SUCCESS;
}

void context_after_fork(void *context) {
    struct context *c = context;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
}

/* ---- creation ---- */

static void destroy(void *object) {
    struct context *c = object;
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->changed);
    free(c->properties);
    free(c);
}

/* Returns the number of properties, including the terminating 0. */
static cl_int check_properties(const cl_context_properties *properties, size_t *count) {
    bool has_platform = false, has_sync = false;
    *count = 0;
    if (properties == NULL) return CL_SUCCESS;
    for (; properties[*count] != 0; *count += 2) {
        const cl_context_properties name = properties[*count], value = properties[*count + 1];
        bool *seen = name == CL_CONTEXT_PLATFORM            ? &has_platform
                     : name == CL_CONTEXT_INTEROP_USER_SYNC ? &has_sync
                                                            : NULL;
        if (seen == NULL || *seen) return CL_INVALID_PROPERTY;
        *seen = true;
        const cl_platform_id platform = (cl_platform_id)value; /* NOLINT(performance-no-int-to-ptr): as OpenCL has it */
        if (name == CL_CONTEXT_PLATFORM && (platform == NULL || platform_of(platform) == NULL))
            return CL_INVALID_PLATFORM;
        if (name == CL_CONTEXT_INTEROP_USER_SYNC && value != CL_TRUE && value != CL_FALSE) return CL_INVALID_PROPERTY;
    }
    *count += 1;
    return CL_SUCCESS;
}

static bool copy_properties(struct context *c, const cl_context_properties *properties, size_t count) {
    if (count == 0) return true;
    c->properties = malloc(count * sizeof *properties);
    if (c->properties == NULL) return false;
    memcpy(c->properties, properties, count * sizeof *properties);
    c->property_count = count;
    return true;
}

static cl_int add_devices(struct context *c, unsigned count, struct device *const *devices) {
    for (unsigned i = 0; i < count; i++) {
        if (devices[i] == NULL) return CL_INVALID_DEVICE;
        if (context_find(c, devices[i]) >= 0) continue;
        const cl_int error = device_open(devices[i]);
        if (error != CL_SUCCESS) return error;
        c->devices[c->device_count++] = devices[i];
    }
    return CL_SUCCESS;
}

static struct context *create(const cl_context_properties *properties, size_t property_count, unsigned count,
                              struct device *const *devices, cl_int *error) {
    struct context *c = calloc(1, sizeof *c);
    *error = CL_OUT_OF_HOST_MEMORY;
    if (c == NULL) return NULL;
    if (copy_properties(c, properties, property_count)) *error = add_devices(c, count, devices);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    if (*error == CL_SUCCESS && !object_create(&c->object, OBJECT_CONTEXT, destroy)) *error = CL_OUT_OF_HOST_MEMORY;
    if (*error == CL_SUCCESS) return c;
    destroy(c);
    return NULL;
}

typedef void(CL_CALLBACK *notify_function)(const char *, const void *, size_t, void *);

static cl_context return_handle(struct context *c, notify_function notify, void *data, cl_int *place, cl_int error) {
    if (place != NULL) *place = error;
    if (c == NULL) return NULL;
    c->notify = notify;
    c->notify_data = data;
    return object_handle(c);
}

cl_context CL_API_CALL api_clCreateContext(const cl_context_properties *properties, cl_uint count,
                                           const cl_device_id *list, notify_function notify, void *data,
                                           cl_int *error) {
    struct device *devices[DEVICES_MAX];
    size_t property_count;
    cl_int code = check_properties(properties, &property_count);
    if (code != CL_SUCCESS) return info_fail(error, code);
    if (count == 0 || list == NULL || (notify == NULL && data != NULL)) return info_fail(error, CL_INVALID_VALUE);
    unsigned taken = 0;
    for (cl_uint i = 0; i < count; i++) {
        struct device *d = object_of(list[i], OBJECT_DEVICE);
        bool is_there = false;
        if (d == NULL) return info_fail(error, CL_INVALID_DEVICE);
        for (unsigned k = 0; k < taken; k++) is_there = is_there || devices[k] == d;
        if (!is_there) devices[taken++] = d;
    }
    struct context *c = create(properties, property_count, taken, devices, &code);
    return return_handle(c, notify, data, error, code);
}

/* Keeps the devices that can be opened; there must be at least one. */
static cl_int select_available(unsigned *count, struct device **devices) {
    unsigned kept = 0;
    cl_int error = CL_DEVICE_NOT_AVAILABLE;
    for (unsigned i = 0; i < *count; i++) {
        error = device_open(devices[i]);
        if (error == CL_SUCCESS) devices[kept++] = devices[i];
        if (error == CL_OUT_OF_HOST_MEMORY) return error;
    }
    *count = kept;
    return kept > 0 ? CL_SUCCESS : error;
}

cl_context CL_API_CALL api_clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                                                   notify_function notify, void *data, cl_int *error) {
    struct device *devices[DEVICES_MAX];
    size_t property_count;
    unsigned count;
    cl_int code = check_properties(properties, &property_count);
    if (code != CL_SUCCESS) return info_fail(error, code);
    if (notify == NULL && data != NULL) return info_fail(error, CL_INVALID_VALUE);
    const struct platform *p = platform_get();
    if (p == NULL) return info_fail(error, CL_OUT_OF_HOST_MEMORY);
    code = platform_select(p, type, devices, &count);
    if (code == CL_SUCCESS) code = select_available(&count, devices);
    if (code != CL_SUCCESS) return info_fail(error, code);
    struct context *c = create(properties, property_count, count, devices, &code);
    return return_handle(c, notify, data, error, code);
}

/* ---- calls ---- */

cl_int CL_API_CALL api_clRetainContext(cl_context context) {
    return object_retain(context, OBJECT_CONTEXT, CL_INVALID_CONTEXT);
}

cl_int CL_API_CALL api_clReleaseContext(cl_context context) {
    return object_release(context, OBJECT_CONTEXT, CL_INVALID_CONTEXT);
}

cl_int CL_API_CALL api_clGetContextInfo(cl_context context, cl_context_info name, size_t room, void *value,
                                        size_t *size) {
    const struct context *c = object_of(context, OBJECT_CONTEXT);
    const struct info to = {room, value, size};
    cl_device_id devices[DEVICES_MAX];
    if (c == NULL) return CL_INVALID_CONTEXT;
    switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT: return info_uint(to, object_references(c));
    case CL_CONTEXT_NUM_DEVICES: return info_uint(to, c->device_count);
    case CL_CONTEXT_DEVICES:
        for (unsigned i = 0; i < c->device_count; i++) devices[i] = object_handle(c->devices[i]);
        return info_bytes(to, devices, c->device_count * sizeof(cl_device_id));
    case CL_CONTEXT_PROPERTIES: return info_bytes(to, c->properties, c->property_count * sizeof *c->properties);
    default: return CL_INVALID_VALUE;
    }
}

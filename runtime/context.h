/* SPDX-License-Identifier: Apache-2.0 */
/* A context: devices, the callback for errors, and the lock of all its events. */
#ifndef WARPSTEP_RUNTIME_CONTEXT_H
#define WARPSTEP_RUNTIME_CONTEXT_H

#include <pthread.h>

#include "device.h"

struct context {
    struct object object;
    struct device *devices[DEVICE_MOST];
    unsigned device_count;
    cl_context_properties *properties; /* as given, with the 0; NULL: none */
    size_t property_count;
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
    void *notify_data;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* some event has */
    unsigned programs;      /* so far; under the lock */
};

/* The device's place in the context; -1 where it has none. */
int context_find(const struct context *c, const struct device *d);

/* Tells the application, in the words of printf, and standard error where `aloud`. */
void context_tell(struct context *c, bool aloud, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The devices that a list of the application names: all where it is empty. CL_INVALID_VALUE, CL_INVALID_DEVICE. */
cl_int context_take_devices(const struct context *c, cl_uint count, const cl_device_id *list,
                            struct device *devices[DEVICE_MOST], unsigned *device_count);

/* In the child of a fork: a thread may have waited for a change. */
void context_inherit(void *context);

#endif

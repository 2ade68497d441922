/* SPDX-License-Identifier: Apache-2.0 */
/* A context: its devices, its error callback, and the lock of all its events. */
#ifndef WARPSTEP_RUNTIME_CONTEXT_H
#define WARPSTEP_RUNTIME_CONTEXT_H

#include <pthread.h>

#include "device.h"

struct context {
    struct object object;
    struct device *devices[DEVICES_MAX];
    unsigned device_count;
    cl_context_properties *properties; /* as given, with the terminating 0; or NULL */
    size_t property_count;
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
    void *notify_data;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* some event has changed */
    unsigned programs;      /* number so far; protected by the lock */
};

/* Returns the index of the device in the context, or -1. */
int context_find(const struct context *c, const struct device *d);

/* Reports a formatted message to the application, and on standard error if `aloud`. */
void context_report(struct context *c, bool aloud, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns the devices of the application's list; all if it is empty. Errors: CL_INVALID_VALUE, CL_INVALID_DEVICE. */
cl_int context_select_devices(const struct context *c, cl_uint count, const cl_device_id *list,
                              struct device *devices[DEVICES_MAX], unsigned *device_count);

/* In the child of a fork: renews the condition, because a thread may have waited on it. */
void context_after_fork(void *context);

#endif

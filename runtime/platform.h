/* SPDX-License-Identifier: Apache-2.0 */
/* The platform and its devices: those of WARPSTEP_DEVICES, engine texts separated by commas, by default `model`.
 * They live from the first call to the end of the process. */
#ifndef WARPSTEP_RUNTIME_PLATFORM_H
#define WARPSTEP_RUNTIME_PLATFORM_H

#include "device.h"

struct platform {
    struct object object;
    struct device *devices[DEVICES_MAX];
    unsigned device_count;
};

#define PLATFORM_PROFILE "EMBEDDED_PROFILE"
#define PLATFORM_VENDOR  "Warpstep"

/* Returns NULL if memory is exhausted. */
struct platform *platform_get(void);

/* Converts a handle of an API call: NULL stands for our only platform. Returns NULL for an invalid handle. */
struct platform *platform_of(cl_platform_id platform);

/* Selects the devices of a type. Returns CL_INVALID_DEVICE_TYPE if the type is invalid. */
cl_int platform_select(const struct platform *p, cl_device_type type, struct device *devices[DEVICES_MAX],
                       unsigned *count);

#endif

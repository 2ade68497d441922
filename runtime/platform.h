/* SPDX-License-Identifier: Apache-2.0 */
/* The platform and its devices, as many as WARPSTEP_DEVICES names: engine texts with commas between them, by default
 * `model`. They belong to the process, from the first call on. */
#ifndef WARPSTEP_RUNTIME_PLATFORM_H
#define WARPSTEP_RUNTIME_PLATFORM_H

#include "device.h"

struct platform {
    struct object object;
    struct device *devices[DEVICE_MOST];
    unsigned device_count;
};

#define PLATFORM_PROFILE "EMBEDDED_PROFILE"
#define PLATFORM_VENDOR  "Warpstep"

/* NULL: memory is out. */
struct platform *platform_get(void);

/* As API calls have it: NULL stands for the only one there is; NULL for a handle that is none. */
struct platform *platform_of(cl_platform_id platform);

/* Whether a device is of one of these types. CL_INVALID_DEVICE_TYPE where there is no such type. */
cl_int platform_select(const struct platform *p, cl_device_type type, struct device *devices[DEVICE_MOST],
                       unsigned *count);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL's functions as this library implements them: api_clCreateBuffer has the type of clCreateBuffer, and is
 * called through the dispatch table at the start of each object. The loader exports OpenCL's own names. */
#ifndef WARPSTEP_RUNTIME_API_H
#define WARPSTEP_RUNTIME_API_H

#include "cl.h"

#define API(name)   extern __typeof__(name) api_##name;
#define LATER(name) extern __typeof__(name) api_##name;
#include "api.def"
#undef API
#undef LATER

/* The dispatch table. */
extern const struct _cl_icd_dispatch api_dispatch;

/* Returns the address of a function by its name; NULL if unknown. */
void *api_find(const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of OpenCL as this library has them: api_clCreateBuffer has the type of clCreateBuffer, and is reached
 * through the dispatch table that each object begins with. The names of OpenCL belong to the loader. */
#ifndef WARPSTEP_RUNTIME_API_H
#define WARPSTEP_RUNTIME_API_H

#include "cl.h"

#define API(name)   extern __typeof__(name) api_##name;
#define LATER(name) extern __typeof__(name) api_##name;
#include "api.def"
#undef API
#undef LATER

/* The table of all of them. */
extern const struct _cl_icd_dispatch api_dispatch;

/* The address of a call by its name; NULL where there is none. */
void *api_find(const char *name);

#endif

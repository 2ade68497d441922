/* SPDX-License-Identifier: Apache-2.0 */
/* Lets C++ include headers of the library: declarations between these two macros have C linkage. names.h gives them the
 * library's prefix. */
#ifndef WARPSTEP_LINKAGE_H
#define WARPSTEP_LINKAGE_H

#include "names.h"

#ifdef __cplusplus
#define C_LINKAGE_BEGIN extern "C" {
#define C_LINKAGE_END   }
#else
#define C_LINKAGE_BEGIN
#define C_LINKAGE_END
#endif

#endif

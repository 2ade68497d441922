/* SPDX-License-Identifier: Apache-2.0 */
/* Headers of the library can be included by C++: what stands between these two has C's names there. names.h gives them
 * the library's prefix. */
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

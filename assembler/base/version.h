/* SPDX-License-Identifier: Apache-2.0 */
/* The version that the tools print. */
#ifndef WARPSTEP_VERSION_H
#define WARPSTEP_VERSION_H

#define WARPSTEP_VERSION "0.1.0"

#endif

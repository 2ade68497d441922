/* SPDX-License-Identifier: Apache-2.0 */
/* Compilation in two runs of clang. In OpenCL C functions have external linkage unless the source says static, so LLVM
 * optimises and writes also those that no kernel calls: in a source with a library, most of its time and of the PTX.
 * Between the runs they become internal. */
#ifndef WARPSTEP_CC_DRIVER_SPLIT_H
#define WARPSTEP_CC_DRIVER_SPLIT_H

/* Sources and objects of more bytes, or a source that includes files, are compiled in two runs: the second costs
 * about 30 ms. */
enum { DRIVER_SPLIT_BYTES = 1 << 16 };

/* Makes all functions of an LLVM text internal that are no kernels. */
void driver_make_internal(char *ir);

#endif

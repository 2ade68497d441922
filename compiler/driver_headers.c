/* SPDX-License-Identifier: Apache-2.0 */
/* Headers for sources, see driver_headers.h. */
#include "driver_headers.h"

#define OPENCL_ID(name, x, y, z, other)                                                                            \
    "static inline __attribute__((always_inline, nodebug, overloadable, const)) unsigned " name "(unsigned d) {\n" \
    "    return d == 0 ? " x " : d == 1 ? " y " : d == 2 ? " z " : " other ";\n}\n"

/* LLVM 14 moves loads of a shared variable over intrinsics, also over barriers and fences, if it sees all accesses to
 * the variable; not over this. */
#define WARP_IN_ORDER "#define WARP_IN_ORDER __asm__ volatile(\"\" ::: \"memory\");\n"

const char *const driver_opencl_header[] = {
    "# 1 \"" DRIVER_HEADER_NAME "\" 3\n" /* 3: a system header, without warnings */,
    OPENCL_ID("get_local_id", "__nvvm_read_ptx_sreg_tid_x()", "__nvvm_read_ptx_sreg_tid_y()",
              "__nvvm_read_ptx_sreg_tid_z()", "0"),
    OPENCL_ID("get_local_size", "__nvvm_read_ptx_sreg_ntid_x()", "__nvvm_read_ptx_sreg_ntid_y()",
              "__nvvm_read_ptx_sreg_ntid_z()", "1"),
    /* Values of a launch that is a part of a range, see compiler.h; otherwise those of the whole range. */
    "#ifdef __WARPSTEP_RANGE__\nextern __constant unsigned warp_range[17];\n",
    "#define WARP_RANGE(word, alone) warp_range[word]\n#else\n#define WARP_RANGE(word, alone) (alone)\n#endif\n",
    OPENCL_ID("get_group_id", "__nvvm_read_ptx_sreg_ctaid_x() + WARP_RANGE(0, 0)",
              "__nvvm_read_ptx_sreg_ctaid_y() + WARP_RANGE(1, 0)", "WARP_RANGE(2, 0)", "0"),
    OPENCL_ID("get_num_groups", "WARP_RANGE(6, __nvvm_read_ptx_sreg_nctaid_x())",
              "WARP_RANGE(7, __nvvm_read_ptx_sreg_nctaid_y())", "WARP_RANGE(8, 1)", "1"),
    OPENCL_ID("get_global_offset", "WARP_RANGE(9, 0)", "WARP_RANGE(10, 0)", "WARP_RANGE(11, 0)", "0"),
    OPENCL_ID("get_global_id",
              "__nvvm_read_ptx_sreg_ctaid_x() * get_local_size(0) + get_local_id(0) + WARP_RANGE(3, 0)",
              "__nvvm_read_ptx_sreg_ctaid_y() * get_local_size(1) + get_local_id(1) + WARP_RANGE(4, 0)",
              "get_local_id(2) + WARP_RANGE(5, 0)", "0"),
    OPENCL_ID("get_global_size", "WARP_RANGE(12, get_num_groups(0) * get_local_size(0))",
              "WARP_RANGE(13, get_num_groups(1) * get_local_size(1))", "WARP_RANGE(14, get_local_size(2))", "1"),
    WARP_IN_ORDER "static inline __attribute__((always_inline, nodebug, overloadable)) void barrier(unsigned flags) { "
                  "WARP_IN_ORDER __syncthreads(); WARP_IN_ORDER }\n",
    NULL,
};

const char *const driver_cuda_header[] = {
    ("# 1 \"" DRIVER_HEADER_NAME "\" 3\n"), /* 3: a system header, without warnings */
    "#define __global__ __attribute__((global))\n#define __device__ __attribute__((device))\n",
    "#define __host__ __attribute__((host))\n#define __shared__ __attribute__((shared))\n",
    "#define __constant__ __attribute__((constant))\n#define __forceinline__ inline __attribute__((always_inline))\n",
    "#define __restrict__ __restrict\n",
    "#define __noinline__ __attribute__((noinline))\n#define __launch_bounds__(...)\n",
    "#define __align__(n) __attribute__((aligned(n)))\n#define __inline__ inline\n#define __managed__ __device__\n",
    "#define __CUDACC__ 1\n#define __grid_constant__\n#define __builtin_align__ __align__\n",
    (WARP_IN_ORDER "static __device__ inline __attribute__((always_inline, nodebug)) void __warp_syncthreads() {\n"),
    "    WARP_IN_ORDER __syncthreads(); WARP_IN_ORDER }\n#define __syncthreads __warp_syncthreads\n",
    "typedef __SIZE_TYPE__ size_t;\nstruct uint3;\nstruct dim3;\n",
    "struct __warp_tid { __device__ inline operator uint3() const; __device__ inline operator dim3() const;\n",
    "    __declspec(property(get = gx)) unsigned x; __declspec(property(get = gy)) unsigned y;\n",
    "    __declspec(property(get = gz)) unsigned z;\n",
    "    static __device__ inline __attribute__((nodebug)) unsigned gx() { return __nvvm_read_ptx_sreg_tid_x(); }\n",
    "    static __device__ inline __attribute__((nodebug)) unsigned gy() { return __nvvm_read_ptx_sreg_tid_y(); }\n",
    "    static __device__ inline __attribute__((nodebug)) unsigned gz() { return __nvvm_read_ptx_sreg_tid_z(); } };\n",
    "struct __warp_ctaid { __device__ inline operator uint3() const; __device__ inline operator dim3() const;\n",
    "    __declspec(property(get = gx)) unsigned x; __declspec(property(get = gy)) unsigned y;\n",
    "    __declspec(property(get = gz)) unsigned z;\n",
    "    static __device__ inline __attribute__((nodebug)) unsigned gx() { return __nvvm_read_ptx_sreg_ctaid_x(); }\n",
    "    static __device__ inline __attribute__((nodebug)) unsigned gy() { return __nvvm_read_ptx_sreg_ctaid_y(); }\n",
    "    static __device__ inline __attribute__((nodebug)) unsigned gz() { return 0; } };\n",
    "struct __warp_ntid { __device__ inline operator uint3() const; __device__ inline operator dim3() const;\n",
    "    __declspec(property(get = gx)) unsigned x; __declspec(property(get = gy)) unsigned y;\n",
    "    __declspec(property(get = gz)) unsigned z;\n",
    "    static __device__ inline __attribute__((nodebug)) unsigned gx() { return __nvvm_read_ptx_sreg_ntid_x(); }\n",
    "    static __device__ inline __attribute__((nodebug)) unsigned gy() { return __nvvm_read_ptx_sreg_ntid_y(); }\n",
    "    static __device__ inline __attribute__((nodebug)) unsigned gz() { return __nvvm_read_ptx_sreg_ntid_z(); }\n",
    "};\n",
    "struct __warp_nctaid { __device__ inline operator uint3() const; __device__ inline operator dim3() const;\n",
    "    __declspec(property(get = gx)) unsigned x; __declspec(property(get = gy)) unsigned y;\n",
    "    __declspec(property(get = gz)) unsigned z;\n",
    "    static __device__ inline __attribute__((nodebug)) unsigned gx() { return __nvvm_read_ptx_sreg_nctaid_x(); }\n",
    "    static __device__ inline __attribute__((nodebug)) unsigned gy() { return __nvvm_read_ptx_sreg_nctaid_y(); }\n",
    "    static __device__ inline __attribute__((nodebug)) unsigned gz() { return 1; } };\n",
    "extern __device__ const __attribute__((weak)) __warp_tid threadIdx;\n",
    "extern __device__ const __attribute__((weak)) __warp_ctaid blockIdx;\n",
    "extern __device__ const __attribute__((weak)) __warp_ntid blockDim;\n",
    "extern __device__ const __attribute__((weak)) __warp_nctaid gridDim;\n",
    NULL,
};

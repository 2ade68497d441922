# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts here, in the tree's root: finds implementations of OpenCL, and a Python with pyopencl.
#
#     on_warpstep COMMAND...     with ours alone, built but not installed
#     on_pocl COMMAND...         with pocl alone
#     $pocl, $python             empty if missing
warpstep=$PWD/build/opencl
pocl=$(compgen -G '/etc/OpenCL/vendors/pocl*.icd' | head -n 1)
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import numpy, pyopencl' 2> /dev/null; then
        python=$candidate
        break
    fi
done

on_warpstep() { OCL_ICD_VENDORS=$warpstep "$@"; }
# The first work-group size that pocl sees for a kernel triggers compilation; its cache lives for this run alone.
on_pocl() { OCL_ICD_VENDORS=$pocl POCL_CACHE_DIR=$work/pocl "$@"; }

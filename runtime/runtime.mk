# SPDX-License-Identifier: Apache-2.0
# Kernels that other programs launch. The library has the engines, runtime/engine*.c.

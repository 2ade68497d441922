#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The newest installed clang, by its path; exits 1 if there is none. Debian names it by its version, clang-14, and has
# the plain name in a separate package.
#
#     testbench/toolchain/clang.sh clang|clang++
newest=$(compgen -c "$1-" | grep -xE "clang(\+\+)?-[0-9]+" | sort -Vu | tail -n 1)
command -v "${newest:-$1}"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# clang. Where there is none, its output is an empty file that does not run, at which run.sh skips the target.
clang=$("$(dirname "$0")/../toolchain/clang.sh" clang) && exec "$clang" "$@"
while [ $# -gt 0 ]; do
    [ "$1" != -o ] || { : > "$2" && exit; }
    shift
done

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs threads.c under the thread sanitizer, whose reports make it fail. Prints TAP.
#
#     testbench/robust/threads.sh build/testbench/robust/threads KERNEL.sass ...
set -u
cd "$(dirname "$0")/../.." || exit 2
# The sanitizer of gcc 12 cannot map its shadow if the kernel randomises 32 bits of addresses.
fixed=()
setarch -R true 2> /dev/null && fixed=(setarch -R)
TSAN_OPTIONS=halt_on_error=0:exitcode=66 exec ${fixed[@]+"${fixed[@]}"} "$@"

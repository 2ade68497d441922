#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The installed libraries export to the linker exactly the declarations of their headers, with the library's prefix.
# Prints TAP.
set -u
cd "$(dirname "$0")/.." || exit 2
declared=$(sed -n 's/^#pragma redefine_extname .* //p' assembler/base/names.h | sort)
number=0 failed=0
shows() { # LIBRARY OPTION...
    number=$((number + 1))
    local shown verdict=ok
    shown=$(nm "${@:2}" --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort)
    [ "$shown" = "$declared" ] || { verdict="not ok" && failed=1; }
    echo "$verdict $number - $1"
    [ "$verdict" = ok ] || diff <(echo "$declared") <(echo "$shown") |
        sed -n 's/^</# not there:/p; s/^>/# not declared:/p'
}
shows build/export/libwarpstep.so -D
shows build/export/libwarpstep.a -g
declared='clGetExtensionFunctionAddress
clIcdGetPlatformIDsKHR' # entry points of OpenCL loaders
shows build/libwarpstep-opencl.so -D
echo "1..$number"
exit $failed

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The libraries that are installed show the linker what their headers declare: all of it, with the library's prefix, and
# nothing else. Prints TAP.
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
clIcdGetPlatformIDsKHR' # what loaders of OpenCL ask for
shows build/libwarpstep-opencl.so -D
echo "1..$number"
exit $failed

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The layout of C and C++: that of clang-format 14, as later versions lay some lines out otherwise; and no braces around
# one arm of an if alone, which clang-format does not add.
#
#     testbench/check_format.sh FILE...
[ $# -gt 0 ] || { echo "usage: testbench/check_format.sh FILE..." >&2; exit 2; }
if clang-format --version | grep -q 'version 14\.'; then
    clang-format --dry-run -Werror "$@" || exit 1
else
    echo "$0: not checked without clang-format 14"
fi
! grep -nE '\} else$|\} else [^{]*;$|^ *else\b.*\{$' "$@"

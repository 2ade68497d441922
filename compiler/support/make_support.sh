#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes float.ptx of float.c with clang 14 (WARPSTEP_CLANG names another), and so on for each C file here. With `check`
# compares instead.
set -u
cd "$(dirname "$0")" || exit 2
clang=${WARPSTEP_CLANG:-clang-14}
code=0
for source in *.c; do
    made=$({
        echo '// SPDX-License-Identifier: Apache-2.0'
        echo "// Made of $source by make_support.sh."
        "$clang" -cc1 -triple nvptx-- -O2 -S -x c "$source" -o - | sed -e 's,//.*,,' -e 's/[[:space:]]*$//' -e '/^$/d'
    })
    if [ "${1-}" = check ]; then
        diff -u "${source%.c}.ptx" - <<< "$made" || code=1
    else
        cat <<< "$made" > "${source%.c}.ptx"
    fi
done
exit $code

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The committed files that are generated, by generated.tsv: one that would say the same keeps its time.
#
#     share/generated.sh check|write [FILE...] [< LIST OF PUBLIC HEADERS]     all files, or these
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 2
mode=${1:?usage: share/generated.sh check|write [FILE...]}
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || cat > "$work/headers"
code=0
while IFS=$'\t' read -r file command; do
    [[ $file != '#'* ]] || continue
    [ $# -eq 0 ] || [[ " $* " = *" $file "* ]] || continue
    bash -o pipefail -c "${command/HEADERS/"$work/headers"}" < /dev/null > "$work/new" ||
        { echo "$file is not written" >&2; exit 1; }
    if [ "$mode" = check ]; then
        diff -u "$file" "$work/new" || code=1
    else
        cmp -s "$file" "$work/new" || cp "$work/new" "$file"
    fi
done < share/generated.tsv
exit $code

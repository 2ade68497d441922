#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks programs into a folder: N.ptx, N.in, N.args, and N.out, the chip's output. The archive has only checksums of
# N.out; the interpreter computes it again. Reports differences from the chip's output, and exits 1.
#
#     golden/silicon/ptx/unpack.sh given|drawn FOLDER        after make build/golden/ptx/run
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 2
root=$here/../../..
mkdir -p "$2" && tar xf "$here/$1.tar.xz" -C "$2" && cd "$2" || exit 2
printf '%s\n' *.args | xargs -P 2 -I{} sh -c 'n={}; n=${n%.args}; "$0" "$n.ptx" --tables "$1" $(cat "$n.args") &&
    mv "$n.got" "$n.out"' "$root/build/golden/ptx/run" "$root/golden/float/sfu-tables.csv" 2>&1 | grep -v 'note: '
sha256sum --check --quiet "$here/$1.sha256" 2>&1

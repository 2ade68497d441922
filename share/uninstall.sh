#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Removes the files that a folder has, for `make uninstall`, and the folders of Warpstep that are empty then. Folders
# that others use, too, stay; below a DESTDIR they go, too.
#
#     share/uninstall.sh FOLDER [DESTDIR]
set -eu
to=$(realpath -m "${2:-/}")
cd "$1"
find . -type f -o -type l | while read -r file; do rm -f "$to/$file"; done
[ "$to" != / ] && ours='*' || ours='*/warpstep*'
find . -mindepth 1 -depth -type d -path "$ours" | while read -r folder; do
    [ ! -d "$to/$folder" ] || rmdir --ignore-fail-on-non-empty "$to/$folder"
done

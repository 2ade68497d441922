#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian packages of what is committed, in a copy of it, into build/deb; lintian, where it is installed,
# finds no error in them.
#
#     share/deb.sh                      in this system
#     share/deb.sh SUITE [MIRROR ...]   in a new, minimal one that mmdebstrap makes: which Debian, from where
set -eu
cd "$(dirname "$0")/.."
suite=${1-}
place=$PWD/build/deb
version=$(sed -n 's/.*WARPSTEP_VERSION "\(.*\)"/\1/p' assembler/base/version.h)
[ "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" = "$version" ] ||
    { echo "debian/changelog is not about $version, which assembler/base/version.h says" >&2; exit 2; }
rm -rf "$place"
mkdir -p "$place"
git archive --prefix="warpstep-$version/" HEAD | tar -x -C "$place"
build="cd warpstep-$version && dpkg-buildpackage -us -uc -b"
if [ -z "$suite" ]; then
    (cd "$place" && eval "$build")
else
    # What builds there is owned by root there; only the packages come back.
    mmdebstrap --variant=buildd --include=debhelper,libedit-dev,libelf-dev,opencl-c-headers,libcmocka-dev,libjansson-dev \
        --customize-hook="copy-in '$place/warpstep-$version' /srv" \
        --customize-hook="chroot \"\$1\" sh -c 'cd /srv && $build'" \
        --customize-hook="sync-out /srv '$place'" "$suite" /dev/null "${@:2}"
fi
if command -v lintian > /dev/null; then
    lintian --allow-root --fail-on error "$place"/*.changes
else
    echo "deb: lintian is not installed, the packages are not checked" >&2
fi
ls "$place"/*.deb

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs what README tells a stranger to, `make demo` and `make test`, on a clone of what is committed, in a new Debian
# that has git and make and nothing more; mmdebstrap makes it and removes it again. Prints the last lines of both, which
# build/distro/SUITE/ has whole, and exits 1 if one of them failed. It takes half an hour on two processors, and 5 GB.
#
#     share/distro.sh SUITE [MIRROR ...]      which Debian (bookworm, trixie), from where
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { sed -n 's/^# \{4,\}//p' "$0" >&2; exit 2; }
suite=$1
command -v mmdebstrap > /dev/null || { echo "distro: mmdebstrap is not installed" >&2; exit 2; }
place=$PWD/build/distro/$suite
rm -rf "$place"
mkdir -p "$place"
git bundle create -q "$place/warpstep.bundle" HEAD

# In the new system: both commands, each with its log and its exit code.
cat > "$place/stranger.sh" << 'END'
mkdir /srv/said
git clone -q /srv/warpstep.bundle /srv/warpstep && cd /srv/warpstep || exit 1
. /etc/os-release
echo "Debian $VERSION_ID" > /srv/said/system
for goal in demo test; do
    make $goal > /srv/said/$goal.log 2>&1 < /dev/null
    echo $? > /srv/said/$goal.code
done
dpkg-query -W -f '${Package} ${Version}\n' ghdl-llvm verilator yosys gcc 'clang-[0-9]*' > /srv/said/tools 2>&1 ||
    echo 'packages are missing' >> /srv/said/tools
END
# What runs there is owned by root there; only what was said comes back.
mmdebstrap --variant=minbase --include=git,make,ca-certificates \
    --customize-hook="copy-in '$place/warpstep.bundle' '$place/stranger.sh' /srv" \
    --customize-hook='env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$1" sh /srv/stranger.sh' \
    --customize-hook="sync-out /srv/said '$place'" "$suite" /dev/null "${@:2}" > "$place/mmdebstrap.log" 2>&1 ||
    { tail -n 20 "$place/mmdebstrap.log" >&2; exit 2; }

failed=0
echo "$(< "$place/system"): $(paste -sd , "$place/tools" | sed 's/,/, /g')"
for goal in demo test; do
    code=$(< "$place/$goal.code")
    echo "make $goal: exit $code"
    tail -n 5 "$place/$goal.log" | sed 's/^/    /'
    [ "$code" -eq 0 ] || failed=1
done
exit $failed

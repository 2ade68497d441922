#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is built, for `make install`: tools with their pages, library, headers, examples, and the simulations
# that there are. Headers keep their folders, by which they include each other: #include <warpstep/cmodel/model.h>.
#
#     PREFIX=DIR LIBDIR=DIR ICDDIR=DIR [DESTDIR=DIR] SONAME=NAME OPENCL=FILE share/install.sh TOOL... < LIST OF HEADERS
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/.*WARPSTEP_VERSION "\(.*\)"/\1/p' assembler/base/version.h)
prefix=${DESTDIR-}$PREFIX libdir=${DESTDIR-}$LIBDIR
[[ $prefix = /* ]] || prefix=$PWD/$prefix
examples=$prefix/share/doc/warpstep/examples man=$prefix/share/man/man1
completions=$prefix/share/bash-completion/completions
install -d "$prefix"/{bin,include/warpstep} "$libdir/pkgconfig" "$examples" "$man" "$completions"
for tool in "$@"; do
    install "build/bin/$tool" "$prefix/bin"
    "build/bin/$tool" --help | awk -v version="$version" -f share/man.awk > "$man/$tool.1"
    install -m 644 share/completion.bash "$completions/$tool"
done
install -m 644 build/export/libwarpstep.a "$libdir"
install -m 644 build/export/libwarpstep.so "$libdir/$SONAME"
ln -sf "$SONAME" "$libdir/libwarpstep.so"
install -m 644 -D "$OPENCL" "$libdir/warpstep/${OPENCL##*/}"
install -d "${DESTDIR-}$ICDDIR"
echo "$(realpath -m "$LIBDIR")/warpstep/${OPENCL##*/}" > "${DESTDIR-}$ICDDIR/warpstep.icd"
shopt -s nullglob
simulations=(build/sim/libsim-verilator-*.so)
[ ! -f build/sim/ghdl/built ] || simulations+=(build/sim/libsim-ghdl.so build/sim/libwarpstep-*.so build/sim/ghdl)
for simulation in "${simulations[@]#build/sim/}"; do
    (cd build/sim && find "$simulation" -type f ! -name '*.[od]' -exec install -D {} "$prefix/lib/warpstep/{}" \;)
done
while read -r header; do install -m 644 -D "$header" "$prefix/include/warpstep/$header"; done
cp -R kernels/apps/{vecadd.sass,reduce.sass,reduce} web/kernels/divergence.sass checker/port/example/five.sass \
    share/examples/{README.md,fives.sass} "$examples"
for example in share/examples/*.c checker/port/example/tiny_core.c; do
    sed -f share/installed.sed $example > "$examples/${example##*/}"
done
cat > "$libdir/pkgconfig/warpstep.pc" << END
prefix=$PREFIX
libdir=$LIBDIR
Name: warpstep
Description: sm_10 golden model and lockstep checker
Version: $version
Requires.private: libelf
Cflags: -I\${prefix}/include
Libs: -L\${libdir} -lwarpstep
END

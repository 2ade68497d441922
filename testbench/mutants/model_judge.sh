#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the C library with one mutant in it (a line of DIR/model.list; 0: none) and runs tests until one fails; appends
# a line to DIR/model.tsv like judge.c to netlist.tsv. The layer is
#
#     build      it does not compile
#     unit       C unit tests of cmodel/ and checker/
#     sanitized  the same, with the mutant's file built with sanitizers; and with too little memory
#     directed   warp-run on directed kernels: memory differs from their expectation, or they end wrongly
#     lockstep   a difference from the RTL on the same kernels
#     random     and on random kernels
#     none       none of them
#
#     testbench/mutants/model_judge.sh DIR NUMBER      LIB_OBJ: the objects of the library; DIR/dynamic has the
#                                                   tests and tools, which load it as a shared object; WRAP: linker
#                                                   options that give the test of too little memory its calls
set -u
dir=$1 number=$2
most=${MOST:-1000} # kernels in lockstep, of a layer
here=$(dirname "$0")
mutant=$(sed -n "s/^$number	//p" "$dir/model.list")
key=${mutant%%	*}
file=${key%%:*}
work=$dir/model/$number
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
layer=none by=-

verdict() { # LAYER BY
    printf '%s\t%s\t%s\t-\t-\t1000\n' "$number" "$1" "$2" >> "$dir/model.tsv"
    exit 0
}
limited() { (ulimit -t 20; LD_LIBRARY_PATH=$work timeout 600 "$@" 2>&1); }

if [ "$number" = 0 ]; then # without a mutant everything must pass
    mutant=none file=cmodel/load.c
    cp $file "$work"
else
    build/testbench/mutants/source -m "$key" "$file" > "$work/${file##*/}" || exit 2
fi
read -ra objects <<< "$LIB_OBJ"
# The mutant is in one source, or, for a header, in all of cmodel/: then a copy of that folder is built.
if [[ $file = *.h ]]; then
    mkdir -p "$work/tree"
    ln -s "$PWD"/{assembler,golden,spec,testbench} "$work/tree"
    cp -r cmodel "$work/tree"
    mv "$work/${file##*/}" "$work/tree/$file"
    mapfile -t mutated < <(printf '%s\n' "${objects[@]}" | grep '^build/cmodel/')
else
    mutated=("build/${file%.c}.o")
fi
compile() { # FLAGS...
    local object source
    for object in "${mutated[@]}"; do
        source=${object##*/}
        [[ $file = *.c ]] || source=tree/${object#build/}
        ${CC:-gcc} -std=c11 -D_GNU_SOURCE= -O1 -fPIC -w "$@" -I. -iquote "$(dirname "$file")" \
            -c "$work/${source%.o}.c" -o "$work/${object##*/}" 2> /dev/null || return
    done
}
link_library() { # FLAGS...
    ${CC:-gcc} -shared "$@" -Wl,-soname,libwarpstep.so -o "$work/libwarpstep.so" "$work"/*.o \
        $(printf '%s\n' "${objects[@]}" | grep -vxF "$(printf '%s\n' "${mutated[@]}")") -lelf || exit 2
}
compile || verdict build compiler
link_library

# Tests that caught most other mutants of this file come first.
ordered() { # names on stdin
    awk -F '\t' -v file="$file" '
        FILENAME ~ /list$/ { file_of[$1] = $3; next }
        FILENAME ~ /tsv$/ { caught[$3] += file_of[$1] == file ? 1000 : 1; next }
        { print -caught[$1], FNR, $1 }' "$dir/model.list" "$dir/model.tsv" - | sort -n -k 1,1 -k 2,2 | cut -d " " -f 3
}
for test in $( (cd "$dir/dynamic" && ls test_*) | ordered); do
    limited "$dir/dynamic/$test" > /dev/null || verdict unit "$test"
done

# Findings of a sanitizer in the mutant's file, and leaks anywhere.
sanitize=(-fsanitize=address,undefined -fno-sanitize-recover=all)
preload="$(${CC:-gcc} -print-file-name=libasan.so) $(${CC:-gcc} -print-file-name=libubsan.so)"
# The address sanitizer sometimes crashes if the kernel randomises many bits of addresses.
fixed=()
setarch -R true 2> /dev/null && fixed=(setarch -R)
watched() { limited env LD_PRELOAD="$preload" "${fixed[@]}" "$1" > /dev/null || verdict sanitized "${1##*/}"; }
compile "${sanitize[@]}" || exit 2
link_library "${sanitize[@]}"
for test in "$dir"/dynamic/test_*; do watched "$test"; done
link_library "${sanitize[@]}" $WRAP
watched "$dir/dynamic/short_of_memory"
compile
link_library

status_of() { sed -n 's/.*"status":"\([a-z]*\)".*/\1/p'; }
trap_of() { sed -n 's/.*"trap":{"code":\([0-9]*\).*/\1/p'; }
kernels() { awk -F '\t' -v layer="$1" '$2 == layer { print $1 }' "$dir/trials" | ordered; } # LAYER
same() { # NAME COMMAND...: true if it ends as expected
    local name=$1 output right=$dir/right/$1.json
    shift
    ! grep -q '"mismatch"' "$right" && grep -q '"status"' "$right" || return 0 # does not fit in this small memory
    output=$(limited "$@")
    [ "$(status_of <<< "$output")" = "$(status_of < "$right")" ] &&
        [ "$(trap_of <<< "$output")" = "$(trap_of < "$right")" ]
}
launch_of() { read -ra launch < <(awk -F '\t' -v name="$1" '$1 == name { print $3, $4 }' "$dir/trials"); }
for name in $(kernels directed); do
    launch_of "$name" # a kernel with its flags
    same "$name" "$dir/dynamic/warp-run" "${launch[@]}" --json || verdict directed "$name"
done
for layer in directed random; do
    for name in $(kernels $layer | head -n "$most"); do
        launch_of "$name"
        same "$name" "$dir/dynamic/warp-lockstep" "${launch[@]}" --sim "$dir/libsim-mutants.so" \
            --global-bytes 16384 --json --no-wave --silence 5000 || verdict "${layer/directed/lockstep}" "$name"
    done
done
verdict none -

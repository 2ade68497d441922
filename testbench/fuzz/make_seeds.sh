#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes the seeds that our own tools can write, from our own kernels: build/fuzz/seeds/TARGET/. Other seeds are in
# testbench/fuzz/seeds/TARGET/, and earlier failures in testbench/fuzz/found/TARGET/.
#
#     testbench/fuzz/make_seeds.sh
set -eu
cd "$(dirname "$0")/../.."
seeds=build/fuzz/seeds
bin=build/bin
rm -rf "$seeds"
mkdir -p "$seeds"/{source,listing,image,hex,cubin_text,cubin_elf,words_to_text,text_to_words,decode,launch,mif} \
    "$seeds"/{trace,machine,ptx,ptx_golden}

# A kernel in one file, without its data files: a target opens no other files.
alone() { # KERNEL
    awk -v folder="$(dirname "$1")" '
        function add(file,    line) { while ((getline line < file) > 0) if (line !~ /@/) print line }
        /^\.include/ { gsub("\"", "", $2); add(folder "/" $2); next }
        !/@/' "$1"
}

for kernel in kernels/apps/*.sass; do
    name=$(basename "$kernel" .sass)
    alone "$kernel" > "$seeds/source/$name.sass"
    $bin/warp-as -w "$seeds/source/$name.sass" -o "$seeds/image/$name.img"
    $bin/warp-as -w "$seeds/source/$name.sass" -o "$seeds/cubin_text/$name.cubin" --format cubin-text 2> /dev/null
    for dialect in 3 5; do
        $bin/warp-dis --dialect $dialect "$seeds/image/$name.img" > "$seeds/listing/$name.$dialect"
    done
    awk '/^\t*\/\*[0-9a-f]*\*\// { print substr($2, 5, 8), substr($2, 13, 8) }' "$seeds/listing/$name.3" \
        | sed 's/\*\/.*//' > "$seeds/words_to_text/$name"
    $bin/warp-dis --words < "$seeds/words_to_text/$name" > "$seeds/text_to_words/$name"
    tr ' ' '\n' < "$seeds/words_to_text/$name" > "$seeds/hex/$name.hex"
done

# One instruction of each format, as text and as words.
for kernel in kernels/formats/*.sass; do
    [ -e "$kernel" ] || continue
    $bin/warp-as -w "$kernel" -o "$seeds/format.img"
    $bin/warp-dis "$seeds/format.img" | awk '/^\t*\/\*[0-9a-f]*\*\// { print substr($2, 5, 8), substr($2, 13, 8) }' \
        | sed 's/\*\/.*//'
done | sort -u > "$seeds/words"
rm -f "$seeds/format.img"
split -l 200 "$seeds/words" "$seeds/words_to_text/format-"
for words in "$seeds"/words_to_text/*; do
    name=$(basename "$words")
    $bin/warp-dis --words < "$words" > "$seeds/text_to_words/$name"
    while read -r lo hi; do # little-endian bytes
        for word in "$lo" "${hi:-00000000}"; do
            printf "\\x${word:6:2}\\x${word:4:2}\\x${word:2:2}\\x${word:0:2}"
        done
    done < "$words" > "$seeds/decode/$name"
done
rm "$seeds/words"
build/testbench/fuzz/make_cubins "$seeds/cubin_elf"

# Traces of the model, complete, and with unreported fields.
$bin/warp-run testbench/fuzz/seeds/trace.sass --trace "$seeds/trace/whole.txt" > /dev/null 2>&1
sed -e 's/^warpstep-trace .*/&\nunreported depth\nfilled word_lo word_hi/' \
    -e 's/ \(word\|depth\)=[0-9a-f,]*//g' "$seeds/trace/whole.txt" > "$seeds/trace/less.txt"
cp checker/port/example/serial/serial.machine "$seeds/machine"
sed -n '/^    registers 64/,/^    has /s/^    //p' docs/bring-your-own-rtl.md > "$seeds/machine/page"

# PTX: small programs, and drawn ones.
cp golden/ptx/programs/*.ptx "$seeds/ptx"
build/golden/ptx/draw --seed 1 --count 24 --size 4 -o "$seeds/ptx"
find "$seeds/ptx" -type f ! -name '*.ptx' -delete
cp "$seeds"/ptx/*.ptx "$seeds/ptx_golden"
{
    sed -n 's/^PTX_OP(\(.*\))/"\1"/p' compiler/ptx/opcodes.def
    grep -o 'WORD([A-Z0-9_]*, "[A-Za-z0-9_]*")' golden/ptx/words.def | sed 's/.*"\(.*\)".*/".\1"/'
    sed -n 's/^PTX_TYPE(\([a-z0-9]*\),.*/".\1"/p' compiler/ptx/types.def
    grep -oh '"[.][a-z][a-z0-9_]*"\|"%[a-z_]*\(\.[xyz]\)\?"' compiler/ptx/*.c
} | sort -u > build/fuzz/ptx.dict

# The dictionary of text inputs: mnemonics, modifiers and directives.
{
    sed -n '2,$s/^[^,]*,[^,]*,[^,]*,\([A-Z0-9]*\),.*/"\1"/p' golden/encodings/table.csv
    cat "$seeds"/text_to_words/* | grep -o '\.[A-Z][A-Z0-9]*' | sed 's/.*/"&"/'
    grep -oh '"\.[a-z]*"' assembler/source/directive.c
} | sort -u > build/fuzz/words.dict

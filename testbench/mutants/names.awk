# SPDX-License-Identifier: Apache-2.0
# What a mutant is called, however the code around it changes: its entity, the text of its line, column and kind, and
# which of those that are like it in these it is, in the order of name_of's calls: the turn of an unrolled loop.

function text_of(file, number,    text) {
    if (!(file in length_of)) {
        length_of[file] = 0
        while ((getline text < file) > 0) line_of[file, ++length_of[file]] = text
        close(file)
    }
    return line_of[file, number]
}

# The turn is the last field. Bits that a kind changes are not in the name, as they follow from it.
function name_of(entity, place, kind,    part, name) {
    split(place, part, ":")
    sub(/:.*/, "", kind)
    name = entity "\t" text_of(part[1], part[2]) "\t" part[3] "\t" kind
    return name "\t" ++turns[name]
}

# A number below 2^31, in steps that doubles hold exactly. Multiplying by some of its own bits at the end keeps names
# that differ in their last characters apart.
function hash(text,    h, i) {
    h = 1
    for (i = 1; i <= length(text); i++)
        h = (h * 257 + index(CHARACTERS, substr(text, i, 1))) % 2147483647
    for (i = 0; i < 4; i++) h = (h * (h % 65521 + 2) + 16807) % 2147483647
    return h
}

BEGIN { for (code = 32; code < 127; code++) CHARACTERS = CHARACTERS sprintf("%c", code) }

# SPDX-License-Identifier: Apache-2.0
# Makes a manual page of what a tool says of itself:
#
#     warp-run --help | awk -v version=0.1.0 -f share/man.awk > warp-run.1
#
# The first line is the usage; then there are sentences; lines that begin with two spaces and a word are options, two
# spaces before their text, which goes on in lines that are further in. A line between them that ends in a colon is the
# heading of those below.

function escaped(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text ~ /^[.']/ ? "\\&" text : text
}

NR == 1 {
    sub(/^usage: /, "")
    tool = $1
    page = toupper(tool)
    printf ".TH %s 1 \"\" \"Warpstep %s\"\n.SH NAME\n%s \\- a tool of Warpstep, sm_10 machine code on model and RTL\n",
        page, version, escaped(tool)
    printf ".SH SYNOPSIS\n%s\n", escaped($0)
    next
}
/^[^ ].*:$/ && options {
    print ".SS " escaped(substr($0, 1, length($0) - 1))
    next
}
/^[^ ]/ {
    if (!described++) print options ? ".SH NOTES" : ".SH DESCRIPTION"
    print escaped($0)
    next
}
/^  [^ ]/ {
    if (!options++) print ".SH OPTIONS"
    sub(/^  /, "")
    at = match($0, /  +/)
    print ".TP"
    printf ".B %s\n", escaped(at ? substr($0, 1, at - 1) : $0)
    if (at) print escaped(substr($0, at + RLENGTH))
    next
}
NF > 0 {
    sub(/^ +/, "")
    print (described || options ? "" : ".br\n") escaped($0) # of the usage, a line each
}
END { print ".SH SEE ALSO\nThe pages in docs/ of Warpstep's source." }

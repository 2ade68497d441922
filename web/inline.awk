# SPDX-License-Identifier: Apache-2.0
# Inlines the style sheet and the scripts that a page names, so that it needs no other file.
#
#     awk -f web/inline.awk web/page.html web/page.css web/page.js
BEGIN {
    for (i = 2; i < ARGC; i++) {
        name = ARGV[i]
        sub(/.*\//, "", name)
        path[name] = ARGV[i]
    }
    ARGC = 2
}
function inline(tag, name,   line) {
    print "<" tag ">"
    while ((getline line < path[name]) > 0) print line
    print "</" tag ">"
}
match($0, /(href|src)="[a-z.]*"/) {
    name = substr($0, RSTART, RLENGTH - 1)
    sub(/.*"/, "", name)
    if (name in path) {
        inline(/<link/ ? "style" : "script", name)
        next
    }
}
{ print }

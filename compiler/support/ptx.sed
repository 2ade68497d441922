# SPDX-License-Identifier: Apache-2.0
# PTX to the lines of a C array: without comments, forward declarations' blank lines and labels' blanks.
s,//.*,,
s/[[:space:]]\+/ /g
s/^ //
s/ $//
/^$/d
s/\\/\\\\/g
s/"/\\"/g
s/.*/    "&\\n",/

# SPDX-License-Identifier: Apache-2.0
# A header to the lines of a C array.
s/\\/\\\\/g
s/"/\\"/g
s/.*/    "&\\n",/

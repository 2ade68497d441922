# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The known verdicts of the probes' heads for the installed ghdl, for the scripts that source this.

probes_at=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ghdl=${GHDL:-$(command -v ghdl-mcode || command -v ghdl-llvm || command -v ghdl)}
ghdl_version=$("$ghdl" --version | sed -n '1s/^GHDL \([0-9]*\).*/\1/p')

# A verdict for each tried version of ghdl, `VERSION VERDICT`: that of 2 is in the line `-- VARIANT: VERDICT`, different
# ones of later versions in `-- VARIANT with ghdl VERSION: VERDICT`.
verdicts_of() { # PROBE VARIANT
    sed -n "s/^-- $2: */2 /p; s/^-- $2 with ghdl \([0-9]*\): */\1 /p" "$probes_at/$1.vhd"
}

# The verdict for this version: that of the newest tried version that is not newer.
known_of() { # PROBE VARIANT
    verdicts_of "$@" | awk -v version="$ghdl_version" '
        NR == 1 || $1 + 0 <= version + 0 { sub(/^[0-9]+ /, ""); known = $0 }
        END { if (NR) print known }'
}

# True if this version was tried.
is_tried() { [ "$ghdl_version" = 2 ] || [ "$ghdl_version" = 5 ]; }

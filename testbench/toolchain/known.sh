# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the probes' heads say of the installed ghdl, for the scripts that source this.

probes_at=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ghdl=${GHDL:-$(command -v ghdl-mcode || command -v ghdl-llvm || command -v ghdl)}
ghdl_version=$("$ghdl" --version | sed -n '1s/^GHDL \([0-9]*\).*/\1/p')

# A verdict for each version of ghdl that was tried, `VERSION VERDICT`: that of 2 is in the line `-- VARIANT: VERDICT`,
# and what a later one does otherwise in `-- VARIANT with ghdl VERSION: VERDICT`.
verdicts_of() { # PROBE VARIANT
    sed -n "s/^-- $2: */2 /p; s/^-- $2 with ghdl \([0-9]*\): */\1 /p" "$probes_at/$1.vhd"
}

# What is known of this version: what the newest one that is not newer does.
known_of() { # PROBE VARIANT
    verdicts_of "$@" | awk -v version="$ghdl_version" '
        NR == 1 || $1 + 0 <= version + 0 { sub(/^[0-9]+ /, ""); known = $0 }
        END { if (NR) print known }'
}

# Whether this version was tried.
is_tried() { [ "$ghdl_version" = 2 ] || [ "$ghdl_version" = 5 ]; }

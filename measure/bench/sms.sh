#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures several SMs of 16 and 32 cores: a section of docs/evidence/performance.md. `make bench-sms` calls it.
set -eu
cd "$(dirname "$0")/../.."
. measure/bench/cases.sh
mkdir -p $work

measure/bench/measure.sh scaling "$CASES_SCALING" "16 32" "1 2 4" > $work/sms.tsv
cat << 'END'
## Several SMs of 16 and 32 cores

Written by `make bench-sms`; the columns are those of the table before.

END
awk -v only=scaling -f measure/bench/tables.awk $work/sms.tsv

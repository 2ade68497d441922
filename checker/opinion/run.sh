#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lies of an RTL, by the name of the field: warp-lockstep reports that the third opinion agrees with the model. The
# machine is a real one, behind a plug-in that changes its records. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
export LIAR_SIM=build/sim/libsim-verilator-C32-S1.so
liar=build/checker/opinion/liar.so
number=0 failed=0

judge() { # LIE KERNEL OPINION: the opinion in the report and in --json
    number=$((number + 1))
    local out
    out=$(LIAR=$1 build/bin/warp-lockstep "kernels/$2.sass" --sim $liar --cores 32 --no-wave --json 2>&1)
    if grep -q "the third opinion.*: $3\$" <<< "$out" && grep -q "\"third_opinion\":\"${3/has /}\"" <<< "$out"; then
        echo "ok $number - $1 in $2: $3"
    else
        echo "not ok $number - $1 in $2: not '$3'"
        sed 's/^/# /' <<< "$out"
        failed=1
    fi
}

judge dst:3 formats/T01-iadd model
judge dst:31:40 formats/T37-shr-imm model
judge c:1 formats/T66-iset model
judge exec:5 formats/T72-bra-guarded model
judge next_pc:3 formats/T72-bra-guarded model
judge next_active:2 formats/X-join model
judge depth:0 formats/X-join model
judge a:4 formats/T56-r2a model
judge addr:2 formats/T81-gst model
judge data:0 formats/T81-gst model
judge data:9 formats/X-gatom model
judge dst.1:9 formats/X-gld-gst-64 model
judge dst_reg:1 formats/T47-imad-u16-const model
judge dst:22 formats/P-fmad model
judge state:1 formats/T01-iadd model
judge trap:0 formats/T01-iadd model
judge word_lo:9 formats/T01-iadd "has none"

number=$((number + 1))
if build/bin/warp-lockstep kernels/formats/T01-iadd.sass --sim $liar --cores 32 > /dev/null; then
    echo "ok $number - without a lie they agree"
else
    echo "not ok $number - without a lie they agree" && failed=1
fi
echo "1..$number"
exit $failed

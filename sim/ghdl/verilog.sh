#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The RTL as Verilog: what `ghdl --synth` writes, in one form for all versions of it by one_form.awk, made safe by
# bit_strings.awk and complete_cases.awk, and its products small by signed_products.awk. Whoever simulates, proves,
# mutates, measures or builds the machine from Verilog has it from here, so that all of them read the same.
#
#     sim/ghdl/verilog.sh GHDL [OPTION ...] FILE.vhd ... -e ENTITY > FILE.v
set -eu -o pipefail
ghdl=$1
toolchain=$(dirname "$0")/../../testbench/toolchain
"$ghdl" --synth --std=08 --out=verilog "${@:2}" | awk -f "$toolchain/one_form.awk" |
    awk -f "$toolchain/bit_strings.awk" | awk -f "$toolchain/complete_cases.awk" |
    awk -f "$toolchain/signed_products.awk"

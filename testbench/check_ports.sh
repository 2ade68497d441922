#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No entity has more than 20 ports, but for gpu_flat, whose ports are the machine's pins.
#
#     testbench/check_ports.sh FILE.vhd...
set -o pipefail
build/sim/netlist/vhdl_tool ports "$@" | cut -f 1,2 | uniq -c | awk '$1 > 20 && $3 != "gpu_flat" {
    print $2 ": " $3 " has " $1 " ports, more than 20"
    many = 1
}
END { exit many }'

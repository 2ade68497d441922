# SPDX-License-Identifier: Apache-2.0
"""A board's row of fpga/boards/routed.tsv, from what came of its bitstream (fpga/boards/report.py).

    python3 fpga/boards/row.py BOARD "CORES=8 SMS=1 ..." < build/fpga/BOARD/report.json
"""
import json
import sys

CELLS = ("TRELLIS_COMB", "TRELLIS_FF", "MULT18X18D", "DP16KD")


def main():
    """Prints it."""
    board, generics = sys.argv[1:]
    value = dict(generic.split("=") for generic in generics.split())
    report = json.load(sys.stdin)
    used = (report["resources"].get(cell, {"used": 0})["used"] for cell in CELLS)
    print(board, value.get("CORES", 8), value.get("SMS", 1), *used, report["fmax_mhz"], sep="\t")


main()

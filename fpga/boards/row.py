# SPDX-License-Identifier: Apache-2.0
"""Puts a board's row into fpga/boards/routed.tsv, from its bitstream's report (fpga/boards/report.py).

    python3 fpga/boards/row.py BOARD "CORES=8 SMS=1 ..." build/fpga/BOARD/report.json
"""
import json
import sys

TABLE = "fpga/boards/routed.tsv"
CELLS = ("TRELLIS_COMB", "TRELLIS_FF", "MULT18X18D", "DP16KD")


def main():
    """Writes it."""
    board, generics, report_path = sys.argv[1:]
    value = dict(generic.split("=") for generic in generics.split())
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    used = [report["resources"].get(cell, {"used": 0})["used"] for cell in CELLS]
    row = [board, value.get("CORES", 8), value.get("SMS", 1), *used, report["fmax_mhz"]]
    with open(TABLE, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith(board + "\t")]
    with open(TABLE, "w", encoding="utf-8") as file:
        file.writelines(lines + ["\t".join(map(str, row)) + "\n"])


main()

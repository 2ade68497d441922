# SPDX-License-Identifier: Apache-2.0
"""What came of a bitstream, from the report of nextpnr.

    python3 fpga/boards/report.py NEXTPNR.json MHZ > report.json

report.json has fmax_mhz (of the machine's clock, as routed), target_mhz (that which the board gives it), timing_met,
and resources: of each kind of cell how many are used and available.
"""
import json
import sys


def main():
    """Reads one, writes the other."""
    path, target = sys.argv[1], float(sys.argv[2])
    with open(path, encoding="utf-8") as lines:
        report = json.load(lines)
    # Each clock must meet its own constraint; the machine's is the one nearest to the board's nominal rate.
    clocks = report["fmax"].values()
    machine = min(clocks, key=lambda clock: abs(clock["constraint"] - target))
    met = all(clock["achieved"] >= clock["constraint"] for clock in clocks) and machine["achieved"] >= target
    json.dump({
        "fmax_mhz": round(machine["achieved"], 2),
        "target_mhz": target,
        "timing_met": met,
        "resources": {kind: use for kind, use in sorted(report["utilization"].items()) if use["used"] > 0},
    }, sys.stdout, indent=2)
    print()


main()

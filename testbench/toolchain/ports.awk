# SPDX-License-Identifier: Apache-2.0
# Counts the ports of each entity in VHDL files. One that has more than 20 is named, and the exit code is 1: what goes
# from one entity to another belongs into a record. gpu_flat is free, as its ports are the pins of other tools.
#
#     awk -f ports.awk FILE.vhd...

BEGIN { MOST = 20 }
{ sub(/--.*/, "") }
/^entity / { name = $2; ports = 0; inside = 0 }
/^  port \(/ { inside = 1 }
inside && /: *(in|out|inout) / {
    list = $0
    sub(/:.*/, "", list)
    ports += split(list, names, ",")
}
/^  \);/ { inside = 0 }
/^end entity/ && ports > MOST && name != "gpu_flat" {
    printf "%s: %s has %d ports, more than %d\n", FILENAME, name, ports, MOST
    bad = 1
}
END { exit bad }

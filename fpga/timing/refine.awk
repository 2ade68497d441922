# SPDX-License-Identifier: Apache-2.0
# A small placed design for refine.sh: 48 registers far from the LUTs that read them, each LUT with its own register; a
# path that goes far away and back, through two LUTs; a carry chain over two tiles; a slice with a multiplexer; block
# RAM; a pin. Neighbours have different enables, every other tile another reset.
#
#     awk -v what=json|sdf|cells -f refine.awk       the netlist; its delays; the names of cells, in order
function cell(name, type, bel, ports, parameters) {
    names[++count] = name
    json[count] = sprintf("\"%s\":{\"type\":\"%s\",\"parameters\":{%s},\"attributes\":{\"NEXTPNR_BEL\":\"%s\"}," \
        "\"port_directions\":{},\"connections\":{%s}}", name, type, parameters, bel, ports)
}
function wire(from, to) { wires = wires sprintf("(INTERCONNECT %s %s (1:1:900))\n", from, to) }
function path(type, name, text) {
    paths = paths sprintf("(CELL (CELLTYPE \"%s\") (INSTANCE %s) %s)\n", type, name, text)
}
function register(name, bel, port, net, out, number,    ports) {
    ports = sprintf("\"%s\":[%d],\"Q\":[%d],\"CLK\":[2],\"CE\":[%d]", port, net, out, 3 + number % 2)
    if (int(number / 8) % 2) ports = ports ",\"LSR\":[5]"
    cell(name, "TRELLIS_FF", bel, ports, "\"CEMUX\":\"CE\"")
    path("TRELLIS_FF", name, sprintf("(IOPATH CLK Q (1:1:530)) (SETUPHOLD (posedge %s) (posedge CLK) (1:1:%d) (0:0:0))",
        port, port == "DI" ? 0 : 300))
}
function lut(name, bel, a, f) {
    cell(name, "TRELLIS_COMB", bel, sprintf("\"A\":[%d],\"F\":[%d]", a, f), "\"MODE\":\"LOGIC\"")
    path("TRELLIS_COMB", name, "(IOPATH A F (1:1:240))")
}
BEGIN {
    split("A B C D", slice, " ")
    for (i = 0; i < 48; i++) {
        x = int(i / 8)
        # Those of a slice share one enable: numbers two apart.
        at = slice[1 + int(i % 8 / 4) * 2 + i % 2] "." ; half = int(i % 4 / 2)
        net = 100 + 3 * i
        register("from" i, sprintf("X%d/Y10/SLICE%sFF%d", 10 + x, at, half), "M", 100 + 3 * ((i + 1) % 48) + 2, net, i)
        lut("lut" i, sprintf("X%d/Y72/SLICE%sK%d", 100 + x, at, half), net, net + 1)
        register("to" i, sprintf("X%d/Y72/SLICE%sFF%d", 100 + x, at, half), "DI", net + 1, net + 2, i)
        wire("from" i "/Q", "lut" i "/A")
        wire("lut" i "/F", "to" i "/DI")
        wire("to" (i + 1) % 48 "/Q", "from" i "/M")
    }
    lut("there", "X5/Y40/SLICEA.K0", 102, 420)
    lut("back", "X5/Y40/SLICEA.K1", 420, 421)
    register("from49", "X58/Y40/SLICEA.FF0", "M", 421, 422, 49)
    wire("to0/Q", "there/A")
    wire("there/F", "back/A")
    wire("back/F", "from49/M")
    for (i = 0; i < 16; i++) {
        cell("carry" i, "TRELLIS_COMB",
            sprintf("X%d/Y20/SLICE%s.K%d", 30 + int(i / 8), slice[1 + int(i % 8 / 2)], i % 2),
            sprintf("\"FCI\":[%d],\"FCO\":[%d]", i ? 300 + i : 0, 301 + i), "\"MODE\":\"CCU2\"")
        path("TRELLIS_COMB", "carry" i, "(IOPATH FCI FCO (1:1:70)) (IOPATH A FCO (1:1:450)) (IOPATH FCI F (1:1:440))")
        if (i) wire("carry" i - 1 "/FCO", "carry" i "/FCI")
    }
    wire("to0/Q", "carry0/A")
    wire("carry15/F", "from0/M")
    # The multiplexer is with the first LUT; M controls it.
    cell("mux0", "TRELLIS_COMB", "X70/Y60/SLICEB.K0", "\"A\":[102],\"M\":[105],\"F1\":[401],\"OFX\":[400]",
        "\"MODE\":\"LOGIC\"")
    lut("mux1", "X70/Y60/SLICEB.K1", 108, 401)
    path("TRELLIS_COMB", "mux0", "(IOPATH A OFX (1:1:240)) (IOPATH F1 OFX (1:1:200)) (IOPATH M OFX (1:1:200))")
    register("from48", "X70/Y10/SLICEA.FF0", "M", 400, 402, 48)
    wire("to0/Q", "mux0/A")
    wire("to1/Q", "mux0/M")
    wire("to2/Q", "mux1/A")
    wire("mux1/F", "mux0/F1")
    wire("mux0/OFX", "from48/M")
    cell("ram0", "DP16KD", "X13/Y22/EBR0", "\"ADA0\":[102]", "")
    cell("ram1", "DP16KD", "X60/Y46/EBR1", "\"ADA0\":[105]", "")
    cell("pin", "TRELLIS_IO", "X0/Y20/PIOA", "\"O\":[7]", "")
    if (what == "sdf") printf "(DELAYFILE (CELL (CELLTYPE \"top\") (INSTANCE )\n%s)\n%s)\n", wires, paths
    if (what == "cells") for (i = 1; i <= count; i++) {
        number = substr(names[i], match(names[i], /[0-9]|$/))
        print names[i], 3 + number % 2, int(number / 8) % 2
    }
    if (what != "json") exit
    printf "{\"modules\":{\"top\":{\"attributes\":{\"top\":1},\"cells\":{\n"
    for (i = 1; i <= count; i++) printf "%s%s\n", json[i], i < count ? "," : "}"
    print ",\"netnames\":{\"clock\":{\"bits\":[2]}}}}}"
}

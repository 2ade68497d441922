# SPDX-License-Identifier: Apache-2.0
# The picture of the machine and its lockstep, drawn from the sources: stages, in order, with the entities inside them,
# from the RTL; the compared fields from the list of a record's fields. MODEL lists the functions of the model that do
# the work of a stage. A name that its file lacks ends the script.
#
#     awk -f machine.awk > machine.svg                  in the root of the tree

function fail(what) { print "machine.awk: " what > "/dev/stderr"; failed = 1; exit 1 }
function file_has(file, pattern,   line, found, opened) {
    while ((opened = getline line < file) > 0) if (line ~ pattern) found = 1
    if (opened < 0) fail("there is no " file)
    close(file)
    return found
}

# The file of an entity, by the order of compilation.
function file_of(entity,   line) {
    if (!(entity in home)) {
        while ((getline line < "rtl/files.f") > 0)
            if (line ~ "(^|/)" entity "\\.vhd$") home[entity] = "rtl/" line
        close("rtl/files.f")
        if (!(entity in home)) fail("rtl/files.f has no " entity)
    }
    return home[entity]
}

# The entities inside an entity, in order, each once.
function inside(entity,   file, line, list, command) {
    file = file_of(entity)
    command = "build/sim/netlist/vhdl_tool instances " file
    while ((command | getline line) > 0) {
        sub(/.*\t/, "", line)
        if (!index(" " list " ", " " line " ")) list = list " " line
    }
    if (close(command) != 0) fail("no entities of " file)
    return substr(list, 2)
}

# The contents of a stage, and of its lanes. Single-port memories and pure flow control are omitted.
function inner(entity,   part, n, i, list, deeper) {
    n = split(inside(entity), part, " ")
    for (i = 1; i <= n; i++) {
        if (part[i] ~ /^(ram_1r1w|unit_moves)$/) continue
        deeper = part[i] ~ /^lane_/ ? inside(part[i]) : ""
        gsub(/ /, ", ", deeper)
        list = list " " part[i] (deeper == "" ? "" : " (" deeper ")")
    }
    return substr(list, 2)
}

# "--   sched      SELECT", one line an entity, in the first lines of sm.vhd.
function read_stages(   line, n, i) {
    while ((getline line < "rtl/sm.vhd") > 0 && line !~ /^library/) {
        if (line !~ /^--   [a-z]+ +[A-Z]/) continue
        n++
        stage[n] = names_of[n] = substr(line, 6)
        sub(/ .*/, "", stage[n])
        sub(/^[a-z]+ +/, "", names_of[n])
    }
    close("rtl/sm.vhd")
    for (i = 1; i <= n; i++)
        if (!index(" " inside("sm") " ", " " stage[i] " ")) fail("rtl/sm.vhd has no " stage[i])
    if (n < 3) fail("rtl/sm.vhd does not say its stages")
    return n
}

# Fields that must agree, with the texts of retire.def.
function read_fields(   line, part) {
    while ((getline line < "spec/retire.def") > 0)
        if (line ~ /^(SCALAR|MASK|LANES)\(.*EXACT\)/) {
            split(line, part, /[(,]/)
            fields = fields " " part[2]
            field_count++
        }
    close("spec/retire.def")
    if (field_count == 0) fail("retire.def has no fields")
}

# The model's work beside a stage: "FILE FUNCTION, FILE FUNCTION: why".
function model(entity, does, why,   part, word, i) {
    MODEL[entity] = does
    WHY[entity] = why
    for (i = split(does, part, / *, */); i > 0; i--) {
        split(part[i], word, " ")
        word[1] = (word[1] ~ /\// ? "cmodel/" : "cmodel/core/") word[1]
        if (!file_has(word[1], "(^|[^a-z_])" word[2] "[(,)]")) fail(word[1] " has no " word[2])
    }
}

function text(x, y, class, what) { printf "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", x, y, class, what }
function box(x, y, w, h, class) {
    printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" class=\"%s\"/>\n", x, y, w, h, class
}
function arrow(path, class) { printf "<path d=\"%s\" class=\"%s\" marker-end=\"url(#tip)\"/>\n", path, class }
# Words in lines of limited length.
function lines(x, y, class, words, most,   part, n, i, line) {
    n = split(words, part, " ")
    for (i = 1; i <= n; i++) {
        if (line != "" && length(line) + 1 + length(part[i]) > most) { text(x, y, class, line); y += 13; line = "" }
        line = line (line == "" ? "" : " ") part[i]
    }
    text(x, y, class, line)
}
function without(words, word,   part, n, i, left) {
    n = split(words, part, " ")
    for (i = 1; i <= n; i++) if (part[i] != word) left = left (left == "" ? "" : " ") part[i]
    return left
}

# ------------------------------------------------------------------------------------------------------ the drawing

function style() {
    print "<style>"
    print "text{font:12px system-ui,sans-serif;fill:#24292f} .s{font-size:11px;fill:#57606a} .m{text-anchor:middle}"
    print ".b{font-weight:600} .h{font-size:14px;font-weight:600} .c{font:11px ui-monospace,monospace;fill:#57606a}"
    print ".l{font:600 10px ui-monospace,monospace;fill:#0550ae;text-anchor:middle}"
    print ".page{fill:#fff;stroke:#d0d7de} .rtl{fill:#ddf4ff;stroke:#54aeff} .sm{fill:#f3fbff;stroke:#54aeff}"
    print ".stage{fill:#fff;stroke:#80ccff} .chip{fill:#ddf4ff;stroke:none} .model{fill:#dafbe1;stroke:#4ac26b}"
    print ".step{fill:#fff;stroke:#6fdd8b} .lock{fill:#fff8c5;stroke:#d4a72c} .in{fill:#f6f8fa;stroke:#afb8c1}"
    print ".w,.d{fill:none;stroke:#57606a;stroke-width:1.5} .d{stroke:#d4a72c} #tip{fill:#57606a}"
    print "@media (prefers-color-scheme:dark){text{fill:#e6edf3} .s,.c{fill:#9ea7b3} .l{fill:#a5d6ff}"
    print ".page{fill:#0d1117;stroke:#30363d} .rtl{fill:#0c2d6b55;stroke:#1f6feb} .sm{fill:#0d1117;stroke:#1f6feb}"
    print ".stage{fill:#161b22;stroke:#1f6feb} .chip{fill:#1f3b66} .model{fill:#04260f;stroke:#2ea043}"
    print ".step{fill:#161b22;stroke:#2ea043} .lock{fill:#341a0099;stroke:#9e6a03} .in{fill:#161b22;stroke:#57606a}"
    print ".w{stroke:#9ea7b3} .d{stroke:#d29922} #tip{fill:#9ea7b3}}"
    print "</style>"
    print "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" " \
        "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>"
}

# Names of entities side by side.
function names(x, y, list,   part, n, i, w) {
    n = split(list, part, " ")
    for (i = 1; i <= n; i++) {
        w = 6.7 * length(part[i]) + 12
        box(x, y, w, 20, "stage")
        text(x + 6, y + 14, "c", part[i])
        x += w + 6
    }
}

BEGIN {
    stages = read_stages()
    read_fields()
    model("sched", "run/follow.c model_step_follow", "the warp that the RTL retired, by one instruction")
    model("issue", "execute.c fetch, decoded.c decode", "the word at the pc, from the instruction table")
    model("operand", "execute.c apply_guard, read.c read_memory", "guard and operands, all 32 lanes at once")
    model("execute", "exec_int.c exec_iadd, exec_mem.c unit_load, exec_flow.c unit_bra",
          "one function an operation, one file a kind")
    model("writeback", "execute.c write_results, record.c record_step", "what changed, as a record")
    if (!file_has("spec/machine.def", "NUMBER[(]SMS, sms, 1, 1, 8,")) fail("spec/machine.def: SMS is not 1 to 8")

    WIDTH = 960; TOP = 70; ROW = 66; LEFT = 14; MODEL_X = 612; MODEL_W = 334
    for (i = 1; i <= stages; i++) if (!(stage[i] in MODEL)) fail("nothing of the model beside " stage[i])
    around = ""
    n = split(inside("sm"), part, " ")
    for (i = 1; i <= n; i++) if (!(part[i] in MODEL)) around = around " " part[i]
    top = without(inside("gpu"), "sm")

    rows = TOP + 116
    bottom = rows + stages * ROW + 14
    HEIGHT = bottom + 122
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT
    print "<title>Warpstep: the RTL, the model, and the lockstep between them</title>"
    style()
    printf "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\" class=\"page\"/>\n", WIDTH - 1, HEIGHT - 1

    # the kernel
    box(310, 14, 340, 30, "in")
    text(480, 34, "m", "kernel.sass &#8594; warp-as &#8594; image: G80 code, launch")
    arrow("M 310 29 H 200 V " TOP - 2, "w")
    arrow("M 650 29 H 780 V " TOP - 2, "w")

    # the RTL
    box(LEFT, TOP, 560, bottom - TOP, "rtl")
    text(LEFT + 12, TOP + 22, "h", "rtl/gpu.vhd")
    text(LEFT + 110, TOP + 22, "s", "VHDL-2008, in GHDL, Verilator or an FPGA")
    names(LEFT + 12, TOP + 32, top)
    box(LEFT + 10, TOP + 60, 540, bottom - TOP - 70, "sm")
    text(LEFT + 22, TOP + 79, "b", "sm.vhd")
    text(LEFT + 76, TOP + 79, "s", "1 to 8 of them, each with 8, 16 or 32 lanes; beside the pipeline:")
    lines(LEFT + 22, TOP + 95, "c", around, 76)

    # the model
    box(MODEL_X, TOP, MODEL_W, bottom - TOP, "model")
    text(MODEL_X + 12, TOP + 22, "h", "cmodel/model.h")
    text(MODEL_X + 150, TOP + 22, "s", "the golden model, C11")
    text(MODEL_X + 12, TOP + 48, "s", "No clock, no pipeline. It shares the table of encodings")
    text(MODEL_X + 12, TOP + 63, "s", "and the fields of a record with the RTL, nothing else.")

    for (i = 1; i <= stages; i++) {
        y = rows + (i - 1) * ROW
        box(LEFT + 20, y, 520, ROW - 12, "stage")
        text(LEFT + 30, y + 20, "b", stage[i] ".vhd")
        n = split(names_of[i], part, " ")
        x = LEFT + 110
        for (k = 1; k <= n; k++) {
            w = 6 * length(part[k]) + 5
            box(x, y + 7, w, 18, "chip")
            text(x + w / 2, y + 20, "l", part[k])
            x += w + 3
        }
        lines(LEFT + 30, y + 38, "c", inner(stage[i]), 76)
        if (i < stages) arrow("M " LEFT + 280 " " y + ROW - 12 " v 11", "w")

        # the model beside it
        box(MODEL_X + 10, y, MODEL_W - 20, ROW - 12, "step")
        n = split(MODEL[stage[i]], part, / *, */)
        line = file = ""
        for (k = 1; k <= n; k++) {
            split(part[k], word, " ")
            line = line (k > 1 ? ", " : "") word[2]
            if (!index(file, word[1])) file = file (k > 1 ? " " : "") word[1]
        }
        text(MODEL_X + 20, y + 18, "b", line)
        text(MODEL_X + 20, y + 33, "c", file)
        text(MODEL_X + 20, y + 47, "s", WHY[stage[i]])
        if (i < stages) arrow("M " MODEL_X + MODEL_W / 2 " " y + ROW - 12 " v 11", "w")
    }

    # lockstep
    y = bottom + 26
    arrow("M 294 " bottom " V " y - 2, "w")
    text(302, bottom + 17, "c", "retire_o")
    arrow("M 779 " bottom " V " y - 2, "w")
    arrow("M 593 " y " V " rows + 27 " H " MODEL_X + 8, "d")
    printf "<text transform=\"translate(588 %d) rotate(-90)\" class=\"s\">each record steps the model</text>\n",
        bottom - 20
    text(787, bottom + 17, "c", "struct retire")
    box(LEFT, y, WIDTH - 2 * LEFT, 82, "lock")
    text(LEFT + 12, y + 21, "h", "lockstep")
    text(LEFT + 88, y + 21, "s", "after every warp instruction, in all 32 lanes, " field_count " fields must agree:")
    lines(LEFT + 12, y + 39, "c", substr(fields, 2), 92)
    text(LEFT + 690, y + 21, "b", "they agree: go on")
    text(LEFT + 690, y + 39, "b", "they differ: a report")
    text(LEFT + 690, y + 55, "s", "instruction, lanes, source line, stages,")
    text(LEFT + 690, y + 70, "s", "waves, the command that repeats it")
    print "</svg>"
}
END { if (failed) exit 1 }

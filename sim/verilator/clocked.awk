# SPDX-License-Identifier: Apache-2.0
# From the Verilog of gpu_flat, or of `top`, as ghdl writes it, makes the module that Verilator gets as top:
# gpu_clocked, the same ports, with a register behind every input but the clock. The driver sets the inputs that are to
# change after an edge before it, and the registers take them at the edge, so that the timing is that of gpu_flat. What
# it is for: Verilator evaluates whatever depends on an input of the top once more at every change of any, the falling
# edge of the clock included, which was a third of the time. Here nothing does. A run begins in reset, so that no
# assertion sees registers as they were before.
#
# Besides it has a clock for each group of modules that gate.awk names, and an output that says, before an edge, whether
# something moves there: with -v gated=1, else always. Those of the decoders' stages are vectors.
#
# With -v shown=1 it has two functions for the driver: warpstep_stages, what the stages of an SM hold, those of
# wave_view.def in their order, 35 bits each, the first one lowest, and how many cycles W is behind Y; and
# warpstep_entry, an entry of its warps' stacks. They cost nothing where nobody calls them.
#
#     awk [-v gated=1] [-v shown=1] -f clocked.awk wave_view.def gpu_flat-C8-S1.v > gpu_clocked-C8-S1.v

# A signal below the SM, whose records and arrays records.awk has named.
function signal(path,    at) {
    gsub(/\[/, ".at[", path)
    at = path
    gsub(/[a-z_][a-z_0-9]*/, "\\\\& ", at)
    gsub(/\\at /, "at", at)
    return at
}

# What a stage holds, highest bits first: valid, its last beat, part, row, slot, pc. A beat of the dispatcher is none.
function stage_of(valid, slot, row, pc,    beat) {
    beat = valid
    sub(/\.valid$/, "", beat)
    pc = pc == "" ? "24'd0" : "BELOW" signal(pc)
    if (row == "") return "BELOW" signal(valid) ", 1'b0, 2'd0, 2'd0, BELOW" signal(slot) ", " pc
    return "BELOW" signal(valid) " & ~BELOW" signal(beat ".insn.is_init") ", BELOW" signal(beat ".last") ", BELOW" \
        signal(beat ".insn.part") ", BELOW" signal(row) ", BELOW" signal(slot) ", " pc
}

/^STAGE\(/ {
    split($0, text, "\"")
    stage[++stages] = /NULL, NULL/ ? stage_of(text[4], text[6]) : /NULL/ ? stage_of(text[4], text[6], "", text[8]) : \
        stage_of(text[4], text[6], text[8], text[10])
}

$2 ~ /^multiprocessor_n[0-9]+_u_sm$/ { sm[++sms] = gpu $2 "." }

# A vector of what moves in any SM: its name, below the SM, with what is to be done to each before it.
function moves_of(name, before,    i, any) {
    for (i = 1; i <= sms; i++) any = any (i > 1 ? " | " : "") before "gpu_flat." sm[i] name
    return any
}
# Whether anything moves below the signal.
function moves(name) {
    return moves_of(name, "|")
}

function runs_a_grid() {
    return "gpu_flat." gpu signal("status.state") " == 2'd1"
}

# What of gpu.vhd moves SMs that are at rest: a running grid, and what the host does to them before it starts one.
function stirs(    signals, count, i, any) {
    count = split("grid_rst start host.param_we host.bank_we host.const_we host.const_re", signals, " ")
    for (i = 1; i <= count; i++) any = any " | gpu_flat." gpu signal(signals[i])
    return runs_a_grid() any
}

# They have come to rest, by far, 128 cycles after that.
function show_sm_moves() {
    print "  wire stirs = " stirs() ";"
    print "  reg [7:0] rest = 0;"
    print "  always @(posedge clk) rest <= stirs ? 0 : rest + {7'd0, ~rest[7]};"
    print "  assign sm_moves = stirs | ~rest[7];"
}

# Whether the SMs' copy of the launch may change: while no grid runs, and behind what the host asks for.
function show_launch_moves() {
    print "  reg host_asked;"
    print "  always @(posedge clk) host_asked <= gpu_flat." gpu signal("u_host.request.stb") ";"
    print "  assign launch_moves = !(" runs_a_grid() ") | host_asked;"
}

# From bit 2 on, which stages of the decoders take a word, the last stage lowest; bit 1, whether one arrives before
# them; bit 0, any of these.
function show_decode_moves(    stages, first) {
    stages = "u_decode.moves"
    first = moves("u_decode.arrives_i")
    print "  assign decode_moves = {" moves_of(stages) ", " first ", " moves(stages) " | " first "};"
}

function show_moves() {
    show_sm_moves()
    show_launch_moves()
    show_decode_moves()
    print "  assign store_moves = " moves("u_execute.u_stores.enters_i") " | " moves("u_execute.u_stores.p_moves") ";"
    print "  assign unit_moves = " moves("u_execute.float_moves") " | " moves("u_execute.special_moves") ";"
}

# The case of each SM of a function.
function each_sm(what,    i, one) {
    print "    case (sm)"
    for (i = 1; i <= sms; i++) {
        one = what
        gsub(/BELOW/, "gpu_flat." sm[i], one)
        print "      " (i < sms ? i - 1 : "default") ": " one ";"
    }
    print "    endcase\n  endfunction"
}

function show(    i, all) {
    for (i = stages; i >= 1; i--) all = all (i < stages ? ",\n        " : "") stage[i]
    print "  export \"DPI-C\" function warpstep_stages;\n  export \"DPI-C\" function warpstep_entry;"
    print "  function void warpstep_stages(input int sm, output int delay, output bit [" 35 * stages - 1 ":0] stages);"
    print "    delay = " delay ";"
    each_sm("stages = {" all "}")
    print "  function void warpstep_entry(input int sm, input int at, output bit [57:0] entry);"
    each_sm("entry = BELOWu_execute.u_branch.u_stack.access_memory_memory[at[10:0]]")
}

/^module / { in_decode_word = $2 ~ /^decode_word_/ }
in_decode_word && /wire \[[0-9]+:0\] moves;/ {
    decode_stages = $0
    gsub(/.*\[|:.*/, "", decode_stages)
    decode_stages++
}

# Its second generic is how many stages it has behind the first one.
$2 == "u_writeback" {
    split($1, generics, "_")
    delay = generics[3] + 1
}

/^module / { inside = $2 == top }

BEGIN {
    if (top == "") top = "gpu_flat"
    gpu = (top == "gpu_flat" ? "" : "u_gpu.") "u_gpu."
}

inside && match($0, /(input|output) .*[a-z_]+[,)]/) {
    count++
    port[count] = substr($0, RSTART, RLENGTH - 1)
    split(port[count], words, " ")
    is_input[count] = words[1] == "input"
    name[count] = port[count]
    sub(/.* /, "", name[count])
    range[count] = match(port[count], /\[[0-9]+:0\] /) ? substr(port[count], RSTART, RLENGTH) : ""
}

inside && /\);/ { inside = 0 }

END {
    if (count == 0) {
        print "no ports of a module " top " found" > "/dev/stderr"
        exit 1
    }
    if (gated && sms == 0) {
        print "no SM found" > "/dev/stderr"
        exit 1
    }
    print "module gpu_clocked (\n  input sm_clk, store_clk, unit_clk, launch_clk,\n" \
        "  input [" decode_stages + 1 ":0] decode_clk,\n" \
        "  output sm_moves, store_moves, unit_moves, launch_moves,\n" \
        "  output [" decode_stages + 1 ":0] decode_moves,"
    for (i = 1; i <= count; i++) print "  " port[i] (i < count ? "," : ");")
    for (i = 1; i <= count; i++)
        if (is_input[i] && name[i] != "clk")
            print "  reg " range[i] name[i] "_r" (name[i] == "rst" ? " = 1'b1" : "") ";\n  always @(posedge clk) " \
                name[i] "_r <= " name[i] ";"
    print "  " top " gpu_flat ("
    for (i = 1; i <= count; i++)
        print "    ." name[i] "(" name[i] (is_input[i] && name[i] != "clk" ? "_r" : "") ")" (i < count ? "," : ");")
    if (gated) show_moves()
    else print "  assign {sm_moves, store_moves, unit_moves, launch_moves, decode_moves} = ~0;"
    if (shown) show()
    print "endmodule"
}

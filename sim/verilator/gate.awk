# SPDX-License-Identifier: Apache-2.0
# Gives modules whose registers hold while nothing moves a clock of their own, gpu_clocked.NAME_clk, which the driver
# raises only in cycles in which something does (see clocked.awk): Verilator then leaves out all that follows from them.
# Each stage of the decoders has one, as a word passes them once in several cycles. So do the SMs, one for all of them:
# they hold between grids, while the host clears and reads global memory.
#
# The SMs get a copy of the launch, one cycle late, whose clock stands still while a grid runs. They look at it three
# cycles after the write that starts a grid at the earliest.
#
#     awk -f gate.awk gpu_flat-C8-S1.v > gated.v

/^module / {
    clock = is_sm = copies = ""
    split("", bit)
    split("", named)
    split("", kept)
    bit["arrives_i"] = 1
    if ($2 ~ /^decode_(word_.*|[0-9_]*[0-9a-f]+)$/) {
        clock = "decode"
        decoders++
    }
    if ($2 ~ /^store_words_/) clock = "store"
    if ($2 ~ /^(float_(operands|product|add|normalise|round)|special_unit)$/) clock = "unit"
    if ($2 ~ /^sm_/) is_sm = 1
}
$1 ~ /^sm_/ && $2 ~ /_u_sm$/ {
    print
    getline
    sub(/\(clk\)/, "(gpu_clocked.sm_clk)")
}

# The SM's copy of the launch.
is_sm && /^   (input|output)/ {
    if ($1 == "input" && match($0, /launch_i_[a-z_]+/)) {
        port = substr($0, RSTART + 9, RLENGTH - 9)
        range = match($0, /\[[0-9]+:0\]/) ? substr($0, RSTART, RLENGTH) " " : ""
        copies = copies "/*verilator tracing_off*/  reg " range "launch_h_" port ";/*verilator tracing_on*/\n" \
            "  always @(posedge gpu_clocked.launch_clk)\n    launch_h_" port " <= launch_i_" port ";\n"
    }
    if (/\);$/) $0 = $0 "\n" copies
    print
    next
}
is_sm {
    gsub(/launch_i_/, "launch_h_")
    gsub(/\.launch_h_/, ".launch_i_")
}

# A register of the decoders that keeps what it has unless a stage moves has the clock of that stage; any other one has
# clock 0, that of all.
clock == "decode" && $1 == "assign" {
    text = $0
    sub(/;.*/, "", text)
    words = split(text, word, " ")
    if (words == 4 && word[4] ~ /^moves(_i)?\[[0-9]+\]$/) bit[$2] = 2 + substr(word[4], index(word[4], "[") + 1)
    if (words == 4 && word[4] ~ /^n[0-9]+_q$/) named[$2] = word[4]
    if (words == 8 && word[5] == "?" && word[4] in bit) {
        clock_of[$2] = bit[word[4]]
        kept[$2] = word[8]
    }
}
clock == "decode" && /posedge clk\)/ {
    getline taken
    split(taken, word, / +|;/)                             # "", register, "<=", net
    stage = kept[word[4]] == word[2] || named[kept[word[4]]] == word[2] ? clock_of[word[4]] : 0
    sub(/posedge clk\)/, "posedge gpu_clocked.decode_clk[" stage "])")
    $0 = $0 "\n" taken
}
clock != "" { sub(/posedge clk\)/, "posedge gpu_clocked." clock "_clk)") }
{ print }

# Their names have generics in them: what is not found would cost time without a word.
END {
    if (decoders < 2) {
        print "gate.awk: no decoders found" > "/dev/stderr"
        exit 1
    }
}

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests of the program that all of ghdl's Verilog passes through: that it reads ghdl's output and nothing else, and each
# of its passes, on the Verilog of version 2 and of later versions. Prints TAP.
#
#     sim/netlist/test.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
tool=$PWD/build/sim/netlist/netlist vhdl=$PWD/build/sim/netlist/vhdl_tool
work=build/netlist-test
rm -rf $work && mkdir -p $work && cd $work || exit 2

number=0 failed=0
expect() { # NAME COMMAND...
    number=$((number + 1))
    local verdict=ok
    "${@:2}" > log 2>&1 || { verdict="not ok" && failed=1; }
    echo "$verdict $number - $1"
    [ "$verdict" = ok ] || sed 's/^/# /' log
}
# A module with these lines in it.
module() { printf 'module m\n  (input  clk,\n   input  [3:0] s,\n   output y);\n%s\nendmodule\n\n' "$1"; }
# Passes turn the second lines into the first; without second lines, the first stay unchanged.
becomes() { # PASSES LINES [OTHERS]
    module "$2" > in.v
    module "${3-$2}" > expected.v
    # shellcheck disable=SC2086 # several passes
    "$tool" in.v $1 > out.v && diff out.v expected.v
}
# With status 2, no output, and a message that begins like this.
refuses() { # PASSES MESSAGE LINES
    module "$3" > in.v
    # shellcheck disable=SC2086 # several passes
    "$tool" in.v $1 > out.v 2> said
    [ $? -eq 2 ] && [ ! -s out.v ] && grep -qF "in.v:$2" said || { cat said out.v && false; }
}
# The text after a test's name: its lines.
lines() { printf -v "$1" '%s' "$(cat)"; }

# ------------------------------------------------------------------------------------------ the parser

lines all << 'END'
  wire [15:0] stored;
  wire n1_o;
  reg n2_q;
  localparam [1:0] n3_o = 2'b10;
  wire [3:0] n4_o = 4'bXXXX;
  wire [15:0] n5_data; // mem_rd
  assign y = n1_o;
  /* rtl/common/ram_1r1w.vhd:55:10  */
  assign stored = n2_q; // (signal)
  assign n1_o = {16'b0000000000000000, n6_o};  //  uext
  assign n7_o = {{17{n6_o[16]}}, n6_o}; // sext
  assign n8_o = n1_o ? n2_q : 1'b0;
  assign n9_o = $unsigned(n7_o) >= $unsigned(17'b00000000000000001);
  assign n10_o = ~(n7_o ^ n8_o);
  assign n11_o = |(n7_o);
  assign n12_o = n7_o[12:3];
  assign n13_o = n7_o[n12_o];
  assign n14_o = $signed(n7_o) >>> n12_o;
  assign n15_o = n7_o + n8_o;
  assign n16_o = n7_o[n12_o * 8 +: 8];
  always @(posedge clk)
    n2_q <= n1_o;
  always @(posedge clk or posedge s)
    if (s)
      n2_q <= 1'b0;
    else
      n2_q <= n1_o;
  initial
    n2_q <= 1'b0;
  always @*
    variable_v = n1_o; // (isignal)
  always @*
    if (!n2_q)
      $fatal(1, "assertion failure rules_one_event");
  reg [7:0] n20[1:0] ; // memory
  initial begin
    n20[1] = 8'b00000001;
    n20[0] = 8'b00000000;
    end
  always @*
    case (s)
      4'b1000: n1_o <= n2_q;
      default: n1_o <= 1'bx;
    endcase
  ram_1r1w_5 u_ram (
    .clk(clk),
    .rdata_o(),
    .raddr_i(n1_o));
END
expect "what ghdl writes comes out as it was" becomes "" "$all"
printf 'module empty;\nendmodule\n\n' > in.v
expect "so does a module without ports" diff in.v <("$tool" in.v)
expect "the standard input is a file" diff in.v <("$tool" - < in.v)
expect "an escaped name keeps its space" becomes "" $'  wire \\reg ;\n  assign \\reg  = clk;'
expect "operators bind as in Verilog" becomes products $'  assign n1_o = s + s * s == s & s | s ? ~s : -s << s;'
expect "a signed maximum, as ghdl writes it, is no Verilog" \
    refuses "" "5:8: error: a name is expected, not '<='" '  y1_o <= s if $signed(s) > $signed(y) else y;'
expect "a statement that no part of ghdl writes is refused" refuses "" "6:1: error: '(' is expected" '  fork join'
expect "a comment within a statement is refused" refuses \
    "" "5:14: error: no comment is expected" '  assign y = /* n */ s;'
expect "so is a semicolon that is missing" refuses "" "6:1: error: ';' is expected, not 'endmodule'" '  assign y = s'
expect "and a string without an end" refuses "" '5:14: error: Verilog is expected' '  assign y = "01;'
deep() { printf "%0${1}d" 0 | tr 0 "$2"; }
expect "nesting that no design has is refused" eval '
    module "  assign y = $(deep 100000 "(");" > in.v && ! "$tool" in.v 2> said && grep -q "less nesting" said &&
    module "  assign y = $(deep 100000 "~")s;" > in.v && ! "$tool" in.v 2> said && grep -q "less nesting" said'
printf 'module m;\n  assign a = b;\n' > in.v
ends_early() { ! "$tool" in.v > out.v 2> said && grep -q "in.v:3:1: error: the text ends where" said; }
expect "a module without an end is refused" ends_early
expect "so is a pass that does not exist" eval '! "$tool" in.v unheard 2> said && grep -q "no pass unheard" said'
expect "and a file that does not exist" eval '! "$tool" none.v 2> said && grep -q "none.v: No such file" said'

# -------------------------------------------------------------------------------------- what all Verilog of ghdl passes

# Each line of later versions of ghdl, in the form of version 2, which stays unchanged.
in_one_form() { becomes form "$1" "$2" && becomes form "$2"; }
case_of() { printf '  always @*\n    case (s)\n%s\n    endcase' "$1"; }
choice="      4'b0001: n1_o <= n2_o;"
other="      4'b0100: n1_o <= n3_o;"
expect "choices and defaults assign alike" in_one_form \
    "$(case_of "${choice/<=/=}"$'\n      default: n1_o = 1\'bX;')" \
    "$(case_of "$choice"$'\n      default: n1_o <= 1\'bX;')"
expect "so do initial values" in_one_form $'  initial\n    n1_q = 4\'b0;' $'  initial\n    n1_q <= 4\'b0;'
expect "memories and variables do as before" becomes form \
    $'  initial begin\n    m[1] = 8\'b0;\n    end\n  always @*\n    v = n1_o; // (isignal)'
expect "a slice is said without a comment" in_one_form '  assign n1_o = s[3:1]; // extract' '  assign n1_o = s[3:1];'
expect "so is an output" in_one_form '  assign y = n1_o; //(module output)' '  assign y = n1_o;'
expect "a signal is not" becomes form '  assign s = n1_o; // (signal)'
expect "factors lose their signs" in_one_form \
    "  assign n3_o = \$signed(n1_o) * \$signed(16'b0100); // smul" "  assign n3_o = n1_o * 16'b0100; // smul"
expect "those of a comparison stay" becomes form '  assign n3_o = $signed(n1_o) < $signed(n2_o);'

expect "bits that are a string become a number" becomes bits '  assign y = "01XZ";' "  assign y = 4'b01XZ;"
expect "so do those that are chosen" becomes bits '  assign y = s ? "10" : n1_o;' "  assign y = s ? 2'b10 : n1_o;"
expect "another string stays" becomes bits $'  always @*\n    if (!s)\n      $fatal(1, "assertion failure 01");'

declared=$'  reg n1_o;\n  reg [31:0] n9_o;\n'
completes() { becomes complete "$declared$(case_of "$1")" "$declared$(case_of "$1${2:+$'\n'$2}")"; }
incomplete() { refuses complete "$1" "$declared$(case_of "$2")"; }
expect "a case gets a default of X" completes "$choice" "      default: n1_o <= 1'bx;"
expect "one with several choices too" completes "$choice"$'\n'"$other" "      default: n1_o <= 1'bx;"
expect "it is as wide as the net" completes "      1'b0: n9_o <= n2_o;" "      default: n9_o <= 32'bx;"
expect "one that has a default keeps it" completes "$choice"$'\n      default: n1_o <= n4_o;'
expect "a value of several words is a choice" completes "      1'b0: n1_o <= {n2_o, n3_o};" \
    "      default: n1_o <= 1'bx;"
expect "a net that is declared nowhere is refused" incomplete "8:5: error: complete: n8_o is declared nowhere" \
    "      1'b0: n8_o <= n2_o;"
{ module "$declared" && module "$(case_of "$choice")"; } > in.v
expect "nor does a declaration in another module count" eval '! "$tool" in.v complete'
expect "two nets in one case are refused" incomplete "10:7: error: complete: not a choice of one net" \
    "$choice"$'\n      4\'b0010: n9_o <= n3_o;'
expect "a case in a case is refused" incomplete "9:7: error: complete: not a choice of one net" \
    "      4'b0010: $(case_of "$choice" | tail -n +2)"
expect "another statement in it is refused" incomplete "10:" "$choice"$'\n      n1_o <= n2_o;'
expect "a choice of several literals is refused" incomplete "9:14: error: ':' is expected" \
    "      4'b0001, 4'b0010: n1_o <= n2_o;"
expect "a case without a choice is refused" incomplete "8:5: error: complete: a case without a choice" ""
expect "what is outside a case stays" becomes complete '  assign n1_o = n2_o;'

extended=$'  assign n1_o = {{17{a[16]}}, a}; // sext\n  assign n2_o = {{18{b[15]}}, b}; // sext\n'
expect "a product of extended factors is a signed one" becomes products \
    "$extended  assign n3_o = n1_o * n2_o; // smul" "$extended  assign n3_o = \$signed(a) * \$signed(b); // smul"
expect "one of other factors stays" becomes products "$extended  assign n3_o = n1_o * n4_o; // smul"
expect "so does an unsigned one" becomes products "$extended  assign n3_o = n1_o * n2_o; // umul"

expect "an unknown constant becomes a wire" becomes unknown \
    $'  localparam [1:0] n1_o = 2\'bXX;\n  localparam n2_o = 1\'bX;' \
    $'  wire [1:0] n1_o = 2\'bXX;\n  wire n2_o = 1\'bX;'
expect "a known one stays" becomes unknown "  localparam [1:0] n1_o = 2'bX0;"

# ------------------------------------------------------------------------------------------ for Verilator

off='/*verilator tracing_off*/' on='/*verilator tracing_on*/'
named=$'  wire a;\n  wire n1x;\n  wire [3:0] n2_o = 4\'bXXXX;\n  localparam n3_o = 1\'b0;\n'
expect "nets that ghdl invents have no waves" becomes hide "$named  reg [1:0] n1_q;"$'\n  wire n2;' \
    "$named$off  reg [1:0] n1_q;$on"$'\n'"$off  wire n2;$on"
expect "nor, if so wanted, coverage" becomes hide:coverage '  wire n1_o;' \
    "$off${off/tracing/coverage}  wire n1_o;$on${on/tracing/coverage}"
expect "the comment behind one comes last" becomes hide '  wire n5_data; // mem_rd' "$off  wire n5_data;$on // mem_rd"
read_again() { module '  wire n5_data; // mem_rd' > in.v && "$tool" in.v "$1" > out.v && "$tool" out.v | diff out.v -; }
expect "and what is hidden is read again" eval 'read_again hide && read_again hide:coverage'
expect "another argument is refused" eval 'module "" > in.v; ! "$tool" in.v hide:all'

bits='  assign n1_o = s[0];
  assign n2_o = {n1_o, n1_o, n1_o, n1_o};'
expect "a bit that is repeated is a replication" becomes replicate "$bits"$'\n  assign n3_o = {n2_o, n2_o, y, s, s};' \
    "  assign n1_o = s[0];
  assign n2_o = {{4{s[0]}}};
  assign n3_o = {{8{s[0]}}, y, {2{s}}};"
expect "what another module calls so is another net" eval '
    { module "$bits" && module "  assign n2_o = {n1_o, s};"; } > in.v
    "$tool" in.v replicate | grep -qF "{n1_o, s}"'

chosen='  assign n1_o = {a, b, c};'
cases() { printf '%s\n  always @*\n    case (n1_o)\n%s\n    endcase' "$chosen" "$1"; }
chain() { printf '%s\n  always @*\n    n2_o <= %s;' "$chosen" "$1"; }
three=$'      3\'b100: n2_o <= s;\n      3\'b010: n2_o <= 2\'b00;\n      3\'b001: n2_o <= '
expect "a case over joined conditions is a chain" becomes choose "$(cases "${three}y;")" \
    "$(chain "c ? y : b ? 2'b00 : s")"
expect "the value of most choices needs no condition" becomes choose \
    "$(cases "${three}2'b00;")" "$(chain "a ? s : 2'b00")"
expect "nor does a default" becomes choose "$(cases "${three}y;"$'\n      default: n2_o <= y;')" \
    "$(chain "b ? 2'b00 : a ? s : y")"
expect "an unknown default is never chosen" becomes choose "$(cases "${three}y;"$'\n      default: n2_o <= 2\'bx;')" \
    "$(chain "c ? y : b ? 2'b00 : s")"
expect "a case that lacks a choice stays" becomes choose "$(cases "${three%$'\n'*}")"
expect "so does one whose choice names two conditions" becomes choose "$(cases "${three/100/110}y;")"

decoders=$'module decode_3_1\n  (input  clk);\nendmodule\n\nmodule decode_word_2\n  (input  clk);\n'
decoders+=$'  assign n1_o = moves[3];\n  assign n2_o = n1_o ? s : n3_q;\n  always @(posedge clk)\n    n3_q <= n2_o;\n'
decoders+=$'  always @(posedge clk)\n    n4_q <= n1_o;\nendmodule\n\n'
of_decoders() {
    printf '%s' "$decoders" | "$tool" - gate > out.v && grep -qxF "  always @(posedge gpu_clocked.$1)" out.v
}
expect "a register that holds unless a stage moves has that stage's clock" of_decoders 'decode_clk[5]'
expect "another one of the decoders has that of all stages" of_decoders 'decode_clk[0]'
expect "the SM has a clock of its own, and a copy of the launch" eval '
    { printf "%s" "$decoders"
      printf "module sm_8\n  (input  clk,\n   input  [3:0] launch_i_slots);\n"
      printf "  assign s = launch_i_slots;\nendmodule\n\n"
      module "  sm_8 processor_u_sm (
    .clk(clk),
    .launch_i_slots(s));"; } | "$tool" - gate > out.v && grep -q "clk(gpu_clocked.sm_clk)" out.v &&
    grep -q "launch_h_slots <= launch_i_slots;" out.v && grep -q "assign s = launch_h_slots;" out.v'
expect "decoders that are not found are an error" eval 'module "" > in.v; ! "$tool" in.v gate'

gated() { becomes edge "${1//CLOCK/gpu_clocked.unit_clk}" "${2//CLOCK/gpu_clocked.unit_clk}"; }
wires=$'  wire a;\n  wire b;\n'
ends=$'  always @(posedge CLOCK) begin\n    a = s;\n    n1_q <= a;\n  end'
expect "logic that only registers of a resting module read moves to their edge" gated \
    "$wires  assign a = s;"$'\n  always @(posedge CLOCK)\n    n1_q <= a;' "$off  reg a;$on"$'\n  wire b;\n'"$ends"
expect "what something else reads stays, and what this is made of" gated \
    "$wires  assign a = s;
  assign b = a;
  assign y = b;
  always @(posedge CLOCK)
    n1_q <= a;" \
    "$wires  assign a = s;
  assign b = a;
  assign y = b;
  always @(posedge CLOCK) begin
    n1_q <= a;
  end"
expect "a register's name in waves stays" gated \
    "  assign a = n1_q; // (signal)
  always @(posedge CLOCK)
    n1_q <= s;" \
    "  assign a = n1_q; // (signal)
  always @(posedge CLOCK) begin
    n1_q <= s;
  end"
two=$'  assign a = s;\n  always @(posedge CLOCK)\n    n1_q <= a;\n'
two+=$'  always @(posedge gpu_clocked.sm_clk)\n    n2_q <= a;'
expect "a module of two clocks stays" gated "$two" "$two"
expect "logic that is made of itself is an error" eval '
    module "  assign a = b;
  assign b = a;
  always @(posedge gpu_clocked.unit_clk)
    n1_q <= a;" > in.v; ! "$tool" in.v edge 2> said &&
    grep -q "in.v:[56]:3: error: edge: m: [ab] is made of itself" said'

pieces=$'  wire [63:0] a;\n  wire [63:0] b;\n  wire [127:0] n1_o;\n'
takes=$'  assign n1_o = {a, b};\n  always @(posedge clk)\n    n2_q <= n1_o;\n'
apart=$'  reg [63:0] n2_q_1;\n  reg [63:0] n2_q_2;\n  wire [127:0] n2_q = {n2_q_2, n2_q_1};\n  assign n1_o = {a, b};\n'
apart+=$'  always @(posedge clk) begin\n    n2_q_2 <= a;\n    n2_q_1 <= b;\n  end\n'
expect "a register of joined pieces becomes one for each" becomes apart \
    "$pieces"$'  reg [127:0] n2_q;\n'"$takes  assign y = n2_q[71:60];" \
    "$pieces$apart  assign y = {n2_q_2[7:0], n2_q_1[63:60]};"
expect "so do those that read it under another name" becomes apart \
    "$pieces"$'  reg [127:0] n2_q;\n  wire [127:0] r;\n'"$takes"$'  assign r = n2_q; // (signal)\n  assign y = r[64];' \
    "$pieces${apart/  assign/$'  wire [127:0] r;\n  assign'}"$'  assign r = n2_q; // (signal)\n  assign y = n2_q_2[0];'
held=$'  wire [99:0] a;\n  wire n1_o;\n  wire [100:0] n3_o;\n'
expect "a wide piece that keeps what it has is written only when it changes" becomes apart \
    "$held"$'  reg [100:0] n2_q;\n  wire [99:0] n4_o;\n  assign n4_o = n2_q[99:0];\n  assign a = s ? n5_o : n4_o;
  assign n3_o = {n1_o, a};\n  always @(posedge clk)\n    n2_q <= n3_o;' \
    "$held"$'  reg [99:0] n2_q_1;\n  reg [0:0] n2_q_2;\n  wire [100:0] n2_q = {n2_q_2, n2_q_1};\n  wire [99:0] n4_o;
  assign n4_o = n2_q_1;\n  assign a = s ? n5_o : n4_o;\n  assign n3_o = {n1_o, a};
  always @(posedge clk) begin\n    n2_q_2 <= n1_o;\n    if (s)\n      n2_q_1 <= n5_o;\n  end'
expect "no wide register is an error" eval 'module "" > in.v; ! "$tool" in.v apart'

cat > pkg.vhd << 'END'
package p_pkg is
  constant BITS : positive := 2 ** 2 - 1; -- of a count
  function g(a : bit) return bit;
  type other_t is (runs, waits);
  type state_t is (rests, runs);
  type pair_t is record
    state : state_t;
    count : unsigned(BITS - 1 downto 0);
  end record;
  type pairs_t is array (natural range <>) of pair_t;
end package;
END
cat > m.vhd << 'END'
entity m is
  generic (M, WIDE : boolean := bit'('0') = '1'; K : natural; N : positive);
  port (
    o : in other_t; clk : in std_ulogic; p : in pair_t;
    ends_o : out work.p_pkg.pair_t);
end entity;
architecture rtl of m is
  function f(a : pair_t) return pair_t is
    constant one : pair_t := a;
  begin
    return one;
  end function;
  signal one, rin : pair_t := ((state => rests, count => "000"));
  signal all_of : pairs_t(0 to 2 * (N + log2(4)) / 2 - 1);
  signal other : std_ulogic_vector(N - 1 downto 0);
  signal larger : natural range 0 to 2 ** N;
begin
  process (clk)
    constant other : pair_t := one;
  begin
  end process;
end architecture;
END
lines signals << 'END'
  wire [3:0] one;
  wire [3:0] rin;
  reg [15:0] all_of;
  wire [1:0] other;
  wire [4:0] larger;
  wire o;
  wire p_state;
  wire [3:0] ends_o;
  wire [3:0] n1_o = 4'b0000;
END
lines typed << 'END'
typedef enum logic [0:0] {\rests  = 1'd0, \runs  = 1'd1} \state_t.3 ;
typedef struct packed { logic [2:0] \count ; \state_t.3  \state ; } \pair_t.5 ;
typedef \pair_t.5 [0:3] \pairs_t.8 ;
typedef struct packed { \pairs_t.8  at; } \box.8 ;
typedef enum logic [0:0] {\runs.2  = 1'd0, \waits  = 1'd1} \other_t.11 ;
module m_7_2_5ba9
  (input  clk,
   input  [3:0] s,
   output y);
  \pair_t.5  one;
  wire [3:0] rin;
  \box.8  all_of;
  wire [1:0] other;
  wire [4:0] larger;
  \other_t.11  o;
  \state_t.3  p_state;
  \pair_t.5  ends_o;
  wire [3:0] n1_o = 4'b0000;
endmodule
END
has_records() { # ARGUMENT
    module "${signals%$'\n'}" | sed 's/^module m$/module m_7_2_5ba9/' > in.v
    "$tool" in.v "records:$1" > out.v && diff out.v <(printf '%s\n\n' "$typed")
}
expect "signals have the records, arrays and enumerations of the VHDL" has_records "CORES=8:pkg.vhd,m.vhd"
expect "and the Verilog of these is read again" eval '"$tool" out.v | diff out.v -'
sed 's/; N : positive)/; CONFIG : config_t)/; s/\bN\b/CONFIG.N/g' m.vhd > of_config.vhd
sed 's/; N : positive)/; MACHINE : string)/; s/\bN\b/config_of(MACHINE).N/g' m.vhd > of_top.vhd
has_box() { # VHDL
    module "  reg [15:0] all_of;" > in.v && "$tool" in.v "records:X=1,N=2:pkg.vhd,$1" | grep -qxF "  \box.8  all_of;"
}
expect "members of the configuration are given" has_box of_config.vhd
expect "also to the top" has_box of_top.vhd
expect "a size that is not that of the type stays" eval '! "$tool" in.v records:N=3:pkg.vhd,of_config.vhd 2> said &&
    grep -qF "in.v: error: records:N=3:pkg.vhd,of_config.vhd: no signal of a record found" said'
expect "so does one that another record tells" eval '
    ! "$tool" in.v records:N=2:pkg.vhd,<(sed s/CONFIG[.]/OTHER./ of_config.vhd) 2> said'
expect "VHDL that is not there is an error" eval '! "$tool" in.v records:N=2:none.vhd 2> said &&
    grep -q "none.vhd cannot be read" said'
expect "so is an argument without VHDL" eval '! "$tool" in.v records:N=2'

module '' > in.v
clocked_top() {
    "$tool" in.v clocked:m > out.v
    diff out.v - << 'END'
module gpu_clocked (
  input sm_clk, store_clk, unit_clk, launch_clk,
  input [1:0] decode_clk,
  output sm_moves, store_moves, unit_moves, launch_moves,
  output [1:0] decode_moves,
  input  clk,
  input  [3:0] s,
  output y);
  reg [3:0] s_r;
  always @(posedge clk) s_r <= s;
  m gpu_flat (
    .clk(clk),
    .s(s_r),
    .y(y));
  assign {sm_moves, store_moves, unit_moves, launch_moves, decode_moves} = ~0;
endmodule
END
}
expect "inputs but the clock get registers" clocked_top
module $'  sm_8 multiprocessor_n0_u_sm (\n    .clk(clk));\n  writeback_8_2_1 u_writeback (\n    .clk(clk));' > in.v
printf 'STAGE("ADDRESS", "stages[2].valid", "stages[2].slot", NULL, "k.pc")\n' > view.def
stages() { "$tool" in.v clocked:m:view.def > out.v && grep -qF "$1" out.v; }
expect "stages are told by their fields" stages 'gpu_flat.u_gpu.u_gpu.multiprocessor_n0_u_sm.\stages .at[2].\valid , 1'
expect "WRITE is behind RESOLVE by a generic" stages 'delay = 3;'
expect "without special units, floating point alone moves" eval 'stages float_moves && ! grep special_moves out.v'
{ cat in.v; module '  wire [9:0] special_moves;' | sed 's/^module m$/module execute_8/'; } > both.v && mv both.v in.v
expect "with them, they move, too" stages u_execute.special_moves
expect "a list of stages that is none is an error" \
    eval 'echo "STAGE(ADDRESS)" > view.def; ! "$tool" in.v clocked:m:view.def'
expect "so is a top that is not there" eval '! "$tool" in.v clocked:other'

# ------------------------------------------------------------------------------------------ for yosys

renamed() { # MODULE PASS: the items of a module of that name become one of these
    module "  assign y = s;" | sed "s/^module m$/module $1/" | "$tool" - "$2" > out.v
    ! grep -q assign out.v && grep -q "$3" out.v && grep -q '^   output y);' out.v && grep -qx endmodule out.v
}
old=5ba93c9db0cff93f52b521d7420e43f6eda2784f new=bf8b4530d8d246dd74ac53a13471bba17941dff7
expect "a memory of columns is a block RAM with enables" renamed ram_1r1w_5_8_4_0_$old columns \
    "ram_columns #(.ADDR_BITS(5), .COLUMN_BITS(8), .COLUMNS(4)) u_columns"
expect "one that promises new data is not" eval "! renamed ram_1r1w_5_8_4_0_$new columns ram_columns"
expect "nor is one of one column" eval "! renamed ram_1r1w_5_8_1_0_$old columns ram_columns"
expect "a multiplexer of eight words is that of the slices" renamed mux_word_8 wide_mux "WORDS(8), .BITS(32)) u_mux"
expect "one of four is not" eval '! renamed mux_word_4 wide_mux u_mux'
expect "each line behind a place in the VHDL says it" becomes lines \
    $'  assign y = s;\n  /* rtl/a.vhd:9:3  */\n  always @*\n    b = s;\n  /* other */
  /* rtl/b.vhd:7:1  */\n  assign c = s;' \
    $'  assign y = s;\n`line 9 "rtl/a.vhd" 0\n  always @*\n`line 9 "rtl/a.vhd" 0\n    b = s;
`line 9 "rtl/a.vhd" 0\n  /* other */\n`line 7 "rtl/b.vhd" 0\n  assign c = s;'
expect "places in the VHDL, and no other comments, can be left out" becomes unplaced \
    $'  assign y = s;\n  /* rtl/a.vhd:9:3  */\n  always @*\n    b = s;\n  /* other */\n  assign c = s;' \
    $'  assign y = s;\n  always @*\n    b = s;\n  /* other */\n  assign c = s;'
memory_commands() {
    { printf 'module inner\n  (input  clk);\n  /* rtl/i.vhd:3:1  */\n  ram_1r1w_5 u_ram (\n'
      printf '    .clk(clk));\nendmodule\n\n'
      module $'  inner u_inner (\n    .clk(clk));\n  /* rtl/m.vhd:8:5  */\n  ram_1r1w_3 u_table (
    .clk(clk));'; } > in.v
    "$tool" in.v memories:m:around. > out.ys
    diff out.ys - << 'END'
setattr -set src "rtl/i.vhd:3.1" c:around.u_inner.u_ram.*
setattr -set src "rtl/m.vhd:8.1" c:around.u_table.*
END
}
expect "memories have the line of their instance, through all modules" memory_commands
expect "a module that is not there is an error" eval '! "$tool" in.v memories:n'

# ------------------------------------------------------------------------------------------ for coverage

lines covered << 'END'
  initial
    n2_q <= 1'b0;
  always @*
    case (s)
      2'b01: n1_o <= 1'b1;
      2'b10: n1_o <= a;
      default: n1_o <= 1'bx;
    endcase
  always @(posedge clk)
    n2_q <= n1_o;
END
arms() {
    module "$covered" > in.v && "$tool" in.v arms | tr '\t' ' ' > out.v
    diff out.v - << 'END'
5 none
7 none
9 2'b01 1'b1
10 2'b10 net
11 none
END
}
expect "arms have their choice and their number, others do not count" arms

# ------------------------------------------------------------------------------------------ mutants

lines mutable << 'END'
  wire [3:0] n1_o;
  reg [3:0] n2_q;
  /* any/rtl/execute/alu.vhd:20:5  */
  assign n1_o = a + b;
  /* rtl/execute/alu.vhd:21:5  */
  always @(posedge clk)
    n2_q <= n1_o;
END
kinds_of() { # NET: the kinds of its mutants, without bits
    "$tool" in.v mutants |
        awk -F '\t' -v net="m/$1/" 'index($1, net) == 1 { sub(/:.*/, "", $4); print $4 }' | paste -sd ,
}
expect "an operator has mutants" eval \
    'module "$mutable" > in.v; [ "$(kinds_of n1_o)" = "inv,zero,one,cnot,+ -,left,right" ]'
expect "a register, besides, one that is not written" eval '[ "$(kinds_of n2_q)" = "inv,zero,one,cnot,dropped" ]'
expect "each names its entity and place" eval \
    '"$tool" in.v mutants | grep -qxP "m/n1_o/left\tm\trtl/execute/alu.vhd:20:5\tleft"'
printf '7\tm/n1_o/left\tm\trtl/execute/alu.vhd:20:5\tleft\n' > chosen.list
put_in() {
    "$tool" in.v mutants:chosen.list:m > out.v
    diff out.v - << 'END'
module m
  (input  clk,
   input  [3:0] s,
   output y);
  `MUTANTS
  wire [3:0] n1_o;
  reg [3:0] n2_q;
  /* any/rtl/execute/alu.vhd:20:5  */
  wire [3:0] n1_o_raw = a + b;
  wire [3:0] n1_o_mutant7 = `MUTANT(7) ? (a) : n1_o_raw;
  assign n1_o = n1_o_mutant7;
  /* rtl/execute/alu.vhd:21:5  */
  always @(posedge clk)
    n2_q <= n1_o;
`ifndef YOSYS
  always @(posedge m.clk) if (mutants::probing) begin
    if ((a) != n1_o_raw) mutants::active(7);
  end
`endif
endmodule

END
}
expect "a chosen one is put in, with its probe" put_in
in_entity() { # HOW
    { module $'  always @*\n    if (!n2_q)\n      $fatal(1, "assertion failure a");' | sed 's/^module m$/module ram_3/'
      module "$mutable" | sed 's/^module m$/module inner/'
      module $'  inner u_inner (\n    .clk(clk));\n  always @*\n    if (!n2_q)\n      $fatal(1, "assertion failure a");
  ram_3 u_ram (\n    .clk(clk));\n  inner u_again (\n    .clk(clk));'; } > in.v
    sed 's/^7\tm/7\tinner/' chosen.list > inner.list
    "$tool" in.v mutants:inner.list:m "entity:m:$1" > out.v && ! grep -q 'fatal\|`MUTANT' out.v
}
expect "an entity is told which mutant acts in it and below" eval 'in_entity whole &&
    [ "$(grep -c "^  .input  \[15:0\] mutant,$" out.v) $(grep -c "^    .mutant(mutant),$" out.v)" = "2 2" ] &&
    grep -qF "= (mutant == 7) ? (a) : n1_o_raw;" out.v &&
    [ "$(grep -A 1 blackbox out.v | tail -n 1)" = "module ram_3" ]'
expect "or it has black boxes" eval 'in_entity boxes &&
    [ "$(grep -c "^  .input  \[15:0\] mutant,$" out.v) $(grep -c blackbox out.v) $(grep -c ^module out.v)" = "1 2 3" ]'
expect "in another way it is not" eval '! "$tool" in.v entity:m:half && ! "$tool" in.v entity:none:whole'
module "$mutable" > in.v
sed -i 's/n1_o/n9_o/' chosen.list
expect "one that is not there is an error" eval \
    '! "$tool" in.v mutants:chosen.list:m 2> said && grep -q "0 of 1 mutants found" said'
module "$(case_of $'      4\'b0001: n3_o <= 2\'b10;\n      default: n3_o <= 2\'bx;' | sed 's/(s)/(n4_o)/')" > in.v
expect "a case has mutants of its constants and of its selection" eval '
    "$tool" in.v mutants | cut -f 4 | sed "s/[0-9],[0-9]*$//; s/:0 of/ of/" |
        cmp - <(printf "constant:\nselect of n3_o\n")'

# ------------------------------------------------------------------------------------------ VHDL

cat > top.vhd << 'END'
entity top is
  generic (N : positive := 3);
  port (
    clk, rst : in std_ulogic; -- two
    y_o      : out std_ulogic_vector(N - 1 downto 0) := (others => '0');
    ends_o   : inout std_ulogic);
end entity;
architecture rtl of top is
  component other is
    port (a : in bit);
  end component;
begin
  -- u_none : entity work.none
  u_one : entity work.one generic map (N => N) port map (y_o => y_o);
  twice : for i in 0 to 1 generate
    u_two : entity work.two port map (s => "entity work.three", c => bit'('1'));
  end generate;
end architecture;
END
expect "ports of an entity, and their directions" eval '"$vhdl" ports top.vhd |
    diff - <(printf "top.vhd\ttop\t%s\t%s\n" clk in rst in y_o out ends_o inout)'
expect "entities inside one" eval '"$vhdl" instances top.vhd |
    diff - <(printf "top.vhd\ttop\t%s\t%s\n" u_one one u_two two)'
expect "a file that is not there is an error" eval '"$vhdl" ports none.vhd; [ $? = 2 ]'
expect "so is another question" eval '"$vhdl" colour top.vhd; [ $? = 2 ]'
arm() { # VALUE OF OTHERS [NET]: three of four values of op are compared, and one of NET
    printf "begin\n  n%s_o <= '1' when %s = \"%s\" else '0';\n" 1 op 00 2 op 01 3 op 10 6 "${2-op}" "${2+11}"
    printf '  n5_o <= n1_o or n2_o or n6_o;\n  n4_o <= n5_o & n3_o;\n  -- rtl/a.vhd:7:3 : case\n'
    printf '  with n4_o select y <=\n    a when "10",\n    %s when others;\n' "$1"
}
expect "an arm of others that can be reached has its place" eval '[ "$(arm "b & c" oq | "$vhdl" others -)" = \
    "rtl/a.vhd:7:3: a case whose others can be reached: b & c when others;" ]'
expect "one of X does no harm" eval 'arm "\"XX\"" oq | "$vhdl" others -'
expect "nor does one behind all values" eval 'arm b op | "$vhdl" others -'
expect "three of four are not all" eval '! arm b | "$vhdl" others -'
echo "1..$number"
exit $failed

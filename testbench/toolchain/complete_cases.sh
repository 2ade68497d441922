#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests of the Verilog that sim/ghdl/verilog.sh makes, and of the check that refuses a netlist with latches or loops
# (netlist.sh). The heads of the probes list ghdl's faults. Prints TAP.
#
#     testbench/toolchain/complete_cases.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
. testbench/toolchain/known.sh
here=$PWD/testbench/toolchain
work=build/toolchain-cases
rm -rf $work && mkdir -p $work/ghdl && cd $work || exit 2

number=0 failed=0
expect() { # NAME COMMAND...
    number=$((number + 1))
    local verdict=ok
    "${@:2}" > log 2>&1 || { verdict="not ok" && failed=1; }
    echo "$verdict $number - $1"
    [ "$verdict" = ok ] || sed 's/^/# /' log
}
fails() { ! "$@"; }
# Must fail with a ghdl that has the probe's fault, and with no other.
expect_of() { # FAULT NAME COMMAND...
    case $1 in
        '') expect "$2: not with this ghdl" "${@:3}" ;;
        untried) echo "ok $((++number)) - $2 # SKIP ghdl $ghdl_version was not tried" ;;
        *) expect "$2" fails "${@:3}" ;;
    esac
}
# This ghdl's failure in a probe's `avoid`; nothing if it is right.
fault_of() { # PROBE
    if is_tried; then known_of "$1" avoid | grep -vx agrees; else echo untried; fi
}
latches=$(fault_of case_others) letters=$(fault_of wide_constant)
# Input of gate 2 of `make lint`, with the names of nets in version 2 and later.
others() { # SUFFIX CHOICES
    local i joined=
    for ((i = 0; i < $2; i++)); do
        echo "  n$i$1 <= '1' when op = \"$((i >> 1))$((i & 1))\" else '0';"
        joined="n$i$1${joined:+ & }$joined"
    done
    printf '  n9%s <= %s;\n  with n9%s select y <=\n    a when others;\n' "$1" "$joined" "$1"
}
reaches() { others "$@" | "$here/../../build/sim/netlist/vhdl_tool" others - | grep -q 'can be reached'; }
for suffix in _o ''; do
    expect "others behind three of four values can be reached, n1$suffix" reaches "$suffix" 3
    expect "behind all four they cannot" fails reaches "$suffix" 4
done

# Five literals of three bits, through ghdl: the latch exists without the pass, and not with it.
"$ghdl" -a --std=08 --workdir=ghdl "$here/flags/five.vhd" || exit 2
"$ghdl" --synth --std=08 --workdir=ghdl --no-assert-cover --out=verilog five > raw.v 2> ghdl.log
"$here/../../sim/ghdl/verilog.sh" "$ghdl" --workdir=ghdl --no-assert-cover five > safe.v 2>> ghdl.log
expect_of "$latches" "yosys finds a latch in the case as ghdl writes it" "$here/netlist.sh" raw.v five
echo 'module latch(input a, input b, output reg y); always @* if (a) y = b; endmodule' > latch.v
expect "a latch is refused" fails "$here/netlist.sh" latch.v latch
cp log said
expect "and yosys says so" grep -qi 'selection is not empty' said
expect "it finds none in what verilog.sh writes" "$here/netlist.sh" safe.v five
expect "verilog.sh fails where ghdl fails" fails "$here/../../sim/ghdl/verilog.sh" "$ghdl" --workdir=ghdl no_such_entity

# A selected constant of 64 bits: a string to ghdl.
cat > chosen.vhd << 'END'
library ieee;
use ieee.std_logic_1164.all;
entity chosen is
  port (s : in std_ulogic; a : in std_ulogic_vector(63 downto 0); y : out std_ulogic_vector(63 downto 0));
end entity;
architecture rtl of chosen is
begin
  y <= (63 downto 0 => '1') when s = '1' else a;
end architecture;
END
"$ghdl" -a --std=08 --workdir=ghdl chosen.vhd || exit 2
"$ghdl" --synth --std=08 --workdir=ghdl --out=verilog chosen > letters.v 2> ghdl.log
"$here/../../sim/ghdl/verilog.sh" "$ghdl" --workdir=ghdl chosen > bits.v 2>> ghdl.log
all_ones() { # FILE.v
    yosys -q -p "read_verilog $1; prep -top chosen; sat -verify -set s 1 -prove y 64'b$(printf '1%.0s' {1..64})"
}
expect "ones that are chosen are ones" all_ones bits.v
expect_of "$letters" "as ghdl writes them, they are not" all_ones letters.v

# One multiplier of 18 bits for a signed product of 17 and 16 bits; four with ghdl's unsigned factors.
cat > product.vhd << 'END'
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
entity product is
  port (a : in signed(16 downto 0); b : in unsigned(15 downto 0); p : out signed(33 downto 0));
end entity;
architecture rtl of product is
begin
  p <= a * signed('0' & b);
end architecture;
END
"$ghdl" -a --std=08 --workdir=ghdl product.vhd || exit 2
"$ghdl" --synth --std=08 --workdir=ghdl --out=verilog product > wide.v 2> ghdl.log
"$here/../../sim/ghdl/verilog.sh" "$ghdl" --workdir=ghdl product > product.v 2>> ghdl.log
multipliers() { # FILE.v COUNT
    yosys -q -p "read_verilog $1; synth_ecp5 -run begin:map_ram; select -assert-count $2 t:MULT18X18D"
}
expect "a signed product is one multiplier" multipliers product.v 1
unsigned=unsigned
! grep -q '= \$signed(' wide.v || unsigned=
expect_of "$unsigned" "as ghdl writes it, it is not" multipliers wide.v 1
expect "the same product" yosys -q -p "read_verilog wide.v; rename product wide; read_verilog product.v
    miter -equiv -flatten product wide both; hierarchy -top both; proc; opt
    sat -verify -prove trigger 0 -set in_b 40961 both"

# 8,000 assignments to a part of a variable. ghdl's table of them may grow at any of these.
cat > in_place.vhd << 'END'
library ieee;
use ieee.std_logic_1164.all;
entity in_place is
  generic (PARTS : positive := 8000);
  port (x : in std_ulogic_vector(7 downto 0); y : in std_ulogic_vector(2 * PARTS - 1 downto 0);
        z : out std_ulogic_vector(8 * PARTS - 1 downto 0));
end entity;
architecture rtl of in_place is
begin
  process (all)
    variable v : std_ulogic_vector(7 downto 0);
  begin
    for i in 0 to PARTS - 1 loop
      v := x;
      v(4 downto 3) := y(2 * i + 1 downto 2 * i);
      z(8 * i + 7 downto 8 * i) <= v;
    end loop;
  end process;
end architecture;
END
"$ghdl" -a --std=08 --workdir=ghdl in_place.vhd || exit 2
"$ghdl" --synth --std=08 --workdir=ghdl --out=verilog in_place > lossy.v 2> ghdl.log
"$here/../../sim/ghdl/verilog.sh" "$ghdl" --workdir=ghdl in_place > in_place.v 2>> ghdl.log
assigned() { [ "$(grep -c '= y\[' "$1")" = 8000 ]; } # FILE.v
expect "no assignment to a part is lost" assigned in_place.v
echo "# of 8000, ghdl alone keeps $(grep -c '= y\[' lossy.v)"
within() { (ulimit -v "$1" && "$here/../../sim/ghdl/verilog.sh" "$ghdl" --workdir=ghdl in_place); } # KILOBYTES
less() { within 5000000 > less.v && cmp less.v in_place.v; }
too_few() { fails within 2000000 > few.v && grep -q 'in_place.c: no 2 GB of addresses.*ulimit -v' log; }
expect "with fewer addresses neither" less
expect "with too few ghdl says so" too_few

# A loop through two modules is visible only when they are flattened.
cat > loop.v << 'END'
module half(input a, input b, output y); assign y = a & ~b; endmodule
module top(input a, output y);
  wire t;
  half u_one(.a(a), .b(t), .y(y));
  half u_two(.a(a), .b(y), .y(t));
endmodule
END
sed 's/half u_two(.a(a), .b(y)/half u_two(.a(a), .b(a)/' loop.v > straight.v
expect "a loop is refused" fails "$here/netlist.sh" loop.v top
expect "the same without it is not" "$here/netlist.sh" straight.v top
echo "1..$number"
exit $failed

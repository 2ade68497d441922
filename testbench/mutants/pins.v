// SPDX-License-Identifier: Apache-2.0
// What a netlist with mutants in it (netlist.sh) begins with: which of them is there, and whether to say which would
// act. pins.cpp has the functions. In a module that stands in several places a mutant may be in one of them alone.
`ifdef YOSYS
`define MUTANTS wire [15:0] mutant;
`define MUTANT(n) mutant == n
`else
package mutants;
  import "DPI-C" function int warpstep_mutant_number();
  import "DPI-C" function int warpstep_mutant_probing();
  import "DPI-C" function int warpstep_mutant_here(input string path);
  import "DPI-C" function void warpstep_mutant_active(input int number);
  int number = warpstep_mutant_number();
  bit probing = warpstep_mutant_probing() != 0;
  function automatic void active(input int n);
    warpstep_mutant_active(n);
  endfunction
endpackage
`define MUTANTS bit mutant_here; initial mutant_here = mutants::warpstep_mutant_here($sformatf("%m")) != 0;
`define MUTANT(n) (mutant_here && mutants::number == n)
`endif

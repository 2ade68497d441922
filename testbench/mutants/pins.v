// SPDX-License-Identifier: Apache-2.0
// The head of a netlist with mutants (netlist.sh): the number of the active mutant, and a flag that lists those that
// would act. pins.cpp has the functions. In a module that stands in several places a mutant may be in one alone.
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

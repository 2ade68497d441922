// SPDX-License-Identifier: Apache-2.0
// decode.vhd and its parts against the instruction table (decode_table.v, which decode_table.c writes), for all 2^64
// words. control_o is as spec/control.def says.
`include "decode_table.v"
module decode_flat_proofs (input [31:0] lo, input [31:0] hi);
    `include "control.svh"
    wire [CONTROL_BITS:0] value, known;
    decode_flat dut (.lo_i(lo), .hi_i(hi), .control_o(control));

    wire [63:0] word = {lo[0] ? hi : 32'b0, lo};
    decode_table table_ (.w(word), .value(value), .known(known));

    // A word without a row in the table is undefined. known is then zero: each row sets a control signal.
    wire       defined = known[AT_trap];
    wire [3:0] trap    = defined ? value[AT_trap+3:AT_trap] : 4'd1;

    always @* begin
        legality: assert (c_trap == trap && c_is_long == lo[0]);
        controls: assert (((control ^ value) & known) == 0);
    end
endmodule

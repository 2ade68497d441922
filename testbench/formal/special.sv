// SPDX-License-Identifier: Apache-2.0
// rtl/float/special_unit.vhd against special_model.v, function by function: result and flags for all operands, whichever
// lane it is for. The registers between the stages are wires here.
`include "special_model.v"
module special_proofs #(parameter OP = 1) (
    input clk, input neg_a_, input abs_a_, input saturate_, input [31:0] a, input [1:0] lane, input [127:0] other
);
    localparam LG2 = 3, EX2 = 6;
    // What another function has is zero (decode_rules.sv proves it).
    wire neg_a = neg_a_ && OP <= LG2, abs_a = abs_a_ && OP <= LG2, saturate = saturate_ && OP == EX2;

    // Lane 0 has the upper bits.
    wire [31:0]  result, value;
    wire [3:0]   flags, model_flags;
    wire [2:0]   op = OP;
    wire [127:0] operand = {96'b0, a} << {~lane, 5'b0}, mask = {96'b0, 32'hffffffff} << {~lane, 5'b0};
    special_unit dut (
        .clk(clk), .advance_i(1'b1), .control_i_special(op), .control_i_saturate(saturate), .control_i_neg_a(neg_a),
        .control_i_abs_a(abs_a), .lanes_i(4'b1 << lane), .a_i((other & ~mask) | operand), .result_o(result),
        .flags_o(flags));
    special_model model (
        .op(op), .neg_a(neg_a), .abs_a(abs_a), .saturate(saturate), .a(a), .value(value), .flags(model_flags));

    always @* equal: assert (result == value && flags == model_flags);
endmodule

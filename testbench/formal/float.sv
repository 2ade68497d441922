// SPDX-License-Identifier: Apache-2.0
// Floating point in lane_execute.vhd, where the unit of rtl/float/ uses multiplier and comparator of the ALU,
// against float_model.v, operation by operation: result and flags for all operands and all modifiers that decode can
// set with the operation (decode_rules.sv proves that). The registers between the stages are wires here, so that
// holding while the stages stand still is no part of it.
`include "float_model.v"
module float_proofs #(parameter OP = 0) (
    input clk, input [1:0] rounding_, input [3:0] compare_, input neg_a_, input neg_b_, input abs_a_, input abs_b_,
    input saturate_, input src16_, input byte__, input to_half_, input sign_a_, input sign_d_, input integral_,
    input [31:0] a, input [31:0] b_, input [31:0] c
);
    localparam ADD = 1, MUL = 2, MAD = 3, COMPARE = 4, MAX = 5, MIN = 6, SELECT = 7, FROM_INTEGER = 8, TO_INTEGER = 9,
               CONVERT = 10, REDUCE_SIN = 11, REDUCE_EX2 = 12;
    localparam ARITHMETIC = OP == ADD || OP == MUL || OP == MAD, ORDERS = OP == COMPARE || OP == MAX || OP == MIN,
               CONVERTS = OP == FROM_INTEGER || OP == TO_INTEGER || OP == CONVERT, REDUCES = OP >= REDUCE_SIN,
               SCALES = OP == TO_INTEGER || OP == CONVERT || OP == REDUCE_EX2 || OP == ADD;
    // Options of other operations are zero.
    wire [1:0] rounding = CONVERTS || OP == ADD || OP == MUL ? rounding_ : 0;
    wire [3:0] compare = OP == COMPARE ? compare_ : 0;
    wire neg_a    = neg_a_ && OP != SELECT;
    wire neg_b    = neg_b_ && !CONVERTS && !REDUCES;
    wire abs_a    = abs_a_ && !ARITHMETIC && OP != SELECT;
    wire abs_b    = abs_b_ && ORDERS;
    wire saturate = saturate_ && (OP == ADD || OP == MAD || OP == FROM_INTEGER || OP == CONVERT);
    wire src16    = src16_ && CONVERTS;
    wire byte_    = byte__ && OP == FROM_INTEGER;
    wire to_half  = to_half_ && CONVERTS;
    wire sign_a   = sign_a_ && OP == FROM_INTEGER;
    wire sign_d   = sign_d_ && OP == TO_INTEGER;
    wire integral = integral_ && OP == CONVERT;
    wire [31:0] b = OP == REDUCE_SIN ? 32'ha2f983 : b_; // 2 / pi

    wire [31:0] result, value;
    wire [3:0]  flags, model_flags, op = OP;
    // Unless it shifts, it does not matter what the ALU does meanwhile: its other controls may be anything.
    lane_execute dut (
        .clk(clk), .moves_i_x2(1'b1), .moves_i_x3(1'b1), .moves_i_resolve(1'b1), .moves_i_write(1'b1),
        .float_moves_i(10'h3ff),
        .operands_i_src_a(a), .operands_i_src_b(b), .operands_i_src_c(c),
        .float_o_value(result), .float_o_flags(flags),
        // factors_t, as factors_of of operands_pkg.vhd has it; its first field is the lowest bit.
        .operands_i_factors({1'b0, OP == FROM_INTEGER, OP == REDUCE_EX2, OP == ADD, SCALES, src16, 1'b1, 2'b0, SCALES,
                             1'b1, 1'b0, sign_a}),
`define CONTROL(name, value) .x1_control_i_``name(value)
        `CONTROL(float, op), `CONTROL(rounding, rounding), `CONTROL(compare, compare), `CONTROL(neg_a, neg_a),
        `CONTROL(neg_b, neg_b), `CONTROL(abs_a, abs_a), `CONTROL(abs_b, abs_b), `CONTROL(saturate, saturate),
        `CONTROL(src_half, src16), `CONTROL(src_byte, byte_), `CONTROL(to_half, to_half), `CONTROL(sign_a, sign_a),
        `CONTROL(sign_d, sign_d), `CONTROL(integral, integral), `CONTROL(alu, 4'b0), `CONTROL(sign_b, 1'b0));
    float_model model (
        .op(op), .rounding(rounding), .compare(compare), .neg_a(neg_a), .neg_b(neg_b), .abs_a(abs_a), .abs_b(abs_b),
        .saturate(saturate), .src16(src16), .byte_(byte_), .to_half(to_half), .sign_a(sign_a), .sign_d(sign_d),
        .integral(integral), .a(a), .b(b), .c(c), .value(value), .flags(model_flags));

    always @* equal: assert (result == value && flags == model_flags);
endmodule

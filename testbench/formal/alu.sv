// SPDX-License-Identifier: Apache-2.0
// rtl/alu.vhd, with its multiplier, against what the C model computes (model.v), operation by operation: result and flags
// for all operands and all modifiers that decode can set with the operation. The register between the stages is a wire
// here, so that holding while the stages stand still is no part of it.
`include "model.v"
module alu_proofs #(parameter OP = 0) (
    input clk, input w16, input sign_a, input sign_b, input sign_d, input mul24,
    input mul_hi, input mul_add, input saturate, input neg_a, input neg_b, input carry, input inv_a, input inv_b,
    input absolute, input src16, input byte_, input dst8, input [1:0] logic_op, input [2:0] compare,
    input [31:0] a, input [31:0] b, input [31:0] c, input cin
);
    // What concerns one operation is zero in all others (decode_rules.sv proves it).
    localparam PASS_A = 0, PASS_B = 1, ADD = 2, MUL = 3, SAD = 4, COMPARE = 5, MIN = 6, MAX = 7, SHL = 8, SHR = 9,
               LOGIC = 10, CONVERT = 11;
    wire [3:0] op = OP;
    wire adds  = mul_add && op == MUL;
    wire bytes = byte_ && op == CONVERT;
    wire half  = src16 && op == CONVERT;
    wire byte_d = dst8 && op == CONVERT;
    wire short = w16 && op != MUL;

    // The operand stage extends sources of 16 bits by sign_a. Where the ALU does not look there, anything may be.
    wire orders = op == COMPARE || op == MIN || op == MAX || op == SHR || op == SAD;
    wire [31:0] a16 = {{16{sign_a & a[15]}}, a[15:0]}, b16 = {{16{sign_a & b[15]}}, b[15:0]};
    wire [31:0] rtl_a = orders && short ? a16 : a;
    wire [31:0] rtl_b = (orders || op == SHL) && short ? b16 : b;
    wire [31:0] model_a = short && op != CONVERT ? {16'b0, a[15:0]} : a;
    wire [31:0] model_b = short && op != CONVERT ? {16'b0, b[15:0]} : b;

    wire [31:0] result, value;
    wire [3:0]  flags, model_flags;
    alu dut (
        .clk(clk), .advance_i(1'b1), .a_i(rtl_a), .b_i(rtl_b), .c_i(c), .carry_i(cin), .result_o(result),
        .flags_o(flags),
`define CONTROL(stage) .stage``_alu(op), .stage``_w16(short), .stage``_sign_a(sign_a), .stage``_sign_b(sign_b), \
        .stage``_sign_d(sign_d), .stage``_mul24(mul24), .stage``_mul_hi(mul_hi), .stage``_mul_add(adds), \
        .stage``_saturate(saturate), .stage``_neg_a(neg_a), .stage``_neg_b(neg_b), .stage``_carry(carry), \
        .stage``_inv_a(inv_a), .stage``_inv_b(inv_b), .stage``_abs_a(absolute), .stage``_src16(half), \
        .stage``_byte(bytes), .stage``_dst8(byte_d), .stage``_logic_op(logic_op), .stage``_compare(compare)
        `CONTROL(x_i), `CONTROL(y_i));
    model model (
        .op(op), .w16(short), .sign_a(sign_a), .sign_b(sign_b), .sign_d(sign_d), .mul24(mul24), .mul_hi(mul_hi),
        .mul_add(adds), .saturate(saturate), .neg_a(neg_a), .neg_b(neg_b), .carry(carry), .inv_a(inv_a), .inv_b(inv_b),
        .absolute(absolute), .src16(half), .byte_(bytes), .dst8(byte_d), .logic_op(logic_op), .compare(compare),
        .a(model_a), .b(model_b), .c(c), .cin(cin), .value(value), .flags(model_flags));

    // A sum with carry is never a difference; no SAD saturates, carries or negates.
    wire legal = op == SAD ? !saturate && !carry && !neg_a && !neg_b : !(carry && (neg_a || neg_b));
    always @* equal: assert (!legal || (result == value && flags == model_flags));
endmodule

// SPDX-License-Identifier: Apache-2.0
// rtl/execute/alu.vhd, with its multiplier, in lane_execute.vhd, against what the C model computes (model.v), operation
// by operation: result and flags for all operands and all modifiers that decode can set with the operation. The
// registers between the stages are wires here, so that holding while the stages stand still is no part of it.
`include "model.v"
module alu_proofs #(parameter OP = 0) (
    input clk, input w16, input sign_a, input sign_b, input sign_d, input mul24,
    input mul_hi, input mul_add, input saturate, input neg_a, input neg_b, input carry, input inv_a, input inv_b,
    input absolute, input src16, input byte_, input dst8, input [1:0] logic_op, input [2:0] compare,
    input [31:0] a, input [31:0] b, input [31:0] c, input cin
);
    // Options of one operation are zero in all others (decode_rules.sv proves it).
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
    lane_execute dut (
        .clk(clk), .moves_i_x2(1'b1), .moves_i_x3(1'b1), .moves_i_resolve(1'b1), .moves_i_write(1'b1),
        .operands_i_src_a(rtl_a), .operands_i_src_b(rtl_b), .operands_i_src_c(c),
        .operands_i_carry(cin), .done_o_result(result), .done_o_flags(flags),
        // factors_t, as factors_of of operands_pkg.vhd has it; its first field is the lowest bit.
        .operands_i_factors({5'b0, half, 1'b0, op == SHR && sign_a, op == SHR, op == SHL || op == SHR, mul24, sign_b,
                             sign_a}),
`define CONTROL(stage) .stage``_control_i_alu(op), .stage``_control_i_w16(short), .stage``_control_i_sign_a(sign_a), \
        .stage``_control_i_sign_b(sign_b), .stage``_control_i_sign_d(sign_d), .stage``_control_i_mul24(mul24), \
        .stage``_control_i_mul_hi(mul_hi), .stage``_control_i_mul_add(adds), .stage``_control_i_saturate(saturate), \
        .stage``_control_i_neg_a(neg_a), .stage``_control_i_neg_b(neg_b), .stage``_control_i_carry(carry), \
        .stage``_control_i_inv_a(inv_a), .stage``_control_i_inv_b(inv_b), .stage``_control_i_abs_a(absolute), \
        .stage``_control_i_src_half(half), .stage``_control_i_src_byte(bytes), .stage``_control_i_dst8(byte_d), \
        .stage``_control_i_logic_op(logic_op), .stage``_control_i_compare({1'b0, compare}), \
        .stage``_control_i_float(4'b0), .stage``_control_i_creg_from_src_a(1'b0)
        `CONTROL(x1), `CONTROL(x2), `CONTROL(resolve));
    model model (
        .op(op), .w16(short), .sign_a(sign_a), .sign_b(sign_b), .sign_d(sign_d), .mul24(mul24), .mul_hi(mul_hi),
        .mul_add(adds), .saturate(saturate), .neg_a(neg_a), .neg_b(neg_b), .carry(carry), .inv_a(inv_a), .inv_b(inv_b),
        .absolute(absolute), .src16(half), .byte_(bytes), .dst8(byte_d), .logic_op(logic_op), .compare(compare),
        .a(model_a), .b(model_b), .c(c), .cin(cin), .value(value), .flags(model_flags));

    // A sum with carry is never a difference; no SAD saturates, carries or negates.
    wire legal = op == SAD ? !saturate && !carry && !neg_a && !neg_b : !(carry && (neg_a || neg_b));
    always @* equal: assert (!legal || (result == value && flags == model_flags));
endmodule

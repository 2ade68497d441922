// SPDX-License-Identifier: Apache-2.0
// What other proofs take for granted of rtl/decode.vhd, for all words. Bits of control_o: testbench/decode/control.def.
module decode_rules_proofs (input [31:0] lo, input [31:0] hi);
    wire [252:0] control;
    decode_flat dut (.lo_i(lo), .hi_i(hi), .control_o(control));

    wire is_long = control[252];
    wire [3:0] trap = control[251:248], alu = control[247:244], flow = control[240:237];
    wire is_end = control[236], is_join = control[235], redirects = control[234];
    wire [2:0] mem = control[243:241], mem_size = control[165:163];
    wire [3:0] a_from = control[233:230], b_from = control[221:218], c_from = control[209:206];
    wire a_inc = control[108], reads_shared = control[91], reads_const = control[90];
    wire [1:0] dst = control[63:62];
    wire set_c = control[45], c_from_a = control[44], set_a = control[41], has_guard = control[37];
    wire w16 = control[89], mul_add = control[83], saturate = control[82], neg_a = control[81], neg_b = control[80],
         carry = control[79], src16 = control[75], byte_ = control[74], dst8 = control[73];
    localparam MUL = 3, SAD = 4, CONVERT = 11, SIZE_4 = 2, BRX = 7, BREAKPOINT = 10;

    always @* begin
        alu_options: assert ((alu == CONVERT || !(dst8 || byte_ || src16)) && (alu == MUL ? !w16 : !mul_add)
                             && !(alu == SAD && (saturate || carry || neg_a || neg_b))
                             && (alu == CONVERT || !(carry && (neg_a || neg_b))));
        flow_marker: assert (flow <= 10 && !(is_end && is_join) && (flow == 0 || !(is_end || is_join)));
        flow_long:   assert (is_long || (!is_end && !is_join && (flow == 0 || flow == BREAKPOINT)));
        trap_alone:  assert (trap == 0 || (flow == 0 && !is_end && !is_join && mem == 0 && a_from == 0 && b_from == 0
                                           && c_from == 0 && !a_inc && !reads_shared && !reads_const && dst == 0
                                           && !set_c && !c_from_a && !set_a && !has_guard && !carry));
        flow_access: assert (flow == 0 || flow == BRX
                             || (mem == 0 && mem_size <= SIZE_4 && !reads_shared && !reads_const));
        redirects_known: assert (redirects == (flow != 0 || is_end || is_join || trap != 0));
    end
endmodule

// SPDX-License-Identifier: Apache-2.0
// What other proofs take for granted of rtl/decode.vhd, for all words. Bits of control_o: testbench/decode/control.def.
module decode_rules_proofs (input [31:0] lo, input [31:0] hi);
    wire [252:0] control;
    decode_flat dut (.lo_i(lo), .hi_i(hi), .control_o(control));

    wire [3:0] alu = control[247:244], flow = control[240:237];
    wire is_end = control[236], is_join = control[235];
    wire w16 = control[89], mul_add = control[83], saturate = control[82], neg_a = control[81], neg_b = control[80],
         carry = control[79], src16 = control[75], byte_ = control[74], dst8 = control[73];
    localparam MUL = 3, SAD = 4, CONVERT = 11;

    always @* begin
        alu_options: assert ((alu == CONVERT || !(dst8 || byte_ || src16)) && (alu == MUL ? !w16 : !mul_add)
                             && !(alu == SAD && (saturate || carry || neg_a || neg_b))
                             && (alu == CONVERT || !(carry && (neg_a || neg_b))));
        flow_marker: assert (flow <= 10 && !(is_end && is_join) && (flow == 0 || !(is_end || is_join)));
    end
endmodule

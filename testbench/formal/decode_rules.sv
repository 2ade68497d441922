// SPDX-License-Identifier: Apache-2.0
// What other proofs take for granted of rtl/decode.vhd, for all words. Its signals: rtl/control.def.
module decode_rules_proofs (input [31:0] lo, input [31:0] hi);
    `include "control.svh"
    decode_flat dut (.lo_i(lo), .hi_i(hi), .control_o(control));
    localparam SIZE_4 = 2;

    always @* begin
        alu_options: assert ((c_alu == ALU_CONVERT || !(c_dst8 || c_byte || c_src16))
                             && (c_alu == ALU_MUL ? !c_w16 : !c_mul_add)
                             && !(c_alu == ALU_SAD && (c_saturate || c_carry || c_neg_a || c_neg_b))
                             && (c_alu == ALU_CONVERT || !(c_carry && (c_neg_a || c_neg_b))));
        flow_marker: assert (c_flow <= FLOW_BREAKPOINT && !(c_is_end && c_is_join)
                             && (c_flow == FLOW_NONE || !(c_is_end || c_is_join)));
        flow_long:   assert (c_is_long || (!c_is_end && !c_is_join
                             && (c_flow == FLOW_NONE || c_flow == FLOW_BREAKPOINT)));
        trap_alone:  assert (c_trap == 0 || (c_flow == FLOW_NONE && !c_is_end && !c_is_join && c_mem == MEM_NONE
                                             && c_a_from == SRC_ZERO && c_b_from == SRC_ZERO && c_c_from == SRC_ZERO
                                             && !c_a_inc && !c_reads_shared && !c_reads_const && c_dst == DST_NONE
                                             && !c_set_c && !c_c_from_a && !c_set_a && !c_has_guard && !c_carry));
        flow_access: assert (c_flow == FLOW_NONE || c_flow == FLOW_BRX
                             || (c_mem == MEM_NONE && c_mem_size <= SIZE_4 && !c_reads_shared && !c_reads_const));
        redirects_known: assert (c_redirects == (c_flow != FLOW_NONE || c_is_end || c_is_join || c_trap != 0));
    end
endmodule

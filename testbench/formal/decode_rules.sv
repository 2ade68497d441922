// SPDX-License-Identifier: Apache-2.0
// Assumptions of other proofs about decode.vhd, for all words. Its signals: spec/control.def.
module decode_rules_proofs (input [31:0] lo, input [31:0] hi);
    `include "control.svh"
    decode_flat dut (.lo_i(lo), .hi_i(hi), .control_o(control));
    localparam SIZE_4 = 2;
    wire arithmetic = c_float == FLOAT_ADD || c_float == FLOAT_MULTIPLY || c_float == FLOAT_MULTIPLY_ADD;
    wire orders   = c_float == FLOAT_COMPARE || c_float == FLOAT_MAX || c_float == FLOAT_MIN;
    wire converts = c_float == FLOAT_FROM_INTEGER || c_float == FLOAT_TO_INTEGER || c_float == FLOAT_CONVERT;
    wire reduces  = c_float == FLOAT_REDUCE_SIN || c_float == FLOAT_REDUCE_EX2;

    always @* begin
        // The floating-point unit shares them, and the ALU's result is not asked for then.
        alu_options: assert (c_float != FLOAT_NONE
                             || ((c_alu == ALU_CONVERT || !(c_dst8 || c_src_byte || c_src_half))
                                 && (c_alu == ALU_MUL || c_alu == ALU_MUL_WORD ? !c_w16 : !c_mul_add)
                                 && !(c_alu == ALU_SAD && (c_saturate || c_carry || c_neg_a || c_neg_b))
                                 && (c_alu == ALU_CONVERT || !(c_carry && (c_neg_a || c_neg_b)))));
        // Assumptions of the proofs of the floating-point unit (float.sv).
        float_options: assert (c_float == FLOAT_NONE || c_trap != 0
                               || (c_alu == ALU_PASS_A && !c_sign_b
                                   && (converts || c_float == FLOAT_ADD || c_float == FLOAT_MULTIPLY || c_rounding == 0)
                                   && (c_float == FLOAT_COMPARE || c_compare == 0)
                                   && !(c_neg_a && c_float == FLOAT_SELECT) && !(c_neg_b && (converts || reduces))
                                   && !(c_abs_a && (arithmetic || c_float == FLOAT_SELECT)) && !(c_abs_b && !orders)
                                   && !(c_saturate && c_float != FLOAT_ADD && c_float != FLOAT_MULTIPLY_ADD
                                        && c_float != FLOAT_FROM_INTEGER && c_float != FLOAT_CONVERT)
                                   && !((c_src_half || c_to_half) && !converts)
                                   && !((c_src_byte || c_sign_a) && c_float != FLOAT_FROM_INTEGER)
                                   && !(c_sign_d && c_float != FLOAT_TO_INTEGER)
                                   && !(c_integral && c_float != FLOAT_CONVERT)
                                   && (c_float != FLOAT_REDUCE_SIN || (c_src_b_from == SRC_IMM
                                       && c_imm == 32'ha2f983))));
        flow_marker: assert (c_flow <= FLOW_BREAKPOINT && !(c_is_end && c_is_join)
                             && (c_flow == FLOW_NONE || !(c_is_end || c_is_join)));
        flow_long:   assert (c_is_long || (!c_is_end && !c_is_join
                             && (c_flow == FLOW_NONE || c_flow == FLOW_BREAKPOINT)));
        trap_alone:  assert (c_trap == 0 || (c_flow == FLOW_NONE && !c_is_end && !c_is_join && c_mem == MEM_NONE
                                             && c_src_a_from == SRC_ZERO && c_src_b_from == SRC_ZERO
                                                 && c_src_c_from == SRC_ZERO
                                             && !c_areg_inc && !c_reads_shared && !c_reads_const && c_dst == DST_NONE
                                             && !c_creg_set && !c_creg_from_src_a && !c_areg_set && !c_has_guard
                                                 && !c_carry));
        flow_access: assert (c_flow == FLOW_NONE || c_flow == FLOW_BRX
                             || (c_mem == MEM_NONE && c_mem_size <= SIZE_4 && !c_reads_shared && !c_reads_const));
        redirects_known: assert (c_redirects == (c_flow != FLOW_NONE || c_is_end || c_is_join || c_trap != 0));
    end
endmodule
